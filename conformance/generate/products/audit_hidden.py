"""Bytes of a storage that no tensor shows (SPEC 9.6.13): behind, before and between the elements of
one tensor with gaps or steps of nothing, and of several tensors that lie apart, touch, overlap or
stand in the gaps of each other. Each storage is there twice: as a raw member with a config, and in
an archive of torch.save.
"""

import itertools
import json
import math

from generate.archive.pickles import dictionary, pickled, saved, storage, tensor
from generate.archive.zips import written
from generate.products.audit_members import FLAT, HIDDEN, PT2, R, put, replaced, sized

ITEM = 4  # bytes of a float
CASES = (  # (label, elements of the storage, (sizes, strides, offset) of each tensor)
    ("zero-before-gaps", 31, ((3, 4), (0, 10), 0)), ("zero-behind-gaps", 31, ((4, 3), (10, 0), 0)),
    ("zero-all", 5, ((3, 4), (0, 0), 0)), ("zero-offset", 6, ((5,), (0,), 3)),
    ("zero-between", 6, ((2, 3, 2), (4, 0, 1), 0)), ("zero-single", 5, ((1, 3), (0, 2), 0)),
    ("far-single", 4, ((1, 3), (100, 1), 0)), ("turned", 6, ((2, 3), (1, 2), 0)),
    ("rows", 12, ((3, 2), (4, 1), 0)), ("rows-exact", 10, ((3, 2), (4, 1), 0)),
    ("window", 6, ((3, 3), (1, 1), 0)), ("window-wide", 6, ((2, 3), (2, 1), 1)),
    ("ends", 4, ((2,), (1,), 1)), ("ends-gap", 7, ((2,), (3,), 2)), ("point", 5, ((), (), 2)),
    ("touching", 5, ((2,), (1,), 0), ((2,), (1,), 2)),
    ("apart", 6, ((2,), (1,), 0), ((2,), (1,), 3)),
    ("apart-turned", 6, ((2,), (1,), 3), ((2,), (1,), 0)),
    ("overlapping", 6, ((3,), (1,), 0), ((3,), (1,), 2)),
    ("chained", 6, ((2,), (1,), 0), ((2,), (1,), 1), ((2,), (1,), 2)),
    ("inside", 7, ((6,), (1,), 0), ((2,), (1,), 2)),
    ("inside-first", 9, ((6,), (1,), 0), ((1,), (1,), 1), ((2,), (1,), 5)),
    ("same", 6, ((4,), (1,), 0), ((4,), (1,), 0)),
    ("gaps-apart", 8, ((2,), (2,), 0), ((2,), (2,), 4)),
    ("gaps-touching", 6, ((2,), (2,), 0), ((2,), (2,), 3)),
    ("gaps-touching-twice", 7, ((3,), (1,), 0), ((2,), (1,), 0), ((2,), (2,), 3)),
    ("gaps-filled", 6, ((3,), (2,), 0), ((2,), (2,), 1)),
    ("gaps-shared", 12, ((3, 1), (4, 1), 0), ((3, 1), (4, 1), 2)),
    ("columns", 13, ((3, 2), (4, 1), 0), ((3, 2), (4, 1), 2)),
    ("expanded", 5, ((4,), (1,), 0), ((2, 4), (0, 1), 0)),
    ("zero-twice", 4, ((5,), (0,), 1), ((7,), (0,), 2)),
    ("nothing-beside", 3, ((2,), (1,), 0), ((0, 4), (4, 1), 2)),
    ("beyond-first", 4, ((5,), (1,), 0), ((1,), (1,), 0)),
    ("beyond-last", 4, ((1,), (1,), 0), ((2,), (1,), 3)),
)


def shown_by(sizes, strides, offset):
    """The elements that a tensor shows."""
    return {offset + sum(i * stride for i, stride in zip(index, strides))
            for index in itertools.product(*[range(size) for size in sizes])}


def most(tensors):
    """The most that a tool may take for shown: where ranges overlap, all of them, but no more than
    the tensors have elements."""
    groups = []
    views = [(shown_by(*each), math.prod(each[0])) for each in tensors]
    for view, count in sorted((each for each in views if each[1]), key=lambda each: min(each[0])):
        low, high = min(view), max(view) + 1
        if groups and low < groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], high)
            groups[-1][2] += count
        else:
            groups.append([low, high, count])
    return sum(min(high - low, count) for low, high, count in groups)


def hidden_of(total, tensors):
    """How many bytes; 0 where a tensor reaches beyond the storage."""
    shown = set().union(*[shown_by(*each) for each in tensors])
    if shown and max(shown) >= total:
        return 0
    assert len(tensors) == 1 or len(shown) == most(tensors), tensors  # else tools may part
    return (total - len(shown)) * ITEM


def entry(sizes, strides, offset):
    said = sized(7, sizes, list(strides) or None, offset)
    return {"path_name": "weight_0", "is_param": False, "use_pickle": False, **said}


def vectors(suite):
    config, raw = R + "data/weights/model_weights_config.json", R + "data/weights/weight_0"
    state = "serialized_state_dict.pt"
    for label, total, *tensors in CASES:
        names = ["t%d" % i for i in range(len(tensors))]
        hidden, data = hidden_of(total, tensors), b"." * (total * ITEM)
        about = "%d of %d bytes" % (hidden, total * ITEM)
        said = {"config": {name: entry(*each) for name, each in zip(names, tensors)}}
        put(suite, "hidden-%s" % label, PT2,
            replaced(PT2, config, json.dumps(said).encode("utf-8")) + [written(raw, data)],
            [(raw, HIDDEN, about)] if hidden else [], "What tensors show of a storage.")
        made = dictionary(*[(name, tensor(storage("0", total), sizes, strides, offset))
                            for name, (sizes, strides, offset) in zip(names, tensors)])
        put(suite, "hidden-%s" % label, FLAT,
            replaced(FLAT, state, saved(pickled(made), (("0", data),))),
            [(state, HIDDEN, about + " of data/0")] if hidden else [],
            "What tensors show of a storage.")
