"""Pickles of a whole archive (SPEC 8.5.2, 8.5.3) whose numbers are at the ends of what they may be:
integers in lines and bytes, numbers of the memo, sizes and strides; tensors of each dtype; and calls
with other arguments than torch's functions take. Members of whole archives that stand first or last.
"""

import struct

from generate.archive.kits import FLAT, PT2, Wholes, both, drop, pickle, put, raw, saved_state
from generate.archive.opcodes import (ARGUMENTS, FIRST, FIT, OVER, TAIL, V2, V3, WEIGHT, but,
                                      inputs, item, offset_by, weights)
from generate.archive.pickles import (DROP, EMPTY_TUPLE, NONE, UNTYPED, called, dictionary, listed,
                                      number, numbers, of_type, ordered, pickled, several, storage,
                                      tensor, tensor_of_dtype, text)

PARTED, READ, SAME = "8.2.2", "8.2.3", "8.4.3"
PICKLE, STORAGES = "8.5.2", "8.5.3"
BAD, UNFIT = "EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES"
SIZE4 = struct.Struct("<I").pack
MOST = (1 << 63) - 1

# ---- integers ---------------------------------------------------------------------------

OFFSETS = (  # label, the opcodes of an offset, whether it is a number from 0 on of 64 bits
    ("int-most", b"I%d\n" % MOST, True), ("int-beyond", b"I%d\n" % (MOST + 1), False),
    ("int-nineteen", b"I%d\n" % 10 ** 18, True), ("int-twenty", b"I%d\n" % 10 ** 19, False),
    ("long-most", b"L%dL\n" % MOST, True), ("long-beyond", b"L%dL\n" % (MOST + 1), False),
    ("long-ten", b"L%dL\n" % (10 * (MOST // 10 + 1)), False),
    ("int-colon", b"I1:\n", False), ("int-slash", b"I1/\n", False), ("int-two-signs", b"I--1\n", False),
    ("binint-most", b"J\xff\xff\xff\x7f", True), ("binint-least", b"J\0\0\0\x80", False),
    ("int-wraps", b"I%d\n" % (5 << 64), False), ("long1-most", b"\x8a\x08" + b"\xff" * 7 + b"\x7f", True),
    ("long1-least", b"\x8a\x08" + bytes(7) + b"\x80", False),
    ("long1-wide", b"\x8a\x09\1" + bytes(8), False),
)


def integers(one):
    for label, made, valid in OFFSETS:
        one.bad("end-offset-" + label, item(offset_by(made)), UNFIT if valid else BAD, None,
                "An offset at the end of what one can be.", also=[PICKLE])


# ---- the memo ---------------------------------------------------------------------------


def put_as(spelled, filler=b""):
    """Sample inputs of a value that is put into the memo, and of a text."""
    value = several(several(NONE + spelled, text("a" * len(filler))), b"}")
    return pickle("inputs", make=lambda pairs: value)


def memos(one):
    size = len(pickled(several(several(NONE + b"r" + SIZE4(0), text("a" * 300)), b"}")))
    line = len(pickled(several(several(NONE + b"p000\n", text("a" * 300)), b"}")))
    assert 256 < size < 1000 and 256 < line < 1000
    rows = [("byte", b"q\xff", 0, True), ("long-255", b"r" + SIZE4(255), 0, True),
            ("long-256", b"r" + SIZE4(256), 0, False), ("line-255", b"p255\n", 0, True),
            ("line-256", b"p256\n", 0, False),
            ("long-size", b"r" + SIZE4(size - 1), 300, True),
            ("long-size-over", b"r" + SIZE4(size), 300, False),
            ("line-size", b"p%d\n" % (line - 1), 300, True),
            ("line-size-over", b"p%d\n" % line, 300, False),
            ("long-far", b"r" + SIZE4(0xFFFFFFFF), 300, False),
            ("line-far", b"p%d\n" % (1 << 32), 300, False),
            ("line-wraps", b"p%d\n" % (1 << 64), 300, False)]
    for label, spelled, filler, valid in rows:
        one.pairs([("end-memo-" + label, valid, put_as(spelled, b"a" * filler),
                    "A number of the memo of a pickle that is %s." % (
                        "longer than 256 bytes" if filler else "shorter"))], [PICKLE], BAD)


# ---- arguments --------------------------------------------------------------------------


def within(made):
    """Sample inputs of a list, which has an item less where what is called makes none."""
    value = several(several(b"](" + made + b"e"), b"}")
    return pickle("inputs", make=lambda pairs: value)


LAYOUT = "torch.serialization:_get_layout"
CALLED = (  # label, whether it may be called so, function and arguments
    ("size", True, "torch:Size", (numbers((2, 3)),)),
    ("size-zero", True, "torch:Size", (numbers((0,)),)),
    ("size-64", True, "torch:Size", (numbers((1,) * 64),)),
    ("size-65", False, "torch:Size", (numbers((1,) * 65),)),
    ("size-nothing", False, "torch:Size", ()),
    ("size-two", False, "torch:Size", (numbers((2,)), numbers((2,)))),
    ("size-number", False, "torch:Size", (number(2),)),
    ("size-list", False, "torch:Size", (listed(number(2)),)),
    ("size-size", False, "torch:Size", (called("torch:Size", numbers((2,))),)),
    ("size-text", False, "torch:Size", (several(text("a")),)),
    ("size-negative", False, "torch:Size", (numbers((-1,)),)),
    ("size-negative-last", False, "torch:Size", (numbers((2, -1)),)),
    ("size-negative-middle", False, "torch:Size", (numbers((2, -1, 3)),)),
    ("layout", True, LAYOUT, (text("torch.strided"),)),
    ("layout-nothing", False, LAYOUT, ()), ("layout-number", False, LAYOUT, (number(0),)),
    ("layout-two", False, LAYOUT, (text("torch.strided"), text("a"))),
    ("layout-tuple", False, LAYOUT, (several(text("torch.strided")),)),
)
SHAPES = (  # label, whether it fits, sizes, strides
    ("negative-last", False, numbers((1, -1)), numbers((1, 1))),
    ("negative-first", False, numbers((-1, 1)), numbers((1, 1))),
    ("strides-negative-last", False, numbers((1, 1)), numbers((1, -1))),
    ("text-last", False, several(number(1), text("a")), numbers((1, 1))),
    ("size-empty", True, called("torch:Size", EMPTY_TUPLE), called("torch:Size", EMPTY_TUPLE)),
    ("size-fewer", False, called("torch:Size", EMPTY_TUPLE), numbers((1,))),
    ("size-strides", True, numbers((2, 2)), called("torch:Size", numbers((2, 1)))),
)


def arguments(one):
    for label, valid, function, given in CALLED:
        one.pairs([("end-call-" + label, valid, within(called(function, *given)),
                    "What is called, with these arguments.")], [PICKLE], BAD)
    for label, valid, sizes, strides in SHAPES:
        made = called(V2, *but(but(ARGUMENTS, 2, sizes), 3, strides))
        one.pairs([("end-shape-" + label, valid, item(made), "Sizes and strides of a tensor.")],
                  [PICKLE], BAD)
    for label, made in (("first", b"V\\u0061bc\n"), ("alone", b"V\\\n"), ("byte", b"V\x80\n"),
                        ("byte-first", b"V\x80abc\n"), ("string", b"S'\\n'\n")):
        one.bad("end-text-" + label, within(made), BAD, None,
                "A text in a line that does not stand for itself, in a list.")
    one.bad("end-pop-first", weights(DROP + ordered(("weight", WEIGHT), ("tail", TAIL))), BAD, None,
            "POP, where nothing is on the stack, and then what needs nothing of it.")
    one.bad("end-build-dict", within(b"}" + dictionary(("a", NONE)) + b"b"), BAD, None,
            "BUILD of a dict, which has no state.")


# ---- tensors ----------------------------------------------------------------------------

SIZES = (("uint8", 1), ("int8", 1), ("int16", 2), ("int32", 4), ("int64", 8), ("float16", 2),
         ("float32", 4), ("float64", 8), ("complex32", 4), ("complex64", 8), ("complex128", 16),
         ("bool", 1), ("bfloat16", 2), ("float8_e4m3fn", 1), ("float8_e5m2", 1),
         ("float8_e4m3fnuz", 1), ("float8_e5m2fnuz", 1), ("float8_e8m0fnu", 1))
ELSEWHERE = ("my:Tensor", "my:Parameter", "torch:Weight", "torch:Parameter",
             "torch.nn.parameter:Tensor")


def tensors(one):
    for dtype, size in SIZES:
        for label, valid, count in (("", True, 3), ("-over", False, 4)):
            made = tensor_of_dtype(storage("k", 3 * size, kind=UNTYPED), "torch:" + dtype, (count,))
            change = both(inputs(made), pickle("inputs", storages={"k": bytes(3 * size)}))
            one.pairs([("end-dtype-%s%s" % (dtype, label), valid, change,
                        "Elements of %s, which have %d bytes each." % (dtype, size))],
                      [PICKLE, STORAGES], UNFIT)
    for label, made in (("none", "complex33"), ("quantized", "qint8"), ("bits", "bits8")):
        one.bad("end-dtype-" + label, item(tensor_of_dtype(
            storage("0", 32, kind=UNTYPED), "torch:" + made, (1,))), BAD, None,
                "A tensor of what is no dtype here.")
    for kind in ELSEWHERE:
        made = of_type(kind, V2, FIRST, number(0), numbers((2,)), numbers((1,)), b"\x89", ordered())
        one.good("end-class-" + kind.replace(":", "-"), pickle("weights", items={"tail": made}),
                 [PICKLE, SAME], "A tensor of a class whose name is like one of torch's own two: "
                 "nothing more is known of it, so its sizes are not compared.")
    built = of_type("my:Weight", V2, storage("0", 1), number(0), numbers((1,)), numbers((1,)), b"\x89",
                    ordered())
    for label, valid, state in (("", True, FIT), ("-over", False, OVER)):
        one.pairs([("end-class-built" + label, valid, inputs(built + state + b"b"),
                    "A tensor of a class that is given a state, which is a tensor.")],
                  [PICKLE, STORAGES], UNFIT)


# ---- members ----------------------------------------------------------------------------


def first(name, data):
    """A member more, which is the first of the directory."""
    def change(kit):
        kit.puts[name] = data
        count = len(kit.files())
        kit.order = [count - 1, *range(count - 1)]
    return change


def last(kit):
    """The program behind all others in the directory."""
    kit.order = [*range(1, len(kit.files())), 0]


def members(suite):
    one = Wholes(suite, "raw", raw, [], "")
    flat = Wholes(suite, "flat-8.7", lambda: saved_state("8.7", FLAT), [], "")
    one.bad("extra-first", first("extra/x", b"\xff"), "EP_UTF8", None,
            "What is not text, as the first of the directory.")
    one.bad("model-folder-alone", put("data/aotinductor/m/", b""), "EP_ARCHIVE_PART", None,
            "The folder of a model, and nothing in it.")
    one.bad("unread-before", first("data/weights/weight_9", b"abcd"), "EP_ARCHIVE_UNREAD", None,
            "A weight that no config names, as the first of the directory.")
    said = b"epref stripped 1\n"
    one.bad("stripped-first", first(".data/stripped", said), "EP_ARCHIVE_PART", None,
            "What says that it is stripped, as the first of the directory.")
    flat.bad("stripped-first", first("stripped", said), "EP_ARCHIVE_PART", None,
             "What says that it is stripped, as the first of the directory.")
    one.bad("program-last-part", both(drop("data/sample_inputs/model.pt"), last),
            "EP_ARCHIVE_PART", None, "There are no sample inputs, and the program is the last of "
            "the directory.", twin="program-last")
    for version in ("5.4", "6.1"):
        kind = Wholes(suite, "flat-" + version, lambda version=version: saved_state(version, FLAT),
                      ["8.2.1", PARTED, READ], "The flat layout, of version %s." % version)
        kind.bad("end-no-inputs", drop("serialized_example_inputs.pt"), "EP_ARCHIVE_PART", None,
                 "There are no sample inputs, which versions from 5.4 on have.")


def vectors(suite):
    one = Wholes(suite, "pickled", lambda: saved_state("8.8", PT2), [], "")
    for part in (integers, memos, arguments, tensors):
        part(one)
    members(suite)
