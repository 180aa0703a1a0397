"""Differences of programs, kind by kind: names of values that are counted on, entries of
every table, and symbols that are one in one program and two in the other. What a list of
differences says binds the reference alone (diffs.py).
"""

import copy
import json

from format.document import Style
from generate.language.texts import escape_of
from generate.products.diffs import GRAPH, NODES, Pairs, Side, program, row
from generate.products.diffs_more import HEADER, symbol
from generate.whole import (Draft, buffer, call, custom_obj, graph, meta, parameter, spec, sym_bool,
                            sym_float, sym_int, tensor, tensors, user_input, user_output)

LATEST = "8.20"
OBJECT = custom_obj("o")["as_custom_obj"]
S0 = symbol("s0")

# ---- names that are counted on ----------------------------------------------------------


def everything():
    """A value of each kind, in each kind of argument, inside and outside of a subgraph."""
    draft = Draft(header={**copy.deepcopy(HEADER), "range_constraints": {
        "s0": {"min_val": 2, "max_val": 100}}})
    draft.take(spec("token", "k"), parameter("p", "w"), buffer("b", "a"),
               spec("tensor_constant", "c", tensor_constant_name="t"),
               {"custom_obj": {"arg": OBJECT, "custom_obj_name": "obj"}}, user_input(tensor("x")),
               user_input(tensor("q")))
    draft.tensors(k=meta(), p=meta(2), b=meta(2), c=meta(2), x=meta(S0, 3), q=meta(dtype=12))
    draft.tensors(**{name: meta(2) for name in ("k1", "y", "z", "u", "r", "g", "h")}, l=meta())
    draft.table("custom_obj_values", o=OBJECT, o1={**OBJECT, "name": "o1"})
    draft.table("sym_int_values", n=S0, m="Add(Integer(1), %s)" % S0)
    draft.table("sym_float_values", f="ToFloat(%s)" % S0, e="ToFloat(Add(Integer(1), %s))" % S0)
    draft.table("sym_bool_values", d="Equality(%s, Integer(4))" % S0,
                a="StrictLessThan(%s, Integer(9))" % S0)
    draft.node(
        call("mylib.make.default", {"x": tensor("x")}, [
            tensor("k1"), tensor("y"), tensor("z"), sym_int("n"), sym_int("m"), sym_float("f"),
            sym_float("e"), sym_bool("d"), sym_bool("a"),
            {"as_custom_obj": {**OBJECT, "name": "o1"}}, tensor("g"), tensor("h"), tensor("l")]))
    every = [tensor("k1"), tensor("y"), tensors("z", "y"), sym_int("n"), sym_int("m"),
             {"as_sym_ints": [{"as_name": "m"}, {"as_int": 3}, {"as_name": "n"}]}, sym_float("f"),
             sym_float("e"), {"as_sym_floats": [{"as_name": "e"}, {"as_float": 0.5}]},
             sym_bool("d"), sym_bool("a"), {"as_sym_bools": [{"as_bool": True}, {"as_name": "a"}]},
             custom_obj("o"), {"as_custom_obj": {**OBJECT, "name": "o1"}},
             {"as_optional_tensor": {"as_tensor": {"name": "z"}}},
             {"as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "y"}}]},
             {"as_nested_tensors": [[{"name": "y"}], [{"name": "z"}, {"name": "x"}]]},
             {"as_string_to_argument": {"i": sym_bool("a"), "j": tensor("z")}}]
    draft.node(call("mylib.use.default", [("i%d" % i, each) for i, each in enumerate(every)],
                    tensor("u")))
    inner = graph([tensor("v"), sym_int("w"), sym_bool("j"), sym_float("i")], [call(
        "mylib.inner.default", {"a": tensor("v"), "b": sym_bool("j"), "c": sym_int("w"),
                                "d": sym_float("i")}, [tensor("t")])], [tensor("t")],
                  tensor_values={"v": meta(2), "t": meta(2)}, sym_int_values={"w": S0},
                  sym_bool_values={"j": "Equality(%s, Integer(4))" % S0},
                  sym_float_values={"i": "ToFloat(%s)" % S0})
    operands = [tensor("y"), sym_int("n"), sym_bool("d"), sym_float("f")]
    draft.node(call("higher_order.cond", [
        ("", tensor("q")), ("", {"as_graph": {"name": "one", "graph": inner}}),
        ("", {"as_graph": {"name": "other", "graph": copy.deepcopy(inner)}}),
        *[("", each) for each in operands]], [tensor("r")], is_hop_single_tensor_return=False))
    return draft.give(spec("token", "k1"), spec("buffer_mutation", "y", buffer_name="a"),
                      spec("parameter_mutation", "z", parameter_name="w"),
                      spec("user_input_mutation", "u", user_input_name="x"), spec(
                          "loss_output", "l"), user_output(tensor("r")),
                      user_output(sym_int("m")), user_output(sym_float("e")),
                      user_output(sym_bool("a")),
                      user_output({"as_custom_obj": {**OBJECT, "name": "o1"}}),
                      spec("gradient_to_parameter", "g", parameter_name="w"),
                      spec("gradient_to_user_input", "h", user_input_name="x")).data


def counted(suite):
    """Another value is defined before all others, so that all have other numbers."""
    pairs = Pairs(suite, "every-kind", everything())

    def inserted(data, where, outputs, tables):
        nodes = where(data)["nodes"]
        nodes.insert(0, call("mylib.z.default", {}, outputs))
        for table, name, value in tables:
            where(data)[table][name] = value

    def main(data):
        return data["graph"]

    def branch(data):
        return data["graph"]["nodes"][2]["inputs"][1]["arg"]["as_graph"]["graph"]

    kinds = (("tensor", tensor("new"), ("tensor_values", "new", meta(2))),
             ("int", sym_int("new"), ("sym_int_values", "new", S0)),
             ("float", sym_float("new"), ("sym_float_values", "new", "ToFloat(%s)" % S0)),
             ("bool", sym_bool("new"), ("sym_bool_values", "new", "Equality(%s, Integer(5))" % S0)))
    for label, where, path in (("", main, NODES + "0"), ("-inside", branch, (
            NODES + "2/inputs/1/arg/as_graph/graph/nodes/0"))):
        for kind, output, table in kinds:
            pairs.pair("before%s-%s" % (label, kind),
                       lambda data, where=where, output=output, table=table: inserted(
                           data, where, [output], [table]),
                       [row("node", "Node", None, None, path)],
                       "A node before all others, which makes a value of its own.")
        pairs.pair("before%s-all" % label,
                   lambda data, where=where: inserted(
                       data, where, [renumber(output, i) for i, (_, output, _) in enumerate(kinds)],
                       [(table, "new%d" % i, value)
                        for i, (_, _, (table, _, value)) in enumerate(kinds)]),
                   [row("node", "Node", None, None, path)], "A value of each kind.")
    swapped(pairs)


def renumber(output, number):
    (tag, value), = output.items()
    return {tag: {key: "new%d" % number for key in value}}


EXCHANGED = (  # the place among the arguments of "use", the other value, its path, its type
    (0, tensor("y"), "as_tensor/name", "TensorArgument", "name"),
    (1, tensor("z"), "as_tensor/name", "TensorArgument", "name"),
    (2, tensors("y", "y"), "as_tensors/0/name", "TensorArgument", "name"),
    (3, sym_int("m"), "as_sym_int/as_name", "SymIntArgument", "as_name"),
    (5, {"as_sym_ints": [{"as_name": "n"}, {"as_int": 3}, {"as_name": "n"}]},
     "as_sym_ints/0/as_name", "SymIntArgument", "as_name"),
    (6, sym_float("e"), "as_sym_float/as_name", "SymFloatArgument", "as_name"),
    (8, {"as_sym_floats": [{"as_name": "f"}, {"as_float": 0.5}]}, "as_sym_floats/0/as_name",
     "SymFloatArgument", "as_name"),
    (9, sym_bool("a"), "as_sym_bool/as_name", "SymBoolArgument", "as_name"),
    (11, {"as_sym_bools": [{"as_bool": True}, {"as_name": "d"}]}, "as_sym_bools/1/as_name",
     "SymBoolArgument", "as_name"),
    (12, {"as_custom_obj": {**OBJECT, "name": "o1"}}, "as_custom_obj/name", "CustomObjArgument",
     "name"),
    (14, {"as_optional_tensor": {"as_tensor": {"name": "y"}}}, "as_optional_tensor/as_tensor/name",
     "TensorArgument", "name"),
    (15, {"as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "z"}}]},
     "as_optional_tensors/1/as_tensor/name", "TensorArgument", "name"),
    (16, {"as_nested_tensors": [[{"name": "y"}], [{"name": "z"}, {"name": "y"}]]},
     "as_nested_tensors/1/1/name", "TensorArgument", "name"),
    (17, {"as_string_to_argument": {"i": sym_bool("d"), "j": tensor("z")}},
     "as_string_to_argument/i/as_sym_bool/as_name", "SymBoolArgument", "as_name"),
)


def swapped(pairs):
    """Another value of the same kind."""
    for place, argument, path, kind, member in EXCHANGED:
        def change(data, place=place, argument=argument):
            data["graph"]["nodes"][1]["inputs"][place]["arg"] = argument
        where = NODES + "1/inputs/%d/arg/%s" % (place, path)
        pairs.pair("other-%d" % place, change,
                   [row("argument", kind, member, where, where,
                        target="torch.ops.mylib.use.default", argument="i%d" % place)],
                   "Another value of the kind.")


# ---- entries of every table ------------------------------------------------------------------

ONE = "Add(Integer(1), %s)" % S0
ENTRIES = (  # (label, table, name, other entry, path below the name, type, member)
    ("int", "sym_int_values", "m", "Add(Integer(2), %s)" % S0, "as_expr/expr_str", "SymExpr",
     "expr_str"),
    ("int-number", "sym_int_values", "m", 4, "", "SymInt", None),
    ("float", "sym_float_values", "e", "ToFloat(%s)" % S0, "as_expr/expr_str", "SymExpr",
     "expr_str"),
    ("float-number", "sym_float_values", "e", {"as_float": 4.5}, "", "SymFloat", None),
    ("bool", "sym_bool_values", "a", "LessThan(%s, Integer(9))" % S0, "as_expr/expr_str",
     "SymExpr", "expr_str"),
    ("bool-number", "sym_bool_values", "a", {"as_bool": True}, "", "SymBool", None),
    ("tensor", "tensor_values", "y", meta(2, dtype=6), "dtype", "TensorMeta", "dtype"),
    ("tensor-token", "tensor_values", "k1", meta(2, dtype=6), "dtype", "TensorMeta", "dtype"),
    ("object-input", "custom_obj_values", "o", {**OBJECT, "class_fqn": "other.C"}, "class_fqn",
     "CustomObjArgument", "class_fqn"),
    ("object", "custom_obj_values", "o1", {**OBJECT, "name": "o1", "class_fqn": "other.C"},
     "class_fqn", "CustomObjArgument", "class_fqn"),
)


def entries(suite):
    """What a value of each kind is."""
    pairs = Pairs(suite, "every-kind-entries", everything())
    for label, table, name, value, path, kind, member in ENTRIES:
        def change(data, table=table, name=name, value=value):
            data["graph"][table][name] = value
        where = (GRAPH + "%s/%s/%s" % (table, name, path)).rstrip("/")
        pairs.pair(label, change, [row("value", kind, member, where, where)],
                   "What a value of the kind is.")
    inside = NODES + "2/inputs/1/arg/as_graph/graph/"
    for label, table, name, value in (("int", "sym_int_values", "w", ONE),
                                      ("float", "sym_float_values", "i", "ToFloat(%s)" % ONE),
                                      ("bool", "sym_bool_values", "j", "Equality(%s, Integer(5))"
                                       % S0)):
        def inner(data, table=table, name=name, value=value):
            main = data["graph"]["nodes"][2]["inputs"][1]["arg"]["as_graph"]["graph"]
            main[table][name] = value
        where = inside + "%s/%s/as_expr/expr_str" % (table, name)
        pairs.pair("inside-" + label, inner, [row("value", "SymExpr", "expr_str", where, where)],
                   "What a value of a subgraph is.")


# ---- symbols that are one or two ----------------------------------------------------------------


def sized(*symbols):
    """Inputs of these sizes, one after the other."""
    used = list(dict.fromkeys(symbols))
    draft = Draft(header={**copy.deepcopy(HEADER), "range_constraints": {
        name: {"min_val": 2, "max_val": 50} for name in used}})
    names = ["x%d" % i for i in range(len(symbols))]
    draft.take(*[user_input(tensor(name)) for name in names])
    draft.tensors(**{name: meta(symbol(each), 3) for name, each in zip(names, symbols)})
    return draft.give(user_output(tensor(names[-1]))).data


LINES = (  # symbols of one program, of the other, where they differ, ranges that one has
    ("two-one", ("s0", "s1"), ("s0", "s0"), [1], ["s1"], []),
    ("three-two", ("s0", "s1", "s2"), ("s0", "s1", "s1"), [2], ["s2"], []),
    ("three-apart", ("s0", "s1", "s2"), ("s0", "s1", "s0"), [2], ["s2"], []),
    ("three-first", ("s0", "s1", "s2"), ("s0", "s0", "s1"), [1], ["s1"], []),
    ("three-one", ("s0", "s1", "s2"), ("s0", "s0", "s0"), [1, 2], ["s1", "s2"], []),
    ("turned", ("s0", "s1", "s0"), ("s0", "s1", "s1"), [2], [], []),
    ("middle", ("s0", "s1", "s0"), ("s0", "s0", "s1"), [1, 2], [], []),
    ("four", ("s0", "s1", "s0", "s1"), ("s0", "s1", "s1", "s0"), [2, 3], [], []),
)


def shared(suite):
    """A symbol of one program is two symbols of the other."""
    made = {}
    for label, one, other, places, gone, new in LINES:
        if one not in made:
            made[one] = Pairs(suite, "sizes-" + "-".join(one), sized(*one))

        def change(data, other=other):
            data.clear()
            data.update(sized(*other))
        paths = [GRAPH + "tensor_values/x%d/sizes/0/as_expr/expr_str" % i for i in places]
        rows = [row("value", "SymExpr", "expr_str", path, path) for path in paths]
        rows += [row("constraint", "RangeConstraint", None, "range_constraints/" + name, None)
                 for name in gone]
        rows += [row("constraint", "RangeConstraint", None, None, "range_constraints/" + name)
                 for name in new]
        made[one].pair(label, change, rows, "Symbols that are one in one program alone.")


# ---- other spellings ----------------------------------------------------------------------------


class Escaped(Style):
    """Every character of a text as an escape."""

    label = "-escaped"

    def scalar(self, text):
        if not text.startswith('"'):
            return text
        return '"%s"' % "".join(escape_of(letter) for letter in json.loads(text))


def escaped(suite):
    """The same program, with every text as escapes."""
    side = Side(program(), style=Escaped())
    suite.valid("diff/escaped/" + LATEST, "diff", LATEST, side.text, ["6.1.1", "2.4.2"],
                "Two spellings of a program.", provenance="hand", other="diff/base/" + LATEST,
                flags=["foreign-spelling"], file="whole/8.20-diff-escaped.json",
                product={"text": "[]"})


def vectors(suite):
    for part in (counted, entries, shared, escaped):
        part(suite)
