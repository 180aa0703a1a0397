"""Differences of programs, further ones: nodes that were moved, put in or taken out among
others, symbols, what the canonical form leaves out, other versions, long texts, more
differences than are told one by one. diffs.py has the simple ones.
"""

import copy
import json

from format.document import Style
from format.history import VERSIONS
from generate.products.diffs import F, GRAPH, MODULES, NODES, Pairs, SIGNATURE, Side, listed, program, row
from generate.suite import change_between
from generate.whole import (Draft, buffer, call, custom_obj, entry, graph, meta, parameter,
                            place_of, spec, sym_bool, sym_int, tensor, tensors,
                            user_input, user_output)

LATEST = "8.20"
HEADER = {"verifiers": [""], "torch_version": "2.13.0"}
TOLD = 20  # differences, one by one

# ---- nodes among others ----------------------------------------------------------------


def op(name, **arguments):
    """A node that is known by its target and its arguments alone, and keeps its place."""
    return call("mylib.%s.default" % name, {key: {"as_int": value} for key, value in
                                            arguments.items()}, [])


def row_of(names):
    """A program of such nodes: a letter is a target, a digit behind it an argument."""
    made = [op(each[0], **({"n": int(each[1:])} if each[1:] else {})) for each in names.split()]
    draft = Draft(graph(nodes=made), header=copy.deepcopy(HEADER))
    return draft.take(user_input(tensor("x"))).tensors(x=meta(2)).give(user_output(tensor("x"))).data


def gone(i):
    return row("node", "Node", None, NODES + str(i), None)


def new(i):
    return row("node", "Node", None, None, NODES + str(i))


def target(i, j, one, other):
    return row("node", "Node", "target", NODES + "%d/target" % i, NODES + "%d/target" % j,
               target="torch.ops.mylib.%s.default" % one,
               target_back="torch.ops.mylib.%s.default" % other)


def argument(i, j, name):
    where = NODES + "%d/inputs/0/arg/as_int"
    return row("argument", "Argument", "as_int", where % i, where % j,
               target="torch.ops.mylib.%s.default" % name, argument="n")


FIRST = row("order", "Node", "target", NODES + "0/target", NODES + "0/target")
ABC = "a b c d e f g h"
LINES = (  # (label, one, other, rows, the rows of the other way round if their order is another)
    ("middle-gone", ABC, "a b c e f g h", [gone(3)], None),
    ("two-gone", ABC, "a b d e g h", [gone(2), gone(5)], None),
    ("all-gone", "a b c", "", [gone(0), gone(1), gone(2)], None),
    ("replaced", ABC, "a b c z e f g h", [target(3, 3, "d", "z")], None),
    ("replaced-two", ABC, "a b y z e f g h", [target(2, 2, "c", "y"), target(3, 3, "d", "z")], None),
    ("replaced-fewer", ABC, "a b z f g h",
     [target(2, 2, "c", "z"), gone(3), gone(4)],
     [target(2, 2, "c", "z"), gone(3), gone(4)]),
    ("gone-and-new", "a b c d e", "a c d y e", [gone(1), new(3)], None),
    ("argument", "a1 b1 c1", "a1 b2 c1", [argument(1, 1, "b")], None),
    ("arguments", "a1 b1 c1", "a2 b2 c2", [argument(0, 0, "a"), argument(1, 1, "b"),
                                           argument(2, 2, "c")], None),
    ("argument-moved", "z a1 b1", "a2 b1", [gone(0), argument(1, 0, "a")], None),
    ("same-gone", "a1 a1 a1 a1", "a1 a1 a1", [gone(3)], None),
    ("same-between", "a1 b1 a1 b1 a1 b1", "a1 b1 a1 a1 b1", [gone(3)], None),
    ("between", "s a1 a1 m b1 b1 t", "u a1 a1 m b1 b1 v",
     [target(0, 0, "s", "u"), target(6, 6, "t", "v")], None),
    ("between-fewer", "s a1 a1 m b1 b1 t", "u a1 m b1 v",
     [target(0, 0, "s", "u"), gone(2), target(5, 4, "b", "v"), gone(6)], None),
    ("moved-last", "a b c d e", "b c d e a", [FIRST], None),
    ("moved-first", "a b c d e", "e a b c d", [FIRST], None),
    ("swapped", "a b", "b a", [FIRST], None),
    ("reversed", "a b c d e f", "f e d c b a", [FIRST], None),
    ("rotated", "a b c d e f", "d e f a b c", [FIRST], None),
    ("shuffled", "a b c d e f g h i", "c a e b g d i f h", [FIRST], None),
    ("moved-and-gone", "a b c d e f", "f b c e a", [gone(3)], None),
    ("before-and-behind", "x r p r q y", "z p r q w",
     [target(0, 0, "x", "z"), gone(1), target(5, 4, "y", "w")], None),
    ("before-and-between", "x r p r q r t y", "z p r q r t w",
     [target(0, 0, "x", "z"), gone(1), target(7, 6, "y", "w")], None),
)


def lines(suite):
    bases = {}
    for label, one, other, rows, back in LINES:
        data = row_of(one)
        name = "line-%d" % list(dict.fromkeys(each[1] for each in LINES)).index(one)
        if name not in bases:
            bases[name] = Pairs(suite, name, data)

        def change(data, other=other):
            data["graph"]["nodes"] = row_of(other)["graph"]["nodes"]
        bases[name].pair(label, change, rows, "Nodes that are known by what they say.", back=back)


def by_inputs(suite):
    """Nodes that differ in nothing but the input that they take."""
    names = ["x", "y", "z"]
    draft = Draft(header=copy.deepcopy(HEADER)).take(*[parameter(name, name) for name in names])
    draft.tensors(**{name: meta(2) for name in names})
    draft.node(*[call("mylib.a.default", {"self": tensor(name)}, []) for name in names])
    pairs = Pairs(suite, "inputs", draft.give(user_output(tensor("x"))).data)
    for i in (0, 1, 2):
        pairs.pair("gone-%d" % i, lambda data, i=i: data["graph"]["nodes"].pop(i), [gone(i)],
                   "One of three nodes that differ in their inputs.")
    pairs.pair("turned", lambda data: data["graph"]["nodes"].reverse(),
               [row("order", "TensorArgument", "name", NODES + "0/inputs/0/arg/as_tensor/name",
                    NODES + "0/inputs/0/arg/as_tensor/name")],
               "Nodes that differ in their inputs, the other way round.")


def far(suite):
    """More nodes than are looked at for the nearest one that is alike."""
    for count in (22, 24, 46, 47, 48, 49, 60):
        fresh = ["n%d" % i for i in range(count)]
        pairs = Pairs(suite, "far-%d" % count, row_of("a1 a1 a1 z"))

        def change(data, fresh=fresh):
            data["graph"]["nodes"] = row_of(" ".join(["b1"] * 0 + fresh + ["a1", "a1", "a1", "z"])
                                            )["graph"]["nodes"]
        rows = [new(i) for i in range(min(count, TOLD))]
        pairs.pair("inserted", change, rows, "Nodes before others that are all alike.",
                   more=max(count - TOLD, 0))


# ---- symbols ---------------------------------------------------------------------------


def symbol(name):
    return "Symbol('%s', positive=True, integer=True)" % name


def symbolic(one="s0", other="s1", size=None):
    """Two inputs of symbolic sizes, and what is made of them."""
    a, b = symbol(one), symbol(other)
    ranges = {one: {"min_val": 2, "max_val": 100}, other: {"min_val": 2, "max_val": 50}}
    draft = Draft(header={**copy.deepcopy(HEADER), "range_constraints": ranges})
    draft.take(user_input(tensor("x")), user_input(tensor("y")))
    total = size or "Add(%s, %s)" % tuple(sorted((a, b)))
    draft.tensors(x=meta(a, 3), y=meta(b, 3), z=meta(total, 3), w=meta(a, b))
    draft.node(call("mylib.cat.default", {"a": tensor("x"), "b": tensor("y")}, tensor("z")),
               call("mylib.mul.default", {"a": tensor("x"), "b": tensor("y")}, tensor("w")),
               call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")))
    draft.table("sym_int_values", n=a)
    return draft.give(user_output(tensor("z")), user_output(tensor("w"))).data


def symbols(suite):
    pairs = Pairs(suite, "symbols", symbolic())
    table = GRAPH + "tensor_values/"
    expression = table + "%s/sizes/%d/as_expr/expr_str"

    def set_data(made):
        def change(data):
            data.clear()
            data.update(made)
        return change

    def size(name, i, text):
        def change(data):
            data["graph"]["tensor_values"][name]["sizes"][i] = text
        return change

    pairs.pair("renamed", set_data(symbolic("s7", "s3")), [],
               "Names of symbols are no part of the program.")
    for label, text in (("expression", "Add(Integer(1), %s)" % symbol("s0")),
                        ("expression-one", symbol("s0")), ("expression-number", "Integer(5)"),
                        ("expression-longer", "Add(Integer(1), %s, %s)" % (symbol("s0"),
                                                                         symbol("s1")))):
        where = expression % ("z", 0)
        pairs.pair(label, size("z", 0, text),
                   [row("value", "SymExpr", "expr_str", where, where)], "Another expression.")
    where = expression % ("w", 0)
    pairs.pair("other-symbol", size("w", 0, symbol("s1")),
               [row("value", "SymExpr", "expr_str", where, where)], "Another symbol.")
    where = table + "w/sizes/0"
    pairs.pair("number", size("w", 0, 4), [row("value", "SymInt", None, where, where)],
               "A number for a symbol.")

    def hint(data):
        data["graph"]["tensor_values"]["x"]["sizes"][0] = (symbol("s0"), 7)
    pairs.pair("hint", hint, [], "A hint is no part of the program.")

    def value(data):
        data["graph"]["sym_int_values"]["n"] = "Add(Integer(1), %s)" % symbol("s0")
    where = GRAPH + "sym_int_values/n/as_expr/expr_str"
    pairs.pair("sym-int", value, [row("value", "SymExpr", "expr_str", where, where)],
               "What a symbolic integer is.")

    def limit(key, number):
        def change(data):
            data["header"]["range_constraints"]["s1"][key] = number
        return change

    for key, number in (("max_val", 51), ("min_val", 3)):
        where = "range_constraints/s1/" + key
        pairs.pair("range-" + key.replace("_", "-"), limit(key, number),
                   [row("constraint", "RangeConstraint", key, where, where)], "Another range.")

    def open_end(data):
        data["header"]["range_constraints"]["s1"]["max_val"] = None
    where = "range_constraints/s1/max_val"
    pairs.pair("range-open", open_end,
               [row("constraint", "RangeConstraint", "max_val", where, where)], "An open end.")

    def both(data):
        set_data(symbolic("s7", "s3"))(data)
        data["header"]["range_constraints"]["s3"]["max_val"] = 51
    pairs.pair("range-renamed", both,
               [row("constraint", "RangeConstraint", "max_val", "range_constraints/s1/max_val",
                    "range_constraints/s3/max_val")], "Another range, under another name.")

    text = "Add(Integer(1), Mul(Integer(2), %s), Mul(Integer(3), %s))" % (
        symbol("s0"), symbol("s1"))
    where = expression % ("z", 0)
    Pairs(suite, "symbols-long", symbolic(size=text)).pair(
        "exchanged", set_data(symbolic("s1", "s0", text)),
        [row("value", "SymExpr", "expr_str", where, where)],
        "A long text that is the same in both, of symbols that are not.")

    def fixed(data):
        data["graph"]["tensor_values"]["x"]["sizes"][0] = 4
        del data["header"]["range_constraints"]["s0"]

    draft = Draft(header={**copy.deepcopy(HEADER), "range_constraints": {
        "s0": {"min_val": 2, "max_val": 100}, "s1": {"min_val": 2, "max_val": 50}}})
    draft.take(user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(x=meta(symbol("s0"), 3), y=meta(symbol("s1"), 3))
    where = table + "x/sizes/0"
    Pairs(suite, "symbols-two", draft.give(user_output(tensor("y"))).data).pair(
        "one", fixed, [row("value", "SymInt", None, where, where),
                       row("constraint", "RangeConstraint", None, "range_constraints/s0", None)],
        "A symbol that only one has, before one that both have.")

    draft = Draft(header={**copy.deepcopy(HEADER), "range_constraints": {
        "s0": {"min_val": 2, "max_val": 100}, "s1": {"min_val": 2, "max_val": 50}}})
    draft.take(user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(x=meta(symbol("s0"), 3), y=meta(symbol("s1"), 3))
    draft.node(call("mylib.f.default", {"a": tensor("y")}, sym_bool("c")))
    draft.table("sym_bool_values", c="Equality(%s, Integer(3))" % symbol("s1"))
    Pairs(suite, "symbols-bool", draft.give(user_output(tensor("y"))).data).pair(
        "one", fixed, [row("value", "SymInt", None, where, where),
                       row("constraint", "RangeConstraint", None, "range_constraints/s0", None)],
        "Of what is true or false the symbols are those of the other program, too.")

    def expression_key(data):
        data["header"]["range_constraints"]["s0 + s1"] = {"min_val": 5, "max_val": 9}
    pairs.pair("range-more", expression_key,
               [row("constraint", "RangeConstraint", None, None, "range_constraints/s0 + s1")], "A range of an expression.")


def beside_trees(suite):
    """What stands beside the tree of an expression and is none itself has no symbols, whatever it
    looks like: two such texts are two."""
    def sized(text):
        size = {"as_expr": {"expr_str": text, "expr_ast": {
            "args": [], "target": None, "base": {"as_symbol": "s0"}}}}
        draft = Draft(graph(nodes=[op("a")]), header={
            **copy.deepcopy(HEADER), "range_constraints": {"s0": {"min_val": 2, "max_val": 9}}})
        draft.take(user_input(tensor("x")), user_input(tensor("y")))
        draft.tensors(x=meta(size, 3), y=meta(symbol("s0"), 3))
        return draft.give(user_output(tensor("x"))).data
    where = GRAPH + "tensor_values/x/sizes/0/as_expr/expr_str"
    for label, one, others in (
            ("quote", "Symbol('')x", (("other", "Symbol('')y"), ("open", "Symbol('"))),
            ("empty", symbol(""), (("expression", symbol("s0")),)),
            ("call", "f(%s)" % symbol("s0"), (("symbol", "f(%s)" % symbol("s1")),))):
        pairs = Pairs(suite, "tree-" + label, sized(one), "8.2-ast")
        for end, text in others:
            pairs.beside(end, Side(sized(text), "8.2-ast"),
                         [row("value", "SymExpr", "expr_str", where, where)],
                         "Beside a tree: %s and %s." % (one, text))


# ---- what the canonical form leaves out ------------------------------------------------


def provenance(suite):
    data = program()
    first = data["graph"]["nodes"][0]
    first["metadata"] = {"stack_trace": "here", "torch_fn": "f;g.f"}
    first["name"] = "one"
    pairs = Pairs(suite, "provenance", data, options={"provenance": True})

    def of_node(label, change, rows, why):
        pairs.pair(label, lambda data: change(data["graph"]["nodes"][0]), rows, why)

    where = NODES + "0/metadata"

    def told(member, one, other):
        return row("provenance", "Node", member, one, other)

    of_node("metadata", lambda node: node["metadata"].update(stack_trace="there"),
            [told("metadata", where + "/stack_trace", where + "/stack_trace")], "A stack trace.")
    of_node("metadata-gone", lambda node: node["metadata"].pop("torch_fn"),
            [told("metadata", where + "/torch_fn", None)], "Metadata that only one has.")
    of_node("metadata-new", lambda node: node["metadata"].update(custom="{}"),
            [told("metadata", None, where + "/custom")], "Metadata that only one has.")
    name = NODES + "0/name"
    of_node("name", lambda node: node.update(name="two"), [told("name", name, name)], "A name.")
    of_node("name-null", lambda node: node.update(name=None), [told("name", name, name)],
            "A name that only one has.")
    kind = NODES + "0/inputs/0/kind"
    of_node("kind", lambda node: node["inputs"][0].update(kind=2),
            [row("provenance", "NamedArgument", "kind", kind, kind)], "By position or by name.")

    def release(data):
        data["header"]["torch_version"] = "2.12.0"
    pairs.pair("release", release, [row("provenance", "ExportedProgram", "torch_version",
                                        "torch_version", "torch_version")], "The release.")

    def names(data):
        data["root"]["forward_arg_names"] = ["x", "y", "q"]
    where = MODULES + "0/signature/forward_arg_names"
    pairs.pair("arg-names", names, [row("provenance", "ModuleCallSignature", "forward_arg_names",
                                        where, where)], "The names of arguments, without guards.")

    def last(data):
        data["modules"][0]["signature"]["forward_arg_names"] = ["x"]
    where = MODULES + "1/signature/forward_arg_names"
    pairs.pair("arg-names-last", last, [row("provenance", "ModuleCallSignature",
                                            "forward_arg_names", where, where)],
               "The names of arguments of the last module that has a signature.")

    def both(data):
        data["graph"]["nodes"][0]["name"] = "two"
        data["graph"]["nodes"][0]["inputs"][4]["arg"] = {"as_int": 7}
    value = NODES + "0/inputs/4/arg/as_int"
    pairs.pair("both", both, [row("argument", "Argument", "as_int", value, value, target=F,
                                  argument="int"), told("name", name, name)],
               "What is left out comes last.")


def guarded(suite):
    """The names of arguments where there are guards."""
    data = program()
    data["header"]["guards_code"] = ["1 == 1"]
    data["root"]["forward_arg_names"] = ["x", "y", "q"]
    for label, options in (("guarded", None), ("guarded-provenance", {"provenance": True})):
        pairs = Pairs(suite, label, data, options=options)

        def names(data):
            data["root"]["forward_arg_names"] = ["x", "y", "p"]
        where = MODULES + "0/signature/forward_arg_names/2"
        pairs.pair("arg-names", names,
                   [row("module", "ModuleCallSignature", "forward_arg_names", where, where)],
                   "The names of arguments, which guards speak of.")

        def other(data):
            data["header"]["guards_code"] = ["2 == 2"]
        rows = [row("constraint", "ExportedProgram", "guards_code", "guards_code/0", None),
                row("constraint", "ExportedProgram", "guards_code", None, "guards_code/0")]
        pairs.pair("guard", other, rows, "Another guard.", back=rows[::-1])

        def unguarded(data):
            data["header"]["guards_code"] = []
        pairs.pair("none", unguarded, rows[:1],
                   "A program without guards keeps no names, and that is no difference.")


# ---- other kinds -----------------------------------------------------------------------


def kinds(suite):
    """Tokens, objects, constants, a loss and gradients."""
    draft = Draft(header=copy.deepcopy(HEADER))
    draft.take(spec("token", "tok"), parameter("p", "w"),
               {"custom_obj": {"arg": custom_obj("o")["as_custom_obj"], "custom_obj_name": "obj"}},
               user_input(tensor("x")),
               {"constant_input": {"name": "k", "value": {"as_int": 3}}})
    draft.tensors(tok=meta(), tok_1=meta(), p=meta(2), x=meta(2), s=meta(), t=meta(2), u=meta(2))
    draft.table("custom_obj_values", o=custom_obj("o")["as_custom_obj"])
    draft.node(call("mylib.effect.default", {"t": tensor("tok"), "x": tensor("x"),
                                             "o": custom_obj("o"), "w": tensor("p")},
                    [tensor("tok_1"), tensor("s")]),
               call("mylib.grad.default", {"x": tensor("s")}, [tensor("t"), tensor("u")]))
    draft.give(spec("token", "tok_1"), spec("loss_output", "s"),
               spec("gradient_to_parameter", "t", parameter_name="w"),
               spec("gradient_to_user_input", "u", user_input_name="x"))
    pairs = Pairs(suite, "kinds", draft.data)
    inputs, outputs = SIGNATURE + "input_specs/%d", SIGNATURE + "output_specs/%d"

    def constant(data):
        data["input_specs"][4]["constant_input"]["value"] = {"as_int": 4}
        data["graph"]["inputs"][4] = {"as_int": 4}
    where = inputs % 4 + "/constant_input/value/as_int"
    pairs.pair("constant", constant, [row("signature", "ConstantValue", "as_int", where, where)],
               "What a constant input is.")

    def gradient(data):
        data["output_specs"][2] = spec("gradient_to_parameter", "u", parameter_name="w")
        data["output_specs"][3] = spec("gradient_to_user_input", "t", user_input_name="x")
        data["graph"]["outputs"][2:] = [tensor("u"), tensor("t")]
    where = [outputs % 2 + "/gradient_to_parameter/arg/name",
             outputs % 3 + "/gradient_to_user_input/arg/name"]
    pairs.pair("gradients", gradient,
               [row("signature", "TensorArgument", "name", each, each) for each in where],
               "Gradients of each other.")

    def loss(data):
        data["output_specs"][1:] = [user_output(tensor("s"))]
        data["graph"]["outputs"] = data["graph"]["outputs"][:2]
    spot = outputs % 1
    pairs.pair("loss", loss,
               [row("signature", "OutputSpec", None, spot, spot),
                row("signature", "OutputSpec", None, outputs % 2, None),
                row("signature", "OutputSpec", None, outputs % 3, None)], "No loss, and so no gradients.")

    def renamed(data):
        data["input_specs"][2]["custom_obj"]["custom_obj_name"] = "obj2"
    value = NODES + "0/inputs/2/arg/as_custom_obj/name"
    rows = [row("signature", "InputSpec", None, inputs % 2, None),
            row("signature", "InputSpec", None, None, inputs % 2),
            row("argument", "CustomObjArgument", "name", value, value,
                target="torch.ops.mylib.effect.default", argument="o")]
    pairs.pair("object", renamed, rows, "Another object.", back=[rows[1], rows[0], rows[2]])


def exchanged(suite):
    """A name that is of an input of another kind matches nothing."""
    draft = Draft(header=copy.deepcopy(HEADER))
    draft.take(parameter("p", "w"), buffer("b", "a"),
               spec("tensor_constant", "c", tensor_constant_name="k"),
               {"custom_obj": {"arg": custom_obj("o")["as_custom_obj"], "custom_obj_name": "obj"}},
               user_input(tensor("x")))
    draft.tensors(**{name: meta(2) for name in ("p", "b", "c", "x", "s", "t", "r")})
    draft.table("custom_obj_values", o=custom_obj("o")["as_custom_obj"])
    draft.node(call("mylib.e.default", {"x": tensor("x")}, [tensor("s"), tensor("t"), tensor("r")]))
    draft.give(spec("buffer_mutation", "s", buffer_name="a"),
               spec("parameter_mutation", "t", parameter_name="w"), user_output(tensor("r")))
    pairs = Pairs(suite, "exchanged", draft.data)
    kinds_of = (("parameter", 0), ("buffer", 1), ("tensor_constant", 2), ("custom_obj", 3))
    mutations = {"parameter": 1, "buffer": 0}
    for i, (one, first) in enumerate(kinds_of):
        for other, second in kinds_of[i + 1:]:
            def change(data, one=one, other=other, first=first, second=second):
                specs = data["input_specs"]
                names = [specs[second][other][other + "_name"], specs[first][one][one + "_name"]]
                for (kind, place), name in zip(((one, first), (other, second)), names):
                    specs[place][kind][kind + "_name"] = name
                    if kind in mutations:
                        tag = kind + "_mutation"
                        data["output_specs"][mutations[kind]][tag][kind + "_name"] = name
            where = SIGNATURE + "input_specs/%d"
            gone = [row("signature", "InputSpec", None, where % each, None)
                    for each in (first, second)]
            fresh = [row("signature", "InputSpec", None, None, where % each)
                     for each in (first, second)]
            out = SIGNATURE + "output_specs/%d"
            changed = sorted(mutations[each] for each in (one, other) if each in mutations)
            lost = [row("signature", "OutputSpec", None, out % each, None) for each in changed]
            found = [row("signature", "OutputSpec", None, None, out % each) for each in changed]
            pairs.pair("%s-%s" % (one.replace("_", "-"), other.replace("_", "-")), change,
                       gone + fresh + lost + found, "Names that were exchanged.",
                       back=fresh + gone + found + lost)


# ---- texts and places ------------------------------------------------------------------


class Raw(Style):
    """Characters beyond ASCII as they are."""

    def scalar(self, text):
        return json.dumps(json.loads(text), ensure_ascii=False) if "\\u" in text else text


def cut(texts):
    """Excerpts of two long texts: 120 bytes, from 40 before the first byte that differs
    on where that is not among the first 80; between two characters."""
    both = [text.encode("utf-8") for text in texts]
    same = next((i for i, (a, b) in enumerate(zip(*both)) if a != b), min(map(len, both)))
    for text in both:
        start, part = 0, {}
        if len(text) > 120 and same >= 80:
            start = same - 40
            while text[start] & 0xC0 == 0x80:
                start -= 1
            part["cut_before"] = True
        end = len(text)
        if end - start > 120:
            end = start + 120
            while text[end] & 0xC0 == 0x80:
                end -= 1
            part["cut_behind"] = True
        yield {"text": text[start:end].decode("utf-8"), **part}


class Excerpt:
    """A side whose text is given."""

    def __init__(self, side, part):
        self.side, self.part = side, part

    def said(self, where):
        said = {key: value for key, value in self.side.said(where).items()
                if key not in ("text", "cut_behind")}
        return {**said, **self.part}


def long_texts(suite):
    """Strings of which not all is shown."""
    base = program()
    index = 4 + 6  # the argument "string"
    where = NODES + "0/inputs/%d/arg/as_string" % index
    letters = "abcdefghij" * 30
    for label, one, other in (
            ("long-first", "x" + letters, "y" + letters),
            ("long-last", letters, letters + "x"), ("long-short", letters, "abc"),
            ("long-79", letters[:78] + "x" + letters, letters[:78] + "y" + letters),
            ("long-80", letters[:79] + "x" + letters, letters[:79] + "y" + letters),
            ("long-81", letters[:80] + "x" + letters, letters[:80] + "y" + letters),
            ("long-middle", letters[:200] + "x" + letters, letters[:200] + "y" + letters),
            ("long-118", letters[:117] + "x", letters[:117] + "y"),
            ("long-119", letters[:118] + "x", letters[:118] + "y"),
            ("long-120", letters[:117] + "xx", letters[:117] + "yxyx"),
            ("long-letters", "\u00e9" * 150 + "x", "\u00e9" * 150 + "y"),
            ("long-letters-odd", "z" + "\u00e9" * 150 + "x", "z" + "\u00e9" * 150 + "y"),
            ("long-letters-half", "\u00e9" * 150 + "zx", "\u00e9" * 150 + "zy"),
            ("long-wide", "z\U0001f600" * 60 + "x", "z\U0001f600" * 60 + "y"),
            ("long-cut", "x" + "z" * 117 + "\u00e9" * 9, "y" + "z" * 117 + "\u00e9" * 9),
            ("long-cut-odd", "x" + "z" * 116 + "\u00e9" * 9, "y" + "z" * 116 + "\u00e9" * 9)):
        sides, names = [], []
        for i, text in enumerate((one, other)):
            data = copy.deepcopy(base)
            data["graph"]["nodes"][0]["inputs"][index]["arg"] = {"as_string": text}
            sides.append(Side(data, style=Raw()))
            names.append("diff/base-%s%s/%s" % (label, "-back" * i, LATEST))
        raw = [at_text(side, where) for side in sides]
        parts = list(cut(raw))
        shown = [Excerpt(side, part) for side, part in zip(sides, parts)]
        told = [row("argument", "Argument", "as_string", where, where, target=F,
                    argument="string")]
        for i in (0, 1):
            change = change_between(suite.bytes["diff/base/" + LATEST], sides[i].text)
            suite.valid_edit(names[i], "diff/base/" + LATEST, change, ["6.1.1"],
                             "A text of which not all is shown.", provenance="hand",
                             other=names[1 - i], flags=["large"] if len(change[2]) > 300 else None,
                             product=listed(shown, told, bool(i)))


def at_text(side, where):
    said = side.said(where)
    start = said["offset"]
    end = start + 1
    while side.text[end] != '"':
        end += 2 if side.text[end] == "\\" else 1
    return side.text[start:end + 1]


class Spaced(Style):
    """White space wherever it may be."""

    label = "-spaced"
    comma, colon, inside, around = "\t,\r\n", " :\n ", (" \t", "\n"), ("\n ", " \r\n")


def many(suite):
    """As many differences as are told, and more."""
    for count in (TOLD, TOLD + 1, 30):
        names = " ".join("a%d" % i for i in range(count))
        pairs = Pairs(suite, "many-%d" % count, row_of(names))

        def change(data, count=count):
            for i in range(count):
                data["graph"]["nodes"][i]["inputs"][0]["arg"]["as_int"] = 100 + i
        rows = [argument(i, i, "a") for i in range(min(count, TOLD))]
        pairs.pair("arguments", change, rows, "More differences than are told.",
                   more=max(count - TOLD, 0))


def refused(suite):
    """A program that is none is not compared."""
    base = "diff/base/" + LATEST
    data = program()
    data["graph"]["nodes"][2]["inputs"][0]["arg"] = tensor("nobody")
    side = Side(data)
    text, offset, pointer = place_of(side.document, NODES + "2/inputs/0/arg/as_tensor/name")
    suite.invalid("diff/refused/" + LATEST, base, change_between(suite.bytes[base], text),
                  "EP_VALUE_UNDEFINED", (offset, pointer), "The first program is none.",
                  provenance="hand", other=base)
    suite.invalid("diff/refused-other/" + LATEST, base, None, "EP_VALUE_UNDEFINED",
                  (offset, pointer), "The second program is none.", provenance="hand",
                  other="diff/refused/" + LATEST)


# ---- other spellings and versions ------------------------------------------------------


def spelled(suite):
    """White space does not move a place away from what it is the place of."""
    data = program()
    base = Side(data, style=Spaced())
    first = len(data["graph"]["nodes"][0]["inputs"]) - 15
    changes = (("int", first, {"as_int": 2}, "as_int", "Argument", "as_int"),
               ("ints", first + 1, {"as_ints": [1, 5, 3]}, "as_ints/1", "Argument", "as_ints"),
               ("bools", first + 5, {"as_bools": [True, True]}, "as_bools/1", "Argument",
                "as_bools"),
               ("complex", first + 13, {"as_complex": {"real": 1.5, "imag": 3.5}},
                "as_complex/imag", "ComplexValue", "imag"),
               ("lists", first + 14, {"as_int_lists": [[1, 2], [4]]}, "as_int_lists/1/0",
                "Argument", "as_int_lists"),
               ("shorter", first + 1, {"as_ints": []}, "as_ints", "Argument", "as_ints"))
    name = "diff/spaced/" + LATEST
    suite.valid(name, "diff", LATEST, base.text, ["6.1.1", "2.2.1"], "Two spellings of a program.",
                provenance="hand", other="diff/base/" + LATEST, flags=["foreign-spelling"],
                file="whole/8.20-diff-spaced.json", product={"text": "[]"})
    for label, i, arg, path, kind, member in changes:
        other = copy.deepcopy(data)
        other["graph"]["nodes"][0]["inputs"][i]["arg"] = arg
        side = Side(other, style=Spaced())
        where = NODES + "0/inputs/%d/arg/%s" % (i, path)
        names = ["diff/spaced-%s%s/%s" % (label, end, LATEST) for end in ("", "-back")]
        told = [row("argument", kind, member, where, where, target=F,
                    argument=data["graph"]["nodes"][0]["inputs"][i]["name"])]
        suite.valid_edit(names[0], name, None, ["6.1.1"], "White space around it.",
                         provenance="hand", other=names[1], product=listed((base, side), told))
        suite.valid_edit(names[1], name, change_between(base.text, side.text), ["6.1.1"],
                         "White space around it. The other way round.", provenance="hand",
                         other=names[0], product=listed((base, side), told, True))


def versions(suite):
    """Programs of other versions are rewritten, and told of in the terms of their files."""
    data = row_of("a1 b1 c1")
    own = {"dialect": "ATEN", "verifiers": ["ATEN"], "torch_version": "<=2.4"}
    data["header"].update(own)
    other = row_of("a1 b2 c1")
    other["header"].update(own)
    latest = Pairs(suite, "versions", data)
    for version in ("2", "5.3", "7.3", "8.8"):
        old = Side(data, version)
        name = "diff/version-same/" + version
        suite.valid(name, "diff", version, old.text, ["6.1.1", "6.1.3"],
                    "The same program at another version.", provenance="hand",
                    other=latest.base, file="whole/%s-diff-version.json" % version,
                    product={"text": "[]"})
        side = Side(other)
        names = ["diff/version-argument/" + version, "diff/version-argument-%s-back/%s" % (
            version, LATEST)]
        told = [row("argument", "Argument", "as_int", ARG,
                    ARG, target="torch.ops.mylib.b.default", argument="n")]
        suite.valid_edit(names[0], name, None, ["6.1.1", "6.1.3"], "A number at another version.",
                         provenance="hand", other=names[1], product=listed((old, side), told))
        suite.valid_edit(names[1], latest.base, change_between(latest.side.text, side.text),
                         ["6.1.1", "6.1.3"], "A number at another version. The other way round.",
                         provenance="hand", other=names[0],
                         product=listed((old, side), told, True))
        checked = copy.deepcopy(data)
        checked["header"]["verifiers"] = ["TRAINING"]
        suite.valid_edit("diff/version-verifier/" + version, name, None, ["6.1.1", "6.1.3"],
                         "A verifier, which was a dialect.", provenance="hand",
                         other=trained(suite, latest, checked),
                         product=listed((old, Side(checked)), [row(
                             "header", "ExportedProgram", "verifiers",
                             "dialect" if version in ("2", "5.3") else "verifiers/0",
                             "verifiers/0")]))


def trained(suite, latest, data):
    """The program of the latest version with another verifier, beside the usual one."""
    name = "diff/version-verifier/" + LATEST
    if name not in suite.vectors:
        side = Side(data)
        told = [row("header", "ExportedProgram", "verifiers", "verifiers/0", "verifiers/0")]
        suite.valid_edit(name, latest.base, change_between(latest.side.text, side.text), ["6.1.1"],
                         "Another verifier.", provenance="hand", other=latest.base,
                         product=listed((side, latest.side), told))
    return name


ARG = NODES + "1/inputs/0/arg/as_int"


def vectors(suite):
    spelled(suite)
    versions(suite)
    lines(suite)
    by_inputs(suite)
    far(suite)
    symbols(suite)
    beside_trees(suite)
    provenance(suite)
    guarded(suite)
    kinds(suite)
    exchanged(suite)
    long_texts(suite)
    many(suite)
    refused(suite)
