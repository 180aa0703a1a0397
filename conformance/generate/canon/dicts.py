"""Dicts in each place where an argument may stand, with their keys in each order: the form has
one order of them (SPEC 6.8.1).
"""

import itertools

from generate.canon.forms import LATEST, Forms, op, program, put, subgraph
from generate.canon.parts import rectifier
from generate.migrate.migrations import changed, put as drafted
from generate.whole import MODULES, NODES, call, entry, tensor

VERSIONS = (LATEST, "8.15")  # the first and the last version that has such dicts
ITEMS = (("B", {"as_int": 1}), ("a", tensor("v0")), ("b", {"as_string": "z"}))


def dict_of(items):
    return {"as_string_to_argument": dict(items)}


def deep(items, levels):
    """The dict in others, beside something else in each."""
    value = dict_of(items)
    for _ in range(levels):
        value = dict_of((("k", value), ("l", {"as_bool": True})))
    return value


def called(levels, place):
    """An argument of a node."""
    others = [("x", tensor("v0")), ("y", {"as_int": 2})]
    others.insert(place, ("d", deep(ITEMS, levels)))
    draft = program("v0", [call("mylib.f.default", others, [tensor("v1")])], "v1")
    return draft, NODES + "0/inputs/%d/arg" % place


def inside():
    """An argument of a node of a subgraph."""
    node = call("mylib.f.default", [("x", tensor("v0")), ("d", dict_of(ITEMS))], [tensor("v1")])
    branch = op("higher_order.strict_mode", "v1", ("", subgraph("g0", "v0", [node], "v1")),
                ("", ["v0"]))
    path = NODES + "0/inputs/0/arg/as_graph/graph/nodes/0/inputs/1/arg"
    return program("v0", [branch], "v1"), path


def module(side, place, levels):
    """What a module takes or gives."""
    sides = {"inputs": [tensor("v0")], "outputs": [tensor("v1")]}
    sides[side].insert(place, deep(ITEMS, levels))
    draft = changed(rectifier(), drafted("modules", [entry("sub", **sides)]))
    return draft, MODULES + "1/signature/%s/%d" % (side, place)


def places():
    for place in range(3):
        yield "argument-%d" % place, 0, called(0, place)
    for levels in (1, 2):
        yield "argument-deep-%d" % levels, levels, called(levels, 1)
    yield "subgraph", 0, inside()
    for side in ("inputs", "outputs"):
        for place in (0, 1):
            yield "module-%s-%d" % (side, place), 0, module(side, place, 0)
        yield "module-%s-deep" % side, 1, module(side, 0, 1)


def vectors(suite):
    to = Forms(suite)
    for label, levels, (draft, path) in places():
        orders = list(itertools.permutations(ITEMS))[1:]
        to.group("dict-" + label, VERSIONS, draft, ["6.8.1"], "A dict in an argument is sorted.", [
            ("order-%d" % i, put(path, deep(order, levels)), ["6.8.1"], "In another order.")
            for i, order in enumerate(orders)])
