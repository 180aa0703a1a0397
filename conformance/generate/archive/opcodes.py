"""The pickles of a whole archive (SPEC 8.5.2), opcode by opcode: what each leaves on the stack,
takes from it, puts into the memo and into containers, by what then stands for a weight, or by a
tensor that does not fit its storage (8.5.3) and has to be found wherever it is.
"""

import struct

from generate.archive.kits import (PT2, STORED, Wholes, payload, pickle, raw_object, saved_state,
                                   state_of)
from generate.archive.pickles import (EMPTY_TUPLE, FALSE, NONE, TRUE, UNTYPED, called, contiguous,
                                      dictionary, imported, listed, meta_tensor, number, numbers,
                                      of_type, ordered, parameter, pickled, saved, several,
                                      sparse_tensor, storage, tensor, tensor_of_dtype, text)

PICKLE, STORAGES = "8.5.2", "8.5.3"
BAD, UNFIT = "EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES"
FIRST = storage("0", 8)
WEIGHT, TAIL = parameter(tensor(FIRST, (2, 3))), tensor(FIRST, (3,), offset=5)
SIZE2, SIZE4, SIZE8 = (struct.Struct("<" + form).pack for form in "HIQ")


def weights(value):
    """The value that the pickle of the weights leaves."""
    return pickle("weights", make=lambda pairs: value)


def item(value):
    """An item more among the weights, which the program does not name."""
    return pickle("weights", items={"other": value})


def inputs(value):
    """Sample inputs of one value; a storage of one float is beside them."""
    made = several(several(value), b"}")
    return pickle("inputs", make=lambda pairs: made, storages={"0": bytes(4)})


def whole(data):
    """The bytes of the pickle of the weights."""
    return pickle("weights", data=saved(data, {"0": STORED}))


# ---- values ---------------------------------------------------------------------------

VALUES = (  # each leaves one value on the stack
    ("none", NONE), ("true", TRUE), ("false", FALSE), ("int", b"I12\n"), ("int-true", b"I01\n"),
    ("int-false", b"I00\n"), ("int-negative", b"I-12\n"), ("binint", b"J...."),
    ("binint1", b"K."), ("binint2", b"M.."), ("long", b"L12L\n"), ("long-plain", b"L12\n"),
    ("long-digits", b"L" + b"9" * 40 + b"L\n"), ("long-negative", b"L-" + b"9" * 40 + b"L\n"),
    ("long1", b"\x8a\2.."), ("long1-none", b"\x8a\0"), ("long1-nine", b"\x8a\x09........."),
    ("long4", b"\x8b" + SIZE4(2) + b".."), ("long4-many", b"\x8b" + SIZE4(300) + b"." * 300),
    ("float", b"F1.5\n"), ("binfloat", b"G........"), ("binbytes", b"B" + SIZE4(3) + b"..."),
    ("short-binbytes", b"C\3..."), ("binbytes8", b"\x8e" + SIZE8(3) + b"..."),
    ("bytearray8", b"\x96" + SIZE8(3) + b"..."), ("read-only", b"C\3...\x98"),
    ("string", b"S'..'\n"), ("string-quotes", b'S".."\n'), ("string-none", b"S''\n"),
    ("unicode", b"V..\n"), ("unicode-none", b"V\n"), ("unicode-delete", b"V\x7f\n"),
    ("binstring", b"T" + SIZE4(2) + b".."), ("short-binstring", b"U\2.."),
    ("binunicode", b"X" + SIZE4(2) + b".."), ("short-binunicode", b"\x8c\2.."),
    ("binunicode8", b"\x8d" + SIZE8(2) + b".."), ("empty-list", b"]"), ("empty-dict", b"}"),
    ("empty-tuple", b")"), ("empty-set", b"\x8f"), ("append", b"]K.a"), ("setitem", b"}K.Ns"),
    ("appends", b"](K.K.e"), ("appends-none", b"](e"), ("setitems", b"}(K.Nu"),
    ("setitems-none", b"}(u"), ("additems", b"\x8f(K.N\x90"), ("additems-none", b"\x8f(\x90"),
    ("list", b"(K.l"), ("list-none", b"(l"), ("dict", b"(K.Nd"), ("dict-none", b"(d"),
    ("tuple", b"(K.t"), ("tuple-none", b"(t"), ("frozenset", b"(K.\x91"),
    ("frozenset-none", b"(\x91"), ("tuple1", b"N\x85"), ("tuple2", b"NN\x86"),
    ("tuple3", b"NNN\x87"), ("dup", b"(N2t"), ("mark-pop", b"(0N"), ("pop-mark", b"(1N"),
    ("frame", b"\x95" + SIZE8(1) + b"N"), ("proto", b"\x80\2N"), ("proto-5", b"\x80\5N"),
    ("class", b"cfractions\nFraction\n"),
    ("class-stack", b"\x8c\x09fractions\x8c\x08Fraction\x93"),
    ("reduce", b"cfractions\nFraction\n)R"), ("newobj", b"cfractions\nFraction\n)\x81"),
    ("newobj-ex", b"cfractions\nFraction\n)}\x92"), ("obj", b"(cfractions\nFraction\nK.o"),
    ("obj-none", b"(cfractions\nFraction\no"), ("inst", b"(K.ifractions\nFraction\n"),
    ("inst-none", b"(ifractions\nFraction\n"), ("build", b"cfractions\nFraction\n)\x81}b"),
    ("build-ordered", b"ccollections\nOrderedDict\n)R}b"),
    ("set-of-list", b"cbuiltins\nset\n](K.e\x85R"), ("set-old", b"c__builtin__\nset\n]\x85R"),
    ("set-of-none", b"cbuiltins\nset\n)R"), ("set-of-tuple", b"cbuiltins\nset\n)\x85R"),
    ("size", b"ctorch\nSize\nK.K.\x86\x85R"), ("size-none", b"ctorch\nSize\n)\x85R"),
    ("device", b"ctorch\ndevice\n\x8c\3cpu\x85R"),
    ("device-index", b"ctorch\ndevice\n\x8c\4cudaK\1\x86R"),
    ("dtype", b"ctorch\nfloat32\n"), ("dtype-stack", b"\x8c\5torch\x8c\7float32\x93"),
    ("layout", b"ctorch.serialization\n_get_layout\n\x8c\x0dtorch.strided\x85R"),
    ("bytes", b"c_codecs\nencode\n\x8c\1a\x8c\6latin1\x86R"),
    ("bytes-other", b"c_codecs\nencode\n\x8c\1a\x8c\5utf-8\x86R"),
    ("ordered-of-list", b"ccollections\nOrderedDict\n]\x85R"),
    ("itself", b"]q\x07h\x07a"), ("itself-dict", b"}q\x07Nh\x07s"),
)
BROKEN = (  # what is no value
    ("next-buffer", b"\x97", "Bytes that lie outside of it."),
    ("extension-2", b"\x83\1\0", "EXT2."), ("extension-4", b"\x84\1\0\0\0", "EXT4."),
    ("int-word", b"Ia\n", "Letters in the place of digits."), ("int-empty", b"I\n", "No digits."),
    ("int-sign", b"I-\n", "A sign without digits."), ("long-empty", b"LL\n", "No digits."),
    ("string-one", b"S'\n", "One quote."), ("string-empty", b"S\n", "No quotes."),
    ("string-other", b"S'a\"\n", "Two kinds of quotes."), ("string-none", b"Sab\n", "No quotes."),
    ("string-letters", b"Saba\n", "Letters in the place of quotes."),
    ("proto-6", b"\x80\6N", "Another protocol, within it."),
    ("frame-far", b"\x95" + b"\xff" * 8 + b"N", "A frame that ends far behind it."),
)


def values(one):
    for label, made in VALUES:
        one.good("op-" + label, inputs(made), [PICKLE], "A value among the sample inputs.")
    for label, made, why in BROKEN:
        one.bad("op-broken-" + label, inputs(made), BAD, None, "No value. " + why)


# ---- numbers and texts ---------------------------------------------------------------


def offset_by(spelled, sizes=(1,)):
    """A tensor of one element, whose offset is spelled so."""
    return called("torch._utils:_rebuild_tensor_v2", FIRST, spelled, numbers(sizes), numbers(
        contiguous(sizes)), FALSE, ordered())


SPELLED = (  # a number; one that is 7, or 0 up to 7
    ("int", b"I7\n"), ("long", b"L7L\n"), ("long-plain", b"L7\n"),
    ("zero", b"I0\n"), ("binint", b"J\7\0\0\0"), ("binint1", b"K\7"), ("binint2", b"M\7\0"),
    *[("long1-%d" % size, b"\x8a" + bytes([size]) + b"\7" + bytes(size - 1))
      for size in range(1, 9)],
    ("long4", b"\x8b" + SIZE4(8) + b"\7" + bytes(7)),
)
BEYOND = (  # numbers that are more than 7
    ("int", b"I8\n"), ("int-many", b"I70\n"), ("int-digits", b"I" + b"9" * 18 + b"\n"),
    ("long", b"L8L\n"), ("binint", b"J\0\1\0\0"), ("binint-high", b"J\0\0\0\1"),
    ("binint1", b"K\xff"), ("binint2", b"M\0\1"), ("long1-1", b"\x8a\1\x7f"),
    *[("long1-%d" % size, b"\x8a" + bytes([size]) + bytes(size - 1) + b"\1")
      for size in range(2, 9)],
)


def spelled(one):
    for label, made in SPELLED:
        one.good("op-offset-" + label, item(offset_by(made)), [PICKLE],
                 "An offset within the storage, in another opcode.")
    for label, made in BEYOND:
        one.bad("op-offset-beyond-" + label, item(offset_by(made)), UNFIT, None,
                "An offset behind the storage, in another opcode.", also=[PICKLE])
    for label, made in (("int", b"I-1\n"), ("long", b"L-7L\n"), ("long1-2", b"\x8a\2\0\x80"),
                        ("long1-8", b"\x8a\x08" + bytes(7) + b"\xff"), ("float", b"F7.0\n"),
                        ("true", TRUE), ("int-true", b"I01\n"), ("text", text("7")),
                        ("tuple", numbers((7,))), ("none", NONE), ("binfloat", b"G" + bytes(8)),
                        ("bytes", b"C\1\7")):
        one.bad("op-offset-not-" + label, item(offset_by(made)), BAD, None,
                "An offset that is below 0, or no number.")
    for label, said, valid in (("true", b"I01\n", True), ("false", b"I00\n", False)):
        one.pairs([("op-grad-" + label, valid, pickle("weights", items={"weight": called(
            "torch._utils:_rebuild_parameter", tensor(FIRST, (2, 3)), said, ordered())}),
                    "Whether a parameter requires a gradient, in a line.")], [PICKLE],
                  "EP_ARCHIVE_TENSOR")
    for label, said in (("line", b"I18446744073709551617\n"), ("long", b"L18446744073709551617L\n")):
        one.bad("op-size-" + label, item(called(
            "torch._utils:_rebuild_tensor_v2", FIRST, number(0), several(said), numbers((1,)), FALSE,
            ordered())), BAD, None, "A size of 2^64 and 1, in a line.")
    held = several(text("storage"), imported("torch:FloatStorage"), text("k"), text("cpu"),
                   b"I123\n") + b"Q"
    one.good("op-count-line", pickle("weights", items={"other": tensor(held, (123,))},
                                     storages={"k": bytes(4 * 123)}), [PICKLE],
             "A count of three digits, in a line.")
    for label, line in (("int", b"I03\n"), ("int-minus", b"I-03\n"), ("int-octal", b"I010\n"),
                        ("long", b"L03L\n")):
        one.bad("op-offset-zero-" + label, item(offset_by(line)), BAD, None,
                "A zero before the digits of a number.")
    one.bad("op-size-nine", item(called(
        "torch._utils:_rebuild_tensor_v2", FIRST, number(0), several(
            b"\x8a\x09\1" + bytes(7) + b"\1"), numbers((1,)), FALSE, ordered())), BAD, None,
            "A size of 2^64 and 1.")
    for label, key in (("unicode", b"Vtail\n"), ("string", b"S'tail'\n"), ("quotes", b'S"tail"\n'),
                       ("binstring", b"T" + SIZE4(4) + b"tail"), ("short-binstring", b"U\4tail"),
                       ("short-binunicode", b"\x8c\4tail"),
                       ("binunicode8", b"\x8d" + SIZE8(4) + b"tail")):
        one.good("op-key-" + label, weights(
            b"}(" + text("weight") + WEIGHT + key + TAIL + b"u"), [PICKLE],
            "A key, in another opcode.")
    for label, key in (("unicode", b"Vt\\u0061il\n"), ("unicode-byte", b"Vta\x80l\n"),
                       ("string", b"S't\\x61il'\n"), ("string-byte", b"S'tai\xff'\n")):
        one.bad("op-key-escape-" + label, weights(
            b"}(" + text("weight") + WEIGHT + key + TAIL + b"u"), BAD, None,
            "A key in a line that does not stand for itself.")
    for label, key in (("binbytes", b"B" + SIZE4(4) + b"tail"), ("short-binbytes", b"C\4tail"),
                       ("binbytes8", b"\x8e" + SIZE8(4) + b"tail"), ("float", b"Ftail\n"),
                       ("class", b"ctorch\ntail\n"), ("long", b"\x8a\4tail"),
                       ("layout", called("torch.serialization:_get_layout", text("tail")))):
        one.bad("op-key-not-" + label, weights(
            b"}(" + text("weight") + WEIGHT + key + TAIL + b"u"), BAD, None,
            "A key that is no text.")


# ---- containers ------------------------------------------------------------------------

FIT, OVER = tensor(storage("0", 1), (1,)), tensor(storage("0", 1), (2,))
HOLDERS = (  # how a container gets a value
    ("append", b"]%sa"), ("append-second", b"]Na%sa"), ("appends", b"](%se"),
    ("appends-first", b"](%sNNe"), ("appends-last", b"](NN%se"), ("appends-again", b"](Ne(%se"),
    ("list", b"(%sl"), ("list-last", b"(NN%sl"), ("tuple", b"(%st"), ("tuple-last", b"(NNN%st"),
    ("tuple1", b"%s\x85"), ("tuple2-first", b"%sN\x86"), ("tuple2-last", b"N%s\x86"),
    ("tuple3-first", b"%sNN\x87"), ("tuple3-middle", b"N%sN\x87"), ("tuple3-last", b"NN%s\x87"),
    ("setitem", b"}N%ss"), ("setitem-key", b"}%sNs"), ("setitem-second", b"}NNsK\1%ss"),
    ("setitems", b"}(N%su"), ("setitems-last", b"}(NNK\1%su"), ("setitems-key", b"}(%sNu"),
    ("dict", b"(N%sd"), ("dict-key", b"(%sNd"), ("dict-last", b"(NNK\1%sd"),
    ("additems", b"\x8f(%s\x90"), ("additems-last", b"\x8f(NK\1%s\x90"),
    ("frozenset", b"(%s\x91"), ("frozenset-last", b"(N%s\x91"),
    ("set", b"cbuiltins\nset\n](N%se\x85R"), ("set-old", b"c__builtin__\nset\n](%se\x85R"),
    ("set-other", b"cbuiltins\nset\n%s\x85\x85R"),
    ("reduce", b"cfractions\nFraction\n%s\x85R"), ("newobj", b"cfractions\nFraction\n%s\x85\x81"),
    ("newobj-ex", b"cfractions\nFraction\n%s\x85}\x92"),
    ("newobj-ex-named", b"cfractions\nFraction\n)}\x8c\1a%ss\x92"),
    ("obj", b"(cfractions\nFraction\n%so"), ("inst", b"(%sifractions\nFraction\n"),
    ("build", b"cfractions\nFraction\n)\x81%sb"), ("nested", b"](]%sa]e"),
    ("ordered", b"ccollections\nOrderedDict\n)RN%ss"),
    ("ordered-built", b"ccollections\nOrderedDict\n)R}bN%ss"),
    ("ordered-of-list", b"ccollections\nOrderedDict\n]N%s\x86a\x85R"),
    ("encoded", b"c_codecs\nencode\n%s\x8c\6latin1\x86R"),
    ("itself", b"]q\7h\7a%sa"), ("itself-last", b"]q\7%sah\7a"), ("dup", b"(N2%st"),
)


def filled(pattern, value):
    return inputs(pattern.replace(b"%s", value))


def holders(one):
    for label, pattern in HOLDERS:
        twin = one.good("op-holds-" + label, filled(pattern, FIT), [PICKLE],
                        "A tensor within a value of the sample inputs.")
        one.bad("op-holds-%s-over" % label, filled(pattern, OVER), UNFIT, None,
                "A tensor that does not fit, within a value of the sample inputs.", twin=twin,
                also=[PICKLE])
    shared = b"(%sq\7h\7h\7t"
    twin = one.good("op-holds-shared", filled(shared, FIT), [PICKLE], "One tensor, three times.")
    one.bad("op-holds-shared-over", filled(shared, OVER), UNFIT, None,
            "One tensor that does not fit, three times.", twin=twin, also=[PICKLE])
    two = b"(" + FIT + b"%st"
    twin = one.good("op-holds-two", filled(two, FIT), [PICKLE], "Two tensors.")
    one.bad("op-holds-two-over", filled(two, OVER), UNFIT, None,
            "Two tensors, the second of which does not fit.", twin=twin, also=[PICKLE])


UNDERFLOWS = (  # what the stack does not have
    (b"a", "APPEND"), (b"Na", "APPEND to nothing"), (b"(Na", "APPEND to a mark"),
    (b"](a", "APPEND of a mark"), (b")Na", "APPEND to a tuple"), (b"}Na", "APPEND to a dict"),
    (b"\x8fNa", "APPEND to a set"), (b"e", "APPENDS"), (b"(e", "APPENDS to nothing"),
    (b"((e", "APPENDS to a mark"), (b")(e", "APPENDS to a tuple"), (b"]e", "APPENDS without a mark"),
    (b"s", "SETITEM"), (b"NNs", "SETITEM to nothing"), (b"}Ns", "SETITEM of one value"),
    (b"}(Ns", "SETITEM of a mark"), (b"}N(s", "SETITEM of a mark at last"),
    (b")NNs", "SETITEM to a tuple"), (b"u", "SETITEMS"), (b"(u", "SETITEMS to nothing"),
    (b"}(Nu", "SETITEMS of one value"), (b"}(NNNu", "SETITEMS of three values"),
    (b")(NNu", "SETITEMS to a tuple"), (b"\x8f(NNu", "SETITEMS to a set"),
    (b"\x90", "ADDITEMS"), (b"(\x90", "ADDITEMS to nothing"), (b"](\x90", "ADDITEMS to a list"),
    (b"(\x91(N\x90", "ADDITEMS to a frozenset"), (b"l", "LIST"), (b"t", "TUPLE"), (b"d", "DICT"),
    (b"Nd", "DICT without a mark"), (b"(Nd", "DICT of one value"), (b"(NNNd", "DICT of three"),
    (b"\x91", "FROZENSET"), (b"\x85", "TUPLE1"), (b"(\x85", "TUPLE1 of a mark"),
    (b"\x86", "TUPLE2"), (b"N\x86", "TUPLE2 of one value"), (b"(N\x86", "TUPLE2 of a mark"),
    (b"N(\x86", "TUPLE2 of a mark at last"), (b"\x87", "TUPLE3"),
    (b"NN\x87", "TUPLE3 of two values"), (b"(NN\x87", "TUPLE3 of a mark"),
    (b"N(N\x87", "TUPLE3 of a mark within"), (b"NN(\x87", "TUPLE3 of a mark at last"),
    (b"0", "POP"), (b"1", "POP_MARK"), (b"N1", "POP_MARK without a mark"), (b"2", "DUP"),
    (b"(2", "DUP of a mark"), (b"R", "REDUCE"), (b")R", "REDUCE of nothing"),
    (b"()R", "REDUCE of a mark"), (b"ccollections\nOrderedDict\n(R", "REDUCE with a mark"),
    (b"ccollections\nOrderedDict\n]R", "REDUCE with a list"), (b"b", "BUILD"),
    (b"}b", "BUILD of nothing"), (b"(}b", "BUILD of a mark"), (b"\x81", "NEWOBJ"),
    (b")\x81", "NEWOBJ of nothing"), (b"()\x81", "NEWOBJ of a mark"), (b"\x92", "NEWOBJ_EX"),
    (b")}\x92", "NEWOBJ_EX of nothing"), (b"()}\x92", "NEWOBJ_EX of a mark"), (b"o", "OBJ"),
    (b"(o", "OBJ of nothing"), (b"No", "OBJ without a mark"),
    (b"icollections\nOrderedDict\n", "INST without a mark"), (b"\x93", "STACK_GLOBAL"),
    (b"\x8c\1a\x93", "STACK_GLOBAL of a name"), (b"(\x8c\1a\x93", "STACK_GLOBAL of a mark"),
    (b"\x8c\1a(\x93", "STACK_GLOBAL of a mark at last"),
    (b"\x8c\1aN\x93", "STACK_GLOBAL of None"), (b"N\x8c\1a\x93", "STACK_GLOBAL in None"),
    (b"Q", "BINPERSID"), (b"(Q", "BINPERSID of a mark"), (b"q\0", "BINPUT"), (b"r\0\0\0\0", "LONG_BINPUT"),
    (b"(q\0", "BINPUT of a mark"), (b"p0\n", "PUT"), (b"\x94", "MEMOIZE"),
    (b"(\x94", "MEMOIZE of a mark"), (b"h\0", "BINGET"), (b"j\0\0\0\0", "LONG_BINGET"),
    (b"g0\n", "GET"), (b"(", "a mark alone"), (b"", "nothing"),
)


RECOVERED = (  # what fails, and behind it what would make a value if it did nothing
    (b"](ata", "APPEND of a mark"), (b")Na\x86", "APPEND to a tuple"),
    (b"((ett", "APPENDS to a mark"), (b")(Net\x86", "APPENDS to a tuple"),
    (b"}N(sts", "SETITEM of a mark at last"), (b"}(NstNs", "SETITEM of a mark"),
    (b")NNs\x87", "SETITEM to a tuple"), (b"((utt", "SETITEMS to a mark"),
    (b"}(Nut\x86", "SETITEMS of one value"), (b")(NNut\x86", "SETITEMS to a tuple"),
    (b"((N\x90tt", "ADDITEMS to a mark"), (b"](N\x90t\x86", "ADDITEMS to a list"),
    (b"(\x91(N\x90t\x86", "ADDITEMS to a frozenset"), (b"(Ndt", "DICT of one value"),
    (b"(\x85t", "TUPLE1 of a mark"), (b"N(\x86t\x86", "TUPLE2 of a mark at last"),
    (b"(N\x86t", "TUPLE2 of a mark"), (b"(NN\x87t", "TUPLE3 of a mark"),
    (b"NN(\x87t\x87", "TUPLE3 of a mark at last"), (b"(2t", "DUP of a mark"),
    (b"(q\7t", "BINPUT of a mark"), (b"(r\7\0\0\0t", "LONG_BINPUT of a mark"),
    (b"(p7\nt", "PUT of a mark"), (b"(\x94t", "MEMOIZE of a mark"), (b"Nh\7", "BINGET"),
    (b"Nj\7\0\0\0", "LONG_BINGET"), (b"Ng7\n", "GET"), (b"Npx\n", "PUT of a letter"),
    (b"Np\n", "PUT of nothing"), (b"(Rt", "REDUCE of a mark"), (b"N(Rt\x86", "REDUCE with a mark"),
    (b"ccollections\nOrderedDict\n]R\x86", "REDUCE with a list"), (b"(bt", "BUILD of a mark"),
    (b"N(bt\x86", "BUILD with a mark"), (NONE + dictionary(("a", NONE)) + b"b", "BUILD of None"),
    (b"]" + dictionary(("a", NONE)) + b"b", "BUILD of a list"),
    (b"(\x81t", "NEWOBJ of a mark"), (b"(}\x92t", "NEWOBJ_EX of a mark"),
    (b"(ot", "OBJ of nothing"),
    (b"N(\x93t\x86", "STACK_GLOBAL of a mark"), (b"N" + text("a") + b"\x93\x86",
                                                "STACK_GLOBAL in None"),
    (text("a") + b"N\x93\x86", "STACK_GLOBAL of None"), (b"(Qt", "BINPERSID of a mark"),
    (b"NQ", "BINPERSID of None"), (b"NP0\n", "PERSID"), (b"N\x82\1", "EXT1"),
    (b"N\x97", "NEXT_BUFFER"), (b"N\x80\6", "another protocol"), (b"NIa\n", "INT of a letter"),
)


def recovered(one):
    for at, (made, what) in enumerate(RECOVERED):
        one.bad("op-recovers-%d" % at, inputs(made), BAD, None,
                "What fails, and then what needs nothing of it: %s." % what)


def underflows(one):
    for at, (made, what) in enumerate(UNDERFLOWS):
        one.bad("op-lacks-%d" % at, whole(b"\x80\4" + made + b"."), BAD, None,
                "What it takes is not on the stack: %s." % what)
    data = pickled(state_of().make(list(state_of().items.items())))
    for size in range(1, len(data), 7):
        one.bad("op-cut-%d" % size, whole(data[:size]), BAD, None,
                "The pickle of the weights ends after %d bytes." % size)
    for label, made in (
            ("binint", b"J..."), ("binint1", b"K"), ("binint2", b"M."), ("long1", b"\x8a\2."),
            ("long1-size", b"\x8a"), ("long4", b"\x8b\2\0\0\0."), ("long4-size", b"\x8b\0\0\0"),
            ("binfloat", b"G......."), ("binbytes", b"B\3\0\0\0.."), ("short", b"C\3.."),
            ("binbytes8", b"\x8e" + SIZE8(3) + b".."), ("far", b"\x8e" + b"\xff" * 8 + b"..."),
            ("unicode", b"X\3\0\0\0.."), ("unicode-far", b"X\xff\xff\xff\xff.."),
            ("short-unicode", b"\x8c\3.."), ("int", b"I12"), ("string", b"S'a'"),
            ("global", b"ctorch\nSize"), ("global-line", b"ctorch"), ("inst", b"(itorch\nSize"),
            ("put", b"Np0"), ("binput", b"Nq"), ("long-binput", b"Nr\0\0\0"), ("frame", b"\x95\0"),
            ("proto", b"\x80")):
        one.bad("op-cut-off-" + label, whole(b"\x80\4" + made), BAD, None,
                "What belongs to an opcode is cut off.")


KIND = b"__torch__.torch.classes.my\nFoo\n"
CLASSES = (  # label, whether it is an object of the class, how it is made
    ("obj", True, b"(c" + KIND + b"o"), ("obj-one", True, b"(c" + KIND + b"No"),
    ("inst", True, b"(i" + KIND), ("inst-one", True, b"(Ni" + KIND),
    ("newobj-ex", True, b"c" + KIND + b")}\x92"), ("reduce", True, b"c" + KIND + b")R"),
    ("stack", True, b"\x8c\x1a__torch__.torch.classes.my\x8c\3Foo\x93)\x81"),
    ("built", True, b"c" + KIND + b")\x81}b"), ("obj-none", False, b"(No"),
    ("newobj-text", False, text("a") + b")\x81"), ("newobj-dtype", False, b"ctorch\nint8\n)\x81"),
    ("reduce-none", False, b"N)R"), ("reduce-object", False, b"c" + KIND + b")\x81)R"),
)


def classes(one, objects):
    for label, valid, made in CLASSES:
        objects.pairs([("op-class-" + label, valid, payload(
            "constants/custom_obj_0", saved(pickled(made, 4))), "A custom object, by an opcode.")],
                      [PICKLE], BAD, ("constants", "engine"))
        if not valid:
            one.bad("op-class-" + label, item(made), BAD, None, "A weight that is an object.")


# ---- the memo --------------------------------------------------------------------------

SPARE = tensor(FIRST, (1,))
MEMOS = (  # what puts the tensors that are no tail, and the tail; what takes the tail
    ("binput", b"q\5", b"q\6", b"h\6"), ("long", b"r\5\0\0\0", b"r\6\0\0\0", b"j\6\0\0\0"),
    ("line", b"p5\n", b"p6\n", b"g6\n"), ("line-digits", b"p5\n", b"p16\n", b"g16\n"),
    ("line-many", b"p1\n", b"p101\n", b"g101\n"), ("mixed", b"q\5", b"r\6\0\0\0", b"g6\n"),
    ("mixed-line", b"p5\n", b"p6\n", b"h\6"), ("mixed-long", b"q\5", b"q\6", b"j\6\0\0\0"),
    ("memoize", b"\x94", b"\x94", b"h\2"), ("over", b"q\6", b"q\6", b"h\6"),
    ("memoize-behind", b"q\0", b"\x94", b"h\1"), ("memoize-over", b"q\0q\0", b"\x94", b"h\1"),
    ("memoize-gap", b"q\7q\x09", b"\x94", b"h\2"), ("memoize-gap-over", b"q\1q\7", b"\x94", b"h\2"),
    ("first", b"q\1", b"q\0", b"h\0"), ("last", b"q\0", b"q\xc8", b"h\xc8"),
    ("long-last", b"q\0", b"r\xc8\0\0\0", b"j\xc8\0\0\0"),
    ("line-first", b"p5\n", b"p1\n" + text("more") + SPARE + b"p10\n", b"g1\n"),
    ("mixed-digits", b"p5\n", b"p16\n", b"h\x10"), ("mixed-many", b"p5\n", b"p120\n", b"h\x78"),
    ("again", b"q\5", b"q\6" + text("more") + b"h\6q\7", b"h\7"),
    ("of-itself", b"q\5", b"q\6q\7", b"h\6"), ("moved", b"q\7", b"q\6q\7q\5", b"h\7"),
)


def remembered(first, second, taken):
    """The weights; the tail is taken from the memo, into which it was put of another name."""
    return (b"}(" + text("other") + SPARE + first + text("weight") + WEIGHT
            + (first if first == b"\x94" else b"") + text("spare") + TAIL + second + text("tail")
            + taken + b"u")


def memos(one):
    for label, first, second, taken in MEMOS:
        one.good("op-memo-" + label, weights(remembered(first, second, taken)), [PICKLE],
                 "A weight that was put into the memo under another name.")
    for label, second, taken, why in (
            ("other", b"q\6", b"h\7", "Nothing was put under this number."),
            ("before", b"q\6", b"h\5", "A lower number, under which nothing was put."),
            ("long", b"q\6", b"j\6\1\0\0", "A number of four bytes, under which nothing was put."),
            ("longest", b"q\6", b"j\xff\xff\xff\xff", "The largest number."),
            ("line", b"p6\n", b"g7\n", "A number in a line, under which nothing was put."),
            ("line-letter", b"p6\n", b"g6x\n", "A letter behind a number."),
            ("line-empty", b"p6\n", b"g\n", "No number."), ("line-blank", b"p6\n", b"g 6\n", "A blank."),
            ("line-far", b"p6\n", b"g18446744073709551622\n", "2^64 and 6."),
            ("line-digits", b"p6\n", b"g16\n", "Ten more."),
            ("put-letter", b"p6x\n", b"h\6", "A letter behind a number that is put."),
            ("put-empty", b"p\n", b"h\6", "No number that is put."),
            ("memoize", b"\x94", b"h\2", "One number more than values were put."),
            ("none", b"", b"h\6", "Nothing was put.")):
        one.bad("op-memo-not-" + label, weights(
            b"}(" + text("weight") + WEIGHT + text("spare") + TAIL + second + text("tail") + taken
            + b"u"), BAD, None, "What is taken from the memo was not put there. " + why)
    one.bad("op-memo-wrong", weights(remembered(b"q\6", b"q\7", b"h\6")), "EP_ARCHIVE_TENSOR", None,
            "Another tensor of the memo.", also=[PICKLE])


# ---- calls ---------------------------------------------------------------------------

V2, V3 = "torch._utils:_rebuild_tensor_v2", "torch._utils:_rebuild_tensor_v3"
META, SPARSE = ("torch._utils:_rebuild_meta_tensor_no_storage",
                "torch._utils:_rebuild_sparse_tensor")
ARGUMENTS = (FIRST, number(0), numbers((8,)), numbers((1,)), FALSE, ordered())
BYTES = (storage("0", 32, kind=UNTYPED), *ARGUMENTS[1:], imported("torch:float32"))
ON_META = (imported("torch:float32"), numbers((9,)), numbers((1,)), FALSE)
LAYOUT = called("torch.serialization:_get_layout", text("torch.sparse_coo"))
PARTS = several(tensor(FIRST, (1,)), tensor(FIRST, (1,)), numbers((2,)), FALSE)
SIZE = called("torch:Size", numbers((8,)))


def but(arguments, at, value):
    """With another argument at a place; value None: without it."""
    return (*arguments[:at], *([] if value is None else [value]), *arguments[at + 1:])


CALLS = (  # label, whether it makes a tensor, function, arguments
    ("v2", True, V2, ARGUMENTS), ("v2-none", True, V2, (*ARGUMENTS, NONE)),
    ("v2-dict", True, V2, (*ARGUMENTS, b"}")),
    ("v2-conj", True, V2, (*ARGUMENTS, dictionary(("conj", TRUE)))),
    ("v2-neg", True, V2, (*ARGUMENTS, dictionary(("neg", TRUE)))),
    ("v2-both", True, V2, (*ARGUMENTS, dictionary(("neg", FALSE), ("conj", TRUE)))),
    ("v2-key", False, V2, (*ARGUMENTS, dictionary(("conjugate", TRUE)))),
    ("v2-second-key", False, V2, (*ARGUMENTS, dictionary(("conj", TRUE), ("x", TRUE)))),
    ("v2-value", False, V2, (*ARGUMENTS, dictionary(("conj", number(1))))),
    ("v2-second-value", False, V2, (*ARGUMENTS, dictionary(("conj", TRUE), ("neg", NONE)))),
    ("v2-three", False, V2, (*ARGUMENTS, dictionary(("conj", TRUE), ("neg", TRUE), ("x", TRUE)))),
    ("v2-list", False, V2, (*ARGUMENTS, b"]")), ("v2-tuple", False, V2, (*ARGUMENTS, b")")),
    ("v2-text", False, V2, (*ARGUMENTS, text("conj"))),
    ("v2-five", False, V2, ARGUMENTS[:5]), ("v2-eight", False, V2, (*ARGUMENTS, NONE, NONE)),
    ("v2-nine", False, V2, (*ARGUMENTS, NONE, NONE, NONE)), ("v2-nothing", False, V2, ()),
    ("v2-size", True, V2, but(ARGUMENTS, 2, SIZE)),
    ("v2-strides-size", True, V2, but(ARGUMENTS, 3, called("torch:Size", numbers((1,))))),
    ("v2-sizes-list", False, V2, but(ARGUMENTS, 2, listed(number(8)))),
    ("v2-sizes-number", False, V2, but(ARGUMENTS, 2, number(8))),
    ("v2-sizes-text", False, V2, but(ARGUMENTS, 2, several(text("8")))),
    ("v2-sizes-bool", False, V2, but(ARGUMENTS, 2, several(TRUE))),
    ("v2-sizes-none", False, V2, but(ARGUMENTS, 2, NONE)),
    ("v2-strides-list", False, V2, but(ARGUMENTS, 3, listed(number(1)))),
    ("v2-strides-two", False, V2, but(ARGUMENTS, 3, numbers((1, 1)))),
    ("v2-strides-none", False, V2, but(ARGUMENTS, 3, EMPTY_TUPLE)),
    ("v2-grad-number", False, V2, but(ARGUMENTS, 4, number(1))),
    ("v2-grad-none", False, V2, but(ARGUMENTS, 4, NONE)),
    ("v2-offset-none", False, V2, but(ARGUMENTS, 1, NONE)),
    ("v2-storage-none", False, V2, but(ARGUMENTS, 0, NONE)),
    ("v2-storage-tensor", False, V2, but(ARGUMENTS, 0, tensor(FIRST, (1,)))),
    ("v2-untyped", False, V2, but(ARGUMENTS, 0, BYTES[0])),
    ("v2-hooks-none", True, V2, but(ARGUMENTS, 5, NONE)),
    ("v2-rank-64", True, V2, (FIRST, number(7), numbers((1,) * 64), numbers((1,) * 64), FALSE,
                              ordered())),
    ("v2-rank-65", False, V2, (FIRST, number(7), numbers((1,) * 65), numbers((1,) * 65), FALSE,
                               ordered())),
    ("v3", True, V3, BYTES), ("v3-none", True, V3, (*BYTES, NONE)),
    ("v3-conj", True, V3, (*BYTES, dictionary(("conj", TRUE)))),
    ("v3-key", False, V3, (*BYTES, dictionary(("x", TRUE)))),
    ("v3-six", False, V3, BYTES[:6]), ("v3-nine", False, V3, (*BYTES, NONE, NONE)),
    ("v3-dtype-none", False, V3, but(BYTES, 6, NONE)),
    ("v3-dtype-text", False, V3, but(BYTES, 6, text("float32"))),
    ("v3-dtype-class", False, V3, but(BYTES, 6, imported("torch:FloatStorage"))),
    ("v3-grad", False, V3, but(BYTES, 4, NONE)), ("v3-storage", False, V3, but(BYTES, 0, NONE)),
    ("meta", True, META, ON_META), ("meta-three", False, META, ON_META[:3]),
    ("meta-five", False, META, (*ON_META, NONE)),
    ("meta-dtype", False, META, but(ON_META, 0, NONE)),
    ("meta-dtype-text", False, META, but(ON_META, 0, text("float32"))),
    ("meta-sizes", False, META, but(ON_META, 1, number(9))),
    ("meta-grad", False, META, but(ON_META, 3, number(0))),
    ("sparse", True, SPARSE, (LAYOUT, PARTS)), ("sparse-one", False, SPARSE, (LAYOUT,)),
    ("sparse-three", False, SPARSE, (LAYOUT, PARTS, NONE)),
    ("sparse-layout", False, SPARSE, (text("torch.sparse_coo"), PARTS)),
    ("sparse-parts", False, SPARSE, (LAYOUT, listed(tensor(FIRST, (1,))))),
)
PLAIN = tensor(FIRST, (8,))
OF_PARAMETER = (PLAIN, TRUE, ordered())
PARAMETERS = (
    ("three", True, OF_PARAMETER), ("four", True, (*OF_PARAMETER, b"}")),
    ("two", False, OF_PARAMETER[:2]), ("five", False, (*OF_PARAMETER, b"}", b"}")),
    ("none", False, ()), ("grad", False, but(OF_PARAMETER, 1, NONE)),
    ("grad-number", False, but(OF_PARAMETER, 1, number(1))),
    ("of-none", False, but(OF_PARAMETER, 0, NONE)),
    ("of-storage", False, but(OF_PARAMETER, 0, FIRST)),
    ("of-parameter", True, but(OF_PARAMETER, 0, parameter(PLAIN))),
)
TYPED = "torch._tensor:_rebuild_from_type_v2"
TENSOR, FUNCTION = imported("torch:Tensor"), imported(V2)
OF_TYPE = (FUNCTION, TENSOR, several(*ARGUMENTS), b"}")
TYPES = (
    ("plain", True, OF_TYPE), ("parameter", True, but(OF_TYPE, 1, imported(
        "torch.nn.parameter:Parameter"))),
    ("class", True, but(OF_TYPE, 1, imported("my:Weight"))),
    ("three", False, OF_TYPE[:3]), ("five", False, (*OF_TYPE, NONE)),
    ("function-none", False, but(OF_TYPE, 0, NONE)),
    ("arguments-list", False, but(OF_TYPE, 2, listed(*ARGUMENTS))),
    ("arguments-few", False, but(OF_TYPE, 2, several(*ARGUMENTS[:5]))),
    ("v3", True, but(but(OF_TYPE, 0, imported(V3)), 2, several(*BYTES))),
    ("v3-few", False, but(but(OF_TYPE, 0, imported(V3)), 2, several(*BYTES[:6]))),
    ("meta", True, but(but(OF_TYPE, 0, imported(META)), 2, several(*ON_META))),
    ("meta-few", False, but(but(OF_TYPE, 0, imported(META)), 2, several(*ON_META[:3]))),
    ("sparse", True, but(but(OF_TYPE, 0, imported(SPARSE)), 2, several(LAYOUT, PARTS))),
    ("sparse-few", False, but(but(OF_TYPE, 0, imported(SPARSE)), 2, several(LAYOUT))),
    ("parameters", True, but(but(OF_TYPE, 0, imported("torch._utils:_rebuild_parameter")), 2,
                             several(*OF_PARAMETER))),
    ("parameters-few", False, but(but(OF_TYPE, 0, imported("torch._utils:_rebuild_parameter")), 2,
                                  several(*OF_PARAMETER[:2]))),
)


def calls(one):
    rows = [(label, valid, called(function, *arguments))
            for label, valid, function, arguments in CALLS]
    for function in ("_rebuild_parameter", "_rebuild_parameter_with_state"):
        rows += [("%s-%s" % (function[9:].replace("_", "-"), label), valid,
                  called("torch._utils:" + function, *arguments))
                 for label, valid, arguments in PARAMETERS]
    rows += [("type-" + label, valid, called(TYPED, *arguments)) for label, valid, arguments in TYPES]
    for label, valid, made in rows:
        one.pairs([("op-call-" + label, valid, item(made), "What makes a tensor, and its "
                    "arguments.")], [PICKLE], BAD)
    for label, valid, made in (
            ("v2", False, called(V2, *but(ARGUMENTS, 2, numbers((9,))))),
            ("v2-size", False, called(V2, *but(ARGUMENTS, 2, called("torch:Size", numbers((9,)))))),
            ("v3", False, called(V3, *but(BYTES, 2, numbers((9,))))),
            ("v3-double", False, called(V3, *but(BYTES, 6, imported("torch:float64")))),
            ("parameter", False, called("torch._utils:_rebuild_parameter_with_state", tensor(
                FIRST, (9,)), TRUE, ordered(), b"}")),
            ("type", False, called(TYPED, *but(OF_TYPE, 2, several(*but(
                ARGUMENTS, 2, numbers((9,))))))),
            ("type-v3", False, called(TYPED, *but(but(OF_TYPE, 0, imported(V3)), 2, several(*but(
                BYTES, 2, numbers((9,))))))),
            ("type-parameter", False, called(TYPED, imported("torch._utils:_rebuild_parameter"),
                                             TENSOR, several(tensor(FIRST, (9,)), TRUE, ordered()),
                                             b"}"))):
        one.pairs([("op-call-over-" + label, valid, item(made), "A tensor that does not fit.")],
                  [PICKLE, STORAGES], UNFIT)


ID = (text("storage"), imported("torch:FloatStorage"), text("0"), text("cpu"), number(8))
IDS = (
    ("list", listed(*ID)), ("four", several(*ID[:4])), ("six", several(*ID, NONE)),
    ("word", several(*but(ID, 0, text("module")))), ("word-none", several(*but(ID, 0, NONE))),
    ("class-none", several(*but(ID, 1, NONE))), ("class-text", several(*but(ID, 1, text("x")))),
    ("class-dtype", several(*but(ID, 1, imported("torch:float32")))),
    ("class-tensor", several(*but(ID, 1, imported("torch:Tensor")))),
    ("class-unknown", several(*but(ID, 1, imported("torch:AnyStorage")))),
    ("class-module", several(*but(ID, 1, imported("torch:UntypedStorage")))),
    ("class-quantized", several(*but(ID, 1, imported("torch:QInt8Storage")))),
    ("key-number", several(*but(ID, 2, number(0)))), ("key-none", several(*but(ID, 2, NONE))),
    ("place-none", several(*but(ID, 3, NONE))), ("place-number", several(*but(ID, 3, number(0)))),
    ("count-none", several(*but(ID, 4, NONE))), ("count-text", several(*but(ID, 4, text("8")))),
    ("count-negative", several(*but(ID, 4, number(-8)))), ("none", NONE),
)


def ids(one):
    for label, made in IDS:
        one.bad("op-id-" + label, item(called(V2, *but(ARGUMENTS, 0, made + b"Q"))), BAD, None,
                "A persistent id that is no storage's.")


OPAQUE = "constants/opaque_obj_0"
ALONE = (b"a", b"e", b"s", b"u", b"\x90", b"l", b"d", b"t", b"\x91", b"\x86", b"\x87", b"1", b"o", b"R",
         b"\x81", b"\x92", b"b", b"icollections\nOrderedDict\n", b"\x93", b"Q", b"h\7", b"g7\n",
         b"gx\n", b"Px\n", b"\x97", b"\x82\1", b"Ia\n", b"L\n", b"Sa\n", b"p\n", b"q", b"\x80\6")


def opaque(objects):
    """One value, and behind it what fails: an opaque object is any value."""
    def change(kit, data):
        kit.payloads[OPAQUE] = data
        del kit.payloads["constants/custom_obj_0"]
        kit.constants["engine"]["path_name"] = "opaque_obj_0"
    twin = objects.good("op-alone", lambda kit: change(kit, pickled(NONE)), [PICKLE],
                        "An opaque object that is None.")
    for at, made in enumerate(ALONE):
        objects.bad("op-alone-%d" % at, lambda kit, made=made: change(kit, pickled(NONE + made)), BAD,
                    ("constants", "engine"), "An opaque object that is None, and an opcode that "
                    "fails behind it.", twin=twin)


def nested(one):
    """What is none, in a list of the sample inputs, which is no shorter for it."""
    rows = [("broken-" + label, made) for label, made, _ in BROKEN]
    rows += [("call-" + label, called(function, *arguments))
             for label, valid, function, arguments in CALLS if not valid]
    rows += [("parameter-" + label, called("torch._utils:_rebuild_parameter", *arguments))
             for label, valid, arguments in PARAMETERS if not valid]
    rows += [("type-" + label, called(TYPED, *arguments))
             for label, valid, arguments in TYPES if not valid]
    rows += [("id-" + label, made + b"Q") for label, made in IDS]
    rows += [("get", b"h\7"), ("get-long", b"j\7\0\0\0"), ("get-line", b"g7\n"),
             ("get-letter", b"gx\n"), ("global-none", b"N" + text("a") + b"\x93"),
             ("global-number", text("a") + number(1) + b"\x93"), ("long-letter", b"L1xL\n"),
             ("long-only", b"LL\n"), ("append-none", NONE + NONE + b"a"),
             ("items-none", NONE + b"(" + NONE + b"e"), ("items-odd", b"}(" + NONE + b"u"),
             ("dict-odd", b"(" + NONE + b"d"), ("tuple-mark", b"(" + b"\x85"),
             ("build-none", NONE + dictionary(("a", NONE)) + b"b"),
             ("build-list", b"]" + dictionary(("a", NONE)) + b"b"),
             ("item-none", NONE + NONE + NONE + b"s"), ("reduce-list", FALSE + b"]R")]
    for label, made in rows:
        value = several(several(b"](" + made + b"e"), b"}")
        one.bad("op-nested-" + label, pickle(
            "inputs", make=lambda pairs, value=value: value, storages={"0": STORED}), BAD, None,
                "What is no value, in a list of the sample inputs.")


def vectors(suite):
    one = Wholes(suite, "pickled", lambda: saved_state("8.8", PT2),
                 ["8.2.1", "8.2.2", "8.2.3", "8.4.1", "8.4.2", "8.4.3", "8.5.1", PICKLE, STORAGES],
                 "State that torch.save wrote, in the PT2 layout.")
    for part in (values, spelled, holders, underflows, recovered, memos, calls, ids, nested):
        part(one)
    objects = Wholes(suite, "object", raw_object, ["8.3.2", "8.4.1", "8.4.3", "8.5.1", PICKLE],
                     "Configs, one of which names a custom object.")
    classes(one, objects)
    opaque(objects)
