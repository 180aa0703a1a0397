"""What stands alone, first or last, where a reader goes through a list: the one value of a graph,
the one entry of a program, the first and the last spec, the second of two leaves; numbers in the
place of a name, and bytes next to the letters.
"""

from format.document import replace
from format.history import VERSIONS
from generate.language.texts import is_srepr
from generate.rules.modules import Modules, more
from generate.rules.operators import FLASH, M, N, NONE, QKV, X, Y, Operators, integer
from generate.rules.signature import INPUTS, OUTPUTS, SIGNATURE
from generate.rules.subgraphs import as_graph, body, program, returning, unnamed
from generate.whole import (GRAPH, MODULES, NODES, Draft, Whole, at, call, custom_obj,
                            entry, leaves, meta, spec, sym_bool, sym_int, tensor, tensors,
                            user_input, user_output)

LATEST = "8.20"
OLDEST = "1-2023-08"

# ---- 5.1.8, 5.1.9, 5.2.3, 5.5.4: numbers in the place of a name ---------------------------------

# a kind of symbolic arguments, the tag of its numbers, a number
KINDS = (("int", "as_int", 3), ("float", "as_float", 0.5), ("bool", "as_bool", True))
INNER = NODES + "0/inputs/0/arg/as_graph/graph/"


def numbers(suite):
    """A constant of each kind where a graph or an entry may have one, and the same number as a
    symbolic argument, which has to have a name there."""
    for version in ("8.2", LATEST):
        for kind, tag, number in KINDS:
            plain, symbolic = {tag: number}, {"as_sym_" + kind: {tag: number}}
            inner = body()
            inner["inputs"].append(plain)
            inner["outputs"].append(plain)
            draft = Draft(modules=[entry("sub", [X, plain], [X, plain])])
            draft.take(user_input(X)).tensors(x=meta(2))
            draft.node(call("mylib.f.default", {"g": as_graph("g_0", inner)}, NONE),
                       call("mylib.make.default", {}, NONE)).give(user_output(X))
            whole = Whole(suite, "value/numbers-" + kind, draft, version,
                          ["5.1.8", "5.1.9", "5.5.4"], "Constants.")

            def put(label, code, where, change, whole=whole, kind=kind):
                whole.bad("numbers-%s-%s" % (kind, label), change, code, where,
                          "A symbolic one has a name here.")

            def taken(data, symbolic=symbolic):
                inner_of(data)["inputs"][1] = symbolic

            def returned(data, symbolic=symbolic):
                inner_of(data)["outputs"][1] = symbolic

            def given(data, symbolic=symbolic):
                data["graph"]["nodes"][1]["outputs"][0] = symbolic
            put("input", "EP_INPUT_KIND", INNER + "inputs/1", taken)
            put("output", "EP_OUTPUT_KIND", INNER + "outputs/1", returned)
            put("given", "EP_OUTPUT_KIND", NODES + "1/outputs/0", given)
            for side in ("inputs", "outputs"):
                def listed(data, side=side, symbolic=symbolic):
                    data["modules"][0]["signature"][side][1] = symbolic
                put("entry-" + side, "EP_MODULE_ARGUMENT", MODULES + "1/signature/%s/1" % side,
                    listed)


def inner_of(data):
    return data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]["graph"]


def operands(suite):
    """Numbers among what is passed to a graph: no operands, alone or in a list."""
    for kind, tag, number in KINDS:
        for label, value in (("alone", {"as_sym_" + kind: {tag: number}}),
                             ("list", {"as_sym_%ss" % kind: [{tag: number}, {tag: number}]})):
            node = call("higher_order.strict_mode", unnamed(
                as_graph("g_0", body(1, 1)), tensor("x"), value), [])
            returning(LATEST, node, "c0")
            whole = Whole(suite, "subgraph/number-%s-%s" % (kind, label), program(node, ["c0"]),
                          LATEST, ["5.2.3", "5.2.4"], "A number is no operand.")

            def passed(data):
                made = inner_of(data)
                made["inputs"].append(tensor("a1"))
                made["tensor_values"]["a1"] = meta(2)
            if (kind, label) == ("bool", "alone"):  # once: the change is the same
                whole.bad("number-%s-%s-passed" % (kind, label), passed, "EP_SUBGRAPH_INPUTS",
                          NODES + "0/inputs/0/arg/as_graph/graph",
                          "One is passed, two are taken.")


# ---- 5.2 ----------------------------------------------------------------------------------------


def bytes_beside(suite):
    """Bytes next to letters and digits, in the name of a graph."""
    node = call("higher_order.wrap", unnamed(as_graph("w_0", body(1, 1)), tensor("x")), [])
    returning(LATEST, node, "c0")
    whole = Whole(suite, "subgraph/name-beside", program(node, ["c0"]), LATEST, ["5.2.1"],
                  "A name.")
    for byte in "@[`{/:^":
        for label, name in (("first", byte + "w"), ("last", "w" + byte)):
            def change(data, name=name):
                data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]["name"] = name
            whole.bad("name-beside-%s-%d" % (label, ord(byte)), change, "EP_SUBGRAPH_NAME",
                      NODES + "0/inputs/0/arg/as_graph/name", "No letter, digit or underscore.")


def combined(suite):
    """A scan whose graph combines two leaves: it returns two, as the operator does."""
    for version in ("5.4", LATEST):
        names = ["c0", "c1"]
        node = call("higher_order.associative_scan", unnamed(
            as_graph("combine_fn_0", body(4, 2)), tensors("x", "y"), integer(0)), [])
        returning(version, node, *names)
        whole = Whole(suite, "subgraph/combined", program(node, names), version,
                      ["5.2.4", "5.2.5"], "Two leaves, passed twice.")

        def fewer(data):
            made = inner_of(data)
            made["outputs"].pop()
            made["nodes"].pop()
            del made["tensor_values"]["r1"]
        whole.bad("combined-one", fewer, "EP_SUBGRAPH_OUTPUTS",
                  NODES + "0/inputs/0/arg/as_graph/graph", "One for two.", flags=["large"])


def nameless(suite):
    """A tuple of one tensor, whose name is empty, of a node without a name."""
    for version in ("8.5-a", "8.15", "8.16", LATEST):
        node = call("higher_order.wrap", unnamed(as_graph("w_0", body(1, 1)), tensor("x")),
                    [tensor("")])
        node["is_hop_single_tensor_return"] = False
        Whole(suite, "subgraph/nameless", program(node, [""]), version, ["5.2.6", "5.1.4"],
              "The name of the value is empty, the node has none.")


def unused(suite):
    """A value that nobody uses, and is listed as another kind."""
    draft = Draft().take(user_input(sym_int("n")), user_input(sym_bool("flag")))
    draft.table("sym_int_values", n=2).table("sym_bool_values", flag=True)
    whole = Whole(suite, "value/unused", draft.give(user_output(sym_int("n"))), LATEST,
                  ["5.1.4", "5.1.7"], "The second input is not used.")

    def other(data):
        data["graph"].update(sym_int_values={"n": 2, "flag": 1}, sym_bool_values={})
    whole.bad("unused-listed", other, "EP_VALUE_KIND", (GRAPH + "sym_int_values", "flag"),
              "Listed as another kind.")


def empty_graph(suite):
    """A subgraph without nodes."""
    draft = Draft().take(user_input(X)).tensors(x=meta(2))
    draft.node(call("mylib.any.default", {"g": as_graph("g_0", body(1, 0))}, NONE))
    whole = Whole(suite, "subgraph/empty", draft.give(user_output(X)), LATEST, "5.2.1",
                  "A subgraph without nodes.")

    def keyword(data):
        data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]["name"] = "if"
    whole.bad("name-of-empty", keyword, "EP_SUBGRAPH_NAME", NODES + "0/inputs/0/arg/as_graph/name",
              "A keyword of Python.")


# ---- 5.3, 5.5: a program that gives back what it is given ---------------------------------------


def number_alone():
    """One number comes in and goes out."""
    draft = Draft().take(user_input(sym_int("n"))).table("sym_int_values", n=2)
    return draft.give(user_output(sym_int("n")))


def number_entries(suite):
    """A program without nodes and tensors: its graph, its module call graph."""
    whole = Whole(suite, "module/number", number_alone(), LATEST, ["5.2.7", "5.5.1", "5.5.3"],
                  "A number alone.")

    def unsigned(data):
        data["module"]["module_call_graph"] = [{"fqn": "", "signature": None}]

    def bare(data):
        data["module"]["module_call_graph"] = []

    def single(data):
        data["graph"]["is_single_tensor_return"] = True
    whole.bad("number-unsigned", unsigned, "EP_MODULE_SIGNATURE", MODULES + "0", "No signature.")
    whole.bad("number-bare", bare, "EP_MODULE_ROOT", "graph_module", "No entries.")
    whole.bad("number-single", single, "EP_GRAPH_RETURN", GRAPH[:-1], "It is no subgraph.")


def number_signature(suite):
    """The same in dicts and lists of names, where a value of any kind may be a mutation."""
    whole = Whole(suite, "signature/number", number_alone(), "1", ["5.3.1", "5.3.8", "5.3.11"],
                  "A number alone.")

    def mutated(data):
        data["output_specs"] = [{"buffer_mutation": {"arg": {"name": "n"}, "buffer_name": "b"}}]
        data["root"]["out_spec"] = leaves(1)

    def lost(data):
        data["backward"] = {"gradients_to_parameters": {}, "gradients_to_user_inputs": {},
                            "loss_output": "nobody"}
    whole.bad("number-mutation", mutated, "EP_MUTATION_TARGET",
              SIGNATURE + "buffers_to_mutate/n", "No such buffer.")
    whole.bad("number-loss", lost, "EP_LOSS", SIGNATURE + "backward_signature/loss_output",
              "No output.")


# ---- 5.3 ----------------------------------------------------------------------------------------


def constants(suite):
    """Constant inputs where there is nothing else, first and last."""
    for version in ("5.3", "8.1-b", LATEST):
        if all(member.name != "constant_input"
               for member in VERSIONS[version].types["InputSpec"].members):
            continue

        def constant(name, value=1):
            return {"constant_input": {"name": name, "value": {"as_int": value}}}
        draft = Draft().take(constant("k"), constant("m", 2)).give(user_output({"as_int": 3}))
        whole = Whole(suite, "signature/constants-alone", draft, version, "5.3.13",
                      "No tensor at all.")

        def twice(data):
            data["input_specs"][1]["constant_input"]["name"] = "k"
        whole.bad("constants-alone-twice", twice, "EP_CONSTANT_NAME",
                  INPUTS + "1/constant_input/name", "The name of another.")
        for label, specs, i in (("first", [constant("k"), user_input(sym_int("n"))], 0),
                                ("last", [user_input(sym_int("n")), constant("k")], 1)):
            draft = Draft().take(*specs).table("sym_int_values", n=2)
            draft.give(user_output(sym_int("n")))
            whole = Whole(suite, "signature/constant-only-" + label, draft, version, "5.3.13",
                          "A name of its own.")

            def value(data, i=i):
                data["input_specs"][i]["constant_input"]["name"] = "n"
            whole.bad("constant-only-%s-value" % label, value, "EP_CONSTANT_NAME",
                      INPUTS + "%d/constant_input/name" % i, "The name of a value.")


def losses(suite):
    """Two losses, of which the second is the last output."""
    for version in ("1-2023-12", "2", LATEST):
        draft = Draft().take(user_input(X), user_input(Y)).tensors(x=meta(), y=meta())
        draft.give(spec("loss_output", "x"), user_output(Y))
        whole = Whole(suite, "signature/loss-first", draft, version, "5.3.11", "One loss.")

        def again(data):
            data["output_specs"][1] = spec("loss_output", "y")
        whole.bad("loss-last", again, "EP_LOSS", OUTPUTS + "1", "A second one.")


def older(suite):
    """The first and the last name of each list of the signatures without specs, in a program
    without tensors."""
    for version in (OLDEST, "1"):
        draft = Draft().take(user_input(sym_int("n")), user_input(sym_int("m")))
        draft.table("sym_int_values", n=2, m=2)
        draft.give(user_output(sym_int("n")), user_output(sym_int("m")))
        whole = Whole(suite, "signature/two-number", draft, version, ["5.3.2", "5.3.4"],
                      "Two in, the same two out.")
        for side, code in (("input", "EP_SIGNATURE_INPUT"), ("output", "EP_SIGNATURE_OUTPUT")):
            for i in (0, 1):
                def change(data, side=side, i=i):
                    data[side + "_specs"][i]["user_" + side]["arg"] = sym_int("z")
                whole.bad("two-number-%s-%d" % (side, i), change, code,
                          SIGNATURE + "user_%ss/%d" % (side, i), "No value of the graph.")


# ---- 5.4.10 -------------------------------------------------------------------------------------


def bound(suite):
    """A program whose one value is a tensor that binds a symbol by its size."""
    for version in ("1", "2", "5.3", "7.3", LATEST):
        symbol = "Symbol('s9', positive=True, integer=True)" if is_srepr(version) else "s9"
        twice = "Mul(Integer(2), %s)" % symbol if is_srepr(version) else "2*s9"
        draft = Draft().take(user_input(X)).tensors(x=meta(symbol)).give(user_output(X))
        whole = Whole(suite, "type/bound-alone", draft, version, "5.4.10",
                      "The size binds its symbol.")

        def change(data, twice=twice):
            data["graph"]["tensor_values"]["x"]["sizes"] = [twice]
        whole.bad("bound-alone-not", change, "EP_SYMBOL", GRAPH + (
            "tensor_values/x/meta/sizes/0/as_expr" if version == "1" else
            "tensor_values/x/sizes/0/as_expr"), "It does not stand alone.")


# ---- 5.5 ----------------------------------------------------------------------------------------


def entries(suite):
    """One entry, which is not the root; entries of the oldest version; a tensor that the graph of
    version 1 holds itself, in an entry."""
    for version in (OLDEST, "1", "1-2023-12", "2", LATEST):
        modules = Modules(suite, version)

        def alone(data, modules=modules):
            del modules.whole_list(data)[1:]
        twin = modules.good("root-alone", alone, "5.5.1", "The root alone.", flags=["large"])

        def named(data, alone=alone):
            alone(data)
            data["module"]["module_call_graph"][0]["fqn"] = "main"
        text, base = modules.changed(named).text, modules.changed(alone).text
        place = base.index('"fqn": ""') + len('"fqn": "')
        assert text == base[:place] + "main" + base[place:]
        suite.invalid(modules.id("root-alone-named"), twin, (place, 0, "main"), "EP_MODULE_ROOT",
                      entry_place(modules.changed(named)), "It has a name.", provenance="hand")
    more(Modules(suite, OLDEST))
    draft = Draft(modules=[entry("sub", [X, tensor("c")], [X])])
    draft.data["graph"]["constants"] = {"c": "AAEC"}
    draft.take(user_input(X)).tensors(x=meta(2)).give(user_output(X))
    whole = Whole(suite, "module/constant-held", draft, "1", "5.5.4", "The graph holds the tensor.")

    def other(data):
        data["modules"][0]["signature"]["inputs"][1] = tensor("d")
    whole.bad("constant-held-other", other, "EP_MODULE_ARGUMENT",
              MODULES + "1/signature/inputs/1/as_tensor/name",
              "Nothing holds it.")


def entry_place(document):
    node = at(document, MODULES + "0")
    return node.start, node.pointer


# ---- 5.6 ----------------------------------------------------------------------------------------


def functions(suite):
    """Functions on symbols without their first argument, or without any."""
    for version in ("2", LATEST):
        operators = Operators(suite, version)
        for label, node in (("first", call("_operator.add", {"b": N}, M)),
                            ("both", call("_operator.mul", {}, M))):
            operators.instead("function-lacks-" + label, "EP_OPERATOR_MISSING", "", "It is due.",
                              node)
    operators = Operators(suite, LATEST)
    for label, target, inputs in (("only", "_operator.neg", {}),
                                  ("choice", "torch.sym_ite", {"t": N, "f": N}),
                                  ("middle", "torch.sym_ite", {"b": sym_bool("flag"), "f": N})):
        operators.instead("function-lacks-" + label, "EP_OPERATOR_MISSING", "", "It is due.",
                          call(target, inputs, M))


def lists(suite):
    """A list of symbolic values as the first argument, which takes anything."""
    for version in ("2", LATEST):
        operators = Operators(suite, version)
        operators.append("argument-first-list", None, None, "Anything is taken.", call(
            "aten.add.t", [("a", tensors("n", "m")), ("b", {"as_ints": [1]})], NONE),
            ["5.1.7", "5.6.6"])
        operators.append("argument-first-tensors", "EP_VALUE_KIND",
                         "/inputs/0/arg/as_tensors/0/name", "Tensors are due.", call(
                             "aten.cat.default", {"tensors": tensors("n", "x")}, NONE))

def returns(suite):
    """What has no value and is not undefined; ints that are left out, and nothing else is there;
    objects and conditions for lists."""
    code = "EP_OPERATOR_OUTPUTS"
    for version in ("1-2023-12", "2", "4.2", "5.1", LATEST):
        operators = Operators(suite, version)
        operators.append("output-none-int", code, "/outputs/4", "An int is not undefined.",
                         call(FLASH, QKV, [NONE] * 9))
        left = call("aten.divmod.int", {"x": integer(), "y": integer(2)}, [])
        if version in ("1-2023-12", "2", "4.2"):
            operators.append("output-ints-alone", None, None, "Both ints are left out.", left)
        else:
            operators.append("output-ints-alone", code, "", "Both ints are due.", left)
    operators = Operators(suite, LATEST)
    gather = {"output_tensors": {"as_nested_tensors": [[{"name": "x"}]]},
              "input_tensors": tensors("x"), "process_group": custom_obj("k")}
    for label, target, inputs, outputs, where in (
            ("strings", "aten.split.str", {"self": {"as_string": "a"}}, [None], "/outputs/0"),
            ("nested", "c10d.allgather_.default", gather, [None, custom_obj("w")],
             "/outputs/0")):
        for kind, given, table, told in (
                ("object", custom_obj("q"), "custom_obj_values", custom_obj("q")["as_custom_obj"]),
                ("bool", sym_bool("q"), "sym_bool_values", True)):
            node = call(target, inputs, [given if each is None else each for each in outputs])

            def change(data, node=node, table=table, told=told, label=label):
                data["graph"]["nodes"].append(node)
                data["graph"].setdefault(table, {})["q"] = told
                if label == "nested":
                    data["graph"].setdefault("custom_obj_values", {})["w"] = \
                        custom_obj("w")["as_custom_obj"]
            count = len(operators.draft.data["graph"]["nodes"])
            operators.bad("output-%s-%s" % (label, kind), change, code,
                          "%s%d%s" % (NODES, count, where), "It returns a list.", flags=["large"])


def kinds(suite):
    """A number of ArgumentKind that a sibling of the version has."""
    operators = Operators(suite, "8.5-a")
    twin = operators.twin
    document = operators.changed(lambda data: None)
    node = at(document, NODES + "0/inputs/0/kind")
    suite.invalid(operators.id("kind-of-sibling"), twin, replace(node, "2"), "EP_ENUM_VERSION",
                  (node.start, node.pointer), "8.5 counts from 1, 8.5-a from 0.",
                  provenance="hand")


def vectors(suite):
    for part in (numbers, operands, bytes_beside, combined, nameless, unused, empty_graph,
                 number_entries, number_signature, constants, losses, older, bound,
                 entries, functions, lists, returns, kinds):
        part(suite)
