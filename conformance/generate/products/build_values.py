"""Programs that are built again: hints at the ends of 64 bits, operations on what is no symbol,
expressions that no operation makes, lists of lists, and what operators return in the versions
that say it in other ways.
"""

import json

from generate.language.texts import is_srepr, since
from generate.products.builds import (ALL, FORMS, LATEST, has, header, infinite, plain, positional,
                                      put, symbol, symbolic)
from generate.rules.subgraphs import as_graph, body, cond, unnamed
from generate.whole import (LEAF, Draft, arguments, call, meta, sym_bool, sym_float, sym_int, tensor,
                            tensors, tree, treespec, user_input, user_output)

VERSIONS = ("2", "7.3", "8.2", LATEST)
LEAST, GREATEST = -(1 << 63), (1 << 63) - 1

# ---- hints ------------------------------------------------------------------------------


def open_end(version):
    return None if since(version, "8.1-a") else infinite()


def hinted(version, one, other):
    """Two symbols with these hints, and a node that gives m."""
    ranges = {name: {"min_val": 2, "max_val": open_end(version)} for name in ("s0", "s1")}
    draft = Draft(header=header(version, range_constraints=ranges))
    draft.take(user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(x=meta((symbol(version), one)), y=meta((symbol(version, "s1"), other)))
    draft.node(call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")),
               call("mylib.n.default", {"a": sym_int("n")}, sym_int("m")))
    return draft.table("sym_int_values", n=(symbol(version), one))


HINTS = (  # (label, the hints of s0 and s1, infix, srepr, hint)
    ("sum-greatest", 1 << 62, (1 << 62) - 1, "s0 + s1", "Add({a}, {b})", GREATEST),
    ("sum-beyond", 1 << 62, 1 << 62, "s0 + s1", "Add({a}, {b})", None),
    ("sum-far", GREATEST, GREATEST, "s0 + s1", "Add({a}, {b})", None),
    ("difference-least", 2, GREATEST, "s0 - s1", "Add({a}, Mul(Integer(-1), {b}))", 2 - GREATEST),
    ("difference-least-of-all", 2, GREATEST, "s0 - s1 - 3",
     "Add({a}, Mul(Integer(-1), {b}), Integer(-3))", LEAST),
    ("product-greatest", 1 << 31, 3, "s0*s1", "Mul({a}, {b})", 3 << 31),
    ("product-beyond", 3000000000, 3, "2*s0", "Mul(Integer(2), {a})", None),
    ("product-second", 3, 3000000000, "s0*s1", "Mul({a}, {b})", None),
    ("division-least", 8, 3, "((-9223372036854775808)//s0)",
     "FloorDiv(Integer(-9223372036854775808), {a})", LEAST // 8),
    ("division-least-odd", 7, 3, "((-9223372036854775808)//s0)",
     "FloorDiv(Integer(-9223372036854775808), {a})", LEAST // 7),
    ("modulo-least", 7, 3, "Mod(-9223372036854775808, s0)",
     "Mod(Integer(-9223372036854775808), {a})", LEAST % 7),
    ("division-least-below", 4, 3, "((-9223372036854775808)//(s1 - 4))",
     "FloorDiv(Integer(-9223372036854775808), Add({b}, Integer(-4)))", None),
    ("modulo-least-below", 4, 3, "Mod(-9223372036854775808, s1 - 4)",
     "Mod(Integer(-9223372036854775808), Add({b}, Integer(-4)))", None),
    ("division-zero", 8, 3, "(s0//(s1 - 3))", "FloorDiv({a}, Add({b}, Integer(-3)))", None),
    ("modulo-zero", 8, 3, "Mod(s0, s1 - 3)", "Mod({a}, Add({b}, Integer(-3)))", None),
    ("product-least", 8, 3, "(s0 - 2147483656)*s1", "Mul(Add({a}, Integer(-2147483656)), {b})",
     -3 << 31),
    ("product-least-second", 8, 3, "s1*(s0 - 2147483656)",
     "Mul({b}, Add({a}, Integer(-2147483656)))", -3 << 31),
    ("difference-below", 8, 3, "-2*s0 - 1", "Add(Mul(Integer(-2), {a}), Integer(-1))", -17),
    ("difference-behind-sum", 8, 3, "s0 + 2*s0 - s1",
     "Add({a}, Mul(Integer(2), {a}), Mul(Integer(-1), {b}))", 21),
    ("product-minus", 8, 3, "s1*(s0 - 1)", "Mul({b}, Add({a}, Integer(-1)))", 21),
    ("division-minus", 8, 3, "((s0 - 1)//s1)", "FloorDiv(Add({a}, Integer(-1)), {b})", 2),
)


def spelled(version, infix, srepr):
    text = srepr if is_srepr(version) else infix
    return text.format(a=symbol(version), b=symbol(version, "s1"))


def hints(suite):
    for version in VERSIONS:
        for label, one, other, infix, srepr, hint in HINTS:
            text = spelled(version, infix, srepr)
            draft = hinted(version, one, other)
            draft.table("sym_int_values", m=text if hint is None else (text, hint))
            put(suite, "value-" + label, version, draft.give(user_output(tensor("x"))),
                "An expression, and the hint that it has or cannot have.", ["4.1.6"])


# ---- expressions ------------------------------------------------------------------------

LESS, MORE = "StrictLessThan({a}, {b})", "StrictGreaterThan({a}, Integer(3))"
BOOLS = (  # (label, infix, srepr)
    ("equal-bools", "Eq(s0 < s1, s0 > 3)", "Equality(%s, %s)" % (LESS, MORE)),
    ("unequal-bools", "Ne(s0 < s1, s0 > 3)", "Unequality(%s, %s)" % (LESS, MORE)),
    ("equal-nested", "Eq(Ne(s0 < s1, s0 > 3), Eq(s0, s1))",
     "Equality(Unequality(%s, %s), Equality({a}, {b}))" % (LESS, MORE)),
    ("equal-mixed", "Eq(s0, IntTrueDiv(s0, s1))", "Equality({a}, IntTrueDiv({a}, {b}))"),
    ("both", "(s0 < s1) & (s0 > 3)", "And(%s, %s)" % (LESS, MORE)),
    ("either", "(s0 < s1) | (s0 > 3)", "Or(%s, %s)" % (LESS, MORE)),
    ("not", "~(Eq(s0, s1))", "Not(Equality({a}, {b}))"),
)
FLOATS = (
    ("number", "ToFloat(3)", "ToFloat(Integer(3))"),
    ("number-below", "ToFloat(-3)", "ToFloat(Integer(-3))"),
    ("numbers", "IntTrueDiv(3, 2)", "IntTrueDiv(Integer(3), Integer(2))"),
    ("mixed", "ToFloat(s0)*s1", "Mul(ToFloat({a}), {b})"),
    ("root", "OpaqueUnaryFn_sqrt(s0)", "OpaqueUnaryFn_sqrt({a})"),
    ("power", "FloatPow(ToFloat(s0), 0.5)", "FloatPow(ToFloat({a}), Float('0.5', precision=53))"),
)


def expressions(suite):
    for version in VERSIONS:
        for label, infix, srepr in BOOLS:
            draft = symbolic(version)
            draft.node(call("mylib.b.default", {"a": sym_int("n")}, sym_bool("c")))
            draft.table("sym_bool_values", c=spelled(version, infix, srepr))
            put(suite, "value-bool-" + label, version, draft, "A condition of conditions.",
                ["4.1.4", "4.1.6"])
        for label, infix, srepr in FLOATS if has(version, "SymFloat") else ():
            draft = symbolic(version)
            draft.node(call("mylib.q.default", {"a": sym_int("n")}, sym_float("f")))
            draft.table("sym_float_values", f=spelled(version, infix, srepr))
            put(suite, "value-float-" + label, version, draft, "A float.", ["4.1.6"])


# ---- arguments and metadata -----------------------------------------------------------------


def lists(suite):
    """Lists of one list, of none, and of empty ones."""
    rows = (("int-one", {"as_int_lists": [[1, 2]]}), ("int-empty", {"as_int_lists": [[]]}),
            ("float-one", {"as_float_lists": [[0.5]]}), ("float-empty", {"as_float_lists": [[]]}),
            ("tensor-one", {"as_nested_tensors": [[{"name": "x"}]]}),
            ("tensor-empty", {"as_nested_tensors": [[]]}), ("none", {"as_int_lists": []}))
    for version in FORMS:
        for label, value in rows:
            (tag, _), = value.items()
            if has(version, "Argument", tag):
                draft = plain(version).tensors(r=meta(2))
                draft.node(call("mylib.f.default", {"v": value}, tensor("r")))
                put(suite, "value-lists-" + label, version, draft, "A list of lists.", ["3.6.1"])
    for version in ("1-2023-08", "1-2023-12"):
        draft = plain(version).tensors(r=meta(2))
        draft.node(call("mylib.f.default", {"v": {"as_bools": []}}, tensor("r")))
        put(suite, "value-lists-empty", version, draft, "An empty list.", ["3.6.1"])


def metadata(suite):
    for version in FORMS:
        for text in ("x", "\u00e9", "\n"):
            draft = plain(version)
            draft.data["graph"]["nodes"][0]["metadata"] = {"stack_trace": text}
            put(suite, "value-trace-%d" % ord(text), version, draft, "A text of one letter.",
                ["4.3.1"])


KEYS = (("quote", 'a"b'), ("quote-alone", '"'), ("backslash", "a\\b"), ("both", '\\"'),
        ("newline", "a\nb"), ("letter", "\u00e9"), ("wide", "\U0001f600"), ("control", "\x01"))


def keys(suite):
    """Keys of a dict in a tree spec, which is JSON in JSON in a string."""
    for version in ("1", "5.3", LATEST):
        for label, key in KEYS:
            out = treespec(tree("builtins.dict", json.dumps([key]), [LEAF]))
            inner = positional(1) if version == "1" else arguments(1)
            put(suite, "value-key-" + label, version, plain(version),
                "A key with what is written as an escape.", ["4.2.1"], out_spec=out, in_spec=inner)
        names = ["a", "b", "c"]
        out = treespec(tree("builtins.dict", json.dumps(names), [LEAF] * len(names)))
        put(suite, "value-keys", version, plain(version).give(*[user_output(tensor("x"))] * 2),
            "A dict of several keys.", ["4.2.1"], out_spec=out, in_spec=inner)


# ---- what operators return --------------------------------------------------------------------

BETWEEN = ("8.5-a",)  # versions of no release, in which a word of nodes is new


def taking(version, *names):
    draft = Draft(header=header(version)).take(
        user_input(tensor("p")), user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(p=meta(dtype=12), x=meta(2), y=meta(2), **{name: meta(2) for name in names})
    return draft


def conditionals(suite):
    """One tensor in a tuple, and several, at the ends of the columns of 7.4.4."""
    for version in BETWEEN:
        for count in (1, 2):
            names = ["c%d" % i for i in range(count)]
            node = cond(version, 2, count)
            put(suite, "value-tuple-%d" % count, version,
                taking(version, *names).node(node).give(*[user_output(tensor(name))
                                                          for name in names]),
                "A tuple that an operator returns of its subgraphs.", ["5.2.3", "7.4.4"])
    for version in ("2", "4.2"):
        node = cond(version, 2, 0)
        node["outputs"] = []
        put(suite, "value-tuple-0", version, taking(version).node(node).give(
            user_output(tensor("x"))), "An operator that returns nothing of its subgraphs.",
            ["5.2.3", "7.4.4"])
    for version in ("1-2023-08", "1", "1-2023-12"):
        node = cond(version, 2, 1)
        node["outputs"] = [tensor("c0")]
        for each in node["inputs"][1:3]:
            each["arg"]["as_graph"]["graph"]["is_single_tensor_return"] = True
        put(suite, "value-tensor", version,
            taking(version, "c0").node(node).give(user_output(tensor("c0"))),
            "A tensor that an operator returns of its subgraphs.", ["5.2.7", "7.4.4"])
        for count in (2, 3):
            names = ["c%d" % i for i in range(count)]
            node = cond(version, 2, count)
            node["outputs"] = [tensors(*names)]
            put(suite, "value-tensors-%d" % count, version,
                taking(version, *names).node(node).give(*[user_output(tensor(name))
                                                          for name in names]),
                "Several tensors that an operator returns of its subgraphs.", ["5.2.3", "7.4.4"])


def last(suite):
    """The subgraph is the last argument of an operator that returns a tensor."""
    for version in ALL:
        if not since(version, "8.5-a"):
            continue
        for single in (True, False):
            inner = body(1, 1)
            inner["is_single_tensor_return"] = single
            node = call("higher_order.wrap", unnamed(tensor("x"), as_graph("body_0", inner)),
                        [tensor("c")], is_hop_single_tensor_return=single)
            draft = Draft(header=header(version)).take(user_input(tensor("x")))
            draft.tensors(x=meta(2), c=meta(2)).node(node)
            put(suite, "value-last-%s" % str(single).lower(), version,
                draft.give(user_output(tensor("c"))), "One tensor, of the last argument.",
                ["5.2.3", "5.2.7"])


def first(suite):
    """The subgraph is the first argument of an operator that returns a tensor."""
    for version in ("8.5", LATEST):
        inner = body(1, 1)
        inner["is_single_tensor_return"] = True
        node = call("higher_order.wrap", unnamed(as_graph("body_0", inner), tensor("x")),
                    [tensor("c")], is_hop_single_tensor_return=True)
        draft = Draft(header=header(version)).take(user_input(tensor("x")))
        draft.tensors(x=meta(2), c=meta(2)).node(node)
        put(suite, "value-first", version, draft.give(user_output(tensor("c"))),
            "One tensor, of the first argument.", ["5.2.3", "5.2.7"])


def vectors(suite):
    for part in (hints, expressions, lists, metadata, keys, conditionals, last, first):
        part(suite)
