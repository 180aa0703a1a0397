"""Migrations of the texts inside strings (SPEC 7.5): expressions from one form to
the other, targets, node metadata, tree specs.
"""

import copy

from generate.migrate.migrations import (LATEST, S0, S1, U0, Migrations, changed, kinds, place_at,
                                         plain, put, ranged, subgraph)
from generate.whole import (GRAPH, LEAF, NODES, call, meta, sym_bool, sym_int, tensor, tensors,
                            tree, treespec)

MINUS, HALVES = "Float('-1.5', precision=53)", "Float('1.5', precision=53)"
PAIRS = (  # infix, srepr: both ways
    ("s0", S0), ("u0", U0), ("_dim", "Symbol('_dim', integer=True)"), ("-3", "Integer(-3)"),
    ("s0 - 1", "Add(%s, Integer(-1))" % S0),
    ("2*s0 + 1", "Add(Mul(Integer(2), %s), Integer(1))" % S0),
    ("-s0", "Mul(Integer(-1), %s)" % S0), ("s0 - 2*s1", "Add(%s, Mul(Integer(-2), %s))" % (S0, S1)),
    ("1 - s0", "Add(Integer(1), Mul(Integer(-1), %s))" % S0),
    ("s0*(s1 + 1)", "Mul(%s, Add(%s, Integer(1)))" % (S0, S1)),
    ("s0**2", "Pow(%s, Integer(2))" % S0),
    ("(s0 + 1)**2", "Pow(Add(%s, Integer(1)), Integer(2))" % S0),
    ("-(s0 + 1)", "Mul(Integer(-1), Add(%s, Integer(1)))" % S0),
    ("(s0//2) + 1", "Add(FloorDiv(%s, Integer(2)), Integer(1))" % S0),
    ("floor(s0/2)", "floor(Mul(Rational(1, 2), %s))" % S0),
    ("floor(-2*s0/3)", "floor(Mul(Rational(-2, 3), %s))" % S0),
    ("floor(1/2)", "floor(Rational(1, 2))"),
    ("floor(1/s0)", "floor(Pow(%s, Integer(-1)))" % S0),
    ("floor(s0/s1)", "floor(Mul(%s, Pow(%s, Integer(-1))))" % (S0, S1)),
    ("floor(3*s0/s1)", "floor(Mul(Integer(3), %s, Pow(%s, Integer(-1))))" % (S0, S1)),
    ("floor(s0/s1**2)", "floor(Mul(%s, Pow(Pow(%s, Integer(2)), Integer(-1))))" % (S0, S1)),
    ("floor(1/s0/2)", "floor(Mul(Rational(1, 2), Pow(%s, Integer(-1))))" % S0),
    ("floor(0.5*s0)", "floor(Mul(Float('0.5', precision=53), %s))" % S0),
    ("floor(1.0e-10)", "floor(Float('1.0e-10', precision=53))"),
    ("floor(zf0)", "floor(Symbol('zf0'))"),
    ("Max(1, s0)", "Max(Integer(1), %s)" % S0), ("Mod(s0, 2)", "Mod(%s, Integer(2))" % S0),
    ("ModularIndexing(s0, 1, 2)", "ModularIndexing(%s, Integer(1), Integer(2))" % S0),
    ("floor(OpaqueUnaryFn_sqrt(s0))", "floor(OpaqueUnaryFn_sqrt(%s))" % S0),
    ("Piecewise((s0, s0 < 2), (1, True))", "Piecewise(ExprCondPair(%s, StrictLessThan(%s, "
     "Integer(2))), ExprCondPair(Integer(1), true))" % (S0, S0)),
    ("floor(s0 + (-1.5)*s1)", "floor(Add(%s, Mul(%s, %s)))" % (S0, MINUS, S1)),
    ("floor((-1.5)*s0 + s1)", "floor(Add(Mul(%s, %s), %s))" % (MINUS, S0, S1)),
    ("floor((-1.5)*s0)", "floor(Mul(%s, %s))" % (MINUS, S0)),
    ("floor(s0 + (-1.5)*s0/s1)",
     "floor(Add(%s, Mul(%s, %s, Pow(%s, Integer(-1)))))" % (S0, MINUS, S0, S1)),
    ("floor(s0*(s1 + (-1.5)*s0))", "floor(Mul(%s, Add(%s, Mul(%s, %s))))" % (S0, S1, MINUS, S0)),
    ("floor(s0 - 1.5)", "floor(Add(%s, %s))" % (S0, MINUS)),
    ("floor(-1.5)", "floor(%s)" % MINUS),
    ("floor(s0 - 1.5*s1)", "floor(Add(%s, Mul(Integer(-1), %s, %s)))" % (S0, HALVES, S1)),
    ("floor(s0*(-1.5))", "floor(Mul(%s, %s))" % (S0, MINUS)),
    ("floor(s0 - s1/2)", "floor(Add(%s, Mul(Rational(-1, 2), %s)))" % (S0, S1)),
    ("floor(s0 - 1/2)", "floor(Add(%s, Rational(-1, 2)))" % S0),
    ("floor(1.0e+15)", "floor(Float('1000000000000000.0', precision=53))"),
    ("floor(1.5e+16)", "floor(Float('15000000000000000.0', precision=53))"),
    ("floor(1.0e+17)", "floor(Float('1.0e+17', precision=53))"),
    ("floor(0.0001)", "floor(Float('0.0001', precision=53))"),
    ("1*s0", "Mul(Integer(1), %s)" % S0), ("-1*3", "Mul(Integer(-1), Integer(3))"),
    ("s0 - 1*(s0*s1)", "Add(%s, Mul(Integer(-1), Mul(%s, %s)))" % (S0, S0, S1)),
    ("floor(-1*1.5)", "floor(Mul(Integer(-1), %s))" % HALVES),
    ("floor(1*3*s0/2)", "floor(Mul(Rational(1, 2), Integer(3), %s))" % S0),
    ("floor(s0/(3))", "floor(Mul(%s, Pow(Integer(3), Integer(-1))))" % S0),
    ("floor(1/(3))", "floor(Pow(Integer(3), Integer(-1)))"),
    ("floor(1*(1/s0))", "floor(Mul(Integer(1), Pow(%s, Integer(-1))))" % S0),
    ("(s0 + 1) + s1", "Add(Add(%s, Integer(1)), %s)" % (S0, S1)),
    ("7", "Integer(7)"), ("0", "Integer(0)"),
    ("floor(0.001)", "floor(Float('0.001', precision=53))"),
    ("floor(0.00015)", "floor(Float('0.00015', precision=53))"),
    ("floor(1.0e-5)", "floor(Float('1.0e-5', precision=53))"),
    ("floor(1.5e-5)", "floor(Float('1.5e-5', precision=53))"),
    ("floor(1.25e-6)", "floor(Float('1.25e-6', precision=53))"),
    ("floor(9.0e-5)", "floor(Float('9.0e-5', precision=53))"),
    ("floor(1234567.0)", "floor(Float('1234567.0', precision=53))"),
    ("floor(123456789012345.0)", "floor(Float('123456789012345.0', precision=53))"),
)
UP = (  # infix, srepr: other infix comes back
    ("floor(0.500000000000000*s0)", "floor(Mul(Float('0.5', precision=53), %s))" % S0),
    ("Trunc(0.5*s0)", "TruncToInt(Mul(Float('0.5', precision=53), %s))" % S0),
    ("Round(s0/2)", "RoundToInt(Mul(Rational(1, 2), %s))" % S0),
    ("floor(sqrt(s0))", "floor(OpaqueUnaryFn_sqrt(%s))" % S0),
    ("((s0 + 1))", "Add(%s, Integer(1))" % S0),
    ("floor(s0/2/3)", "floor(Mul(Rational(1, 3), %s, Rational(1, 2)))" % S0),
    ("floor(s0/3/2)", "floor(Mul(Rational(1, 3), %s, Rational(1, 2)))" % S0),
    ("floor(5*s0/9/12/s1/11)", "floor(Mul(Rational(5, 12), %s, Rational(1, 9), Pow(%s, "
     "Integer(-1)), Rational(1, 11)))" % (S0, S1)),
    ("floor(-s0/2/2)", "floor(Mul(Rational(-1, 2), %s, Rational(1, 2)))" % S0),
    ("floor(0*s0/2/3)", "floor(Mul(Integer(0), %s, Rational(1, 2), Rational(1, 3)))" % S0),
    ("floor(-0*s0/2)", "floor(Mul(Integer(0), %s, Rational(1, 2)))" % S0),
    ("floor(s0/1)", "floor(Mul(%s, Pow(Integer(1), Integer(-1))))" % S0),
    ("floor(s0/1/2)", "floor(Mul(Rational(1, 2), %s, Pow(Integer(1), Integer(-1))))" % S0),
    ("-0", "Integer(0)"), ("s0 - 0", "Add(%s, Integer(0))" % S0),
    ("floor(-0.0)", "floor(Float('0.0', precision=53))"),
    ("floor(1.00000000000000e+15)", "floor(Float('1000000000000000.0', precision=53))"),
    ("floor(123456789012345.)", "floor(Float('123456789012345.0', precision=53))"),
    ("floor(s0 + (-0.0)*s1)", "floor(Add(%s, Mul(Float('0.0', precision=53), %s)))" % (S0, S1)),
)
BOOLS = (
    ("s0 <= 2", "LessThan(%s, Integer(2))" % S0),
    ("s0 > 2", "StrictGreaterThan(%s, Integer(2))" % S0),
    ("Eq(s0, 2)", "Equality(%s, Integer(2))" % S0), ("True", "true"),
    ("(s0 <= 2) & Eq(s0, 1)", "And(LessThan(%s, Integer(2)), Equality(%s, Integer(1)))" % (S0, S0)),
    ("(s0 < 3) | (~Eq(s0, 1))",
     "Or(StrictLessThan(%s, Integer(3)), Not(Equality(%s, Integer(1))))" % (S0, S0)),
)
NAMES = ("s0", "s1", "u0", "zf0", "_dim")


def speaking(text, table="sym_int_values", value=sym_int("n")):
    draft = plain(LATEST, call("mylib.f.default", {"x": tensor("x")}, value))
    draft.table(table, n=text)
    return ranged(kinds(draft, None), **{name: (0, 99) for name in NAMES})


def either_form(to):
    """Versions that have both forms: what is srepr in its place stays so, and is infix before."""
    both = "Add(Mul(Integer(2), %s), Integer(1))" % S0
    bools = {"table": "sym_bool_values", "value": sym_bool("n")}
    for version in ("8.1-a", "8.2-ast", "8.1"):
        label = "expression-later-form-"
        for kind, infix, srepr, said in (
                ("int", "2*s0 + 1", both, {}),
                ("relation", "Eq(s0, 1)", "Equality(%s, Integer(1))" % S0, bools),
                ("true", "True", "true", bools), ("false", "False", "false", bools)):
            to.way(label + kind, version, LATEST, (speaking(srepr, **said), speaking(srepr, **said)),
                   ["7.5.1"], "%s, in the srepr form already." % infix)
            to.way(label + kind, version, "7.4", (speaking(srepr, **said), speaking(infix, **said)),
                   ["7.5.1"], "%s, in the srepr form, to a version without that." % infix)
        to.way(label + "symbol", version, LATEST, tuple(
            ranged(speaking(text), true=(0, 99)) for text in ("true", "Symbol('true', integer=True)")),
            ["7.5.1"], "A symbol called true, where no bool can be.")


def between_either_forms(to):
    """From one of the versions that have both forms to another: both stay."""
    later = ("8.1-b", "8.1-d", "8.2-ast", "8.1")
    for kind, texts, said in (
            ("int", ("2*s0 + 1", "Add(Mul(Integer(2), %s), Integer(1))" % S0), {}),
            ("relation", ("Eq(s0, 1)", "Equality(%s, Integer(1))" % S0),
             {"table": "sym_bool_values", "value": sym_bool("n")})):
        for label, text in zip(("earlier", "later"), texts):
            draft = speaking(text, **said)
            for version in later:
                to.pair("expression-%s-form-%s" % (label, kind), "8.1-a", version, draft,
                        ["7.5.1"], "%s, in a form that both have." % text)


def expressions(to):
    for i, (infix, srepr) in enumerate(PAIRS):
        to.pair("expression-%02d" % i, "8.1", "8.2", (speaking(infix), speaking(srepr)),
                ["7.5.1", "7.6.5"], "%s, in both forms." % infix)
    for i, (infix, srepr) in enumerate(UP):
        to.way("expression-up-%d" % i, "7.3", LATEST, (speaking(infix), speaking(srepr)),
               ["7.5.1"], "%s, which is written otherwise." % infix)
    for i, (infix, srepr) in enumerate(BOOLS):
        to.pair("expression-bool-%d" % i, "7.3", LATEST, tuple(
            speaking(text, "sym_bool_values", sym_bool("n")) for text in (infix, srepr)),
            ["7.5.1"], "%s, in both forms." % infix)
    to.way("expression-negative", "8.2", "7.3",
           (speaking("floor(Mul(Float('-0.5', precision=53), %s))" % S0),
            speaking("floor((-0.5)*s0)")), ["7.5.1"], "A float with a sign.")
    either_form(to)
    between_either_forms(to)
    free = speaking("Symbol('s0', integer=True)")
    to.way("expression-assumption", "8.2", "7.3", (free, speaking("s0")), ["7.5.1"],
           "An assumption less.")
    name = to.name("expression-00", "8.2", "8.1")
    place = GRAPH + "sym_int_values/n/as_expr"
    for label, text in (("bitwise", "BitwiseFn_bitwise_and(%s, Integer(1))" % S0),
                        ("digits", "floor(Float('0.10000000000000001', precision=53))"),
                        ("precision", "floor(Float('0.5', precision=60))")):
        to.refused("expression-" + label, name, speaking(text), "EP_MIGRATE_TEXT", place,
                   "What infix has no word for.", also=["7.5.1"])


def targets(to):
    wrap = call("torch._higher_order_ops.wrap.wrap", [
        ("", subgraph("g", ("a",), ("b",))), ("", tensor("x"))], tensors("u"))
    later = {**wrap, "target": "torch.ops.higher_order.wrap"}
    to.pair("wrap", "5.3", "7.3", tuple(kinds(plain(LATEST, copy.deepcopy(node)).tensors(
        u=meta(2, 3)), None) for node in (wrap, later)), ["7.5.2"], "Under another path.")
    kept = kinds(plain(LATEST, call("mylib.f.default", {"x": tensor("x")}, tensor("u"))).tensors(
        u=meta(2, 3)), None)
    name = to.pair("operator", "2", LATEST, kept, ["7.5.2"], "Somebody's own.")[1]
    truncated = changed(kept, lambda data: data["graph"]["nodes"].append(call(
        "math.trunc", {"x": {"as_float": 0.5}}, sym_int("n"))))
    truncated.table("sym_int_values", n=0)
    to.refused("trunc", name, kinds(truncated, None), "EP_MIGRATE_TEXT", NODES + "2",
               "A function that came later.", also=["7.5.2"])


def noted(**texts):
    return changed(plain(), put("graph/nodes/0/metadata", texts))


def metadata(to):
    for high in ("2", LATEST):
        to.pair("modules", "1", high, (
            noted(nn_module_stack="fn:(L['fn'],torch.nn.Linear);g:(,M)"),
            noted(nn_module_stack="fn,L['fn'],torch.nn.Linear;g,,M")), ["7.5.3"], "In both forms.")
        to.pair("source", "1", high, (noted(source_fn="add,_operator.add"),
                                      noted(source_fn_stack="add,_operator.add")), ["7.5.3"],
                "One function, then a stack.")
        to.pair("source-both", "1", high,
                noted(source_fn="add,_operator.add", source_fn_stack="add,_operator.add"),
                ["7.5.3"], "Each has the key that the other would get.")
    to.pair("source-several", "1", "2", noted(source_fn_stack="cond,cond;add,_operator.add"),
            ["7.5.3"], "A stack that version 1 does not know.")
    to.pair("metadata", "1", "2", noted(stack_trace="x", own=";,"), ["7.5.3"], "Any other.")
    not_read_back(to)
    name = to.name("plain", "5.1", LATEST)
    to.refused("torch-fn", name, noted(torch_fn="relu"), "EP_METADATA_TORCH_FN",
               metadata_end("5.1", "torch_fn", "relu"), "A key that the target reads.",
               also=["7.6.7", "7.5.3"])


def not_read_back(to):
    """Entries whose names hold signs of the other form."""
    for low, high, rows in (
            ("1", "2", (("modules-shift", {"nn_module_stack": "p,q:(x[y,z])"}),
                        ("modules-comma", {"nn_module_stack": "a,b:(p,T)"}),
                        ("modules-open", {"nn_module_stack": "k:(a[0,T)"}),
                        ("modules-key", {"nn_module_stack": "a,b[:(p],T)"}),
                        ("modules-second", {"nn_module_stack": "k:(p,T);p,q:(x[y,z])"}),
                        ("source-semicolon", {"source_fn": "a;b,T"}))),
            ("2", "1", (("modules-colon", {"nn_module_stack": "k:1,a,T"}),
                        ("modules-bracket", {"nn_module_stack": "k,f[a,b],T"}))),
            (LATEST, "1", (("modules-colon", {"nn_module_stack": "k:1,a,T"}),))):
        for label, texts in rows:
            to.refused("unread-" + label, to.name("plain", low, high), noted(**texts),
                       "EP_MIGRATE_TEXT", NODES + "0", "The other version reads other entries.",
                       also=["7.5.3"])
    to.pair("modules-brackets", "1", "2", (noted(nn_module_stack="p:(x[y],z(w))"),
                                           noted(nn_module_stack="p,x[y],z(w)")), ["7.5.3"],
            "Brackets that both read.")


def metadata_end(version, key, text):
    """The closing quote of a text in the first node's metadata."""
    offset, pointer = place_at(version, noted(**{key: text}), NODES + "0/metadata/" + key)
    return offset + len(text) + 1, pointer


def treespecs(to):
    kept = tree("builtins.dict", '["a"]', [tree("collections.OrderedDict", "[1]", [LEAF])])
    draft = changed(plain(), put("root/out_spec", treespec(kept)))
    for low, high in (("1", "2"), ("1", LATEST)):
        to.pair("treespec", low, high, draft, ["7.5.4"], "Types that all have.")


def vectors(suite):
    to = Migrations(suite)
    for part in (expressions, targets, metadata, treespecs):
        part(to)
