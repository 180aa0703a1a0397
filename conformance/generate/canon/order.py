"""Canonical forms: the order of the nodes (SPEC 6.4): those that outputs need, those
that write, and the dead ones, which stand as early as they can, by their texts.
"""

from generate.canon.forms import (LATEST, SHOWN, Forms, argument, numbered, op, program, reordered,
                                  subgraph)
from generate.canon.effects import NEW, clone, mode, neg, own, relu, view, write
from generate.whole import call, meta, sym_int, tensor, tensors

PLAIN = {"verifiers": [], "dialect": ""}  # under ATEN nothing writes


def add(one, other, output):
    return op("aten.add.Tensor", output, self=one, other=other)


def sine(one, output):
    return op("aten.sin.default", output, self=one)


def check(one):
    return op("aten._assert_async.default", "", self=one)


def dead(nodes, inputs="x", outputs="k", **more):
    """A program of these nodes, and of one that gives the output."""
    return program(inputs, nodes + [relu("x", "k")], outputs, PLAIN, **more)


def looked(one, outputs):
    """Four nodes that are told apart by their targets, in the order of these."""
    return [op("aten.%s.default" % name, output, self=one)
            for name, output in zip(("cos", "neg", "sin", "tan"), outputs.split())]


# ---- 6.4.1: live nodes ----------------------------------------------------------------


def outputs(to):
    nodes = [relu("x", "a"), neg("x", "b"), sine("x", "c"), add("b", "a", "d"), add("c", "d", "e"),
             op("aten.cos.default", "f", self="b")]
    # e needs c, then d, which needs b, then a
    order = (2, 1, 0, 3, 4, 5)
    whole = program("x", nodes, "e f")
    for version in SHOWN + ("1",):
        form = to.form("visits", version, numbered(reordered(whole, *order)), ["6.4.1", "6.4.3"],
                       "Nodes stand as the outputs need them.")
        for i, turn in enumerate(((0, 1, 2, 3, 4, 5), (1, 5, 2, 0, 3, 4), (2, 1, 0, 3, 5, 4))):
            to.case(form, "order-%d" % i, reordered(whole, *turn), ["6.4.1", "6.4.3"],
                    "Another order.")
    deep = [relu("x", "n0")] + [relu("n%d" % i, "n%d" % (i + 1)) for i in range(20)]
    deep += [neg("x", "m0")] + [neg("m%d" % i, "m%d" % (i + 1)) for i in range(20)]
    chain = program("x", deep, "n20 m20")
    form = to.form("visits-chains", LATEST, numbered(chain), ["6.4.1"], "Two chains.")
    mixed = [i // 2 + 21 * (i % 2) for i in range(42)]
    to.case(form, "order-0", reordered(chain, *mixed), ["6.4.1", "6.4.3"], "One and one.")
    to.case(form, "order-1", reordered(chain, *range(21, 42), *range(21)), ["6.4.1"],
            "The other one first.")


def writers(to):
    """What no output needs, but writes."""
    nodes = [relu("x", "k"), clone("x", "c"), view("c", "d"), write("c", "w"), relu("d", "u"),
             write("d", "z")]
    whole = program("x", nodes, "u", PLAIN)
    for version in SHOWN:
        # k is dead; u needs c and d, and stands behind w; z has the last rank
        form = to.form("writers", version, numbered(whole), ["6.4.1", "6.4.3"],
                       "Writers of what an output is.")
        to.case(form, "order-0", reordered(whole, 1, 2, 3, 4, 5, 0), ["6.4.1"],
                "What is dead last.")
        to.case(form, "order-1", reordered(whole, 1, 2, 3, 0, 4, 5), ["6.4.1"], "Between.")
    nodes = [relu("x", "k"), clone("y", "e"), write("x", "a"), own("e", "b"), write("y", "c")]
    whole = program("x y", nodes, "k", PLAIN)
    for version in SHOWN:
        # after k: WORLD: e, b; then OUTSIDE: a, c
        form = to.form("writers-places", version, numbered(reordered(whole, 0, 1, 3, 2, 4)),
                       ["6.4.1"], "WORLD before OUTSIDE.")
        to.case(form, "order-0", whole, ["6.4.1"],
                "The writers of different resources the other way round.")
    nodes = [relu("x", "k"), op("_operator.add", sym_int("n"), a=1, b=2), clone("x", "c"),
             op("torch._C._set_grad_enabled", "", ("", sym_int("n"))), own("c", "r"),
             write("x", "a")]
    whole = program("x", nodes, "k", PLAIN, sym_int_values={"n": 3})
    for version in (LATEST, "8.18"):
        # after k: MODE: n, the mode; WORLD: c, r; OUTSIDE: a. The mode waits for c
        form = to.form("writers-mode", version, numbered(whole), ["6.4.1"],
                       "MODE before WORLD before OUTSIDE.")
        to.case(form, "order-0", reordered(whole, 2, 1, 0, 3, 5, 4), ["6.4.1"],
                "What they need the other way round.")
    nodes = [clone("x", "c"), clone("c", "d"), write("d", "w"), write("c", "v"), clone("x", "e"),
             add("d", "e", "o"), write("e", "y")]
    whole = program("x", nodes, "o", PLAIN)
    turns = [(0, 1, 2, 3, 4, 5, 6), (0, 1, 3, 2, 4, 5, 6), (4, 0, 1, 3, 2, 5, 6)]
    to.found("writers-groups", LATEST, [reordered(whole, *turn) for turn in turns],
             ["6.4.1", "6.4.3"], "Groups in the order of the ranks.")
    nodes = [clone("x", "c"), write("c", "w"), clone("c", "d"), write("d", "v"), clone("d", "e"),
             write("e", "u"), relu("c", "k")]
    whole = program("x", nodes, "k", PLAIN)
    # c is what k is of; w writes it. Nobody live sees d: it, v, e and u are dead
    form = to.form("writers-dead", LATEST, numbered(whole), ["6.4.1", "6.4.3"],
                   "What is written, and nobody sees, is dead.")
    to.case(form, "order-0", reordered(whole, 0, 1, 6, 2, 3, 4, 5), ["6.4.1"], "Behind all else.")


# ---- 6.4.3: the order -----------------------------------------------------------------


def early(to):
    """Dead nodes stand as early as they can."""
    nodes = [relu("x", "a"), check("a"), neg("a", "b"), check("b"), sine("b", "c")]
    whole = program("x", nodes, "c", PLAIN)
    for version in SHOWN + ("2",):
        form = to.form("early-check", version, numbered(whole), ["6.4.3"],
                       "A check stands right behind what it checks.")
        for i, turn in enumerate(((0, 2, 1, 3, 4), (0, 2, 4, 3, 1), (0, 2, 3, 4, 1))):
            to.case(form, "order-%d" % i, reordered(whole, *turn), ["6.4.3"], "It stands later.")
    nodes = [check("y"), sine("x", "d"), check("d"), relu("x", "a"), neg("a", "b")]
    whole = program("x y", nodes, "b", PLAIN)
    for version in SHOWN:
        form = to.form("early-first", version, numbered(whole), ["6.4.3", "6.4.4"],
                       "What is dead and ready stands before all that is live.")
        to.case(form, "last", reordered(whole, 3, 4, 0, 1, 2), ["6.4.3"], "Behind all that is.")
        to.case(form, "between", reordered(whole, 1, 3, 0, 2, 4), ["6.4.3"], "Between.")
    nodes = [clone("x", "c"), sine("c", "a"), write("c", "w"), sine("c", "b"), relu("c", "k")]
    whole = program("x", nodes, "k", PLAIN)
    for version in SHOWN:
        form = to.form("early-write", version, numbered(whole), ["6.4.3", "6.3.5", "6.4.4"],
                       "Not before a write that it stands behind, nor behind one before it: the "
                       "two are no twins.")
        to.case(form, "last", reordered(whole, 0, 1, 2, 4, 3), ["6.4.3"], "Behind all else.")
    nodes = [sine("x", "a"), mode(False), sine("x", "b"), relu("x", "k")]
    whole = program("x", nodes, "k", PLAIN)
    form = to.form("early-mode", LATEST, numbered(whole), ["6.4.3", "6.3.5", "6.4.4"],
                   "Two under two modes are no twins.")
    to.case(form, "last", reordered(whole, 0, 1, 3, 2), ["6.4.3"], "Behind all else.")
    nodes = [sine("x", "a"), relu("a", "k"), write("x", "w"), sine("x", "b"), neg("b", "c")]
    to.form("early-ready", LATEST, numbered(program("x", nodes, "k", PLAIN)), ["6.4.3"],
            "A live node and a dead one with a write between them.")
    inner = [check("v0"), relu("v0", "v1"), check("v1"), neg("v1", "v2")]

    def strict(*order):
        body = subgraph("g0", "v0", [inner[i] for i in order], "v2")
        return program("v0", [call("higher_order.strict_mode", [("", body), ("", tensors("v0"))],
                                   tensors("v1"))], "v1", PLAIN)
    for version in SHOWN:
        form = to.form("early-inside", version, strict(0, 1, 2, 3), ["6.4.3"],
                       "So it is in a subgraph.")
        to.case(form, "last", strict(1, 3, 2, 0), ["6.4.3"], "Behind all else.")


# ---- 6.4.4: texts ---------------------------------------------------------------------


def texts(to):
    """Which of the dead nodes comes first, by hand."""
    clause = ["6.4.3", "6.4.4"]
    nodes = looked("x", "a b c d")
    for version in SHOWN + ("2",):
        form = to.form("texts-target", version, numbered(dead(nodes)), clause,
                       "By their targets.")
        for i, turn in enumerate(((3, 2, 1, 0, 4), (4, 1, 3, 0, 2))):
            to.case(form, "order-%d" % i, reordered(dead(nodes), *turn), clause, "Another order.")
    names = "x b c d e f g h i j l"  # v0 to v10
    nodes = [neg("b", "m"), neg("l", "n"), neg("c", "o")]
    for version in SHOWN:
        whole = dead(nodes, names)
        form = to.form("texts-names", version, numbered(whole), clause,
                       "v1, v10, v2: names are compared as texts.")
        to.case(form, "turned", reordered(whole, 2, 1, 0, 3), clause, "The other way round.")
    # each makes another ready: cos, then neg of it, before sin
    nodes = [op("aten.cos.default", "a", self="x"), neg("a", "b"), sine("x", "c"), neg("c", "d")]
    for version in SHOWN:
        form = to.form("texts-ready", version, numbered(dead(nodes)), clause,
                       "What a placed node makes ready is compared with the others.")
        for i, turn in enumerate(((2, 3, 0, 1, 4), (2, 0, 3, 1, 4), (4, 0, 2, 1, 3))):
            to.case(form, "order-%d" % i, reordered(dead(nodes), *turn), clause, "Another order.")
    # the names are those that were given by then: sub(x, ...) of v1 before that of v2
    nodes = [op("aten.cos.default", "a", self="x"), sine("x", "b"), op(
        "aten.sub.Tensor", "c", self="a", other="b"), op("aten.sub.Tensor", "d", self="b", other="a")]
    for version in SHOWN:
        form = to.form("texts-new-names", version, numbered(dead(nodes)), clause,
                       "Values are compared by their new names.")
        to.case(form, "turned", reordered(dead(nodes), 1, 0, 3, 2, 4), clause,
                "The other way round.")
    nodes = [op("aten.clamp.default", "a", ("self", argument("x")), ("max", {"as_int": 1})),
             op("aten.clamp.default", "b", ("self", argument("x")), ("min", {"as_int": 0})),
             op("aten.clamp.default", "c", ("self", argument("x")), ("min", {"as_int": 0}),
                ("max", {"as_none": True})),
             op("aten.clamp.default", "d", ("self", argument("x")), ("min", {"as_int": 10})),
             op("aten.clamp.default", "e", ("self", argument("x")), ("min", {"as_int": 9}))]
    for version in SHOWN:
        form = to.form("texts-arguments", version, numbered(dead(nodes)), clause,
                       "By the names of arguments, their digits, and fewer arguments first.")
        to.case(form, "turned", reordered(dead(nodes), 4, 3, 2, 1, 0, 5), clause,
                "The other way round.")


def twins(to):
    """Dead nodes that are merged."""
    clause = ["6.4.4"]

    def row(label, versions, merged, sources, why, also=(), inputs="x"):
        for version in versions:
            form = to.form("twins-" + label, version, numbered(dead(merged, inputs)), clause, why)
            for i, nodes in enumerate(sources):
                to.case(form, "source-%d" % i, dead(nodes, inputs), clause + list(also),
                        "Not merged yet.")
    row("merged", SHOWN + ("2",), [sine("x", "a")], [[sine("x", "a"), sine("x", "b")],
                                                     [sine("x", c) for c in "abcde"]],
        "One of two, or of five.")
    row("users", SHOWN, [sine("x", "a"), op("aten.cos.default", "c", self="a"), neg("a", "d")],
        [[sine("x", "a"), sine("x", "b"), op("aten.cos.default", "c", self="a"), neg("b", "d")],
         [sine("x", "a"), sine("x", "b"), op("aten.cos.default", "c", self="b"), neg("a", "d")]],
        "Uses of one are uses of the other.")
    row("chains", SHOWN, [sine("x", "a"), neg("a", "b"), check("b")],
        [[sine("x", "a"), neg("a", "b"), check("b"), sine("x", "c"), neg("c", "d"), check("d")],
         [sine("x", "a"), sine("x", "c"), neg("c", "d"), neg("a", "b"), check("d"), check("b")]],
        "What makes twins of their users.")
    row("same", (LATEST,), [sine("x", "a"), op("aten.sub.Tensor", "b", self="a", other="a")],
        [[sine("x", "a"), sine("x", "c"), op("aten.sub.Tensor", "b", self="a", other="c")],
         [sine("x", "a"), sine("x", "c"), op("aten.sub.Tensor", "b", self="c", other="a"), op(
             "aten.sub.Tensor", "d", self="a", other="c")]],
        "One that uses both uses one twice.")
    row("values", (LATEST,), [op("aten.max.dim", "a b", self="x", dim=0), neg("a", "e"),
                              neg("b", "f")],
        [[op("aten.max.dim", "a b", self="x", dim=0), op("aten.max.dim", "c d", self="x", dim=0),
          neg("a", "e"), neg("d", "f")]], "All their values.")
    row("lists", (LATEST,), [op("aten.split.Tensor", argument(["a", "b"]), self="x", split_size=1),
                             neg("a", "e"), neg("b", "f")],
        [[op("aten.split.Tensor", argument(["a", "b"]), self="x", split_size=1), neg("b", "f"),
          op("aten.split.Tensor", argument(["c", "d"]), self="x", split_size=1), neg("c", "e")]],
        "Values in a list.")
    row("check", SHOWN, [op("aten._assert_async.msg", "", ("self", argument("y")), (
        "assert_msg", {"as_string": ""}))],
        [[op("aten._assert_async.msg", "", ("self", argument("y")), (
            "assert_msg", {"as_string": text})) for text in texts_of] for texts_of in ("ab", "aa")],
        "Checks whose texts differ.", ["6.2.1"], "x y")
    nodes = [op("aten.dequantize.any", {"as_custom_obj": {"name": name, "class_fqn": "C"}},
                tensors="x") for name in "ab"]
    entries = {name: {"name": name, "class_fqn": "C"} for name in "ab"}
    form = to.form("twins-objects", LATEST, numbered(
        dead(nodes[:1], custom_obj_values={"a": entries["a"]})), clause, "An object is as a tensor.")
    to.case(form, "source-0", dead(nodes, custom_obj_values=entries), clause,
            "The entry of an object has its name: that is no difference.")
    inner = [check("v0"), relu("v0", "v1")]

    def strict(*nodes):
        body = subgraph("g0", "v0", list(nodes), "v1")
        return program("v0", [call("higher_order.strict_mode", [("", body), ("", tensors("v0"))],
                                   tensors("v1"))], "v1", PLAIN)
    form = to.form("twins-inside", LATEST, strict(*inner), clause, "So it is in a subgraph.")
    to.case(form, "source-0", strict(inner[0], inner[0], inner[1], inner[0]), clause,
            "Not merged yet.")


def no_twins(to):
    """Nodes with one text that stay two, for each reason; the document orders them."""
    def own_form(label, draft, why, versions=(LATEST,), **links):
        for version in versions:
            to.form("twins-" + label, version, numbered(draft), ["6.4.4"], why, **links)
        return to.name("twins-" + label, "form", LATEST)
    pair = [sine("x", "a"), sine("x", "b")]
    first = own_form("entries", dead(pair, tensor_values={"a": meta(2, 3), "b": meta(2, 3, dtype=6)}),
                     "Their types differ.", SHOWN)
    own_form("entries-turned", dead(pair, tensor_values={
        "a": meta(2, 3, dtype=6), "b": meta(2, 3)}), "The other one first: the document says so.",
        different_from=first)
    def least(*outputs):
        return call("aten.max.dim", [("self", tensor("x")), ("dim", {"as_int": 0})], list(outputs))
    parts = [least(tensor("a"), {"as_none": True}), least({"as_none": True}, tensor("b"))]
    first = own_form("places", dead(parts), "One gives the first value, the other the second.")
    own_form("places-turned", dead(parts[::-1]), "The other one first: the document says so.",
             different_from=first)
    symbol = "Symbol('%s', integer=True)"
    for version, text in ((LATEST, symbol), ("7.3", "%s")):
        fresh = program("x", [op("aten.item.default", sym_int("a"), self="x"),
                              op("aten.item.default", sym_int("b"), self="x"), relu("x", "k")], "k",
                        {**PLAIN, "range_constraints": {
                            each: {"min_val": 0, "max_val": 9} for each in ("u0", "u1")}},
                        sym_int_values={"a": text % "u0", "b": text % "u1"})
        to.form("twins-symbols", version, numbered(fresh), ["6.4.4"],
                "Each has a symbol of its own.")
    written = [clone("x", "a"), write("a", "c"), clone("x", "b")]
    first = own_form("written", dead(written), "One of them is written.", SHOWN)
    own_form("written-turned", dead([written[2], written[0], written[1]]),
             "The other one first: the document says so.", different_from=first)
    viewed = [clone("x", "a"), clone("x", "b"), view("b", "c"), write("c", "d")]
    own_form("written-view", dead(viewed), "A view of one of them is written.")
    live = program("x", [view("x", "a"), view("x", "b"), relu("x", "k"), write("x", "w")], "k",
                   PLAIN)
    own_form("written-outside", live, "Views of an input that is written.")
    own_form("both-live", program("x", [sine("x", "a"), sine("x", "b")], "a b", PLAIN),
             "Live nodes are not merged.", SHOWN)
    alone = own_form("one-live", program("x", [sine("x", "a"), sine("x", "b")], "b", PLAIN),
                     "Nor is a dead one with a live one.")
    to.form("twins-no-dead", LATEST, numbered(program("x", [sine("x", "b")], "b", PLAIN)),
            ["6.4.4"], "Without the dead one it is another program.", different_from=alone)
    body = [subgraph("g%d" % i, "v0", [relu("v0", "v1")], "v1") for i in range(2)]
    quiet = [call("higher_order.strict_mode", [("", each), ("", tensors("x"))], tensors(output))
             for each, output in zip(body, "ab")]
    own_form("subgraph", dead(quiet), "What has a subgraph is not merged.", SHOWN)
    other = subgraph("g1", "v0", [neg("v0", "v1")], "v1")
    graphs = [quiet[0], call("higher_order.strict_mode", [("", other), ("", tensors("x"))],
                             tensors("b"))]
    first = own_form("subgraphs", dead(graphs), "The text says nothing of subgraphs.")
    other, one = (subgraph("g%d" % i, "v0", [made("v0", "v1")], "v1")
                  for i, made in enumerate((neg, relu)))
    turned = [call("higher_order.strict_mode", [("", each), ("", tensors("x"))], tensors(output))
              for each, output in zip((other, one), "ab")]
    own_form("subgraphs-turned", dead(turned), "The other one first: the document says so.",
             different_from=first)


# ---- 6.4.4: what texts are of -------------------------------------------------------------


def told_apart(to, label, versions, nodes, why, clause=("6.4.3", "6.4.4"), **more):
    """Dead nodes in several orders."""
    count = len(nodes)
    orders = [range(count), range(count - 1, -1, -1),
              [i for i in range(count) if i % 2] + [i for i in range(count) if not i % 2]]
    whole = dead(nodes, **more)
    for version in (LATEST, *[version for version in versions if version != LATEST][:1]):
        to.found("rest-" + label, version, [reordered(whole, *order, count) for order in orders],
                 list(clause), why)


def each_with(target, key, values, **before):
    return [op(target, "d%d" % i, *[(name, argument(value)) for name, value in before.items()],
               (key, value)) for i, value in enumerate(values)]


TYPES = [7, 6, 8, 5, 4, 3]


def constants(to):
    floats = (0.0, -0.5, 1e-05, 1e+16, 0.1)
    told_apart(to, "int", SHOWN, each_with("aten.select.int", "index", [
        {"as_int": i} for i in (0, 1, -1, 10, 7, 100)], self="x", dim=0), "Ints.")
    told_apart(to, "float", SHOWN, each_with("aten.add.Scalar", "other", [
        {"as_float": i} for i in floats], self="x"), "Floats.")
    told_apart(to, "float-special", (LATEST,), each_with("aten.add.Scalar", "other", [
        {"as_float": i} for i in ("Infinity", "-Infinity", "NaN")] + [{"as_float": 1.0}], self="x"),
        "Floats that are no numbers.")
    told_apart(to, "kinds", SHOWN, each_with("aten.add.Scalar", "other", [
        {"as_float": 1.0}, {"as_int": 1}, {"as_bool": True}, {"as_bool": False}, {"as_int": 0},
        {"as_float": 0.0}], self="x"), "One number, of three kinds.")
    told_apart(to, "string", SHOWN, each_with("aten.div.Tensor_mode", "rounding_mode", [
        {"as_string": "floor"}, {"as_string": "trunc"}, {"as_none": True}, {"as_string": ""},
        {"as_string": "\u00e9\U0001f600\n"}], self="x", other="x"), "Strings, and none.")
    told_apart(to, "complex", ("8.14", LATEST), each_with("aten.add.Scalar", "other", [
        {"as_complex": {"real": one, "imag": other}} for one, other in (
            (0.5, 1.5), (1.5, 0.5), (0.0, -1.0), (1e+16, 1e-05), (2.0, 0.0), (0.0, 2.0),
                (0.25, 0.25), (-0.5, -1.5))], self="x"), "Complex numbers.")
    told_apart(to, "dtype", SHOWN, each_with("aten._to_copy.default", "dtype", [
        {"as_scalar_type": i} for i in TYPES], self="x"), "Dtypes, by their names.")
    told_apart(to, "dtype-renamed", (LATEST,), each_with("aten._to_copy.default", "dtype", [
        {"as_scalar_type": i} for i in (28, 7, 6, 8)], self="x"), "One that is called anew later.")
    told_apart(to, "layout", SHOWN, each_with("aten._to_copy.default", "layout", [
        {"as_layout": i} for i in (1, 2, 7)], self="x"), "Layouts.")
    told_apart(to, "memory-format", SHOWN, each_with("aten.clone.default", "memory_format", [
        {"as_memory_format": i} for i in (1, 2, 3, 4)], self="x"), "Memory formats.")
    told_apart(to, "device", SHOWN, each_with("aten._to_copy.default", "device", [
        {"as_device": {"type": kind, "index": index}} for kind, index in (
            ("cpu", None), ("cpu", 0), ("cuda", 0), ("cuda", 1), ("cuda", None))], self="x"),
        "Devices.")
    told_apart(to, "ints", SHOWN, each_with("aten.permute.default", "dims", [
        {"as_ints": i} for i in ([0, 1], [1, 0], [0], [], [-1, 0], [0, 1, 2])], self="x"),
        "Lists of ints.")
    told_apart(to, "floats", ("7.3", LATEST), each_with(
        "aten.upsample_nearest2d.vec", "scale_factors", [
            {"as_floats": i} for i in ([0.5, 2.0], [2.0, 0.5], [1.0, 1.0])] + [{"as_none": True}],
        input="x", output_size={"as_none": True}), "Lists of floats, and none.")
    told_apart(to, "target", SHOWN, [
        op("aten.%s.default" % name, "d%d" % i, self="x") for i, name in enumerate(
            ("neg", "sin", "cos", "tanh", "exp", "abs"))], "Operators.")
    told_apart(to, "argument", SHOWN, [
        op("aten.clamp.default", "d0", ("self", argument("x")), ("min", {"as_int": 1})),
        op("aten.clamp.default", "d1", ("self", argument("x")), ("max", {"as_int": 1})),
        op("aten.clamp.default", "d2", ("self", argument("x")), ("min", {"as_int": 1}), (
            "max", {"as_int": 1}))], "One constant, under another name.")


def hinted(i, value):
    """A quiet operator that takes any Argument, in a dict."""
    operands = 1 + str(value).count("'x'")
    inner = subgraph("g%d" % i, " ".join("v%d" % place for place in range(operands)),
                     [relu("v0", "v%d" % operands)], "v%d" % operands)
    empty = {"as_string_to_argument": {}}
    return call("higher_order.hints_wrapper", [
        ("", inner), ("", tensors("x")), ("", empty), ("", {"as_string_to_argument": value})],
        tensors("d%d" % i))


def hints(values):
    return [hinted(i, value) for i, value in enumerate(values)]


def lists(to):
    told_apart(to, "tensors", SHOWN, [
        op("aten.cat.default", "d%d" % i, tensors=list(names)) for i, names in enumerate((
            "xy", "yx", "xx", "x", "xyx"))], "Lists of tensors.", inputs="x y")
    told_apart(to, "optional", SHOWN, each_with("aten.index.Tensor", "indices", [
        {"as_optional_tensors": [{"as_none": True} if name == "-" else
                                 {"as_tensor": {"name": name}} for name in names]}
        for names in ("-x", "x-", "x", "xx", "--x")], self="x"), "Tensors, and none.")
    told_apart(to, "bools", ("7.3", LATEST), [
        op("aten.native_layer_norm_backward.default", "d%da d%db d%dc" % (i, i, i), *[
            (key, argument(value)) for key, value in (
                ("grad_out", "x"), ("input", "x"), ("normalized_shape", {"as_ints": [3]}),
                ("mean", "x"), ("rstd", "x"), ("weight", {"as_none": True}),
                ("bias", {"as_none": True}), ("output_mask", {"as_bools": mask}))])
        for i, mask in enumerate(([True, True, True], [True, False, True], [False, True, True]))],
        "Lists of bools.")
    values = [{"a": {"as_strings": ["b", "c"]}}, {"a": {"as_strings": ["bc"]}},
              {"a": {"as_string": "b"}}, {"a": {"as_operator": "torch.ops.aten.relu.default"}},
              {"b": {"as_string": "a"}},
              {"a": {"as_strings": []}}, {"b": {"as_ints": []}}, {}]
    told_apart(to, "dict", ("8.15", LATEST), hints(values),
               "Dicts.")
    values = [{"a": {"as_int_lists": [[1], [2]]}}, {"a": {"as_int_lists": [[1, 2]]}},
              {"a": {"as_ints": [1, 2]}}, {"a": {"as_bools": [True, False]}},
              {"a": {"as_string_to_argument": {"a": {"as_int": 1}}}},
              {"a": {"as_int": 1}, "b": {"as_int": 2}}, {"a": {"as_int": 2}, "b": {"as_int": 1}}]
    told_apart(to, "dict-lists", ("8.15", LATEST), hints(values), "Lists in dicts, dicts in dicts.")
    values = [{"a": {"as_float_lists": [[0.5], []]}}, {"a": {"as_float_lists": [[0.5]]}},
              {"a": {"as_nested_tensors": [[{"name": "x"}], []]}},
              {"a": {"as_nested_tensors": [[{"name": "x"}]]}}, {"a": {"as_floats": [0.5]}}]
    told_apart(to, "dict-newer", ("8.19", LATEST), hints(values), "Lists of lists.")


def neighbours(to):
    told_apart(to, "uses", SHOWN, [
        op("aten.sub.Tensor", "d%d" % i, self=one, other=other) for i, (one, other) in enumerate((
            ("x", "y"), ("y", "x"), ("x", "x"), ("z", "x"), ("x", "z"), ("y", "z")))],
        "Inputs.", inputs="x y z")
    shared = [relu("x", "a"), neg("a", "b"), sine("a", "c"), op("aten.cos.default", "d", self="a"),
              add("b", "d", "e"), add("c", "d", "f")]
    orders = ((0, 1, 2, 3, 4, 5), (0, 3, 2, 1, 5, 4), (0, 2, 3, 5, 1, 4))
    to.found("rest-web", LATEST, [reordered(dead(shared), *order, 6) for order in orders],
             ["6.4.3", "6.4.4"], "What uses what.")
    nodes = []
    for i, name in enumerate(("neg", "sin", "cos", "tan", "exp", "abs")):
        a, b = "a%d" % i, "b%d" % i
        nodes += [op("aten.%s.default" % name, each, self="x") for each in (a, b)]
        nodes += [op("aten.sub.Tensor", "c%d" % i, self=a, other=b),
                  op("aten.sub.Tensor", "d%d" % i, self=b, other=a)]
    orders = [[4 * i + j for i in range(6) for j in order] for order in (
        (0, 1, 2, 3), (1, 0, 3, 2), (0, 1, 3, 2), (1, 0, 2, 3))]
    to.found("rest-crossed", LATEST, [reordered(dead(nodes), *order, 24) for order in orders],
             ["6.4.4"], "Two that use the same two, which are one.")


def written_to(to):
    """Copies that nobody needs, and that are written in three orders."""
    nodes, orders = [], ([], [])
    for i, names in enumerate(("add_ mul_ sub_", "sub_ add_ mul_", "mul_ sub_ add_")):
        first = len(nodes)
        nodes += [clone("x", "c%d" % i), op("aten.add.Scalar", "e%d" % i, self="c%d" % i, other=i),
                  *looked("e%d" % i, "p%d q%d r%d s%d" % (i, i, i, i))]
        for j, name in enumerate(names.split()):
            nodes.append(op("aten.%s.Tensor" % name, "w%d%d" % (i, j), self="e%d" % i, other="x"))
            nodes += looked("e%d" % i, "t%d%d u%d%d y%d%d z%d%d" % ((i, j) * 4))
        orders[0].extend(range(first, len(nodes)))
        orders[1][:0] = range(first, len(nodes))
    whole = program("x", nodes + [relu("x", "k")], "k", PLAIN)
    to.found("rest-written", LATEST, [reordered(whole, *order, len(nodes)) for order in orders],
             ["6.4.3", "6.3.6"], "Three, written in three orders.")


def epochs(to):
    """The same four nodes again and again, in other orders."""
    turns = (range(15), (3, 1, 4, 2, 0, 5, 9, 8, 7, 6, 10, 12, 11, 14, 13))
    nodes = [relu("x", "k"), *looked("x", "a0 b0 c0 d0"), mode(False),
             *looked("x", "a1 b1 c1 d1"), mode(True), *looked("x", "a2 b2 c2 d2")]
    whole = program("x", nodes, "k", PLAIN)
    to.found("rest-epoch-mode", LATEST, [reordered(whole, *turn) for turn in turns],
             ["6.3.5", "6.4.3"], "Four operators under three modes.")
    nodes = [clone("x", "e"), *looked("e", "a0 b0 c0 d0"), write("e", "w"),
             *looked("e", "a1 b1 c1 d1"), write("e", "v"), *looked("e", "a2 b2 c2 d2"),
             relu("x", "k")]
    turns = (range(16), (15, 0, 3, 1, 4, 2, 5, 9, 8, 7, 6, 10, 12, 11, 14, 13))
    whole = program("x", nodes, "k", PLAIN)
    for version in SHOWN:
        to.found("rest-epoch", version, [reordered(whole, *turn) for turn in turns],
                 ["6.3.5", "6.4.3"], "Four operators between writes.")


def subgraphs(to):
    def strict(body_of, i):
        return call("higher_order.strict_mode", [("", subgraph("g%d" % i, "v0", body_of, "v1")),
                                                 ("", tensors("x"))], tensors("d%d" % i))
    inner = [op("aten.cos.default", "v2", self="v0"), sine("v0", "v3"), relu("v0", "v1")]
    turned = [inner[1], inner[2], inner[0]]
    for version in SHOWN:
        both = [program("x", [strict(one, 0), strict(two, 1)], "d0 d1")
                for one, two in ((inner, inner), (turned, inner), (inner, turned))]
        to.found("rest-inside", version, both, ["6.4.3"],
                 "What nobody needs inside of a graph.")
    # 6.5.3: what goes in and out of a subgraph stays in its order
    def taking(inputs, given):
        body = subgraph("g0", inputs, [op("aten.sub.Tensor", "v2", self="v0", other="v1")], "v2 v0")
        return program("v0 v1", [call("higher_order.strict_mode", [
            ("", body), ("", tensors(*given))], [tensor("v2"), tensor("v3")])], "v2 v3")
    form = to.form("graphs-inputs", LATEST, taking("v0 v1", ["v0", "v1"]), ["6.5.3"],
                   "Two inputs and two outputs of a subgraph.")
    to.form("graphs-inputs-turned", LATEST, taking("v0 v1", ["v1", "v0"]), ["6.5.3"],
            "It is given them the other way round.", different_from=form)


def vectors(suite):
    to = Forms(suite)
    for part in (outputs, writers, early, texts, twins, no_twins, constants, lists, neighbours,
                 written_to, epochs, subgraphs):
        part(to)
