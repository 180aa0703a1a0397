"""Elements of tensors as they are extracted (SPEC 8.3, 8.5, 8.6.1): each dtype with each order of
its strides and bytes, lazy conjugates and negatives, members that inflate to more than is read at
once, and files of numpy and safetensors.
"""


from generate.archive.kits import PT2, held, payload, plain, put, saved_state
from generate.archive.pickles import (FALSE, STORAGES, TRUE, UNTYPED, called, dictionary, imported,
                                      number, numbers, ordered, storage)
from generate.archive.written import BYTES, NPY, SAFE, TORCH, npy, places, safetensors
from generate.archive.zips import DEFLATED, LONGEST
from generate.suite import to_bytes
from generate.whole import meta

READ, STORED, VALUES = "8.3.4", "8.5.3", "8.6.1"
INLINE = 96   # bytes of a product that stands in the manifest
COUNT = 8     # elements of a storage
COMPLEX, FLOATS = (9, 10, 11), (6, 7, 8, 13)
SHAPES = (  # label, sizes, strides, offset
    ("contiguous", (2, 3), (3, 1), 1), ("columns", (2, 3), (1, 2), 2),
    ("strided", (3,), (2,), 1), ("expanded", (2, 3), (0, 1), 4),
    ("overlapping", (3, 2), (1, 1), 3), ("empty", (3, 0), (1, 1), 0), ("scalar", (), (), 7),
    ("ones", (1, 2, 1), (50, 1, 60), 6))
TURNED = ("contiguous", "columns", "empty", "scalar")  # of big-endian storages
FEW = ("strided", "ones")  # which not every dtype has
SIGNS = (("conj", True, False), ("neg", False, True), ("conj-neg", True, True))


def numbers_in(dtype):
    """Bytes of a number, of which a complex element has two."""
    return BYTES[dtype] // (2 if dtype in COMPLEX else 1)


def storage_of(dtype):
    """Little-endian, of other bytes each."""
    data = bytes((17 * dtype + 23 * i) % 256 for i in range(COUNT * BYTES[dtype]))
    return bytes(byte & 1 for byte in data) if dtype == 12 else data


def reversed_numbers(data, width):
    return b"".join(data[i:i + width][::-1] for i in range(0, len(data), width))


def signed(element, dtype, conjugate, negative):
    """An element with its signs turned."""
    width, made = numbers_in(dtype), bytearray(element)
    for i in range(0, len(element), width):
        if negative != (conjugate and i > 0):
            made[i + width - 1] ^= 0x80
    return bytes(made)


def elements_of(data, dtype, sizes, strides, offset, conjugate=False, negative=False):
    width = BYTES[dtype]
    found = [data[(offset + place) * width:(offset + place + 1) * width]
             for place in places(sizes, strides)]
    return b"".join(signed(each, dtype, conjugate, negative) for each in found)


def pickled_tensor(key, dtype, sizes, strides, offset, conjugate=False, negative=False):
    typed = dtype in STORAGES
    kept = (storage(key, COUNT, dtype) if typed else
            storage(key, COUNT * BYTES[dtype], kind=UNTYPED))
    arguments = [kept, number(offset), numbers(sizes), numbers(strides), FALSE, ordered()]
    arguments += [] if typed else [imported("torch:" + TORCH[dtype])]
    lazy = [(key, TRUE) for key, said in (("conj", conjugate), ("neg", negative)) if said]
    arguments += [dictionary(*lazy)] if lazy else []
    return called("torch._utils:_rebuild_tensor_v%d" % (2 if typed else 3), *arguments)


class Tensors:
    """An archive with tensors beside those of its program."""

    def __init__(self, suite, label, kit, version="8.8"):
        self.suite, self.label, self.kit, self.version = suite, label, kit, version
        self.base, self.elements = None, {}

    def vector(self, name, product, clauses, why, **options):
        said = {"options": options, "provenance": "hand", "product": (
            self.suite.spelled(product, None) if len(product) <= INLINE else
            self.suite.digested(product))}
        name = "extract/%s/%s" % (name, self.label)
        if self.base is None:
            self.base = self.suite.valid(name, "extract", self.version, self.kit.bytes(), clauses,
                                         why, file="archives/%s.pt2" % self.label, **said)
        else:
            self.suite.valid_edit(name, self.base, None, clauses, why, operation="extract", **said)

    def refused(self, name, code, clauses, why, **options):
        self.suite.invalid("extract/%s/%s" % (name, self.label), self.base, None, code, None, why,
                           also=clauses, options=options, provenance="hand")


# ---- dtypes, strides, bytes and signs -------------------------------------------------


def rows(big):
    """(name, dtype, shape, signs) of all tensors of an archive."""
    for dtype, torch in TORCH.items():
        if big and BYTES[dtype] == 1:
            continue  # no byte of it can be turned
        for shape in SHAPES:
            if (shape[0] in TURNED if big else dtype % 3 == 0 or shape[0] not in FEW):
                yield "%s.%s" % (torch, shape[0]), dtype, shape[1:], (False, False)
        signs = SIGNS if dtype in COMPLEX else SIGNS[1:2] if dtype in FLOATS else ()
        for shape in SHAPES[:2] + SHAPES[3:4]:
            for label, *sign in signs if not big or shape == SHAPES[0] else ():
                yield "%s.%s.%s" % (torch, shape[0], label), dtype, shape[1:], tuple(sign)


def family(big):
    kit = saved_state("8.8", PT2)
    state = kit.state["weights"]
    found = list(rows(big))
    for name, dtype, shape, sign in found:
        state.items[name] = pickled_tensor(TORCH[dtype], dtype, *shape, *sign)
        data = storage_of(dtype)
        state.storages[TORCH[dtype]] = reversed_numbers(data, numbers_in(dtype)) if big else data
    if big:
        state.storages["0"] = reversed_numbers(state.storages["0"], 4)
        state.said["order"] = b"big"
    return kit, found


def every_dtype(suite):
    for big in (False, True):
        kit, found = family(big)
        one = Tensors(suite, "elements-big" if big else "elements", kit)
        for name, dtype, shape, sign in found:
            data = elements_of(storage_of(dtype), dtype, *shape, *sign)
            one.vector("raw-" + name.replace(".", "-"), data, [VALUES, STORED],
                       "The elements of %s, in a storage that is %s." % (
                           name, "big-endian" if big else "little-endian"), tensor=name,
                       **{"as": "raw"})
            if name.endswith((".contiguous", ".columns.conj-neg")):
                files_of(one, name, dtype, shape[0], data)


def files_of(one, name, dtype, sizes, data):
    label = name.replace(".", "-")
    if dtype in NPY:
        one.vector("npy-" + label, npy(dtype, sizes, data), [VALUES], "A file of numpy.",
                   tensor=name, **{"as": "npy"})
    elif sizes:
        one.refused("npy-" + label, "EP_ARGUMENT", [VALUES], "numpy has no such dtype.",
                    tensor=name, **{"as": "npy"})
    if dtype in SAFE:
        one.vector("safetensors-" + label, safetensors([(name, dtype, sizes, data)]), [VALUES],
                   "A file of safetensors.", tensor=name)
    elif sizes:
        one.refused("safetensors-" + label, "EP_ARGUMENT", [VALUES],
                    "safetensors has no such dtype.", tensor=name)


# ---- headers and indexes --------------------------------------------------------------


def headers(suite):
    """Headers of numpy of each length modulo 64: shapes without elements, of any digits."""
    kit = saved_state("8.8", PT2)
    state, found = kit.state["weights"], []
    for length in range(64):
        tens, ones = divmod(length, 18)
        sizes = (0,) + (10 ** 15,) * tens + ((10 ** ones if ones < 18 else 1),)
        name = "shape.%d" % length
        found.append((name, sizes))
        state.items[name] = pickled_tensor("f", 7, sizes, (1,) * len(sizes), 0)
    state.items["eight"] = pickled_tensor("f", 7, (8,), (1,), 0)
    state.storages["f"] = storage_of(7)
    one = Tensors(suite, "shapes", kit)
    for name, sizes in found:
        one.vector("npy-" + name.replace(".", "-"), npy(7, sizes, b""), [VALUES],
                   "The header of a file of numpy, of another length modulo 64.", tensor=name,
                   **{"as": "npy"})
    one.vector("npy-one-size", npy(7, (8,), storage_of(7)), [VALUES], "A tuple of one size.",
               tensor="eight", **{"as": "npy"})
    one.refused("tensor-none", "EP_ARGUMENT", [VALUES], "No tensor has this name.", tensor="x")
    one.refused("member-none", "EP_ARGUMENT", [VALUES], "No member has this name.", member="x")


NAMES = ("plain", 'a"b', "a\\b", "a/b", "\u00e9", "\U0001f600", "a\nb", "a\x01b", "z" * 70)


def all_of_them(suite):
    """All tensors in one file: by dtype, then by name; those without elements at any place."""
    for label, chosen in (("names", [(name, 7) for name in NAMES]),
                          ("dtypes", [("t%d" % dtype, dtype) for dtype in SAFE]),
                          ("mixed", [(name, dtype) for name in "cabd" for dtype in (7, 5, 12)])):
        kit = saved_state("8.8", PT2)
        found = []
        for i, (name, dtype) in enumerate(chosen):
            name = name if label != "mixed" else "%s%d" % (name, dtype)
            shape = SHAPES[(5, 1, 0, 3, 4, 6)[i % 6]]
            kit.state["weights"].items[name] = pickled_tensor(TORCH[dtype], dtype, *shape[1:])
            kit.state["weights"].storages[TORCH[dtype]] = storage_of(dtype)
            found.append((name, dtype, shape[1],
                          elements_of(storage_of(dtype), dtype, *shape[1:])))
        one = Tensors(suite, "all-" + label, kit)
        one.vector("safetensors", safetensors(found + own(kit)), [VALUES],
                   "All tensors of an archive, those of its program among them.")


def own(kit):
    """The four tensors that every kit has."""
    stored = kit.state["weights"].storages["0"]
    constants = list(kit.state["constants"].storages.values())
    return [("weight", 7, (2, 3), stored[:24]), ("tail", 7, (3,), stored[20:32]),
            ("cache", 6, (4,), constants[0]), ("table", 7, (2, 2), constants[1])]


def members(suite):
    """Members, stored and deflated."""
    kit = saved_state("8.8", PT2)
    put("extra/x", b"some text\n")(kit)
    put("extra/y", b"a" * 1000 + b"b", method=DEFLATED)(kit)
    put("extra/empty", b"")(kit)
    one = Tensors(suite, "members", kit)
    for name in ("extra/x", "extra/y", "extra/empty", "byteorder", "models/model.json"):
        one.vector("member-" + name.split("/")[-1].split(".")[0], to_bytes(kit.files()[name]),
                   ["8.1.3"], "A member as it comes out.", member="m/" + name)


# ---- deflated members -----------------------------------------------------------------

PIECE = 65536
SIZES = [PIECE * k + r for k in (1, 2, 16) for r in (-4, 0, 4)] + [PIECE // 2, PIECE * 9 // 2]


def deflated(suite):
    """Raw members that inflate to about a multiple of 64 KiB: runs, which come out of little, and
    others of which each byte is another."""
    for size in SIZES:
        runs = b"".join(bytes([i % 251]) * 4000 for i in range(size // 4000 + 1))
        for label, data in (("run", b"z" * size), ("runs", runs[:size])):
            if label == "runs" and size > 5 * PIECE:
                continue
            kit = plain()
            kit.weights["spare"] = held("weight_0", meta(size // 4))
            payload("weights/weight_0", data)(kit)
            kit.how["data/weights/weight_0"] = {"method": DEFLATED}
            one = Tensors(suite, "inflated-%s-%d" % (label, size), kit, "8.20")
            one.vector("raw", data, [READ, "8.1.3"], "A deflated member that gives %d bytes."
                       % size, tensor="spare", **{"as": "raw"})
            if label == "run":
                suite.valid_edit("whole-archive/inflated-%d/plain" % size, one.base, None,
                                 ["8.1.3"], "A deflated member that gives %d bytes." % size,
                                 operation="whole", options={}, provenance="hand")


def last_piece(suite):
    """Members whose last reference goes beyond 64 KiB, when all of their packed bytes but some bits
    are read: with each number of bits behind it."""
    for count in range(247, 255):
        run = b"z" * (1 + LONGEST * count)  # a literal, and so many references
        data = (b"ab" * PIECE)[:PIECE + 100 - len(run)] + run
        kit = saved_state("8.8", PT2)
        put("extra/x", data, method=DEFLATED)(kit)
        one = Tensors(suite, "last-piece-%d" % count, kit)
        one.vector("member", data, ["8.1.3"], "A member that gives %d bytes more than 64 KiB, all "
                   "of them by its last reference." % (len(data) - PIECE), member="m/extra/x")
        suite.valid_edit("whole-archive/last-piece-%d/pickled" % count, one.base, None, ["8.1.3"],
                         "The checksum of such a member.", operation="whole", options={},
                         provenance="hand")


def pieces(suite):
    """Elements that come one by one, and are more than a reader gives at once: about a megabyte
    of rows that are one row, or begin an element later each."""
    for label, sizes, strides in (("rows", (254, 1031), (0, 1)), ("rows-more", (255, 1031), (0, 1)),
                                  ("rows-even", (1024, 256), (0, 1)),
                                  ("turned", (521, 509), (1, 1)), ("columns", (509, 521), (1, 2))):
        last = sum((size - 1) * stride for size, stride in zip(sizes, strides))
        data = b"".join((i * 2654435761 % (1 << 32)).to_bytes(4, "little") for i in range(last + 1))
        kit = plain()
        kit.weights["spare"] = held("weight_0", meta(*sizes, strides=list(strides)))
        payload("weights/weight_0", data)(kit)
        one = Tensors(suite, "pieces-" + label, kit, "8.20")
        one.vector("raw", elements_of(data, 7, sizes, strides, 0), [READ, VALUES],
                   "Sizes %s with strides %s." % (sizes, strides), tensor="spare",
                   **{"as": "raw"})


def vectors(suite):
    pieces(suite)
    last_piece(suite)
    every_dtype(suite)
    headers(suite)
    all_of_them(suite)
    members(suite)
    deflated(suite)
