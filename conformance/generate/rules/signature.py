"""The signature against the graph, and against itself."""

import copy

from format.document import Foreign
from generate.language.texts import since, within
from generate.whole import (SIGNATURE, Draft, Whole, buffer, call, custom_obj, leaves, meta,
                            name_of, parameter, spec, sym_int, tensor, user_input, user_output)

SPECS = ("2", "5.3", "7.3", "8.2", "8.20")  # versions with specs
INPUTS, OUTPUTS = SIGNATURE + "input_specs/", SIGNATURE + "output_specs/"
CLAUSES = ["5.3.%d" % i for i in range(1, 10)]


def add(one, other, output):
    return call("aten.add.Tensor", {"self": tensor(one), "other": tensor(other)}, tensor(output))


def base():
    """Two parameters, two buffers, of which two are changed, and two of the user."""
    draft = Draft().take(parameter("p_w", "w"), parameter("p_v", "v"), buffer("b_a", "a"),
                         buffer("b_c", "c"), user_input(tensor("x")), user_input(tensor("y")))
    names = ("p_w", "p_v", "b_a", "b_c", "x", "y", "s", "t", "u", "r")
    draft.tensors(**{name: meta(2, 3) for name in names})
    draft.node(add("x", "p_w", "s"), add("b_a", "s", "t"), add("b_c", "p_v", "u"),
               add("s", "y", "r"))
    return draft.give(spec("buffer_mutation", "t", buffer_name="a"),
                      spec("buffer_mutation", "u", buffer_name="c"),
                      user_output(tensor("r")), user_output(tensor("s")))


def signed(data, table, i):
    """The value of a spec."""
    (_, value), = data[table + "_specs"][i].items()
    return value


# ---- specs ----------------------------------------------------------------------


def numbers(whole):
    def fewer(data):
        data["input_specs"].pop()
    whole.bad("inputs-few", fewer, "EP_SIGNATURE_INPUTS", SIGNATURE[:-1], "Five specs of six.")

    def first(data):
        data["input_specs"].pop(0)
    whole.bad("inputs-first", first, "EP_SIGNATURE_INPUTS", SIGNATURE[:-1], "Five specs of six.")

    def none(data):
        data["graph"]["inputs"].insert(5, {"as_int": 3})
    whole.bad("inputs-graph", none, "EP_SIGNATURE_INPUTS", SIGNATURE[:-1], "Six specs of seven.")

    def given(data):
        data["output_specs"].pop(0)
    whole.bad("outputs-few", given, "EP_SIGNATURE_OUTPUTS", SIGNATURE[:-1], "Three specs of four.")

    def graph(data):
        data["graph"]["outputs"].pop()
    whole.bad("outputs-graph", graph, "EP_SIGNATURE_OUTPUTS", SIGNATURE[:-1],
              "Four specs of three.")

    def more(data):
        data["graph"]["outputs"].append({"as_none": True})
    whole.bad("outputs-none", more, "EP_SIGNATURE_OUTPUTS", SIGNATURE[:-1], "None is an output.")


def matches(whole):
    def other(data):
        signed(data, "input", 5)["arg"] = tensor("x")
    whole.bad("input-other", other, "EP_SIGNATURE_INPUT", INPUTS + "5",
              "The value at another place.")

    def parameter_other(data):
        signed(data, "input", 0)["arg"]["name"] = "p_v"
    whole.bad("input-parameter", parameter_other, "EP_SIGNATURE_INPUT", INPUTS + "0",
              "The value at another place.")

    def nobody(data):
        signed(data, "input", 4)["arg"] = tensor("nobody")
    whole.bad("input-nobody", nobody, "EP_SIGNATURE_INPUT", INPUTS + "4", "No value at all.")

    def kind(data):
        signed(data, "input", 4)["arg"] = sym_int("x")
    whole.bad("input-kind", kind, "EP_SIGNATURE_INPUT", INPUTS + "4", "As a value of another kind.")

    def constant(data):
        signed(data, "input", 4)["arg"] = {"as_int": 3}
    whole.bad("input-constant", constant, "EP_SIGNATURE_INPUT", INPUTS + "4", "A number for it.")

    def swapped(data):
        data["graph"]["inputs"][4:] = reversed(data["graph"]["inputs"][4:])
    whole.bad("input-swapped", swapped, "EP_SIGNATURE_INPUT", INPUTS + "4", "In another order.")

    def output(data):
        signed(data, "output", 3)["arg"] = tensor("r")
    whole.bad("output-other", output, "EP_SIGNATURE_OUTPUT", OUTPUTS + "3",
              "The value at another place.")

    def output_kind(data):
        signed(data, "output", 2)["arg"] = sym_int("r")
    whole.bad("output-kind", output_kind, "EP_SIGNATURE_OUTPUT", OUTPUTS + "2",
              "As a value of another kind.")

    def mutation(data):
        signed(data, "output", 0)["arg"]["name"] = "u"
    whole.bad("output-mutation", mutation, "EP_SIGNATURE_OUTPUT", OUTPUTS + "0",
              "The value at another place.")

    def output_swapped(data):
        data["graph"]["outputs"][2:] = reversed(data["graph"]["outputs"][2:])
    whole.bad("output-swapped", output_swapped, "EP_SIGNATURE_OUTPUT", OUTPUTS + "2",
              "In another order.")

    def none(data):
        signed(data, "output", 3)["arg"] = {"as_none": True}
    whole.bad("output-none", none, "EP_SIGNATURE_OUTPUT", OUTPUTS + "3", "Nothing for it.")


def swap(data, table, i, j):
    specs, arguments = data[table + "_specs"], data["graph"][table + "s"]
    specs[i], specs[j] = specs[j], specs[i]
    arguments[i], arguments[j] = arguments[j], arguments[i]


def exchanged(table, i, j):
    """The change that gives two values each other's spec."""
    def change(data):
        specs = data[table + "_specs"]
        specs[i], specs[j] = named(specs[j], specs[i]), named(specs[i], specs[j])
    return change


def named(each, other):
    """A spec with the value of another one."""
    (tag, value), = copy.deepcopy(each).items()
    (_, source), = other.items()
    name = name_of(source["arg"]) if len(source["arg"]) == 1 and "name" not in source[
        "arg"] else source["arg"]["name"]
    value["arg"] = tensor(name) if tag.startswith("user_") and "name" not in value["arg"] else {
        "name": name}
    return {tag: value}


def orders(whole):
    for label, table, i, j, late in (
            ("input", "input", 3, 4, 4), ("input-parameter", "input", 1, 4, 2),
            ("output", "output", 1, 2, 2), ("output-first", "output", 0, 3, 1)):
        whole.bad("order-" + label, exchanged(table, i, j), "EP_SIGNATURE_ORDER",
                  (INPUTS if table == "input" else OUTPUTS) + str(late), "It comes too late.")
    whole.good("order-mixed", exchanged("input", 1, 2), "5.3.5", "Buffers among parameters.")


def lifted(whole):
    """Names of parameters and the like."""
    for label, i, key in (("parameter", 0, "parameter_name"), ("buffer", 3, "buffer_name")):
        def empty(data, i=i, key=key):
            signed(data, "input", i)[key] = ""
        tag = label
        if label == "buffer":
            def empty(data):
                signed(data, "input", 3)["buffer_name"] = ""
                signed(data, "output", 1)["buffer_name"] = ""
        whole.bad("name-" + label, empty, "EP_SPEC_NAME", "%s%d/%s/%s" % (INPUTS, i, tag, key),
                  "No name.")

    def twice(data):
        signed(data, "input", 1)["parameter_name"] = "a"
    whole.bad("twice-kinds", twice, "EP_SPEC_TWICE", INPUTS + "2/buffer/buffer_name",
              "A parameter and a buffer.")

    def buffers(data):
        signed(data, "input", 3)["buffer_name"] = "a"
        signed(data, "output", 1)["buffer_name"] = "a"
    whole.bad("twice-buffers", buffers, "EP_SPEC_TWICE", INPUTS + "3/buffer/buffer_name",
              "Two buffers; both mutations are of one, too.", flags=["precedence"])

    def parameters(data):
        signed(data, "input", 1)["parameter_name"] = "w"
    if within(whole.version.name, "5.4", "8.8"):
        whole.good("twice-parameters", parameters, "5.3.7", "A parameter that stands twice.")
    else:
        whole.bad("twice-parameters", parameters, "EP_SPEC_TWICE",
                  INPUTS + "1/parameter/parameter_name", "Two parameters.")

    def dotted(data):
        signed(data, "input", 0)["parameter_name"] = "layers.0.w"
    whole.good("name-dots", dotted, "5.3.6", "Any name.")


def mutations(whole):
    def nobody(data):
        signed(data, "output", 0)["buffer_name"] = "nobody"
    whole.bad("mutation-nobody", nobody, "EP_MUTATION_TARGET",
              OUTPUTS + "0/buffer_mutation/buffer_name", "No such buffer.")

    def a_parameter(data):
        signed(data, "output", 1)["buffer_name"] = "w"
    whole.bad("mutation-parameter", a_parameter, "EP_MUTATION_TARGET",
              OUTPUTS + "1/buffer_mutation/buffer_name", "A parameter is no buffer.")

    def value(data):
        signed(data, "output", 0)["buffer_name"] = "b_a"
    whole.bad("mutation-value", value, "EP_MUTATION_TARGET",
              OUTPUTS + "0/buffer_mutation/buffer_name", "The value, not the buffer.")

    def twice(data):
        signed(data, "output", 1)["buffer_name"] = "a"
    whole.bad("mutation-twice", twice, "EP_MUTATION_TWICE",
              OUTPUTS + "1/buffer_mutation/buffer_name", "Of one buffer.")


def specs(suite):
    for version in SPECS + ("1-2023-12", "5.4", "8.7", "8.8"):
        whole = Whole(suite, "signature/base", base(), version, CLAUSES,
                      "Parameters, buffers, mutations.")
        lifted(whole)
        if version in ("1-2023-12",) + SPECS:
            for each in (numbers, matches, orders, mutations):
                each(whole)
    whole = Whole(suite, "signature/base", base(), "8.20", CLAUSES, "In another spelling.",
                  Foreign())
    for each in (numbers, matches, mutations, lifted):
        each(whole)


# ---- mutations of inputs and parameters ---------------------------------------------


def other_mutations(suite):
    for version in ("4.2", "7.3", "8.20"):
        draft = Draft().take(user_input(tensor("x")), user_input(tensor("y")))
        draft.tensors(x=meta(2), y=meta(2), s=meta(2), t=meta(2))
        draft.node(add("x", "y", "s"), add("s", "y", "t"))
        draft.give(spec("user_input_mutation", "s", user_input_name="x"), user_output(tensor("t")))
        whole = Whole(suite, "signature/user-input", draft, version, ["5.3.8"],
                      "An input that is changed.")
        place = OUTPUTS + "0/user_input_mutation/user_input_name"
        for label, name, why in (("nobody", "nobody", "No such input."),
                                 ("value", "t", "A value, but no input."),
                                 ("empty", "", "No such input.")):
            def change(data, name=name):
                signed(data, "output", 0)["user_input_name"] = name
            whole.bad("user-mutation-" + label, change, "EP_MUTATION_TARGET", place, why)
    for version in ("8.10", "8.20"):
        draft = Draft().take(parameter("p_w", "w"), buffer("b_a", "a"), user_input(tensor("x")))
        draft.tensors(p_w=meta(2), b_a=meta(2), x=meta(2), s=meta(2), t=meta(2), u=meta(2))
        draft.node(add("x", "p_w", "s"), add("b_a", "s", "t"), add("s", "t", "u"))
        draft.give(spec("parameter_mutation", "s", parameter_name="w"),
                   spec("buffer_mutation", "t", buffer_name="a"), user_output(tensor("u")))
        whole = Whole(suite, "signature/parameter", draft, version, ["5.3.8", "5.3.9"],
                      "A parameter that is changed.")
        place = OUTPUTS + "0/parameter_mutation/parameter_name"

        def change(data):
            signed(data, "output", 0)["parameter_name"] = "a"
        whole.bad("parameter-mutation-buffer", change, "EP_MUTATION_TARGET", place,
                  "A buffer is no parameter.")

        def kind(data):
            data["output_specs"][1] = spec("parameter_mutation", "t", parameter_name="w")
        whole.bad("parameter-mutation-twice", kind, "EP_MUTATION_TWICE",
                  OUTPUTS + "1/parameter_mutation/parameter_name", "Of one parameter.")


# ---- gradients ------------------------------------------------------------------------


def joint():
    draft = Draft().take(parameter("p_w", "w"), parameter("p_v", "v"), buffer("b_a", "a"),
                         user_input(tensor("x")))
    draft.tensors(**{name: meta(2) for name in ("p_w", "p_v", "b_a", "x", "s", "t", "u", "r")})
    draft.node(add("x", "p_w", "s"), add("s", "p_v", "t"), add("s", "t", "u"), add("u", "b_a", "r"))
    return draft.give(spec("loss_output", "s"), user_output(tensor("r")),
                      spec("gradient_to_parameter", "t", parameter_name="w"),
                      spec("gradient_to_user_input", "u", user_input_name="x"))


def gradients(suite):
    for version in ("1-2023-12", "2", "7.3", "7.4", "8.1-a", "8.2", "8.20"):
        whole = Whole(suite, "signature/joint", joint(), version, ["5.3.10", "5.3.11", "5.3.5"],
                      "A loss and its gradients.")
        for label, i, key, name, why in (
                ("nobody", 2, "parameter_name", "nobody", "No such parameter."),
                ("buffer", 2, "parameter_name", "a", "A buffer is no parameter."),
                ("value", 2, "parameter_name", "p_w", "The value, not the parameter."),
                ("input", 3, "user_input_name", "nobody", "No such input."),
                ("input-parameter", 3, "user_input_name", "p_w", "A parameter is no such input.")):
            def change(data, i=i, key=key, name=name):
                signed(data, "output", i)[key] = name
            tag = "gradient_to_parameter" if i == 2 else "gradient_to_user_input"
            whole.bad("gradient-" + label, change, "EP_GRADIENT",
                      "%s%d/%s/%s" % (OUTPUTS, i, tag, key), why)

        def same(data):
            data["output_specs"][3] = spec("gradient_to_parameter", "u", parameter_name="w")
        whole.good("gradient-twice", same, "5.3.10", "Two gradients of one parameter.")

        def losses(data):
            data["output_specs"][1] = spec("loss_output", "r")
        whole.bad("loss-twice", losses, "EP_LOSS", OUTPUTS + "1", "Two losses.")

        def none(data):
            data["output_specs"][0] = user_output(tensor("s"))
        if since(version, "8.1-a"):
            whole.bad("loss-none", none, "EP_LOSS", OUTPUTS + "2", "Gradients of nothing.")
        else:
            whole.good("loss-none", none, "5.3.11", "torch 2.5 writes it so.")
        whole.bad("order-gradient", exchanged("output", 1, 2), "EP_SIGNATURE_ORDER",
                  OUTPUTS + "2", "An output behind a gradient.")


def alone(suite):
    for version in ("7.3", "8.20"):
        draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2), s=meta(2))
        draft.node(add("x", "x", "s")).give(spec("loss_output", "s"))
        Whole(suite, "signature/loss-alone", draft, version, "5.3.11", "A loss without gradients.")


# ---- tokens, constants, objects ----------------------------------------------------------


def effects():
    draft = Draft().take(spec("token", "token"), parameter("p_w", "w"), user_input(tensor("x")))
    draft.tensors(**{name: meta() for name in ("token", "token_1")}, p_w=meta(2), x=meta(2),
                  s=meta(2))
    draft.node(call("mylib.effect.default", {"t": tensor("token"), "x": tensor("x")},
                    [tensor("token_1"), tensor("s")]))
    return draft.give(spec("token", "token_1"), user_output(tensor("s")))


def tokens(suite):
    for version in ("5.3-2024-03", "5.3", "7.3", "8.20"):
        whole = Whole(suite, "signature/token", effects(), version, ["5.3.12", "5.3.5"],
                      "A token that goes through.")

        def output(data):
            data["output_specs"][0] = spec("loss_output", "token_1")
            data["output_specs"][1] = user_output(tensor("s"))
            data["root"]["out_spec"] = arguments_out(2)
        whole.bad("token-output", output, "EP_TOKENS", SIGNATURE[:-1], "It does not come out.")

        def given(data):
            data["input_specs"][0] = parameter("token", "t")
        whole.bad("token-input", given, "EP_TOKENS", SIGNATURE[:-1], "It does not go in.")
        whole.bad("order-token", exchanged("input", 0, 1), "EP_SIGNATURE_ORDER", INPUTS + "1",
                  "A token behind a parameter.")

        def other(data):
            signed(data, "input", 0)["arg"]["name"] = "x"
        whole.bad("token-other", other, "EP_SIGNATURE_INPUT", INPUTS + "0",
                  "The value at another place.")


def arguments_out(count):
    return leaves(count)


CONSTANTS = (("int", {"as_int": 3}, {"as_int": 4}), ("float", {"as_float": 0.5}, {"as_float": 1.5}),
             ("bool", {"as_bool": True}, {"as_bool": False}),
             ("string", {"as_string": "a"}, {"as_string": "b"}),
             ("none", {"as_none": True}, {"as_bool": False}))


def constants(suite):
    for version in ("5.3", "7.3", "8.2", "8.20"):
        draft = Draft().take(user_input(tensor("x")))
        for label, value, _ in CONSTANTS:
            draft.take({"constant_input": {"name": label, "value": value}})
        draft.tensors(x=meta(2), s=meta(2)).node(add("x", "x", "s")).give(user_output(tensor("s")))
        whole = Whole(suite, "signature/constant", draft, version, ["5.3.2", "5.3.1"],
                      "Constants of every type.")
        for i, (label, value, other) in enumerate(CONSTANTS, 1):
            def change(data, i=i, other=other):
                signed(data, "input", i)["value"] = other
            whole.bad("constant-" + label, change, "EP_SIGNATURE_INPUT", INPUTS + str(i),
                      "Another constant.")

        def kind(data):
            signed(data, "input", 1)["value"] = {"as_float": 3.0}
        whole.bad("constant-type", kind, "EP_SIGNATURE_INPUT", INPUTS + "1", "Another type.")

        def named(name, i=1):
            def change(data):
                signed(data, "input", i)["name"] = name
            return change
        place = INPUTS + "%d/constant_input/name"
        whole.bad("constant-name-value", named("s"), "EP_CONSTANT_NAME", place % 1,
                  "The name of a value.")
        whole.bad("constant-name-input", named("x", 3), "EP_CONSTANT_NAME", place % 3,
                  "The name of an input.")
        whole.bad("constant-name-last", named("x", len(CONSTANTS)), "EP_CONSTANT_NAME",
                  place % len(CONSTANTS), "The name of an input, of the last constant.")
        whole.bad("constant-name-twice", named("int", 2), "EP_CONSTANT_NAME", place % 2,
                  "The name of another.")

        def nameless(data):
            named("", 1)(data)
            named("", 2)(data)
        whole.good("constant-name-empty", nameless, "5.3.13", "No names.")

        def user(data):
            data["input_specs"][1] = user_input({"as_int": 3})
        whole.good("constant-user", user, "5.3.2", "As an input of the user.")

        def tensor_for(data):
            data["graph"]["inputs"][1] = {"as_none": True}
        whole.bad("constant-graph", tensor_for, "EP_SIGNATURE_INPUT", INPUTS + "1",
                  "The graph has none.")
    for version in ("5.3", "8.20"):
        draft = Draft().take({"constant_input": {"name": "k", "value": {"as_int": 3}}},
                             user_input(tensor("x"))).tensors(x=meta(2))
        whole = Whole(suite, "signature/constant-first", draft.give(user_output(tensor("x"))),
                      version, ["5.3.2", "5.3.13"], "A constant before the others.")

        def taken(data):
            data["input_specs"][0]["constant_input"]["name"] = "x"
        whole.bad("constant-first-name", taken, "EP_CONSTANT_NAME",
                  INPUTS + "0/constant_input/name", "The name of another input.")


def last_name(suite):
    """The last of all inputs has no name in the module."""
    for version in ("2", "7.3", "8.20"):
        draft = Draft().take(parameter("p", "w"), parameter("q", "v"))
        draft.tensors(p=meta(2), q=meta(2), s=meta(2)).node(add("p", "q", "s"))
        whole = Whole(suite, "signature/last", draft.give(user_output(tensor("s"))), version,
                      ["5.3.6"], "Two parameters, and no input of the user.")

        def empty(data):
            signed(data, "input", 1)["parameter_name"] = ""
        whole.bad("name", empty, "EP_SPEC_NAME", INPUTS + "1/parameter/parameter_name", "No name.")


def objects(suite):
    for version in ("3.1", "7.3", "8.20"):
        obj = custom_obj("obj")["as_custom_obj"]
        draft = Draft().take({"custom_obj": {"arg": obj, "custom_obj_name": "o"}},
                             spec("tensor_constant", "c", tensor_constant_name="k"),
                             user_input(tensor("x")))
        draft.tensors(c=meta(2), x=meta(2), s=meta(2)).table("custom_obj_values", obj=obj)
        draft.node(add("x", "c", "s")).give(user_output(tensor("s")))
        whole = Whole(suite, "signature/object", draft, version, ["5.3.2", "5.3.6", "5.3.7"],
                      "An object and a constant.")
        for label, i, key, tag in (("object", 0, "custom_obj_name", "custom_obj"),
                                   ("tensor", 1, "tensor_constant_name", "tensor_constant")):
            def empty(data, i=i, key=key):
                signed(data, "input", i)[key] = ""
            whole.bad("name-" + label, empty, "EP_SPEC_NAME", "%s%d/%s/%s" % (INPUTS, i, tag, key),
                      "No name.")

        def same(data):
            signed(data, "input", 1)["tensor_constant_name"] = "o"
        whole.bad("twice-object", same, "EP_SPEC_TWICE",
                  INPUTS + "1/tensor_constant/tensor_constant_name", "An object and a constant.")

        def other(data):
            signed(data, "input", 0)["arg"]["name"] = "nobody"
        whole.bad("object-other", other, "EP_SIGNATURE_INPUT", INPUTS + "0", "Another object.")


# ---- the dicts of version 1 -----------------------------------------------------------------


def old_base():
    draft = base()
    draft.data["backward"] = None
    return draft


def old(suite):
    for version in ("1-2023-08", "1"):
        whole = Whole(suite, "signature/old", old_base(), version, CLAUSES, "Dicts of names.")
        for label, change, code, where, why in OLD:
            whole.bad("old-" + label, change, code, where, why)

        def order(data):
            data["graph"]["inputs"].reverse()
        whole.good("old-order", order, ["5.3.2", "5.3.5"], "The order is not judged.")
        old_backward(suite, version)


def renamed(table, i, name):
    """The change that puts another value in the place of a spec's."""
    def change(data):
        signed(data, table, i)["arg"] = tensor(name) if "user" in next(
            iter(data[table + "_specs"][i])) else {"name": name}
    return change


def set_in(table, i, key, name):
    def change(data):
        signed(data, table, i)[key] = name
    return change


def drop(table, i):
    def change(data):
        data[table + "_specs"].pop(i)
    return change


OLD = (
    ("inputs-few", drop("input", 0), "EP_SIGNATURE_INPUTS", SIGNATURE[:-1], "A parameter less."),
    ("inputs-user", drop("input", 5), "EP_SIGNATURE_INPUTS", SIGNATURE[:-1], "An input less."),
    ("input-parameter", renamed("input", 0, "nobody"), "EP_SIGNATURE_INPUT",
     (SIGNATURE + "inputs_to_parameters", "nobody"), "Not of the graph."),
    ("input-buffer", renamed("input", 3, "r"), "EP_SIGNATURE_INPUT",
     (SIGNATURE + "inputs_to_buffers", "r"), "No input of the graph."),
    ("input-user", renamed("input", 4, "nobody"), "EP_SIGNATURE_INPUT",
     SIGNATURE + "user_inputs/0", "Not of the graph."),
    ("outputs-few", drop("output", 3), "EP_SIGNATURE_OUTPUTS", SIGNATURE[:-1], "An output less."),
    ("outputs-mutation", drop("output", 0), "EP_SIGNATURE_OUTPUTS", SIGNATURE[:-1],
     "A mutation less."),
    ("output-user", renamed("output", 2, "x"), "EP_SIGNATURE_OUTPUT", SIGNATURE + "user_outputs/0",
     "No output of the graph."),
    ("output-mutation", renamed("output", 1, "nobody"), "EP_SIGNATURE_OUTPUT",
     (SIGNATURE + "buffers_to_mutate", "nobody"), "Not of the graph."),
    ("name-parameter", set_in("input", 0, "parameter_name", ""), "EP_SPEC_NAME",
     SIGNATURE + "inputs_to_parameters/p_w", "No name."),
    ("twice-parameters", set_in("input", 1, "parameter_name", "w"), "EP_SPEC_TWICE",
     SIGNATURE + "inputs_to_parameters/p_v", "Two parameters."),
    ("twice-kinds", set_in("input", 1, "parameter_name", "a"), "EP_SPEC_TWICE",
     SIGNATURE + "inputs_to_buffers/b_a", "A parameter and a buffer."),
    ("mutation-nobody", set_in("output", 0, "buffer_name", "nobody"), "EP_MUTATION_TARGET",
     SIGNATURE + "buffers_to_mutate/t", "No such buffer."),
    ("mutation-twice", set_in("output", 1, "buffer_name", "a"), "EP_MUTATION_TWICE",
     SIGNATURE + "buffers_to_mutate/u", "Of one buffer."),
)
BACKWARD = {"gradients_to_parameters": {"t": "w"}, "gradients_to_user_inputs": {"u": "x"},
            "loss_output": "s"}


def old_backward(suite, version):
    """In version 1 the gradients stand beside the outputs."""
    draft = Draft().take(parameter("p_w", "w"), user_input(tensor("x")))
    draft.tensors(**{name: meta(2) for name in ("p_w", "x", "s", "t", "u")})
    draft.node(add("x", "p_w", "s"), add("s", "s", "t"), add("s", "t", "u"))
    draft.give(user_output(tensor("s")))
    draft.data["graph"]["outputs"] += [tensor("t"), tensor("u")]
    draft.data["backward"] = BACKWARD
    whole = Whole(suite, "signature/old-joint", draft, version, ["5.3.10", "5.3.11"],
                  "Gradients in dicts.")
    place = SIGNATURE + "backward_signature/"
    for label, change, code, where, why in (
            ("old-gradient", {"gradients_to_parameters": {"t": "nobody"}}, "EP_GRADIENT",
             place + "gradients_to_parameters/t", "No such parameter."),
            ("old-gradient-input", {"gradients_to_user_inputs": {"u": "p_w"}}, "EP_GRADIENT",
             place + "gradients_to_user_inputs/u", "No such input."),
            ("old-gradient-value", {"gradients_to_parameters": {"nobody": "w"}},
             "EP_SIGNATURE_OUTPUT", (place + "gradients_to_parameters", "nobody"),
             "Not of the graph."),
            ("old-gradient-few", {"gradients_to_user_inputs": {}}, "EP_SIGNATURE_OUTPUTS",
             SIGNATURE[:-1], "An output less."),
            ("old-loss", {"loss_output": "nobody"}, "EP_LOSS", place + "loss_output",
             "No output."),
            ("old-loss-gradient", {"loss_output": "t"}, "EP_LOSS", place + "loss_output",
             "No output of the user.")):
        def edit(data, change=change):
            data["backward"] = {**BACKWARD, **change}
        whole.bad(label, edit, code, where, why)


def vectors(suite):
    specs(suite)
    other_mutations(suite)
    gradients(suite)
    alone(suite)
    tokens(suite)
    constants(suite)
    last_name(suite)
    objects(suite)
    old(suite)
