"""Canonical forms in which what counts is the last of several, or the first: outputs, symbols,
arguments, entries and inputs of which the others alone would give another form.
"""

from generate.canon.effects import clone, neg, rand, relu, rows, write
from generate.canon.forms import (LATEST, Forms, argument, numbered, op, program, renamed,
                                  subgraph)
from generate.canon.parts import rectifier
from generate.canon.symbols import sized
from generate.migrate.migrations import changed
from generate.whole import arguments, call, leaves, tensor, tensors

OPEN = {"verifiers": [], "dialect": ""}


# ---- 6.3: effects -------------------------------------------------------------------------


def inner(name, takes, target="aten.relu.default"):
    """A subgraph of one node, which looks at all that it takes."""
    names = ["v%d" % i for i in range(takes)]
    keys = ("self", "other")
    return subgraph(name, " ".join(names), [op(target, "v%d" % takes, *zip(keys, names))],
                    "v%d" % takes)


NOTHING, NONE = {"as_tensors": []}, {"as_none": True}
WHILE = call("higher_order.while_loop", [
    ("", inner("g0", 1)), ("", inner("g1", 1)), ("", tensors("x")), ("", NOTHING)], tensors("r"))
SCAN = call("higher_order.associative_scan", [
    ("", inner("g0", 2, "aten.add.Tensor")), ("", tensors("x")), ("", NOTHING)], tensors("r"))
CARRIED = call("higher_order.scan", [
    ("", inner("g0", 2, "aten.add.Tensor")), ("", tensors("x")), ("", tensors("x")),
    ("", NOTHING)], tensors("r"))
MAP = call("higher_order.map_impl", [("", inner("g0", 1)), ("", tensors("x")), ("", NOTHING)],
           tensors("r"))
CAST = call("higher_order.wrap_with_autocast", [
    ("", {"as_string": "cpu"}), ("", NONE), ("", {"as_bool": True}), ("", NONE),
    ("", inner("g0", 1)), ("", tensor("x"))], tensors("r"))
SEED = op("aten.manual_seed.generator", NONE, ("self", NONE), ("seed", 3))
CHANCE = op("aten.seed.default", NONE, ("self", NONE))
ROWS = tuple(  # as those of effects.py
    ("quiet-" + label, (LATEST, "7.3"), "x", [node, rand("a")], (1, 0), "r a", True, "6.3.1",
     "Graphs that only read, and a random number.")
    for label, node in (("while", WHILE), ("scan", SCAN), ("autocast", CAST))) + tuple(
    ("quiet-" + label, (LATEST, "8.2"), "x", [node, rand("a")], (1, 0), "r a", True, "6.3.1",
     "A graph that only reads, and a random number.")
    for label, node in (("carried", CARRIED), ("map", MAP))) + (
    ("ordered-seed-unused", ("8.2", LATEST), "x", [CHANCE, rand("b")], (1, 0), "b", False, "6.3.1",
     "Listed as ORDERED, and of no use to another node."),
    ("ordered-manual-seed", ("8.2", LATEST), "x", [SEED, rand("b")], (1, 0), "b", False, "6.3.1",
     "Listed as ORDERED; of the type of what it returns nothing is known."),
    ("writer-second", (LATEST, "7.3"), "x", [
        op("aten.sort.default", "c d", self="x"), relu("x", "r"), write("d", "w")], (0, 2, 1),
     "c r", True, "6.4.1", "What writes the second output of a live node is live."),
)


def found(to):
    """Programs whose order follows from the rules alone."""
    mesh = op("aten.meshgrid.default", argument(["f", "g", "h"]), tensors=["d", "c", "e"])
    joined = [clone("x", "c"), neg("x", "z"), clone("x", "d"), clone("x", "e"), mesh,
              write("e", "a"), relu("c", "b")]
    both = [op("aten.sort.default", "a b", self="x"), write("b", "w"),
            op("aten.sort.default", "c d", self="x"), relu("x", "r")]
    thrice = [clone("x", "c"), neg("c", "d"), write("c", "a"), neg("c", "e"), neg("c", "f")]
    cases = (
        ("joined-second", [joined], "a b z", "6.3.2",
         "Three that are joined, of which the second is defined first."),
        ("joined-second-turned", [[joined[i] for i in (0, 1, 2, 3, 4, 6, 5)]], "a b z", "6.3.2",
         "The same, read before the write."),
        ("dead-second-written", [both, [both[i] for i in (0, 3, 2, 1)]], "r", "6.4.4",
         "Two that say the same, of which the second output of one is written: they stay two."),
        ("dead-behind-write", [thrice, [thrice[i] for i in (0, 1, 2, 4, 3)]], "a", "6.4.4",
         "One before a write, and two behind it, which become one."),
    )
    for label, orders, outputs, clause, why in cases:
        drafts = [numbered(program("x", nodes, outputs, OPEN)) for nodes in orders]
        to.found(label, LATEST, drafts, [clause, "6.4.3"], why)


# ---- 6.2, 6.6, 6.8: members, modules -----------------------------------------------------------


def root_inputs(to):
    """A root that lists what it takes and gives: values, and a dict."""
    def said(data):
        keys = {"b": tensor("v0"), "a": {"as_int": 1}}
        signature = data["root"]
        signature["inputs"] = [{"as_string_to_argument": keys}]
        signature["outputs"] = [tensor("v1")]
        signature["in_spec"], signature["out_spec"] = arguments(1), leaves(1)
    draft = changed(rectifier(), said)
    other = renamed(draft, {"v0": "x", "v1": "y"}, str)
    to.found("modules-root", LATEST, [draft, other], ["6.6.3", "6.8.1"],
             "The first entry has names and dicts as the others have.")


def message_first(to):
    """A check whose message is given before what is checked."""
    def node(text):
        return op("aten._assert_async.msg", "", ("assert_msg", {"as_string": text}), (
            "self", argument("b")))
    drafts = [program("b x", [node(text), relu("x", "r")], "r", OPEN) for text in ("", "m", "n")]
    to.found("check-message-first", LATEST, drafts, ["6.2.1"],
             "What a check prints, as its first argument.")


# ---- 6.7: symbols --------------------------------------------------------------------------


def symbols(to):
    """Symbols that the second pass leaves one of, and several symbols without a range."""
    limits = {"s%d" % i: (2 + i, 9) for i in range(3)}
    to.found("symbols-left", LATEST, [sized(
        LATEST, ["Add({s0}, {s1})", "Add({s1}, {s2})"], limits)], ["6.7.4"],
        "Of the second expression one symbol has no name by then.")
    to.found("symbols-open", LATEST, [sized(LATEST, ["{s0}", "{s1}", "{s2}"], {})],
             ["6.2.5"], "Each symbol gets a range.")


def vectors(suite):
    to = Forms(suite)
    rows(to, ROWS)
    for part in (found, root_inputs, message_first, symbols):
        part(to)
