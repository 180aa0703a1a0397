"""Tensors of classes in a whole archive (SPEC 8.5.4): what makes them, their state, which is data
with names in it, and what is refused of it. How a pickle spells numbers and texts, and what it
calls (SPEC 8.5.2).
"""

from generate.archive.kits import PT2, Wholes, saved_state
from generate.archive.opcodes import ARGUMENTS, BYTES, FIRST, V2, V3, but, inputs, item
from generate.archive.pickles import (EMPTY_TUPLE, FALSE, NONE, TRUE, called, dictionary, imported,
                                       listed, number, numbers, ordered, several, storage, tensor,
                                       text)
from generate.archive.unpickled import within

PICKLE, STORAGES, CLASSES = "8.5.2", "8.5.3", "8.5.4"
BAD, UNFIT = "EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES"
TYPED, WRAPPER = "torch._tensor:_rebuild_from_type_v2", "torch._utils:_rebuild_wrapper_subclass"
MINE = imported("my:Weight")
STRIDED = called("torch.serialization:_get_layout", text("torch.strided"))
CPU = called("torch:device", text("cpu"))
WRAPPED = (MINE, imported("torch:float32"), numbers((4, 2)), numbers((2, 1)), number(0), STRIDED,
           CPU, FALSE)
INNER, FAR = tensor(FIRST, (8,)), tensor(FIRST, (9,))


def made_of(state, function=WRAPPER, arguments=WRAPPED, kind=MINE):
    return called(TYPED, imported(function), kind, several(*arguments), state)


def built(kind, state):
    """A dataclass, as protocol 2 has it."""
    return imported(kind) + EMPTY_TUPLE + b"\x81" + state + b"b"


# ---- state ------------------------------------------------------------------------------

ENUM = called("my.ways:Way", text("up"))
PARTIAL = imported("functools:partial") + several(imported("my:scaled")) + b"R" + several(
    imported("my:scaled"), EMPTY_TUPLE, b"}", NONE) + b"b"
STATES = (  # label, what a state holds beside a tensor
    ("enum", ENUM), ("dtype", imported("torch:int4")), ("class", imported("my:Weight")),
    ("enum-getattr", called("builtins:getattr", imported("my.ways:Way"), text("UP"))),
    ("dataclass", built("my:Settings", dictionary(("way", ENUM), ("block", numbers((1, 8)))))),
    ("slots", built("my:Settings", several(NONE, dictionary(("way", ENUM))))),
    ("new-names", imported("my:Settings") + EMPTY_TUPLE + dictionary(("way", ENUM)) + b"\x92"),
    ("named-tuple", imported("my:Pair") + several(number(1), ENUM) + b"\x81"),
    ("copyreg", called("copyreg:__newobj__", imported("my:Settings"))),
    ("partial", PARTIAL), ("layout", STRIDED), ("size", called("torch:Size", numbers((2,)))),
    ("memory-format", called("torch.serialization:_get_layout", text("torch.strided"))),
    ("containers", listed(several(b"}", ordered(("a", ENUM))), dictionary(("b", INNER)))),
    ("nested", made_of(dictionary(("inner", INNER), ("way", ENUM)))),
    ("far", FAR), ("far-deep", listed(built("my:Settings", dictionary(("a", FAR))))),
    ("far-nested", made_of(dictionary(("inner", FAR)))),
)


def states(one):
    for label, made in STATES:
        for kind, value in (("wrapper", made_of(dictionary(("qdata", INNER), ("with", made)))),
                            ("class", made_of(dictionary(("with", made)), V2, ARGUMENTS)),
                            ("plain", made_of(dictionary(("with", made)), V2, ARGUMENTS,
                                              imported("torch:Tensor")))):
            one.pairs([("subclass-%s-%s" % (kind, label), not label.startswith("far"), item(value),
                        "The state of a tensor, which is data with names in it.")],
                      [CLASSES, STORAGES], UNFIT)
    state = dictionary(("with", ENUM))
    one.good("subclass-parameter", item(called("torch._utils:_rebuild_parameter_with_state", INNER,
                                               TRUE, ordered(), state)), [CLASSES, PICKLE],
             "The attributes of a Parameter.")
    for label, made in (("hooks", called(V2, *but(ARGUMENTS, 5, dictionary(("a", ENUM))))),
                        ("beside", several(INNER, ENUM)), ("alone", ENUM),
                        ("dtype", imported("torch:int4"))):
        one.bad("subclass-name-" + label, item(made), BAD, None,
                "A name that is in the state of no tensor.", also=[CLASSES])


# ---- what makes them --------------------------------------------------------------------

MAKES = (  # label, whether it is a tensor of a class, what makes it
    ("wrapper", True, made_of(NONE)), ("dtype-other", True, made_of(
        NONE, arguments=but(WRAPPED, 1, imported("torch:int4")))),
    ("size", True, made_of(NONE, arguments=but(WRAPPED, 2, called("torch:Size", numbers((4, 2)))))),
    ("device-none", True, made_of(NONE, arguments=but(WRAPPED, 6, NONE))),
    ("unknown", True, made_of(NONE, "torch._utils:_rebuild_qtensor", (NONE,))),
    ("built", True, made_of(NONE) + dictionary(("a", ENUM)) + b"b"),
    ("few", False, made_of(NONE, arguments=WRAPPED[:7])),
    ("many", False, made_of(NONE, arguments=(*WRAPPED, NONE))),
    ("class-none", False, made_of(NONE, arguments=but(WRAPPED, 0, NONE))),
    ("dtype-none", False, made_of(NONE, arguments=but(WRAPPED, 1, NONE))),
    ("dtype-elsewhere", False, made_of(NONE, arguments=but(WRAPPED, 1, imported("my:int4")))),
    ("size-negative", False, made_of(NONE, arguments=but(WRAPPED, 2, numbers((4, -2))))),
    ("strides-list", False, made_of(NONE, arguments=but(WRAPPED, 3, listed(number(2))))),
    ("offset-none", False, made_of(NONE, arguments=but(WRAPPED, 4, NONE))),
    ("layout-text", False, made_of(NONE, arguments=but(WRAPPED, 5, text("torch.strided")))),
    ("gradient-number", False, made_of(NONE, arguments=but(WRAPPED, 7, number(0)))),
    ("function-codecs", False, made_of(NONE, "_codecs:encode", ())),
    ("function-elsewhere", False, made_of(NONE, "my:_rebuild_tensor_v2", ARGUMENTS)),
    ("function-other", False, made_of(NONE, "torch._utils:rebuild", ARGUMENTS)),
    ("class-text", False, made_of(NONE, kind=text("my.Weight"))),
    ("class-of-dtype", False, made_of(NONE, kind=imported("torch:float32"))),
    ("few-v2", False, made_of(NONE, V2, ARGUMENTS[:5])),
    ("many-v3", False, made_of(NONE, V3, (*BYTES, NONE, NONE))),
    ("plain-built", False, made_of(NONE, V2, ARGUMENTS, imported("torch:Tensor")) + b"}b"),
)


def makers(one):
    for label, valid, made in MAKES:
        one.pairs([("subclass-made-" + label, valid, item(made),
                    "What makes a tensor of a class.")], [CLASSES, PICKLE], BAD)
    far = but(ARGUMENTS, 1, number(1))
    for label, valid, arguments in (("", True, ARGUMENTS), ("-far", False, far)):
        one.pairs([("subclass-own" + label, valid, item(made_of(NONE, V2, arguments)),
                    "A tensor of a class with elements of its own.")], [CLASSES, STORAGES], UNFIT)
        one.pairs([("subclass-inputs" + label, valid, inputs(made_of(NONE, V2, but(
            but(but(arguments, 0, storage("0", 1)), 2, numbers((1,))), 3, numbers((1,))))),
                    "The same in sample inputs.")], [CLASSES, STORAGES], UNFIT)


# ---- how values are spelled -------------------------------------------------------------

SPELLED = (  # label, whether Python's unpicklers take it
    ("int-suffix", False, b"I1L\n"), ("long-suffix", True, b"L1L\n"), ("long-bare", True, b"L1\n"),
    ("long-twice", False, b"L1LL\n"), ("long-suffix-alone", False, b"LL\n"),
    ("int-true", True, b"I01\n"), ("long-true", False, b"L01\n"), ("long-false", False, b"L00L\n"),
    ("float", True, b"F1.5\n"), ("float-exponent", True, b"F-2e-05\n"),
    ("float-plus", True, b"F1e+22\n"), ("float-digits", True, b"F12\n"),
    ("float-inf", True, b"F-inf\n"),
    ("float-nan", True, b"Fnan\n"), ("float-text", False, b"Fx\n"), ("float-none", False, b"F\n"),
    ("float-behind", False, b"F1.5x\n"), ("float-blank", False, b"F 1.5\n"),
    ("float-point", False, b"F1.\n"), ("float-point-first", False, b"F.5\n"),
    ("float-exponent-none", False, b"F1e\n"), ("float-signs", False, b"F--1\n"),
    ("float-plus-first", False, b"F+1\n"), ("float-Infinity", False, b"FInfinity\n"),
    ("float-underscore", False, b"F1_0\n"), ("float-upper", False, b"F1E5\n"),
    ("unicode", True, b"X\2\0\0\0\xc3\xa9"), ("unicode-surrogate", True, b"X\3\0\0\0\xed\xa0\x80"),
    ("unicode-short", False, b"\x8c\1\xff"), ("unicode-bad", False, b"X\1\0\0\0\xff"),
    ("unicode-long", False, b"\x8d\2\0\0\0\0\0\0\0\xc3("),
    ("unicode-surrogate-cut", False, b"X\2\0\0\0\xed\xa0"),
    ("unicode-split", False, b"X\5\0\0\0\xe2\x82\xed\xa0\x80"),
    ("unicode-overlong", False, b"X\2\0\0\0\xc0\x80"),
    ("string", True, b"U\2\xc3\xa9"), ("string-bad", False, b"U\1\xff"),
    ("string-long-bad", False, b"T\1\0\0\0\xff"), ("string-surrogate", False, b"U\3\xed\xa0\x80"),
    ("memo-zeros", True, NONE + b"p007\n"), ("memo-sign", False, NONE + b"p+7\n"),
    ("pop-mark", True, b"(0N"), ("module-bad", False, b"cm\xff\nf\n"), ("name-bad", False, b"cm\nf\xff\n"),
)
CALLED = (  # label, whether it can be called, what is called, with what
    ("import", True, imported("my:f"), EMPTY_TUPLE), ("object", True, called("my:f"), EMPTY_TUPLE),
    ("int", False, number(1), EMPTY_TUPLE), ("none", False, NONE, EMPTY_TUPLE),
    ("text", False, text("my"), EMPTY_TUPLE), ("tuple", False, EMPTY_TUPLE, EMPTY_TUPLE),
    ("list", False, b"]", EMPTY_TUPLE), ("dtype", False, imported("torch:float32"), EMPTY_TUPLE),
    ("size", False, called("torch:Size", EMPTY_TUPLE), EMPTY_TUPLE),
    ("with-list", False, imported("my:f"), b"]"), ("with-none", False, imported("my:f"), NONE),
    ("with-size", False, imported("my:f"), called("torch:Size", EMPTY_TUPLE)),
)


def spelling(one):
    for label, valid, made in SPELLED:
        one.pairs([("spelled-" + label, valid, within(made), "A value, as a pickle spells it.")],
                  [PICKLE], BAD)
    for label, valid, function, given in CALLED:
        for kind, opcodes in (("reduce", b"R"), ("new", b"\x81")):
            one.pairs([("called-%s-%s" % (kind, label), valid, within(function + given + opcodes),
                        "What a pickle calls.")], [PICKLE], BAD)
    for label, valid, made in (
            ("names", True, imported("my:f") + EMPTY_TUPLE + b"}\x92"),
            ("names-none", False, imported("my:f") + EMPTY_TUPLE + b"N\x92"),
            ("marked", True, b"(" + imported("my:f") + b"Ko"),
            ("marked-int", False, b"(K\1K\1o"), ("marked-none", False, b"(o")):
        made = made.replace(b"Ko", b"K\1o")
        one.pairs([("called-object-" + label, valid, within(made), "What a pickle calls.")],
                  [PICKLE], BAD)


def vectors(suite):
    one = Wholes(suite, "pickled", lambda: saved_state("8.8", PT2), [], "")
    for part in (states, makers, spelling):
        part(one)
