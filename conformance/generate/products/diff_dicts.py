"""Differences in the dicts of a program, one at a time: another value, another key, an entry more
or less, in the dicts of the graph module and wherever an argument may be one.
"""

import copy

from generate.products.diffs import Pairs, row
from generate.products.diffs_more import HEADER
from generate.whole import (MODULES, NODES, Draft, call, entry, meta, tensor, user_input,
                            user_output)

MODULE = "graph_module"
F = "torch.ops.mylib.f.default"
SAID = {"k": {"as_int": 1}, "l": {"as_int": 1}}


def base(**said):
    draft = Draft(header=copy.deepcopy(HEADER), **said).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), y=meta(2))
    draft.node(call("mylib.f.default", {
        "a": tensor("x"), "d": {"as_string_to_argument": {
            "i": {"as_string_to_argument": SAID}, "j": {"as_int": 2}}}}, tensor("y")))
    given = {"as_string_to_argument": copy.deepcopy(SAID)}
    draft.data["modules"].append(entry("sub", [{"as_string_to_argument": SAID}, tensor("x")],
                                       [tensor("x"), given]))
    return copy.deepcopy(draft.give(user_output(tensor("y"))).data)


def metadata(suite):
    """`metadata` of the graph module."""
    pairs = Pairs(suite, "module-metadata", base(module={"metadata": {"k": "v", "l": "w"}}))
    where = MODULE + "/metadata"

    def told(first, second):
        return [row("module", "GraphModule", "metadata",
                    *(key and "%s/%s" % (where, key) for key in (first, second)))]
    for label, value, rows in (
            ("value", {"k": "v2", "l": "w"}, told("k", "k")),
            ("last", {"k": "v", "l": "w2"}, told("l", "l")),
            ("gone", {"k": "v"}, told("l", None)),
            ("first-gone", {"l": "w"}, told("k", None)),
            ("more", {"k": "v", "l": "w", "m": "v"}, told(None, "m")),
            ("order", {"l": "w", "k": "v"}, []),
            ("empty", {"k": "", "l": "w"}, told("k", "k"))):
        def change(data, value=value):
            data["module"]["metadata"] = value
        pairs.pair(label, change, rows, "What a graph module says of itself.")


def tuples(suite):
    """`treespec_namedtuple_fields` of the graph module: entries that one has."""
    fields = {"m.P": {"field_names": ["a", "b"]}, "m.Q": {"field_names": ["c"]}}
    pairs = Pairs(suite, "module-tuples", base(module={"treespec_namedtuple_fields": fields}))
    where = MODULE + "/treespec_namedtuple_fields"

    def told(first, second):
        return [row("tree spec", "NamedTupleDef", None,
                    *(key and "%s/%s" % (where, key) for key in (first, second)))]
    for label, value, rows in (
            ("gone", {"m.P": fields["m.P"]}, told("m.Q", None)),
            ("first-gone", {"m.Q": fields["m.Q"]}, told("m.P", None)),
            ("more", {**fields, "m.R": {"field_names": []}}, told(None, "m.R")),
            ("order", dict(reversed(fields.items())), [])):
        def change(data, value=value):
            data["module"]["treespec_namedtuple_fields"] = value
        pairs.pair(label, change, rows, "The fields of a named tuple.")


OTHERS = (  # (label, the dict instead, the key below which they differ; None: the whole)
    ("value", {"k": {"as_int": 2}, "l": {"as_int": 1}}, "k"),
    ("value-last", {"k": {"as_int": 1}, "l": {"as_int": 2}}, "l"),
    ("key", {"j": {"as_int": 1}, "l": {"as_int": 1}}, None),
    ("key-last", {"k": {"as_int": 1}, "m": {"as_int": 1}}, None),
    ("key-long", {"k": {"as_int": 1}, "ll": {"as_int": 1}}, None),
    ("less", {"k": {"as_int": 1}}, None), ("none", {}, None),
    ("more", {"k": {"as_int": 1}, "l": {"as_int": 1}, "m": {"as_int": 1}}, None),
)


def arguments(suite):
    """Dicts among the arguments of a node and of a module, and in each other."""
    pairs = Pairs(suite, "dicts", base())
    call_of = {"target": F, "argument": "d"}
    places = (
        ("deep", NODES + "0/inputs/1/arg/as_string_to_argument/i", "argument", call_of,
         lambda data: data["graph"]["nodes"][0]["inputs"][1]["arg"]["as_string_to_argument"]["i"]),
        ("input", MODULES + "1/signature/inputs/0", "module", {},
         lambda data: data["modules"][0]["signature"]["inputs"][0]),
        ("output", MODULES + "1/signature/outputs/1", "module", {},
         lambda data: data["modules"][0]["signature"]["outputs"][1]))
    for place, path, group, about, found in places:
        for label, other, key in OTHERS:
            def change(data, found=found, other=other):
                found(data)["as_string_to_argument"] = other
            where = path + "/as_string_to_argument"
            member = "as_string_to_argument"
            if key is not None:
                where, member = "%s/%s/as_int" % (where, key), "as_int"
            pairs.pair("%s-%s" % (place, label), change,
                       [row(group, "Argument", member, where, where, **about)],
                       "A dict in a place of an argument.")


def vectors(suite):
    for part in (metadata, tuples, arguments):
        part(suite)
