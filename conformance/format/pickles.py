"""Pickles, opcode by opcode (SPEC 8.5).  An opcode is its name, as Python's pickletools has
it, and its argument: "BININT1 5", "GLOBAL torch._utils _rebuild_tensor_v2", "BINUNICODE key",
"LONG1 0700" (its bytes).  What torch.save writes for a value can be said shorter:

    {"storage": [KEY, COUNT, CLASS, LOCATION]}  by its persistent id; the class is torch's, and
                                                FloatStorage if it is not said
    {"tensor": SIZES, "of": STORAGE, "strides": .., "offset": .., "grad": ..}
    {"parameter": VALUE, "grad": false}         the value is one of these
    {"tuple": [ITEM, ...]}, {"numbers": [2, 3]} a tuple
    {"repeat": [ITEMS, 3]}                      the same again and again
    {"raw": BYTES}                              what is no opcode
"""

import pickletools
import struct

CODES = {each.name: each for each in pickletools.opcodes}
NUMBERS = {"uint1": "B", "uint2": "<H", "int4": "<i", "uint4": "<I", "uint8": "<Q"}
COUNTS = {"1": "B", "4": "<I", "8": "<Q"}
TUPLES = {0: "EMPTY_TUPLE", 1: "TUPLE1", 2: "TUPLE2", 3: "TUPLE3"}
HOOKS = ["GLOBAL collections OrderedDict", "EMPTY_TUPLE", "REDUCE"]  # there are none


def argument(kind, said):
    """The bytes of an argument."""
    if kind in NUMBERS:
        return struct.pack(NUMBERS[kind], int(said))
    if kind == "float8":
        return bytes.fromhex(said)
    if "nl" in kind:  # a line, or two
        lines = said.replace(" ", "\n", 1) if kind.endswith("pair") else said
        return lines.encode("utf-8") + b"\n"
    text = kind.startswith(("string", "unicode"))
    data = said.encode("utf-8", "surrogatepass") if text else bytes.fromhex(said)
    if kind.startswith("long") and kind != "long1":
        return struct.pack("<i", len(data)) + data
    return struct.pack(COUNTS[kind[-1]], len(data)) + data


def opcode(said):
    name, _, rest = said.partition(" ")
    found = CODES[name]
    return found.code.encode("latin-1") + (argument(found.arg.name, rest) if found.arg else b"")


def number(value):
    """As Python's pickle module has it at protocol 2."""
    if 0 <= value < 65536:
        return "BININT%d %d" % (1 + (value > 255), value)
    if -(1 << 31) <= value < 1 << 31:
        return "BININT %d" % value
    return "LONG1 " + value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True).hex()


def several(items):
    """A tuple of lists of opcodes."""
    flat = [each for item in items for each in item]
    return flat + [TUPLES[len(items)]] if len(items) < 4 else ["MARK", *flat, "TUPLE"]


def imported(path):
    return ["GLOBAL " + path.replace(":", " ")]


def called(function, *arguments):
    return imported(function) + several(arguments) + ["REDUCE"]


def flag(value):
    return ["NEWTRUE" if value else "NEWFALSE"]


def numbers(values):
    return several([[number(value)] for value in values])


def contiguous(sizes):
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.insert(0, stride)
        stride *= max(size, 1)
    return strides


def storage(key, count, kind="FloatStorage", location="cpu"):
    return several([["BINUNICODE storage"], imported(kind if ":" in kind else "torch:" + kind),
                    ["BINUNICODE " + key], ["BINUNICODE " + location], [number(count)]]
                   ) + ["BINPERSID"]


def listing(item):
    """The opcodes of one item, each a text."""
    if isinstance(item, str):
        return [item]
    if isinstance(item, list):
        return [each for one in item for each in listing(one)]
    if "storage" in item:
        return storage(*item["storage"])
    if "tensor" in item:
        sizes = item["tensor"]
        return called("torch._utils:_rebuild_tensor_v2", storage(*item["of"]),
                      [number(item.get("offset", 0))], numbers(sizes),
                      numbers(item.get("strides", contiguous(sizes))),
                      flag(item.get("grad", False)), HOOKS)
    if "parameter" in item:
        return called("torch._utils:_rebuild_parameter", listing(item["parameter"]),
                      flag(item.get("grad", True)), HOOKS)
    if "numbers" in item:
        return numbers(item["numbers"])
    if "tuple" in item:
        return several([listing(each) for each in item["tuple"]])
    if "repeat" in item:
        items, times = item["repeat"]
        return listing(items) * times
    return [item]  # raw


def opcodes(items, raw):
    """Bytes of each opcode; raw reads the bytes of a row."""
    return [opcode(each) if isinstance(each, str) else raw(each["raw"])
            for each in listing(items)]
