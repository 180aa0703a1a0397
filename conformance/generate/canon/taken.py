"""Tensors that version 1 has inside the document (SPEC 7.7.5), by the canonical forms of their
programs (6.1.3): what torch.save writes of a plain tensor, opcode by opcode, has the type that
the pickle says; where anything is otherwise, the type is the one that the document has.
"""

import base64
import struct
from collections import OrderedDict

from generate.archive.pickles import STORAGES, several
from generate.archive.zips import DEFLATED, archive, both, member
from generate.canon.beyond import Rewritten
from generate.canon.forms import LATEST, Forms, op, program, text_of
from generate.whole import meta, spec

LABEL, CLAUSE = "taken", "7.7.5"
FLOAT, INT = 7, 4
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 2, 7: 4, 8: 8, 10: 8, 11: 16, 12: 1, 13: 2}
MOST = (1 << 63) - 1
FAR = 1 << 40


# ---- pickles ------------------------------------------------------------------------


def global_of(module, name):
    return b"c%s\n%s\n" % (module, name)


def text(value):
    return b"X" + struct.pack("<I", len(value)) + value


def long1(value, size):
    return b"\x8a" + bytes([size]) + value.to_bytes(size, "little", signed=True)


def number(value):
    """As Python's pickle writes it."""
    if value < 256:
        return b"K" + bytes([value])
    if value < 65536:
        return b"M" + struct.pack("<H", value)
    if value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    return long1(value, value.bit_length() // 8 + 1)


def put(at):
    return b"q" + bytes([at])


def long_put(at):
    return b"r" + struct.pack("<I", at)


def no_put(_):
    return b""


def numbers(*values, marked=None, ending=None, putting=put(20)):
    """A tuple. marked: whether a MARK is before it; ending: the opcode that makes it."""
    if not values and marked is None:
        return b")"
    marked = len(values) > 3 if marked is None else marked
    ending = ending or (b"t" if marked else b"\x85\x86\x87"[len(values) - 1:len(values)])
    made = b"".join(value if isinstance(value, bytes) else number(value) for value in values)
    return b"(" * marked + made + ending + putting


PARTS = ("proto", "rebuild", "put-rebuild", "mark", "mark-id", "storage", "put-storage", "class",
         "put-class", "key", "put-key", "device", "put-device", "count", "tuple-id", "put-id",
         "persid", "offset", "sizes", "strides", "grad", "ordered", "put-ordered", "no-arguments",
         "reduce-ordered", "put-dict", "tuple", "put-tuple", "reduce", "put-tensor", "stop")
PUTS = [part for part in PARTS if part.startswith("put-")]


def parts(sizes=(2, 3), strides=None, offset=0, count=6, dtype=FLOAT, key=b"0", grad=False,
          putting=put):
    """The pickle, by the names of its parts."""
    if strides is None:
        strides = meta(*sizes)["strides"]
    said = {
        "proto": b"\x80\2", "rebuild": global_of(b"torch._utils", b"_rebuild_tensor_v2"),
        "mark": b"(", "mark-id": b"(", "storage": text(b"storage"),
        "class": global_of(b"torch", STORAGES[dtype].encode() + b"Storage"), "key": text(key),
        "device": text(b"cpu"), "count": number(count), "tuple-id": b"t", "persid": b"Q",
        "offset": number(offset), "sizes": numbers(*sizes), "strides": numbers(*strides),
        "grad": b"\x88" if grad else b"\x89",
        "ordered": global_of(b"collections", b"OrderedDict"), "no-arguments": b")",
        "reduce-ordered": b"R", "tuple": b"t", "reduce": b"R", "stop": b"."}
    said.update((part, putting(at)) for at, part in enumerate(PUTS))
    return OrderedDict((part, said[part]) for part in PARTS)


def pickled(change=None, **said):
    made = parts(**said)
    made.update(change or {})
    return b"".join(made.values())


def saved(pickle, data=bytes(24), key="0", order=b"little", folder="archive", without=(), said=None,
          more=()):
    """The archive. said: {name: what zips.member is told}; without: names that are left out."""
    members = (("byteorder", order), ("data.pkl", pickle), ("data/" + key, data),
               ("version", b"3\n"))
    return archive(*[member("%s/%s" % (folder, name), held, **(said or {}).get(name, {}))
                     for name, held in members if name not in without], *more)


# ---- programs ------------------------------------------------------------------------


def holding(data, entry=None):
    """The program of version 1, with these bytes inside. entry: what the document says of them."""
    made = program("x", [op("aten.add.Tensor", "o", self="x", other="c")], "o")
    made.data["graph"]["constants"] = {"c": base64.b64encode(data).decode("ascii")}
    made.data["graph"]["tensor_values"].pop("c", None)
    if entry:
        made.data["graph"]["tensor_values"]["c"] = entry
    return made


def formed(entry):
    """Its form."""
    takes = [spec("tensor_constant", "v0", tensor_constant_name="c"), "v1"]
    return program(takes, [op("aten.add.Tensor", "v2", self="v1", other="v0")], "v2",
                   tensor_values={"v0": entry})


OTHER = meta(5, dtype=INT)  # what the document says, and no pickle here


class Taken:
    """The vectors, by what the tensor is."""

    def __init__(self, suite):
        self.on, self.labels = Rewritten(Forms(suite)), {}
        self.form(LABEL, OTHER)

    def form(self, label, entry):
        """The label of a form, which another tensor may have given it."""
        text = text_of(LATEST, formed(entry))
        if text not in self.labels:
            self.labels[text] = label
            self.on.put(label, text)
        return self.labels[text]

    def other(self, label, data, why):
        """Its type cannot be read."""
        self.vector(LABEL, label, data, why)

    def read(self, label, data, why, *sizes, **said):
        """Its type is this one."""
        form = self.form("%s-%s" % (LABEL, label), meta(*sizes, **said))
        self.vector(form, label, data, why)

    def same(self, label, data, why):
        """Its type is that of the plain one."""
        self.vector(LABEL + "-plain", label, data, why)

    def vector(self, form, label, data, why):
        self.on.to.other("rewritten-" + form, label, "1", text_of("1", holding(data, OTHER)),
                         ["6.1.1", "6.1.3", CLAUSE], why)


# ---- what can be read -------------------------------------------------------------------


def spelled(on):
    """One tensor in each spelling."""
    on.read("plain", saved(pickled()), "A plain tensor: its type is that of its pickle.", 2, 3)
    on.same("puts-none", saved(pickled(putting=no_put)), "Nothing is put into the memo.")
    on.same("puts-long", saved(pickled(putting=long_put)), "LONG_BINPUT alone.")
    for at, part in enumerate(PUTS):
        on.same("no-" + part, saved(pickled({part: b""})), "All but one are put into the memo.")
        on.same("only-" + part, saved(pickled({part: put(at)}, putting=no_put)),
                "One alone is put into the memo.")
        on.other("two-" + part, saved(pickled({part: put(at) * 2})),
                 "What is put into the memo twice.")
    for label, six in (("two", b"M\6\0"), ("four", b"J\6\0\0\0"),
                       *[("long-%d" % size, long1(6, size)) for size in range(1, 9)]):
        on.same("count-" + label, saved(pickled({"count": six})), "The count in another opcode.")
    for label, sizes in (("marked", numbers(2, 3, marked=True)),
                         ("long", numbers(long1(2, 3), long1(3, 8))),
                         ("four", numbers(b"J\2\0\0\0", b"M\3\0")),
                         ("put-none", numbers(2, 3, putting=b"")),
                         ("put-long", numbers(2, 3, putting=long_put(9)))):
        on.same("sizes-" + label, saved(pickled({"sizes": sizes})), "The sizes spelled otherwise.")
    on.same("more", saved(pickled(), more=[member("archive/x", b"ab"), member("y", b"")]),
            "Members that nobody asks for.")
    on.same("few", saved(pickled(), without=("version",)), "No version, which nobody asks for.")
    on.same("zip64", saved(pickled(), said={"data/0": {"zip64": True}}), "Sizes in 64 bits.")


def typed(on):
    for dtype, name in STORAGES.items():
        on.read("dtype-" + name, saved(pickled(dtype=dtype), bytes(6 * SIZES[dtype])),
                "A storage of %s." % name, 2, 3, dtype=dtype)
        on.other("dtype-%s-short" % name, saved(pickled(dtype=dtype), bytes(
            6 * SIZES[dtype] - 1)), "A storage of %s in a byte less." % name)
    on.read("grad", saved(pickled(grad=True)), "It requires a gradient.", 2, 3, requires_grad=True)
    on.read("key", saved(pickled(key="\u00e9/b".encode()), key="\u00e9/b"), "Any key.", 2, 3)


ONE = bytes(4)
SHAPES = (  # label, sizes, strides, offset, items of the storage
    ("scalar", (), (), 0, 1), ("scalar-last", (), (), 5, 6), ("one", (1,), (1,), 0, 1),
    ("ranks", (1, 2, 3), (6, 3, 1), 0, 6), ("rank-4", (1, 2, 1, 3), (6, 3, 3, 1), 0, 6),
    ("rank-5", (1, 1, 1, 1, 6), (6, 6, 6, 6, 1), 0, 6), ("rank-64", (1,) * 64, (1,) * 64, 0, 1),
    ("empty", (0,), (1,), 0, 0), ("empty-far", (2, 0), (9, 9), 99, 1),
    ("empty-first", (0, 3), (3, 1), 7, 6), ("last", (3,), (1,), 3, 6),
    ("steps", (2, 2), (3, 2), 0, 6), ("turned", (2, 3), (1, 2), 0, 6),
    ("repeated", (255,), (0,), 0, 1), ("repeated-two", (256,), (0,), 0, 1),
    ("repeated-two-last", (65535,), (0,), 0, 1), ("repeated-four", (65536,), (0,), 5, 6),
    ("repeated-four-last", ((1 << 31) - 1,), (0,), 0, 1), ("repeated-long", (1 << 31,), (0,), 0, 1),
    ("repeated-far", (FAR,), (0,), 0, 1), ("repeated-most", (MOST,), (0,), 0, 1),
    ("stride-unused", (1, 6), (MOST, 1), 0, 6), ("stride-far", (1,), (FAR,), 5, 6),
)
UNFIT = (
    ("scalar", (), (), 1, 1), ("scalar-none", (), (), 0, 0), ("scalar-far", (), (), MOST, 6),
    ("size", (7,), (1,), 0, 6), ("offset", (3,), (1,), 4, 6), ("offset-end", (1,), (1,), 6, 6),
    ("steps", (2, 2), (4, 2), 0, 6), ("steps-last", (2, 2), (3, 3), 0, 6),
    ("steps-second", (1, 2, 2), (9, 1, 5), 0, 6), ("stride", (2,), (6,), 0, 6),
    ("stride-far", (2,), (MOST,), 0, 6), ("strides-wrap", (2, 2, 2), (MOST, MOST, 2), 0, 6),
    ("size-wrap", (MOST, 2), (2, 2), 0, 6), ("repeated", (9,), (0,), 1, 1),
    ("offset-wrap", (1,), (1,), 1 << 62, 6), ("stride-wrap", (5,), (1 << 62,), 0, 6),
    ("size-most", (MOST,), (1,), 5, 6), ("size-most-second", (1, MOST), (1, 1), 5, 6),
)


def shaped(on):
    for label, sizes, strides, offset, count in SHAPES:
        on.read("shape-" + label, saved(pickled(
            sizes=sizes, strides=strides, offset=offset, count=count), bytes(4 * count)),
            "Every item is one of the storage.", *sizes, strides=list(strides),
            storage_offset=offset)
    for label, sizes, strides, offset, count in UNFIT:
        on.other("unfit-" + label, saved(pickled(
            sizes=sizes, strides=strides, offset=offset, count=count), bytes(4 * count)),
            "An item lies beyond the storage.")
    on.other("rank-65", saved(pickled(sizes=(1,) * 65, strides=(1,) * 65, count=1), bytes(4)),
             "More dimensions than a payload may have (8.3.3).")


# ---- what cannot ------------------------------------------------------------------------

CHANGES = (  # label, parts that are others, why
    ("proto-none", {"proto": b""}, "No protocol."), ("proto-3", {"proto": b"\x80\3"}, "Protocol 3."),
    ("proto-1", {"proto": b"\x80\1"}, "Protocol 1."),
    ("function", {"rebuild": global_of(b"torch._utils", b"_rebuild_tensor_v3")},
     "Another function."),
    ("function-short", {"rebuild": global_of(b"torch._utils", b"_rebuild_tensor")},
     "A shorter name of the function."),
    ("module", {"rebuild": global_of(b"torch._util", b"_rebuild_tensor_v2")}, "Another module."),
    ("global-cut", {"rebuild": b"ctorch._utils\n_rebuild_tensor_v2"}, "A line that does not end."),
    ("mark", {"mark": b""}, "No mark."), ("mark-id", {"mark-id": b""}, "No mark before the id."),
    ("id-other", {"storage": text(b"Storage")}, "A persistent id of another kind."),
    ("id-longer", {"storage": text(b"storages")}, "A longer word."),
    ("id-short", {"storage": b"\x8c\7storage"}, "SHORT_BINUNICODE."),
    ("class-module", {"class": global_of(b"torch.storage", b"FloatStorage")}, "Another module."),
    ("class-none", {"class": global_of(b"torch", b"FloatStorages")}, "No storage."),
    ("class-tensor", {"class": global_of(b"torch", b"FloatTensor")}, "No storage."),
    ("class-half", {"class": global_of(b"torch", b"ComplexHalfStorage")},
     "A dtype whose storages torch.save does not name."),
    ("class-untyped", {"class": global_of(b"torch", b"UntypedStorage")}, "An untyped storage."),
    ("class-quantized", {"class": global_of(b"torch", b"QInt8Storage")}, "A quantized one."),
    ("class-dtype", {"class": global_of(b"torch", b"float32")}, "A dtype."),
    ("key-other", {"key": text(b"1")}, "The key of a storage that is not there."),
    ("key-longer", {"key": text(b"00")}, "A longer key."),
    ("device-cuda", {"device": text(b"cuda:0")}, "Another device."),
    ("device-index", {"device": text(b"cpu:0")}, "A device with a number."),
    ("device-empty", {"device": text(b"")}, "No device."),
    ("count-less", {"count": number(5)}, "The count is an item less."),
    ("count-more", {"count": number(7)}, "The count is an item more."),
    ("count-negative", {"count": b"J\xfa\xff\xff\xff"}, "A count below 0."),
    ("count-wrap", {"count": number((1 << 62) + 6)}, "2^62 floats more, which are 2^64 bytes."),
    ("count-float", {"count": b"G" + bytes(8)}, "A count that is a float."),
    ("count-line", {"count": b"I6\n"}, "A count in a line."),
    ("count-long4", {"count": b"\x8b\1\0\0\0\6"}, "A count by LONG4."),
    ("count-none", {"count": b"N"}, "No count."),
    ("tuple-id", {"tuple-id": b"\x85"}, "The id is a tuple of one."),
    ("persid", {"persid": b"R"}, "No persistent id."), ("persid-none", {"persid": b""}, "No id."),
    ("offset-negative", {"offset": b"J\xff\xff\xff\xff"}, "An offset below 0."),
    ("offset-long-negative", {"offset": b"\x8a\1\xff"}, "An offset below 0, by LONG1."),
    ("offset-long-two", {"offset": b"\x8a\2\0\x80"}, "An offset far below 0, by LONG1."),
    ("offset-lowest", {"offset": b"\x8a\x08" + bytes(7) + b"\x80"}, "The lowest of all offsets."),
    ("offset-nine", {"offset": long1(1 << 64, 9)}, "An offset of 2^64."),
    ("offset-nine-small", {"offset": long1(0, 9)}, "An offset of 0, in nine bytes."),
    ("count-nine", {"count": long1(6, 9)}, "The count, in nine bytes."),
    ("offset-long-none", {"offset": b"\x8a\0"}, "An offset of 0, in no bytes."),
    ("offset-memo", {"offset": b"h\0"}, "An offset that is taken from the memo."),
    ("sizes-open", {"sizes": number(2) + number(3) + b"\x88"}, "A bool where the sizes end."),
    ("offset-bytes", {"offset": b"\x8a\x09"}, "An offset whose bytes are not there."),
    ("offset-none", {"offset": b""}, "No offset."), ("offset-bool", {"offset": b"\x89"}, "A bool."),
    ("sizes-negative", {"sizes": numbers(b"J\xff\xff\xff\xff", 3)}, "A size below 0."),
    ("sizes-ending", {"sizes": numbers(2, 3, ending=b"\x85")}, "A tuple of one."),
    ("sizes-ending-more", {"sizes": numbers(2, 3, ending=b"\x87")}, "A tuple of three."),
    ("sizes-mark", {"sizes": numbers(2, 3, marked=True, ending=b"\x86")}, "A mark that is left."),
    ("sizes-no-mark", {"sizes": numbers(2, 3, ending=b"t")}, "No mark before the sizes."),
    ("sizes-list", {"sizes": numbers(2, 3, marked=True, ending=b"l")}, "A list."),
    ("sizes-put", {"sizes": b")" + put(9), "strides": b")"}, "No sizes, put into the memo."),
    ("sizes-text", {"sizes": numbers(text(b"2"), 3)}, "A size that is a text."),
    ("sizes-more", {"sizes": numbers(1, 2, 3)}, "Three sizes, two strides."),
    ("strides-more", {"strides": numbers(3, 3, 1)}, "Two sizes, three strides."),
    ("strides-none", {"strides": b")"}, "No strides."),
    ("strides-negative", {"strides": numbers(3, b"\x8a\1\xff")}, "A stride below 0."),
    ("grad-number", {"grad": b"K\1"}, "requires_grad is a number."),
    ("grad-none", {"grad": b"N"}, "requires_grad is None."),
    ("grad-near", {"grad": b"\x87"}, "requires_grad is a tuple."),
    ("grad-behind", {"grad": b"\x8a"}, "requires_grad is cut off."),
    ("hooks-module", {"ordered": global_of(b"collection", b"OrderedDict")}, "Another module."),
    ("hooks-name", {"ordered": global_of(b"collections", b"OrderedDicts")}, "Another class."),
    ("hooks-dict", {"ordered": b"}", "no-arguments": b"", "reduce-ordered": b""}, "A dict."),
    ("hooks-called", {"no-arguments": b"]\x85"}, "Other arguments."),
    ("hooks-class", {"no-arguments": b"", "reduce-ordered": b""}, "The class alone."),
    ("hooks-reduce", {"reduce-ordered": b"b"}, "Another opcode."),
    ("tuple", {"tuple": b"l"}, "The arguments are a list."),
    ("reduce", {"reduce": b"\x81"}, "Another opcode."), ("reduce-none", {"reduce": b""}, "No call."),
    ("stop-none", {"stop": b""}, "It does not end."), ("behind", {"stop": b"..."}, "It goes on."),
    ("behind-zero", {"stop": b".\0"}, "A zero byte behind it."),
    ("more", {"tuple": b"Nt"}, "An argument more."),
    ("memo", {"put-tensor": b"\x94"}, "MEMOIZE."),
    ("put-line", {"put-tensor": b"p1\n"}, "PUT, in a line."),
)


def changed(on):
    for label, change, why in CHANGES:
        on.other("pickle-" + label, saved(pickled(change)), why)
    for label, one in (("binint", b"J\xff\xff\xff\xff"), ("long1", b"\x8a\1\xff"),
                       ("long4", b"\x8a\4\0\0\0\x80"), ("long8", b"\x8a\x08" + b"\xff" * 8)):
        on.other("pickle-size-" + label, saved(pickled(
            {"sizes": numbers(one), "strides": numbers(0)})), "A size below 0, by no steps.")
    long = pickled({"offset": long1(0, 1)})
    at = long.index(b"Q\x8a") + 2
    for size in (at, at + 1):
        on.other("cut-long-%d" % (size - at), saved(long[:size]), "A number is cut off.")
    whole = pickled()
    for size in range(0, len(whole), 9):
        on.other("cut-%d" % size, saved(whole[:size]), "The pickle is cut off.")


def archives(on):
    data = saved(pickled())
    deflated = {"method": DEFLATED}
    for label, made, why in (
            ("empty", b"", "No bytes."), ("cut", data[:-1], "The archive lacks its last byte."),
            ("behind", data + b"\0", "A byte behind the archive."),
            ("bare", pickled(), "A bare pickle."),
            ("folder", saved(pickled(), folder="archives"), "Another folder."),
            ("folder-none", saved(pickled(), folder="a"), "Another folder."),
            ("no-pickle", saved(pickled(), without=("data.pkl",)), "There is no data.pkl."),
            ("pickle-empty", saved(b""), "data.pkl has no bytes."),
            ("no-order", saved(pickled(), without=("byteorder",)), "There is no byteorder."),
            ("order-big", saved(pickled(), order=b"big"), "The byte order is big."),
            ("order-line", saved(pickled(), order=b"little\n"), "A line feed behind it."),
            ("order-short", saved(pickled(), order=b"littl"), "A letter less."),
            ("order-far", saved(pickled(), order=b"little" + b" " * 20), "Much behind it."),
            ("no-storage", saved(pickled(), without=("data/0",)), "There is no storage."),
            ("no-storage-empty", saved(pickled(sizes=(0,), strides=(1,), count=0), b"",
                                       without=("data/0",)),
             "There is no storage, of which the pickle says that it has no items."),
            ("storage-short", saved(pickled(), bytes(23)), "A byte less."),
            ("storage-long", saved(pickled(), bytes(25)), "A byte more."),
            ("storage-longer", saved(pickled(), bytes(28)), "An item more."),
            ("storage-none", saved(pickled(), b""), "No bytes in the storage."),
            ("checksum-storage", saved(pickled(), said={"data/0": both(crc=1)}),
             "The checksum of the storage is another."),
            ("checksum-pickle", saved(pickled(), said={"data.pkl": both(crc=1)}),
             "The checksum of data.pkl is another."),
            ("checksum-order", saved(pickled(), said={"byteorder": both(crc=1)}),
             "The checksum of the byte order is another."),
            ("deflated-storage", saved(pickled(), said={"data/0": deflated}),
             "The storage is deflated."),
            ("deflated-pickle", saved(pickled(), said={"data.pkl": deflated}),
             "data.pkl is deflated."),
            ("deflated-order", saved(pickled(), said={"byteorder": deflated}),
             "The byte order is deflated.")):
        on.other("archive-" + label, made, why)


def vectors(suite):
    on = Taken(suite)
    for part in (spelled, typed, shaped, changed, archives):
        part(on)
