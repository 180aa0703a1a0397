"""Nodes that nothing needs, and that say the same: which of them are one (SPEC 6.4.4). Their
outputs are told apart by tags, by places that are empty, and by what the tables say.
"""

from generate.canon.forms import LATEST, Forms, numbered, op, program
from generate.whole import call, meta, tensor

NONE = {"as_none": True}
PAIRS = (  # label, outputs of two nodes, sizes of their values
    ("same", ("a", "b"), ("c", "d"), {}), ("first-empty", ("a", "b"), (None, "d"), {}),
    ("second-empty", ("a", "b"), ("c", None), {}), ("both-empty", ("a", "b"), (None, None), {}),
    ("one-each", ("a", None), (None, "d"), {}), ("first-size", ("a", "b"), ("c", "d"), {"c": 5}),
    ("second-size", ("a", "b"), ("c", "d"), {"d": 5}),
    ("second-empty-both", ("a", None), ("c", None), {}),
)


def dead(first, second, sizes):
    nodes = [call("aten.aminmax.default", {"self": tensor("x")}, [
        tensor(name) if name else NONE for name in each]) for each in (first, second)]
    names = [name for name in (*first, *second) if name]
    return program("x", [*nodes, op("aten.relu.default", "r", self="x")], "r", {
        "verifiers": [""], "dialect": ""}, tensor_values={
            "x": meta(2, 3), "r": meta(2, 3), **{name: meta(sizes.get(name, 4)) for name in names}})


def vectors(suite):
    to = Forms(suite)
    for label, first, second, sizes in PAIRS:
        for end, one, other in (("", first, second), ("-turned", second, first)):
            to.found("dead-outputs-" + label + end, LATEST, [numbered(dead(one, other, sizes))],
                     ["6.4.4"], "Two dead nodes of one text.")
