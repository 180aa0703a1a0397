"""Migrations that no family comes by, one by one: symbols that one expression alone has, names of
one letter, calls of the root, texts of metadata that stand for another key, tuples of nothing.
"""

from generate.migrate.migrations import (I1, LATEST, U0, Migrations, Raw, called, changed, kinds,
                                         mapped, plain, ranged, signed, strict, subgraph, verified)
from generate.migrate.texts import S0, S1, noted, speaking
from generate.whole import (GRAPH, MODULES, NODES, SIGNATURE, Draft, call, entry, meta, parameter,
                            spec, sym_bool, tensor, tensors, user_input, user_output)


# ---- 7.4 ----------------------------------------------------------------------------------------


def ranges(to):
    """Two symbols that stand in one expression, and nowhere else."""
    def draft(text):
        return plain().tensors(x=meta(text, 3, strides=[1, 1]), t=meta(2, 3))
    for target, ends in (("5.4", (Raw("-Infinity"), Raw("Infinity"))), (LATEST, (None, None))):
        text = "Add(%s, %s)" % (I1, U0) if target == LATEST else "i1 + u0"
        to.way("ranges-together", "2", target, (draft("i1 + u0"), ranged(
            draft(text), i1=ends, u0=ends)), ["7.4.6"], "Two symbols of one expression.")


def verifiers(to):
    for low, high in (("5.3", "7.3"), ("2", LATEST)):
        to.pair("dialect-letter", low, high, verified("E", ["E"]), ["7.4.3"],
                "A verifier of one letter.")
    for low, high in (("5.4", "7.3"), ("5.4", LATEST)):
        to.pair("dialect-training", low, high, verified("TRAINING", ["TRAINING"]), ["7.4.3"],
                "A verifier that both have.")


def calls(to):
    """A call of the root, and what version 1 lists of a module."""
    def root(*values):
        return {"inputs": [tensor(values[0])], "outputs": [tensor(values[1])]}
    second = changed(plain(), lambda data: data["modules"].append(
        entry("@1", [tensor("x")], [tensor("t")])))
    joined = changed(plain(), lambda data: data["root"].update(root("x", "t")))
    to.way("calls-root", LATEST, "7.4", (second, joined), ["7.4.5"], "A later call of the root.")
    for low, high in (("7.4", "8.1-a"), ("2", LATEST)):
        to.refused("calls-root", to.name("calls", low, high), second, "EP_MIGRATE_VALUE",
                   MODULES + "1", "A name that would be a later call's.", also=["7.4.5"])
    for target in ("8.1-a", LATEST):
        twin = to.way("calls-first", "1", target, (called([3, 1], ["sub", "other"]), called(
            [1] * 4, ["sub", "sub@1", "sub@2", "other"])), ["7.4.5", "7.4.2"],
            "A module, three times, beside a root that says nothing.")
        uneven = called([3, 1], ["sub", "other"])
        uneven.data["modules"][0]["signature"]["outputs"].pop()
        to.refused("calls-first-uneven", twin, uneven, "EP_MIGRATE_VALUE", MODULES + "1",
                   "Three calls, two results.", also=["7.4.5"])


def given(to):
    body = subgraph("g", ("a", "c"), ("b",))
    twin = to.name("map", "4.2", "5.1")
    wrong = mapped("higher_order.map_impl", [subgraph("g", ("a",), ("b",)), {"as_int": 1},
                                             tensor("x"), {"as_int": 3}])
    to.refused("map-last", twin, wrong, "EP_MIGRATE_VALUE", NODES + "1",
               "The last is no tensor.", also=["7.4.7"])
    first = mapped("torch.ops.map_impl", [body, {"as_int": 1}, tensor("x"), tensor("t")])
    later = mapped("higher_order.map_impl", [body, {"as_int": 1}, tensor("x"), tensor("t")])
    for target in ("2", "4.2"):
        to.pair("map-first", "1-2023-08", target, (first, later), ["7.5.2"],
                "Under another path, from the first version on.")


def returned(to):
    """An operator that returns no tensor."""
    for low, high in (("7.3", LATEST), ("8.3", "8.5-a"), ("4.2", "7.3")):
        to.pair("returns-nothing", low, high, strict(tensors(), results=()), ["7.4.4"],
                "A list of no tensors, which stays.")


def signatures(to):
    """Outputs that version 1 has no dict for."""
    twin = to.name("signature", LATEST, "1")
    for label, first in (("user", spec("user_input_mutation", "u", user_input_name="x")),
                         ("parameter", spec("parameter_mutation", "u", parameter_name="w"))):
        draft = signed().give(first, user_output(tensor("r")), user_output(tensor("t")))
        to.refused("signature-mutation-" + label, twin, draft, "EP_MIGRATE_TAG",
                   SIGNATURE + "output_specs/0", "A mutation that version 1 does not know.",
                   also=["7.4.1"])


def many(to):
    """More inputs and outputs than anything has room for by chance."""
    names = ["p%d" % i for i in range(200)]
    draft = Draft(header={"torch_version": "<=2.4"}).take(*[parameter(name, "w." + name)
                                                            for name in names])
    draft.take(user_input(tensor("x"))).tensors(**{name: meta(2, 3) for name in [*names, "x", "t"]})
    draft.node(call("aten.relu.default", {"self": tensor("x")}, tensor("t")))
    draft.give(*[user_output(tensor(name)) for name in [*names, "t"]])
    to.pair("signature-many", "1", "2", kinds(draft, None), ["7.4.1"], "Two hundred parameters.")


# ---- 7.5 ----------------------------------------------------------------------------------------

PAIRS = (
    ("floor(1/s0*s1)", "floor(Mul(Pow(%s, Integer(-1)), %s))" % (S0, S1)),
    ("floor(1/s0*s1/s0)",
     "floor(Mul(Pow(%s, Integer(-1)), %s, Pow(%s, Integer(-1))))" % (S0, S1, S0)),
    ("((s0*s1)//s0)", "FloorDiv(Mul(%s, %s), %s)" % (S0, S1, S0)),
    ("(s0*s1)**2", "Pow(Mul(%s, %s), Integer(2))" % (S0, S1)),
    ("floor(s0*(1/3)*s1)", "floor(Mul(%s, Rational(1, 3), %s))" % (S0, S1)),
    ("floor(100.5*s0)", "floor(Mul(Float('100.5', precision=53), %s))" % S0),
    ("floor(100.0*s0)", "floor(Mul(Float('100.0', precision=53), %s))" % S0),
)
UP = (  # of equal denominators the first
    ("floor(s0/2*s1/2)", "floor(Mul(Rational(1, 2), %s, %s, Rational(1, 2)))" % (S0, S1)),
    ("floor(5*s0/12*s1/2/12)", "floor(Mul(Rational(5, 12), %s, %s, Rational(1, 2), "
     "Rational(1, 12)))" % (S0, S1)),
)


def expressions(to):
    for i, (infix, srepr) in enumerate(PAIRS):
        to.pair("expression-alone-%d" % i, "7.3", LATEST, (speaking(infix), speaking(srepr)),
                ["7.5.1"], "%s, in both forms." % infix)
    for i, (infix, srepr) in enumerate(UP):
        to.way("expression-alone-up-%d" % i, "7.3", LATEST, (speaking(infix), speaking(srepr)),
               ["7.5.1"], "%s, which is written otherwise." % infix)
    later = "Equality(%s, Integer(1))"

    def asking(text):
        draft = plain(LATEST, call("mylib.f.default", {"x": tensor("x")}, sym_bool("b")))
        draft.table("sym_bool_values", b=text)
        return ranged(kinds(draft, None), s0=(0, 99))
    for low in ("1", "1-2023-08"):
        twin = to.pair("expression-bare", low, LATEST, (asking("Eq(s0, 1)"), asking(later % S0)),
                       ["7.5.1", "7.2.5"], "A text, then a SymExpr.")[1]
        unsaid = asking(later % ("BitwiseFn_bitwise_and(%s, Integer(1))" % S0))
        to.refused("expression-bare-unsaid", twin, unsaid, "EP_MIGRATE_TEXT",
                   GRAPH + "sym_bool_values/b/as_expr", "What infix has no word for.",
                   also=["7.5.1", "7.6.5"])


def targets(to):
    """An operator that has a path before the target and none in it."""
    def listed(node):
        return kinds(plain(LATEST, call(node, [("x", tensor("x"))], tensor("u"))).tensors(
            u=meta(2, 3)), None)
    for version in ("2", "5.3"):
        twin = to.pair("plain", version, "8.8", plain(), ["7.1.1"], "The same program everywhere.")
        to.refused("map-gone", twin[0], listed("torch._higher_order_ops.map.map"),
                   "EP_MIGRATE_TEXT", NODES + "1", "The target has it no more.", also=["7.5.2"])


def metadata(to):
    for low, high in (("1", "2"), ("1-2023-08", LATEST)):
        to.pair("source-named", low, high, (
            noted(own="source_fn_stack", source_fn="add,_operator.add"),
            noted(own="source_fn_stack", source_fn_stack="add,_operator.add")), ["7.5.3"],
            "A text that says what a key is called.")
        to.refused("unread-modules-path", to.name("plain", low, high),
                   noted(nn_module_stack="k:((a],b),T)"), "EP_MIGRATE_TEXT", NODES + "0",
                   "The same key, and another path and type.", also=["7.5.3"])


def vectors(suite):
    to = Migrations(suite)
    for part in (ranges, verifiers, calls, given, returned, signatures, many, expressions, targets,
                 metadata):
        part(to)
