"""Whole programs that come near to a rule from the side that others leave out: names of nodes of
no value, operators of several signatures of which a call keeps none, loops and returns of
graphs, gradients and tokens that stand twice, symbols behind the first.
"""

import json

from format.annexes import rows
from generate.language.texts import is_srepr, since
from generate.rules.keyword_only import outputs_of, split
from generate.rules.names import INNER, Names, inner_graph
from generate.rules.older_signatures import calls as calls_of, label_of, several
from generate.rules.operator_kinds import VALUES, Types, in_order, node_of
from generate.rules.operators import NONE, PROBE, X, Operators, integer
from generate.rules.signature import SIGNATURE, joint, signed
from generate.rules.subgraphs import as_graph, body, program, returning, unnamed
from generate.whole import (GRAPH, NODES, Draft, Whole, call, custom_obj, leaves, meta, spec,
                            sym_bool, sym_float, sym_int, tensor, tensors, user_input, user_output)

LATEST = "8.20"
HERE = "%s%d" % (NODES, PROBE + 1)

# ---- 5.1.10 -------------------------------------------------------------------------------------

GIVEN = (  # outputs of a node, and whether it may have the name of a value
    ("none", [], False), ("nothing", [NONE], False), ("two", [tensor("a"), tensor("b")], False),
    ("three", [tensor("a"), tensor("b"), sym_int("n")], False), ("list", [tensors("a")], False),
    ("nothing-too", [tensor("a"), NONE], False), ("object", [custom_obj("o")], False),
    ("one", [tensor("a")], True), ("int", [sym_int("n")], True), ("bool", [sym_bool("c")], True),
    ("float", [sym_float("f")], True),
)
KINDS = {"a": "tensor_values", "b": "tensor_values", "n": "sym_int_values",
         "c": "sym_bool_values", "f": "sym_float_values", "o": "custom_obj_values"}
SAID = {"a": meta(2), "b": meta(3), "n": 2, "c": True, "f": 0.5,
        "o": custom_obj("o")["as_custom_obj"]}


def node_names(suite):
    """A node of each number and kind of outputs, which has the name of its own value, of an
    input and of none."""
    for version in ("8.16", LATEST):
        for number, (label, outputs, free) in enumerate(GIVEN):
            own = "%d" % number  # of each other names, so that no two are one change
            outputs = renamed(outputs, own)
            draft = Draft().take(user_input(tensor("x" + own))).tensors(**{"x" + own: meta(2)})
            draft.node(call("mylib.f.default", {}, outputs, name="f_1"))
            values = [name for name in KINDS if '"%s"' % (name + own) in json.dumps(outputs)]
            for name in values:
                draft.table(KINDS[name], **{name + own: SAID[name]})
            draft.give(user_output(tensor("x" + own)))
            whole = Whole(suite, "node-name/near-" + label, draft, version, "5.1.10",
                          "A name of its own.")
            for name in ["x"] + values:
                def change(data, name=name + own):
                    data["graph"]["nodes"][0]["name"] = name
                if free:
                    whole.good("near-%s-%s" % (label, name), change, "5.1.10", "It has one value.")
                else:
                    whole.bad("near-%s-%s" % (label, name), change, "EP_NODE_NAME",
                              NODES + "0/name", "The name of a value.")


def renamed(outputs, own):
    """With that behind the name of each value."""
    text = json.dumps(outputs)
    for name in KINDS:
        text = text.replace(': "%s"' % name, ': "%s"' % (name + own))
    return json.loads(text)


# ---- 5.1.4, 5.1.8 -------------------------------------------------------------------------------

LISTS = (("tensors", tensors("x")), ("nested", {"as_nested_tensors": [[{"name": "x"}]]}),
         ("optional", {"as_optional_tensor": {"as_tensor": {"name": "x"}}}),
         ("optionals", {"as_optional_tensors": [{"as_tensor": {"name": "x"}}]}))


def kinds(suite):
    """Lists and optional values as inputs and outputs of a graph."""
    for version in ("7.3", "8.8", LATEST):
        names = Names(suite, version)
        for label, value in LISTS:
            tag = next(iter(value))
            if not any(each.name == tag for each in names.version.types["Argument"].members):
                continue

            def taken(data, value=value):
                inner_graph(data)["inputs"][0] = value
            names.bad("near-input-" + label, taken, "EP_INPUT_KIND", INNER + "inputs/0",
                      "An input is a single value.")

            def given(data, value=value):
                inner_graph(data)["outputs"][0] = value
            names.bad("near-output-" + label, given, "EP_OUTPUT_KIND", INNER + "outputs/0",
                      "What a graph gives is a single value.")


def objects(suite):
    """Objects where no table lists them."""
    for version in ("1-2023-12", "2", "2.1", "3.1-a"):
        draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2))
        draft.node(call("mylib.make.default", {}, custom_obj("o")),
                   call("mylib.use.default", {"o": custom_obj("o")}, NONE))
        draft.give(user_output(tensor("x")))
        Whole(suite, "value/object-made", draft, version, "5.1.4", "The version lists no objects.")
        draft = Draft().take(user_input(tensor("x")), user_input(custom_obj("o")))
        draft.tensors(x=meta(2))
        draft.node(call("mylib.use.default", {"o": custom_obj("o")}, NONE))
        draft.give(user_output(tensor("x")))
        Whole(suite, "value/object-taken", draft, version, "5.1.4", "The version lists no objects.")


# ---- 5.2 ----------------------------------------------------------------------------------------

RESULTS = ("tensor", "int", "bool", "float", "object")
MAKERS = {"tensor": (tensor, "tensor_values", meta(2)), "int": (sym_int, "sym_int_values", 2),
          "bool": (sym_bool, "sym_bool_values", True),
          "float": (sym_float, "sym_float_values", 0.5),
          "object": (custom_obj, "custom_obj_values", custom_obj("r")["as_custom_obj"])}


def returns(suite):
    """A graph that returns one value of each kind by itself; operators of one graph that
    return two tensors."""
    for version in ("5.4", "7.3", LATEST):
        for kind in RESULTS:
            if kind == "float" and not since(version, "8.2"):
                continue
            make, table, value = MAKERS[kind]
            made = body(1, 0)
            made["nodes"] = [call("mylib.make.default", {}, make("r"))]
            made["outputs"], made["is_single_tensor_return"] = [make("r")], True
            made.setdefault(table, {})["r"] = value
            node = call("higher_order.wrap", unnamed(as_graph("w_0", made), tensor("x")), [])
            returning(version, node, "c0")
            Whole(suite, "subgraph/single-" + kind, program(node, ["c0"]), version, "5.2.7",
                  "One value by itself.")
        for name, first in (("wrap_with_set_grad_enabled", {"as_bool": False}),
                            ("wrap_with_autocast", {"as_string": "cpu"}), ("strict_mode", None)):
            for count in (1, 2, 3):
                names = ["c%d" % i for i in range(count)]
                given = [] if first is None else [first]
                node = call("higher_order." + name, unnamed(
                    *given, as_graph("g_0", body(1, count)), tensor("x")), [])
                returning(version, node, *names)
                Whole(suite, "subgraph/gives-%d-%s" % (count, name), program(node, names), version,
                      "5.2.5", "%d tensors." % count)


# ---- 5.3 ----------------------------------------------------------------------------------------


def gradients(suite):
    for version in ("2", "7.3", LATEST):
        whole = Whole(suite, "signature/joint", joint(), version, ["5.3.10", "5.3.11", "5.3.5"],
                      "A loss and its gradients.")

        def same(data):
            data["output_specs"][2] = spec("gradient_to_user_input", "t", user_input_name="x")
        whole.good("gradient-input-twice", same, ["5.3.9", "5.3.10"],
                   "Two gradients of one input.")
        assert signed(joint().data, "output", 3)["user_input_name"] == "x"


def tokens(suite):
    """So many tokens in, and so many out."""
    def effects(taken, given):
        made = ["t%d" % i for i in range(taken)], ["r%d" % i for i in range(given)]
        draft = Draft().take(*[spec("token", name) for name in made[0]], user_input(tensor("x")))
        draft.tensors(x=meta(2), s=meta(2), **{name: meta() for name in made[0] + made[1]})
        draft.node(call("mylib.effect.default", {"x": tensor("x")},
                        [tensor(name) for name in made[1]] + [tensor("s")]))
        return draft.give(*[spec("token", name) for name in made[1]], user_output(tensor("s")))
    for version in ("5.3-2024-03", "7.3", LATEST):
        for count in (1, 2, 3):
            whole = Whole(suite, "signature/tokens-%d" % count, effects(count, count), version,
                          "5.3.12", "%d tokens go through." % count)
            for other in range(4):
                if other == count:
                    continue

                def change(data, draft=effects(count, other)):
                    data.update(draft.data)
                whole.bad("tokens-%d-then-%d" % (count, other), change, "EP_TOKENS",
                          SIGNATURE[:-1], "%d go in, %d come out." % (count, other))


# ---- 5.4.10 -------------------------------------------------------------------------------------


def text_of(version, names):
    if not is_srepr(version):
        return " + ".join(names)
    said = ["Symbol('%s', positive=True, integer=True)" % name for name in names]
    return "Add(%s)" % ", ".join(said)


def symbols(suite):
    """Expressions of several symbols, one of which has no range, whichever it is."""
    for version in ("1", "2", "5.3", "7.3", LATEST):
        draft = Draft(header={"range_constraints": {
            "s%d" % i: {"min_val": 2, "max_val": 8} for i in range(3)}})
        draft.take(user_input(tensor("x"))).tensors(x=meta(2))
        draft.node(call("mylib.f.default", {}, sym_int("n")))
        draft.table("sym_int_values", n=text_of(version, ["s0", "s1"]))
        draft.give(user_output(tensor("x")))
        whole = Whole(suite, "type/several", draft, version, ["5.4.10"], "Two symbols.")
        for count in (2, 3):
            for lacking in range(count):
                names = ["s%d" % i for i in range(count)]
                names[lacking] = "s9"

                def change(data, names=names):
                    data["graph"]["sym_int_values"]["n"] = text_of(version, names)
                whole.bad("several-%d-of-%d" % (lacking + 1, count), change, "EP_SYMBOL",
                          GRAPH + "sym_int_values/n/as_expr", "s9 has no range.")


# ---- 5.5.5 --------------------------------------------------------------------------------------


def numbers_alone(suite):
    """A program of numbers, of the version that says a call beside the modules."""
    for version in ("1-2023-08", "1"):
        draft = Draft().take(user_input(sym_int("n"))).table("sym_int_values", n=2, m=3)
        draft.node(call("_operator.add", {"a": sym_int("n"), "b": integer()}, sym_int("m")))
        draft.give(user_output(sym_int("m")))
        whole = Whole(suite, "module/no-tensors", draft, version, ["5.5.5", "5.5.6"],
                      "No tensor at all.")
        for key, code in (("in_spec", "EP_MODULE_IN_SPEC"), ("out_spec", "EP_MODULE_OUT_SPEC")):
            for count in (0, 2, 3):
                def change(data, key=key, count=count):
                    data["root"][key] = leaves(count)
                whole.bad("no-tensors-%s-%d" % (key.replace("_", "-"), count), change, code,
                          "graph_module/call_spec/" + key, "One of %d." % count)


# ---- 5.6 ----------------------------------------------------------------------------------------


def put(operators, label, node, code, where, why):
    def change(data):
        data["graph"]["nodes"][PROBE + 1:PROBE + 1] = [node]
    operators.bad(label, change, code, where, why)


def of_several(suite):
    """Operators of several signatures: a call without an argument that all of them want, and
    one with more outputs than any of them gives."""
    types = Types()
    for target, version, live in several():
        operators = Operators(suite, version)
        due = [{name for _, name, wanted, _, _ in split(row["arguments"]) if wanted}
               for row in live]
        most = max(len([each for each in split_returns(row)]) for row in live)
        label = "near-%s" % label_of(target)
        inputs = next(calls_of(types, live[-1]), None)
        if all(due):
            put(operators, label + "-missing", call(target, {}, NONE),
                "EP_OPERATOR_MISSING", HERE, "Each signature wants an argument.")
        if inputs is None or outputs_of(live[-1]) is None:
            continue
        node = node_of(target, inputs, None, in_order(
            [each[:4] for each in split(live[-1]["arguments"])], inputs))
        node["outputs"] = [NONE] * (most + 1)
        put(operators, label + "-outputs", node, "EP_OPERATOR_OUTPUTS", HERE,
            "More than any of the signatures gives.")


def split_returns(row):
    return [kind for kind in (row["returns"] or "").split(", ") if kind]


def left_out(suite):
    """Operators that return one int, without any output."""
    for version in ("1", "2", "4.2", "5.1", LATEST):
        operators = Operators(suite, version)
        for label, target, inputs in (
                ("size", "aten.sym_size.int", {"self": X, "dim": integer(0)}),
                ("scalar", "aten.Int.Scalar", {"a": integer()}),
                ("tensor", "aten.Int.Tensor", {"a": X})):
            put(operators, "near-int-left-out-" + label, call(target, inputs, []),
                "EP_OPERATOR_OUTPUTS", HERE, "The int is due.")


def anything(suite):
    """An argument that anything may be, with each tag."""
    operators = Operators(suite, LATEST)
    target = "_c10d_functional.all_reduce.default"
    values = {**VALUES, "as_string_to_argument": {"as_string_to_argument": {"k": integer()}},
              "as_operator": {"as_operator": "torch.ops.aten.relu.default"}}
    del values["as_sym_float"]  # a later node defines it
    for tag, value in values.items():
        for name in ("reduce_op", "group_name"):
            inputs = [("input", X), ("reduce_op", {"as_string": "sum"}),
                      ("group_name", {"as_string": "g"})]
            inputs = [(each, value if each == name else said) for each, said in inputs]
            operators.yes("near-any-%s-%s" % (name.replace("_", "-"), tag.replace("_", "-")),
                          "5.6.6", "Anything is taken.", target, inputs)


def ends(suite):
    """The first and the last operator of each namespace, with an argument that it has not."""
    spaces = {}
    for row in rows("operators"):
        if row["until"] is None:
            spaces.setdefault(row["target"].split(".")[0], []).append(row["target"])
    operators = Operators(suite, LATEST)
    for space, targets in sorted(spaces.items()):
        for target in dict.fromkeys((targets[0], targets[-1])):
            put(operators, "near-end-" + label_of(target), call(target, {"no_such": X}, NONE),
                "EP_OPERATOR_ARGUMENT", HERE + "/inputs/0/name", "%s has none such." % target)


def vectors(suite):
    for part in (node_names, kinds, objects, returns, gradients, tokens, symbols, numbers_alone,
                 of_several, left_out, anything, ends):
        part(suite)
