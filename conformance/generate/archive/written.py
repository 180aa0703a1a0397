"""Archives as the releases of PyTorch write them, byte for byte (SPEC 8.8): the two zips, the
serialization id, state as members of bytes and state that is pickled.
"""

import struct
import zlib
from collections import OrderedDict

from format.document import Document
from format.history import VERSIONS
from format.writer import Writer
from generate.archive import zips
from generate.archive.pickles import STORAGES, number, numbers

LATEST = VERSIONS["8.20"]
FULL = 0xFFFF  # members, from which on zip64 says how many
UNIX = {"system": 3, "attributes": 0o600 << 16}
TORCH = {1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32",
         8: "float64", 9: "complex32", 10: "complex64", 11: "complex128", 12: "bool",
         13: "bfloat16", 28: "uint16", 29: "float8_e4m3fn", 30: "float8_e5m2",
         31: "float8_e4m3fnuz", 32: "float8_e5m2fnuz", 33: "float8_e8m0fnu", 34: "uint32",
         35: "uint64"}
BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 2, 7: 4, 8: 8, 9: 4, 10: 8, 11: 16, 12: 1, 13: 2, 28: 2,
         29: 1, 30: 1, 31: 1, 32: 1, 33: 1, 34: 4, 35: 8}
WITH_GRADIENTS = (6, 7, 8, 9, 10, 11, 13)

# ---- zips -------------------------------------------------------------------------


def in_folder(name, data):
    """A member of PyTorch's writer."""
    return zips.written(name, data) if data else zips.member(name, data, flags=zips.UTF8,
                                                             aligned=True)


def dated(header, place, said):
    """A header with another time and date."""
    return header if said is None else header[:place] + struct.pack("<I", said) + header[place + 4:]


def zipped(files, pt2, dates=()):
    """Pairs of names and bytes, in a time that grows as they do. dates: of the first ones."""
    data, entries, at, dates = [], [], 0, list(dates)
    for i, (name, content) in enumerate(files):
        each = in_folder(name, content) if pt2 else zips.member(name, content, central=UNIX)
        date = dates[i] if i < len(dates) else None
        entries.append(dated(zips.central_header(each, at), 12, date))
        data += [dated(zips.local_header(each, at), 10, date), zips.packed(each),
                 zips.descriptor(each)]
        at += sum(len(piece) for piece in data[-3:])
    directory = b"".join(entries)
    count = len(entries)
    maker = zips.WRITER if pt2 else zips.ZIP64
    large = zips.large_end_of(count, len(directory), at, maker) if pt2 or count > FULL else b""
    return b"".join(data) + directory + large + zips.end_of(min(count, FULL), len(directory), at,
                                                            b"")


# ---- the serialization id, 8.2.1 --------------------------------------------------

MASK = (1 << 64) - 1
BUCKETS = (13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229)


def combined(hashes):
    made = 0
    for each in hashes:
        made ^= (each + 0x9E3779B9 + made * 64 + made // 4) & MASK
    return made


def murmur(data):
    """MurmurHash64A."""
    factor, made = 0xC6A4A7935BD1E995, 0xC70F6907 ^ len(data) * 0xC6A4A7935BD1E995 & MASK
    whole = len(data) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", data[:whole]):
        word = word * factor & MASK
        made = (made ^ (word ^ word >> 47) * factor & MASK) * factor & MASK
    if len(data) > whole:
        made = (made ^ int.from_bytes(data[whole:], "little")) * factor & MASK
    made = (made ^ made >> 47) * factor & MASK
    return made ^ made >> 47


def set_order(hashes):
    """The order in which a set gives them: the bucket that came last first, and in it what came
    last."""
    order, room = [], 1

    def linked(elements, room):
        buckets = OrderedDict()
        for each in elements:
            buckets.setdefault(each % room, []).append(each)
        return buckets

    def listed(buckets):
        return [each for bucket in reversed(buckets.values()) for each in reversed(bucket)]
    buckets = linked(order, room)
    for count, each in enumerate(hashes, 1):
        if count == 1 or count > room:
            room = next(size for size in BUCKETS if size > room)
            buckets = linked(listed(buckets), room)
        buckets.setdefault(each % room, []).append(each)
    return listed(buckets)


def serialization_id(files):
    """Of members by their names without the folder."""
    sums = []
    for _, data in files:
        if data[:4] == b"PK\7\10" and len(data) >= 8:
            sums.append(int.from_bytes(data[4:8], "little"))
        if data:
            sums.append(zlib.crc32(data))
    first = combined(set_order([murmur(name.encode("utf-8")) for name, _ in files]))
    return b"%020d%020d" % (first, combined(sums))


# ---- state ------------------------------------------------------------------------


class Tensor:
    """One of a program, in a storage of its own. data: its elements, the last index first."""

    def __init__(self, name, role, meta, data):
        self.name, self.role, self.meta, self.data = name, role, meta, data

    @property
    def dtype(self):
        return self.meta["dtype"]

    def stored(self):
        """The storage: the elements where the strides say, and zeros between them."""
        sizes, strides, width = self.meta["sizes"], self.meta["strides"], BYTES[self.dtype]
        if 0 in sizes:
            return b""
        last = self.meta["storage_offset"] + sum((a - 1) * b for a, b in zip(sizes, strides))
        made = bytearray((last + 1) * width)
        for i, place in enumerate(places(sizes, strides)):
            at = (self.meta["storage_offset"] + place) * width
            made[at:at + width] = self.data[i * width:(i + 1) * width]
        return bytes(made)


def places(sizes, strides):
    """Where the elements are, the last index first."""
    if not sizes:
        return [0]
    rest = places(sizes[1:], strides[1:])
    return [i * strides[0] + place for i in range(sizes[0]) for place in rest]


def raw_config(entries):
    """Of pairs of a path and a Tensor."""
    said = {tensor.name: {"path_name": path, "is_param": tensor.role == "parameter",
                          "use_pickle": False, "tensor_meta": tensor.meta}
            for path, tensor in entries}
    filled = Writer(LATEST).filled(LATEST.types["PayloadConfig"], {"config": said})
    return Document(filled).text.encode("utf-8")


def raw_state(tensors, folder, prefix, apart, first=0, program="model"):
    """Members, by numbers from the first on, and their config. apart: of 8.14, where each tensor
    has a member; later those without bytes share one, behind the first of them."""
    groups = OrderedDict()
    for i, tensor in enumerate(tensors):
        data = tensor.stored()
        key = i if data or apart else ("none", tensor.dtype)
        groups.setdefault(key, (data, []))[1].append(tensor)
    files, entries = [], []
    for i, (data, members) in enumerate(groups.values(), first):
        files.append(("data/%s/%s_%d" % (folder, prefix, i), data))
        entries += [("%s_%d" % (prefix, i), tensor) for tensor in members]
    return files + [("data/%s/%s_%s_config.json" % (folder, program, folder), raw_config(entries))]


# ---- what torch.save pickles, 8.8.3 -----------------------------------------------


class Pickler:
    """Opcodes with their puts. A known value is put once, and got afterwards."""

    def __init__(self):
        self.data, self.count, self.known = [b"\x80\x02"], 0, {}

    def code(self, data):
        self.data.append(data)

    def put(self):
        small = self.count < 256
        self.code(b"q" + bytes([self.count]) if small else b"r" + struct.pack("<I", self.count))
        self.count += 1

    def text(self, value):
        data = value.encode("utf-8")
        self.code(b"X" + struct.pack("<I", len(data)) + data)
        self.put()

    def once(self, key, write):
        if key in self.known:
            at = self.known[key]
            self.code(b"h" + bytes([at]) if at < 256 else b"j" + struct.pack("<I", at))
        else:
            write()
            self.known[key] = self.count - 1

    def known_text(self, value):
        self.once(("text", value), lambda: self.text(value))

    def imported(self, module, name):
        def write():
            self.code(b"c%s\n%s\n" % (module.encode(), name.encode()))
            self.put()
        self.once((module, name), write)

    def numbers(self, values):
        self.code(numbers(values))
        if values:
            self.put()

    def ordered(self):
        self.imported("collections", "OrderedDict")
        self.code(b")R")
        self.put()

    def reduced(self, tuple_code):
        self.code(tuple_code)
        self.put()
        self.code(b"R")
        self.put()

    def storage(self, key, tensor, untyped):
        dtype, data = tensor.dtype, tensor.stored()
        self.code(b"(")
        self.known_text("storage")
        if untyped:
            self.imported("torch.storage", "UntypedStorage")
        else:
            self.imported("torch", STORAGES[dtype] + "Storage")
        self.text(key)
        self.known_text("cpu")
        self.code(number(len(data) // (1 if untyped else BYTES[dtype])) + b"t")
        self.put()
        self.code(b"Q")

    def tensor(self, key, tensor, gradient):
        untyped = tensor.dtype not in STORAGES
        self.imported("torch._utils", "_rebuild_tensor_v3" if untyped else "_rebuild_tensor_v2")
        self.code(b"(")
        self.storage(key, tensor, untyped)
        self.code(number(tensor.meta["storage_offset"]))
        self.numbers(tensor.meta["sizes"])
        self.numbers(tensor.meta["strides"])
        self.code(b"\x88" if gradient else b"\x89")
        self.ordered()
        if untyped:
            self.imported("torch", TORCH[tensor.dtype])
        self.reduced(b"t")

    def parameter(self, key, tensor, gradient):
        self.imported("torch._utils", "_rebuild_parameter")
        self.tensor(key, tensor, False)
        self.code(b"\x88" if gradient else b"\x89")
        self.ordered()
        self.reduced(b"\x87")

    def items(self, items, alone):
        """Batches of 1,000. alone: what is one in its batch is set by itself."""
        for at in range(0, max(len(items), 1), 1000):
            batch = items[at:at + 1000]
            if len(batch) == 1 and (alone or len(items) == 1):
                batch[0]()
                self.code(b"s")
            elif batch:
                self.code(b"(")
                for write in batch:
                    write()
                self.code(b"u")
        if items and len(items) % 1000 == 0 and not alone:
            self.code(b"(u")


class Style:
    """How a release pickles."""

    def __init__(self, kind, by_module=False, buffers_first=False, always=False, by_key=False,
                 marked=False):
        self.kind, self.by_module, self.buffers_first = kind, by_module, buffers_first
        self.always, self.by_key, self.marked = always, by_key, marked


STYLES = (  # since, 8.8.2
    ("1", Style("ordered", always=True, by_key=True)),
    ("2", Style("dict", always=True, by_key=True)),
    ("5.1", Style("modules", True, True, True, True)),
    ("7.3", Style("dict", True, True, by_key=True)),
    ("8.2", Style("dict", buffers_first=True, by_key=True)),
    ("8.7", Style("dict", buffers_first=True, marked=True)),
    ("8.8", Style("dict", marked=True)),
)


def since(version, first):
    order = list(VERSIONS)
    return order.index(version) >= order.index(first)


def style_of(version):
    return [style for first, style in STYLES if since(version, first)][-1]


def module_of(name):
    return name.rpartition(".")[0]


def by_module(tensors):
    """Parameters, buffers, then the modules in it, each where its first tensor is."""
    def ordered(inside, path):
        own = [each for each in inside if module_of(each.name) == path]
        made = [each for role in ("parameter", "buffer") for each in own if each.role == role]
        below = OrderedDict()
        for each in inside:
            if module_of(each.name) != path:
                rest = each.name[len(path) + 1 if path else 0:]
                below.setdefault((path + "." if path else "") + rest.split(".")[0],
                                 []).append(each)
        for name, members in below.items():
            made += ordered(members, name)
        return made
    return ordered(tensors, "")


def modules_of(tensors):
    """All modules on the way to a tensor, each where it comes first."""
    made = OrderedDict({"": None})
    for each in tensors:
        steps = each.name.split(".")[:-1]
        for i in range(len(steps)):
            made.setdefault(".".join(steps[:i + 1]))
    return list(made)


def pickled_state(tensors, style, weights):
    """(data.pkl, storages)."""
    made = Pickler()
    kind = style.kind if weights else "dict"
    if kind == "dict":
        made.code(b"}")
        made.put()
    else:
        made.ordered()

    def item(i, tensor):
        def write():
            made.text(tensor.name)
            gradient = tensor.meta["requires_grad"] or (
                style.always and tensor.role == "parameter" and tensor.dtype in WITH_GRADIENTS)
            if tensor.role == "parameter":
                made.parameter(str(i), tensor, gradient)
            else:
                made.tensor(str(i), tensor, tensor.meta["requires_grad"])
        return write
    made.items([item(i, tensor) for i, tensor in enumerate(tensors)], kind != "dict")
    if kind == "modules":
        put_modules(made, tensors)
    made.code(b".")
    return b"".join(made.data), [(str(i), each.stored()) for i, each in enumerate(tensors)]


def put_modules(made, tensors):
    tracked = {module_of(each.name) for each in tensors
               if each.name.split(".")[-1] == "num_batches_tracked"}

    def module(path):
        def write():
            made.text(path)
            made.code(b"}")
            made.put()
            made.known_text("version")
            made.code(number(2 if path in tracked else 1) + b"s")
        return write
    made.code(b"}")
    made.put()
    made.text("_metadata")
    made.ordered()
    made.items([module(path) for path in modules_of(tensors)], True)
    made.code(b"sb")


def saved_state(tensors, style, weights):
    """The archive that torch.save makes of it."""
    pickle, storages = pickled_state(tensors, style, weights)
    files = [("data.pkl", pickle)]
    if style.marked:
        files += [(".format_version", b"1"), (".storage_alignment", b"64")]
    files.append(("byteorder", b"little"))
    files += [("data/" + key, data)
              for key, data in (sorted(storages) if style.by_key else storages)]
    files.append(("version", b"3\n"))
    files.append((".data/serialization_id", serialization_id(files)))
    return zipped([("archive/" + name, data) for name, data in files], True)


# ---- archives ---------------------------------------------------------------------

PARTS = (  # since, weights, constants, sample inputs: of the flat layout
    ("1", "serialized_state_dict.json", None, None),
    ("2", "serialized_state_dict.json", "serialized_constants.json", None),
    ("5.1", "serialized_state_dict.pt", "serialized_constants.pt", None),
    ("5.3", "serialized_state_dict.pt", "serialized_constants.pt", "serialized_example_inputs.pt"),
)
PROGRAM = "serialized_exported_program.json"


def parts_of(version):
    return [row for row in PARTS if since(version, row[0])][-1][1:]


def sorted_out(tensors, style):
    """Weights and constants, each in the order of the release."""
    def having(*roles):
        return [each for role in roles for each in tensors if each.role == role]
    weights = having("parameter", "buffer")
    if style is not None and style.by_module:
        weights = by_module(weights)
    turned = style is not None and style.buffers_first
    return weights, having(*(("unsaved", "constant") if turned else ("constant", "unsaved")))


def packed(*what, **said):
    return zipped(*laid_out(*what, **said))


def laid_out(version, program, tensors=(), extras=(), inputs=b"", folder="archive"):
    """The members of the archive of a program, and whether they are in a folder. extras: pairs of
    names and bytes."""
    raw = since(version, "8.14")
    style = None if raw else style_of(version)
    weights, constants = sorted_out(tensors, style)
    if not since(version, "8.8"):
        names = parts_of(version)
        files = [(PROGRAM, program), (names[0], saved_state(weights, style, True))]
        files += [(names[1], saved_state(constants, style, False))] if names[1] else []
        files += [(names[2], inputs)] if names[2] else []
        files.append(("version", VERSIONS[version].number.encode("ascii")))
        return files + [("extra_files/" + name, data) for name, data in extras], False
    if raw:
        apart = not since(version, "8.15")
        files = raw_state(weights, "weights", "weight", apart)
        files += raw_state(constants, "constants", "tensor", apart)
        files.append(("models/model.json", program))
    else:
        files = [("models/model.json", program),
                 ("data/weights/model.pt", saved_state(weights, style, True)),
                 ("data/constants/model.pt", saved_state(constants, style, False))]
    files.append(("data/sample_inputs/model.pt", inputs))
    files += [("extra/" + name, data) for name, data in extras]
    files += [("archive_format", b"pt2"), ("archive_version", b"0"), (".data/version", b"6\n"),
              ("byteorder", b"little")]
    files.append((".data/serialization_id", serialization_id(files)))
    return [(folder + "/" + name, data) for name, data in files], True


# ---- files of tensors -------------------------------------------------------------

SAFE = {1: "U8", 2: "I8", 3: "I16", 4: "I32", 5: "I64", 6: "F16", 7: "F32", 8: "F64", 10: "C64",
        12: "BOOL", 13: "BF16", 28: "U16", 29: "F8_E4M3", 30: "F8_E5M2", 31: "F8_E4M3FNUZ",
        32: "F8_E5M2FNUZ", 33: "F8_E8M0", 34: "U32", 35: "U64"}
SAFE_ORDER = (35, 5, 8, 10, 7, 34, 4, 13, 6, 28, 3, 32, 31, 33, 29, 30, 2, 1, 12)
NPY = {1: "|u1", 2: "|i1", 3: "<i2", 4: "<i4", 5: "<i8", 6: "<f2", 7: "<f4", 8: "<f8", 10: "<c8",
       11: "<c16", 12: "|b1", 28: "<u2", 34: "<u4", 35: "<u8"}


def quoted(text):
    """A name as the index of safetensors has it, with the escapes that it needs."""
    escapes = {'"': '\\"', "\\": "\\\\"}
    return '"%s"' % "".join(escapes.get(c, c if c >= " " else "\\u%04x" % ord(c)) for c in text)


def indexed(text, data=b""):
    """A file of safetensors, of the text of its index."""
    text = text if isinstance(text, bytes) else text.encode("utf-8")
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def safetensors(tensors):
    """Of triples: name, dtype, sizes and bytes."""
    order = sorted(tensors, key=lambda each: (SAFE_ORDER.index(each[1]), each[0].encode("utf-8")))
    at, entries, data = 0, [], b""
    for name, dtype, sizes, elements in order:
        entries.append('%s:{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}' % (
            quoted(name), SAFE[dtype], ",".join(map(str, sizes)), at, at + len(elements)))
        at, data = at + len(elements), data + elements
    return indexed("{%s}" % ",".join(entries), data)


def npy(dtype, sizes, data):
    shape = "(%s,)" % sizes[0] if len(sizes) == 1 else "(%s)" % ", ".join(map(str, sizes))
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (NPY[dtype], shape)
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode("ascii") + data
