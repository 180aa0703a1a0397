"""What torch.save writes: a pickle, opcode by opcode, in a zip archive of its own with a
member for each storage.  A value is the bytes of the opcodes that leave it on the stack.
"""

import struct

from generate.archive.zips import archive, member

PROTOCOL = 2  # that torch.save has, unless it is told
STORAGES = {1: "Byte", 2: "Char", 3: "Short", 4: "Int", 5: "Long", 6: "Half", 7: "Float",
            8: "Double", 10: "ComplexFloat", 11: "ComplexDouble", 12: "Bool", 13: "BFloat16"}

# ---- plain values -----------------------------------------------------------------

NONE, TRUE, FALSE = b"N", b"\x88", b"\x89"
EMPTY_TUPLE, EMPTY_LIST = b")", b"]"
DROP = b"0"  # the opcode POP: what stands before it is thrown away
TUPLES = {0: b")", 1: b"\x85", 2: b"\x86", 3: b"\x87"}


def text(value):
    data = value.encode("utf-8")
    return b"X" + struct.pack("<I", len(data)) + data


def boolean(value):
    return TRUE if value else FALSE


def number(value):
    """As Python's pickle module has it at protocol 2."""
    if 0 <= value < 256:
        return b"K" + bytes([value])
    if 0 <= value < 65536:
        return b"M" + struct.pack("<H", value)
    if -(1 << 31) <= value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def several(*items):
    """A tuple."""
    if len(items) < 4:
        return b"".join(items) + TUPLES[len(items)]
    return b"(" + b"".join(items) + b"t"


def listed(*items):
    return b"](" + b"".join(items) + b"e"


def dictionary(*pairs):
    """Of (text, value)."""
    if not pairs:
        return b"}"
    return b"}(" + b"".join(text(key) + value for key, value in pairs) + b"u"


def imported(path):
    """A class or a function: `torch._utils:_rebuild_tensor_v2`."""
    module, name = path.split(":")
    return b"c" + module.encode("utf-8") + b"\n" + name.encode("utf-8") + b"\n"


def called(function, *arguments):
    return (imported(function) if isinstance(function, str) else function) + several(
        *arguments) + b"R"


def ordered(*pairs):
    """An OrderedDict."""
    made = called("collections:OrderedDict")
    return made + (b"(" + b"".join(text(key) + value for key, value in pairs) + b"u" if pairs
                   else b"")


def pickled(value, protocol=PROTOCOL):
    """One whole pickle; without a protocol it is one of protocol 0 or 1."""
    return (b"" if protocol is None else b"\x80" + bytes([protocol])) + value + b"."


def framed(data, more=0):
    """In a frame of protocol 4, which says so many bytes more than there are."""
    return b"\x95" + struct.pack("<Q", len(data) + 1 + more) + data  # the end is in it


def in_lines():
    """A float of a storage, as protocol 0 writes values: in lines."""
    def line(code, said):
        return code + said + b"\n"
    held = (b"(" + line(b"V", b"storage") + imported("torch:FloatStorage") + line(b"S", b"'0'")
            + line(b"S", b'"cpu"') + line(b"I", b"8") + b"tQ")
    sizes = b"(" + line(b"L", b"1L") + line(b"I", b"1") + b"tp0\n"
    strides = b"(" + line(b"I", b"90") + line(b"L", b"12L") + b"t"
    return (imported("torch._utils:_rebuild_tensor_v2") + b"(" + held + line(b"I", b"7") + sizes
            + strides + line(b"I", b"00") + b"g0\ntR")


# ---- tensors ----------------------------------------------------------------------


def storage(key, count, dtype=7, location="cpu", kind=None):
    """By its persistent id. kind: its class, if it is not that of the dtype."""
    kind = kind or "torch:%sStorage" % STORAGES[dtype]
    return several(text("storage"), imported(kind), text(key), text(location),
                   number(count)) + b"Q"


UNTYPED = "torch.storage:UntypedStorage"


def numbers(values):
    return several(*[number(value) for value in values])


def contiguous(sizes):
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.insert(0, stride)
        stride *= max(size, 1)
    return strides


def tensor(held, sizes, strides=None, offset=0, grad=False, hooks=None, more=()):
    """held: its storage."""
    strides = contiguous(sizes) if strides is None else strides
    return called("torch._utils:_rebuild_tensor_v2", held, number(offset), numbers(sizes),
                  numbers(strides), boolean(grad), ordered() if hooks is None else hooks, *more)


def tensor_of_dtype(held, dtype, sizes, offset=0, grad=False):
    """Of an untyped storage; dtype: `torch:uint16`."""
    return called("torch._utils:_rebuild_tensor_v3", held, number(offset), numbers(sizes),
                  numbers(contiguous(sizes)), boolean(grad), ordered(), imported(dtype))


def meta_tensor(sizes, grad=False, dtype="torch:float32"):
    return called("torch._utils:_rebuild_meta_tensor_no_storage", imported(dtype), numbers(sizes),
                  numbers(contiguous(sizes)), boolean(grad))


def sparse_tensor(indices, values, sizes):
    layout = called("torch.serialization:_get_layout", text("torch.sparse_coo"))
    return called("torch._utils:_rebuild_sparse_tensor", layout,
                  several(indices, values, called("torch:Size", numbers(sizes)), FALSE))


def parameter(data, grad=True):
    return called("torch._utils:_rebuild_parameter", data, boolean(grad), ordered())


def of_type(kind, function, *arguments):
    """A tensor of a class, made by a function."""
    return called("torch._tensor:_rebuild_from_type_v2", imported(function), imported(kind),
                  several(*arguments), b"}")


def subclassed(held, sizes, offset=0):
    """A tensor of a class that torch has beside its own two."""
    return of_type("torch.nn.parameter:Buffer", "torch._utils:_rebuild_tensor_v2", held,
                   number(offset), numbers(sizes), numbers(contiguous(sizes)), FALSE, ordered())


def fake_tensor(said, is_parameter=False):
    """What stands for a fake tensor: the text of its TensorMeta."""
    data = called("_codecs:encode", text(said), text("latin1"))
    return called("torch._export.serde.serialize:_reconstruct_fake_tensor", data,
                  boolean(is_parameter))


def scripted(kind="torch:ScriptObject"):
    """An object with a state that is no tensor."""
    return imported(kind) + b")\x81" + several(number(1)) + b"b"


# ---- archives of torch.save -------------------------------------------------------


def saved(pickle, storages=(), folder="archive", order=b"little", version=b"3\n", more=(),
          without=(), said=None):
    """The archive. storages: {key: bytes}; more: members beside it; without: names that are
    left out; said: {name: what its headers say instead}."""
    parts = [("data.pkl", pickle)]
    parts += [("byteorder", order)] if order is not None else []
    parts += [("data/" + key, data) for key, data in dict(storages).items()]
    parts += [("version", version)] if version is not None else []
    parts = [("%s/%s" % (folder, name) if folder else name, data)
             for name, data in parts if name not in without] + list(more)
    return archive(*[member(name, data, **(said or {}).get(name, {})) for name, data in parts])
