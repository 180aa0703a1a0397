"""What torch.save wrote in a whole archive (SPEC 8.5): the archive inside, its pickle, what that
imports, and its storages.
"""

from generate.archive import pickles
from generate.archive.kits import (FLAT, NOWHERE, PT2, STORED, Wholes, add, both, held, object_saved,
                                   pickle, raw, raw_object, saved_state, state_of, value)
from generate.archive.pickles import (DROP, EMPTY_LIST, EMPTY_TUPLE, FALSE, NONE, TRUE, UNTYPED,
                                      called, contiguous, dictionary, framed, imported, in_lines, listed,
                                      meta_tensor, number, numbers, of_type, ordered, parameter,
                                      pickled, saved, scripted, several, sparse_tensor, storage,
                                      subclassed, tensor, tensor_of_dtype, text)
from generate.archive.zips import DEFLATED, archive, member
from generate.whole import meta

INSIDE, PICKLE, STORAGES = "8.5.1", "8.5.2", "8.5.3"
BAD, UNFIT = "EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES"
STATE = "data/weights/model.pt"
FIRST = storage("0", 8)


def said(**what):
    """What pickles.saved is told of the weights."""
    return pickle("weights", said=what)


def whole(data):
    """Other bytes in the place of the weights."""
    return pickle("weights", data=data)


# ---- 8.5.1: the archive inside ----------------------------------------------------


def state_saved(**what):
    found = state_of()
    found.said.update(what)
    return found.written()


GOOD = state_saved()
PICKLED = pickled(state_of().make(list(state_of().items.items())))


def inner(change):
    """The weights, whose zip members are others."""
    made = [member("archive/" + name, data) for name, data in (
        ("data.pkl", PICKLED), ("byteorder", b"little"), ("data/0", STORED), ("version", b"3\n"))]
    return whole(archive(*change(made)))


def crc(checksum, *names):
    """Both headers of these members say this checksum."""
    wrong = {"crc": checksum}
    return said(said={"archive/" + name: {"local": wrong, "central": wrong} for name in names})


ARCHIVES = (  # label, code (None: valid), change, why
    ("root", None, said(folder="any \u00e9"), "The folder has any name."),
    ("root-empty", BAD, said(folder=""), "The members are in no folder."),
    ("root-two", BAD, said(more=[("other/x", b"")]), "A member in another folder."),
    ("root-none", BAD, said(more=[("x", b"")]), "A member in no folder."),
    ("more", None, said(more=[("archive/x", b"ab"), ("archive/.format_version", b"1")]),
     "Members of other names in the folder."),
    ("no-pickle", BAD, said(without=("data.pkl",)), "There is no data.pkl."),
    ("pickle-below", BAD, said(without=("data.pkl",), more=[("archive/a/data.pkl", PICKLED)]),
     "data.pkl is in a folder below."),
    ("no-version", BAD, said(version=None), "There is no version."),
    ("version", None, said(version=b"10\n"), "Another version."),
    ("constants", BAD, said(more=[("archive/constants.pkl", b"")]),
     "constants.pkl, by which torch.load knows TorchScript."),
    ("constants-below", None, said(more=[("archive/a/constants.pkl", b"")]),
     "constants.pkl in a folder below."),
    ("no-order", None, said(order=None), "There is no byteorder."),
    ("order-big", BAD, said(order=b"big"), "The byte order is big."),
    ("order-empty", BAD, said(order=b""), "The byte order is not said."),
    ("order-line", BAD, said(order=b"little\n"), "A line feed behind the byte order."),
    ("order-other", BAD, said(order=b"Little"), "No byte order."),
    ("order-far", BAD, said(order=b"little" + b" " * 20), "The byte order, and much more."),
    ("deflated", BAD, lambda kit: kit.how.update({STATE: {"method": DEFLATED}}),
     "The archive inside is deflated."),
    ("inside-deflated", None, inner(lambda made: [each._replace(method=DEFLATED)
                                                  if each.name.endswith((b"pkl", b"0")) else each
                                                  for each in made]),
     "Members of the archive inside are deflated."),
    ("folder", None, said(more=[("archive/", b""), ("archive/data/", b"")]),
     "The folders themselves."),
    ("mark-alone", "EP_ARCHIVE", whole(b"PK\3\4"), "The mark of an archive, and no more."),
    ("junk", BAD, whole(b"ab"), "Two bytes, no archive."),
    ("bare", BAD, whole(PICKLED), "A bare pickle."),
    ("behind", BAD, whole(b"\0" + GOOD), "A byte before the archive."),
    ("end", "EP_ARCHIVE", whole(GOOD[:-1]), "The archive lacks its last byte."),
    ("end-behind", "EP_ARCHIVE", whole(GOOD + b"\0"), "A byte behind the archive."),
    ("checksum-pickle", "EP_ARCHIVE_MEMBER", crc(1, "data.pkl"),
     "The checksum of data.pkl is another."),
    ("checksum-storage", "EP_ARCHIVE_MEMBER", crc(1, "data/0"),
     "The checksum of a storage is another."),
    ("checksum-other", "EP_ARCHIVE_MEMBER", crc(1, "version"),
     "The checksum of the version is another."),
    ("checksum-none", None, crc(0, "data.pkl", "byteorder", "data/0", "version"),
     "Checksums of 0 are not compared."),
    ("checksum-order", "EP_ARCHIVE_MEMBER", crc(1, "byteorder"),
     "The checksum of the byte order is another."),
    ("checksum-deflated", "EP_ARCHIVE_MEMBER", inner(lambda made: [
        each._replace(method=DEFLATED, local={"crc": 0}, central={"crc": 0})
        if each.name.endswith(b"0") else each for each in made]),
     "A checksum of 0, of a member that is deflated."),
    ("twice", "EP_ARCHIVE_NAME", inner(lambda made: made + [made[2]]), "A storage twice."),
    ("twice-case", "EP_ARCHIVE_NAME", inner(lambda made: made + [member("archive/DATA/0", b"")]),
     "A storage in another case."),
    ("backslash", "EP_ARCHIVE_NAME", inner(lambda made: made + [member("archive/a\\b", b"")]),
     "A name with a backslash."),
    ("header", "EP_ARCHIVE_HEADER", inner(lambda made: [
        each._replace(local={"name": b"archive/data/1"}) if each.name.endswith(b"0") else each
        for each in made]), "Two names of one storage."),
    ("gap", "EP_ARCHIVE_SPACE", inner(lambda made: [each._replace(after=b"\0") for each in made]),
     "Bytes between the members."),
)


def archives(one):
    for label, code, change, why in ARCHIVES:
        if code is None:
            one.good("inside-" + label, change, [INSIDE], "In a pickled member. " + why)
        else:
            one.bad("inside-" + label, change, code, None if code == BAD else NOWHERE,
                    "In a pickled member. " + why, also=[INSIDE])


def engine(data, path="custom_obj_0"):
    """The custom object, whose member holds this."""
    def change(kit):
        del kit.payloads["constants/custom_obj_0"]
        kit.payloads["constants/" + path] = data
        kit.constants["engine"]["path_name"] = path
    return change


OPAQUE = "opaque_obj_0"
OBJECTS = (  # label, whether it is one, change, why
    ("state", True, engine(object_saved("__torch__.torch.classes.a.b:C")), "Another class."),
    ("module", False, engine(object_saved("__torch__.torch.class:Foo")), "Another module."),
    ("module-bare", False, engine(object_saved("__torch__.torch.classes:Foo")),
     "The module without the dot behind it."),
    ("module-before", False, engine(object_saved("my.__torch__.torch.classes.my:Foo")),
     "A module before."),
    ("script", False, engine(object_saved("torch:ScriptObject")), "The class of all objects."),
    ("evil", False, engine(saved(pickled(called("os:getpid")))), "A call."),
    ("tensor", False, engine(saved(pickled(tensor(storage("0", 1), (1,))), {"0": bytes(4)})),
     "A tensor."),
    ("number", False, engine(saved(pickled(number(1)))), "A number."),
    ("class", False, engine(saved(pickled(imported("__torch__.torch.classes.my:Foo")))),
     "A class, and no object of it."),
    ("bare", False, engine(pickled(scripted("__torch__.torch.classes.my:Foo"))), "A bare pickle."),
    ("empty", False, engine(b""), "No bytes."),
    ("protocol", False, engine(saved(pickled(scripted("__torch__.torch.classes.my:Foo"), 6))),
     "A protocol that there is not."),
    ("order", False, engine(saved(pickled(scripted("__torch__.torch.classes.my:Foo")),
                                  order=b"big")), "The byte order is big."),
    ("opaque", True, engine(pickled(number(1)), OPAQUE), "An opaque object."),
    ("opaque-class", True, engine(pickled(called("fractions:Fraction", number(1)), 4), OPAQUE),
     "An opaque object of any class."),
    ("opaque-saved", False, engine(saved(pickled(number(1))), OPAQUE),
     "An opaque object in an archive."),
    ("opaque-empty", False, engine(b"", OPAQUE), "An opaque object of no bytes."),
    ("opaque-protocol", False, engine(pickled(number(1), 6), OPAQUE),
     "An opaque object of a protocol that there is not."),
    ("opaque-behind", False, engine(pickled(number(1)) + b"\0", OPAQUE),
     "An opaque object, and a byte behind its pickle."),
    ("opaque-two", False, engine(pickled(number(1) + number(2)), OPAQUE),
     "An opaque object of two values."),
)


def objects(raw_one):
    for label, valid, change, why in OBJECTS:
        raw_one.pairs([("object-" + label, valid, change, "A custom object. " + why)],
                      [INSIDE, PICKLE], BAD, ("constants", "engine"))


# ---- 8.5.2: the pickle ------------------------------------------------------------


def weights(value_made, protocol=2):
    """The pickle of the weights, whose value is made by this."""
    return pickle("weights", make=lambda pairs: value_made, protocol=protocol)


def items(**more):
    return pickle("weights", items=more)


NEEDED = (("weight", parameter(tensor(FIRST, (2, 3)))), ("tail", tensor(FIRST, (3,), offset=5)))


def offset_by(spelled):
    """A tensor of one element, whose offset is spelled so."""
    return called("torch._utils:_rebuild_tensor_v2", FIRST, spelled, numbers((1,)), numbers((1,)),
                  FALSE, ordered())


def keyed(key):
    """The dict, with an item under another key."""
    pairs = b"".join(text(name) + data for name, data in NEEDED)
    return b"}(" + pairs + key + NEEDED[1][1] + b"u"


FORMS = (  # label, whether it may be, change, why
    ("protocol-1", True, pickle("weights", protocol=1), "Protocol 1."),
    ("protocol-3", True, pickle("weights", protocol=3), "Protocol 3."),
    ("protocol-4", True, pickle("weights", protocol=4), "Protocol 4."),
    ("protocol-5", True, pickle("weights", protocol=5), "Protocol 5."),
    ("protocol-0", True, pickle("weights", protocol=0), "Protocol 0 that is said."),
    ("protocol-none", True, pickle("weights", protocol=None), "No protocol is said."),
    ("protocol-6", False, pickle("weights", protocol=6), "Protocol 6."),
    ("protocol-255", False, pickle("weights", protocol=255), "Protocol 255."),
    ("dict", True, weights(dictionary(*NEEDED)), "A dict."),
    ("ordered", True, weights(ordered(*NEEDED)), "An OrderedDict."),
    ("ordered-stack", True, weights(text("collections") + text("OrderedDict") + b"\x93)R("
                                    + b"".join(text(name) + data for name, data in NEEDED) + b"u",
                                    4), "What it imports is on the stack."),
    ("memo", True, weights(dictionary(*NEEDED) + b"q\0"), "The dict is put into the memo."),
    ("memo-get", True, weights(b"}q\7(" + b"".join(text(name) + data for name, data in NEEDED)
                               + b"u"), "The dict is put into the memo before it is filled."),
    ("set-items", True, weights(b"}" + b"".join(text(name) + data + b"s" for name, data in NEEDED)),
     "The dict is filled one by one."),
    ("framed", True, weights(framed(dictionary(*NEEDED)), 4), "A frame of protocol 4."),
    ("framed-over", False, weights(framed(dictionary(*NEEDED), 1), 4),
     "A frame that says a byte more than there is."),
    ("lines", True, items(other=in_lines()), "Values in lines, as protocol 0 has them."),
    ("line-zero", False, items(other=in_lines().replace(b"I7\n", b"I\n")),
     "A line with no digits in the place of a number."),
    ("line-letter", False, items(other=in_lines().replace(b"I7\n", b"I7x\n")),
     "A line with a letter in the place of a number."),
    ("line-negative", False, items(other=in_lines().replace(b"I7\n", b"I-1\n")),
     "A line with a number below 0 for an offset."),
    ("quote-open", False, items(other=in_lines().replace(b"S'0'", b"S'0\"")),
     "A text whose quotes are two."),
    ("mark-dropped", True, weights(b"(1" + dictionary(*NEEDED)),
     "A mark is thrown away, and no value."),
    ("two-values", False, weights(number(1) + dictionary(*NEEDED)), "Two values are left."),
    ("mark-left", False, weights(b"(" + dictionary(*NEEDED)), "A mark is left."),
    ("dropped", False, weights(number(1) + DROP + dictionary(*NEEDED)),
     "A value is thrown away."),
    ("dropped-global", False, weights(imported("collections:OrderedDict") + DROP + dictionary(
        *NEEDED)), "A class is thrown away."),
    ("dropped-marked", False, weights(b"(" + number(1) + b"1" + dictionary(*NEEDED)),
     "A value is thrown away down to a mark."),
    ("list", False, weights(listed(*[data for _, data in NEEDED])), "A list."),
    ("tuple", False, weights(several(*[data for _, data in NEEDED])), "A tuple."),
    ("none", False, weights(NONE), "None."),
    ("tensor", False, weights(NEEDED[0][1]), "A tensor."),
    ("key-number", False, weights(keyed(number(1))), "A key that is a number."),
    ("key-bytes", False, weights(keyed(b"C\1a")), "A key that is bytes."),
    ("key-none", False, weights(keyed(NONE)), "A key that is None."),
    ("key-tuple", False, weights(keyed(several(text("a")))), "A key that is a tuple."),
    ("key-twice", False, weights(keyed(text("tail"))), "A key twice."),
    ("key-empty", True, weights(keyed(text(""))), "A key of no letters."),
    ("item-number", False, items(other=number(1)), "An item that is a number."),
    ("item-none", False, items(other=NONE), "An item that is None."),
    ("item-text", False, items(other=text("a")), "An item that is a text."),
    ("item-dict", False, items(other=dictionary(("a", tensor(FIRST, (1,))))),
     "An item that is a dict of tensors."),
    ("item-list", False, items(other=listed(tensor(FIRST, (1,)))),
     "An item that is a list of tensors."),
    ("item-storage", False, items(other=FIRST), "An item that is a storage."),
    ("item-size", False, items(other=called("torch:Size", numbers((1, 2)))),
     "An item that is a torch.Size."),
    ("item-script", False, items(other=scripted()), "An object among the weights."),
    ("item-class", False, items(other=imported("torch:Tensor")), "A class."),
    ("item-fake-class", False, items(other=imported(
        "torch._export.serde.serialize:_reconstruct_fake_tensor")), "The function that makes what "
     "stands for a fake tensor."),
    ("item-dtype", False, items(other=imported("torch:float32")), "A dtype."),
    ("item-scalar", True, items(other=tensor(FIRST, (), offset=7)), "A tensor of no dimensions."),
    ("item-parameter", True, items(other=parameter(tensor(FIRST, (8,)))), "Another parameter."),
    ("item-meta", True, items(other=meta_tensor((100,))), "A tensor on meta."),
    ("item-sparse", True, both(items(other=sparse_tensor(
        tensor(storage("1", 1, 5), (1, 1)), tensor(storage("0", 8), (1,)), (2,))), pickle(
            "weights", storages={"1": bytes(8)})), "A sparse tensor."),
    ("item-type-parameter", True, items(other=of_type(
        "torch.nn.parameter:Parameter", "torch._utils:_rebuild_parameter", tensor(FIRST, (1,)),
        TRUE, ordered())), "A Parameter that has attributes."),
    ("item-type-tensor", True, items(other=of_type(
        "torch:Tensor", "torch._utils:_rebuild_tensor_v2", FIRST, number(0), numbers((1,)),
        numbers((1,)), FALSE, ordered())), "A tensor that has attributes."),
    ("item-conjugate", True, both(items(other=tensor(storage("1", 1, 10), (1,), more=[
        dictionary(("conj", TRUE))])), pickle("weights", storages={"1": bytes(8)})),
     "A tensor that is the conjugate of its bytes."),
    ("extension", False, items(other=b"\x82\1"), "A number in the place of what it imports."),
    ("persistent-other", False, items(other=text("a") + b"Q"), "A persistent id of another kind."),
    ("persistent-line", False, items(other=b"P0\n"), "A persistent id of protocol 0."),
    ("persistent-short", False, items(other=several(text("storage"), imported(
        "torch:FloatStorage"), text("0"), text("cpu")) + b"Q"), "A persistent id without a count."),
    ("buffer", False, items(other=b"\x97"), "Bytes that lie outside of it."),
    ("rebuilt-short", False, items(other=called(
        "torch._utils:_rebuild_tensor_v2", FIRST, number(0), numbers((1,)))),
     "A tensor without strides."),
    ("rebuilt-number", False, items(other=called(
        "torch._utils:_rebuild_tensor_v2", number(0), number(0), numbers((1,)), numbers((1,)),
        FALSE, ordered())), "A tensor without a storage."),
    ("rebuilt-rank", False, items(other=tensor(FIRST, (1, 1), (1,))),
     "A tensor of two sizes and a stride."),
    ("rebuilt-size", False, items(other=tensor(FIRST, (-1,), (1,))), "A size below 0."),
    ("rebuilt-stride", False, items(other=tensor(FIRST, (2,), (-1,), 3)), "A stride below 0."),
    ("long-zero", True, items(other=offset_by(b"\x8a\0")), "An offset of 0 in no bytes."),
    ("long-small", True, items(other=offset_by(b"\x8a\2\7\0")), "An offset of 7 in two bytes."),
    ("long-four", True, items(other=offset_by(b"\x8b\1\0\0\0\7")), "An offset of 7, by LONG4."),
    ("long-negative", False, items(other=offset_by(b"\x8a\1\xff")), "An offset of -1 in a byte."),
    ("long-lowest", False, items(other=offset_by(b"\x8a\x08" + bytes(7) + b"\x80")),
     "The lowest of all offsets."),
    ("int-negative", False, items(other=offset_by(b"J\xff\xff\xff\xff")),
     "An offset of -1 in four bytes."),
    ("int-two", True, items(other=offset_by(b"M\7\0")), "An offset of 7 in two bytes."),
    ("rebuilt-offset", False, items(other=tensor(FIRST, (1,), (1,), -1)), "An offset below 0."),
    ("evil", False, items(other=called("os:getpid")), "A call of os.getpid."),
    ("evil-item", False, items(other=tensor(FIRST, (1,), hooks=called("os:getpid"))),
     "A call within a tensor."),
)


def cut(data):
    """The pickle of the weights as bytes."""
    return whole(saved(data, {"0": STORED}))


def forms(one):
    for label, valid, change, why in FORMS:
        one.pairs([("pickle-" + label, valid, change, "The pickle of the weights. " + why)],
                  [PICKLE], BAD)
    for label, data, why in (
            ("empty", b"", "It has no bytes."), ("cut", PICKLED[:-1], "It does not end."),
            ("behind", PICKLED + b"\0", "A byte behind its end."),
            ("twice", PICKLED + PICKLED, "Two pickles."),
            ("stop", b"\x80\2.", "Nothing but an end."), ("opcode", b"\x80\2\xff.",
                                                          "An opcode that there is not."),
            ("not-got", b"\x80\2h\0.", "What is taken from the memo was not put there."),
            ("text", b"{}", "It is JSON.")):
        one.bad("pickle-" + label, cut(data), BAD, None, "The pickle of the weights. " + why)
    one.bad("pickle-constants-class", pickle("constants", items={"other": imported(
        "torch:ScriptObject")}), BAD, None, "In the constants the class of all objects, and none "
            "of it.")


INPUTS = (  # of sample inputs: label, whether they may be, the value, why
    ("none", True, several(EMPTY_TUPLE, b"}"), "No inputs."),
    ("empty", True, b"}", "An empty dict."),
    ("keywords", True, several(EMPTY_TUPLE, dictionary(("a", number(1)))), "A keyword."),
    ("objects", True, several(several(called("fractions:Fraction", number(1)), NONE), b"}"),
     "An object of any class."),
    ("call", True, several(several(called("os:getcwd")), b"}"), "A call of any function."),
    ("nested", True, several(several(listed(dictionary(("a", tensor(storage("0", 1), (1,)))))),
                             b"}"), "A tensor within containers."),
    ("full-dict", False, dictionary(("a", number(1))), "A dict that is not empty."),
    ("list", False, listed(EMPTY_TUPLE, b"}"), "A list of both."),
    ("list-in", False, several(EMPTY_LIST, b"}"), "A list in the place of the tuple."),
    ("tuple-in", False, several(EMPTY_TUPLE, EMPTY_TUPLE), "A tuple in the place of the dict."),
    ("reversed", False, several(b"}", EMPTY_TUPLE), "The dict before the tuple."),
    ("one", False, several(EMPTY_TUPLE), "No dict."),
    ("three", False, several(EMPTY_TUPLE, b"}", b"}"), "A dict too many."),
    ("plain", False, EMPTY_TUPLE, "An empty tuple."),
    ("is-none", False, NONE, "None."),
    ("is-tensor", False, tensor(storage("0", 1), (1,)), "A tensor."),
)


def inputs(one, flat):
    for label, valid, made, why in INPUTS:
        change = pickle("inputs", make=lambda pairs, made=made: made, storages={"0": bytes(4)})
        one.pairs([("inputs-" + label, valid, change, "Sample inputs. " + why)], [PICKLE], BAD)
    for label, change, code, why in (
            ("protocol", pickle("inputs", protocol=6), BAD, "A protocol that there is not."),
            ("dropped", pickle("inputs", make=lambda pairs: number(1) + DROP + several(
                EMPTY_TUPLE, b"}")), BAD, "A value is thrown away."),
            ("junk", pickle("inputs", data=b"ab"), BAD, "No archive."),
            ("short", pickle("inputs", storages={"0": bytes(20)}), UNFIT,
             "A storage that is too short."),
            ("lost", pickle("inputs", make=lambda pairs: several(several(
                tensor(storage("1", 1), (1,))), b"}")), UNFIT, "A storage that is not there."),
            ("over", pickle("inputs", items={"x": tensor(storage("0", 6), (7,))}), UNFIT,
             "A tensor that does not fit.")):
        one.bad("inputs-" + label, change, code, None, "Sample inputs. " + why)
    flat.bad("inputs-short", pickle("inputs", storages={"0": bytes(20)}), UNFIT, None,
             "Sample inputs of the flat layout. A storage that is too short.")
    flat.bad("inputs-junk", pickle("inputs", data=b"ab"), BAD, None,
             "Sample inputs of the flat layout. No archive.")


# ---- what a pickle imports --------------------------------------------------------

IMPORTS = (  # what it names, whether it may; where it stands nobody looks at it
    ("torch:FloatStorage", True), ("torch:AnyStorage", True), ("torch:Storage", True),
    ("torch:UntypedStorage", True), ("torch:FloatStorages", False), ("torch:storage", False),
    ("torch:Size", True), ("torch:Sizes", False), ("torch:Tensor", True),
    ("torch:FloatTensor", False), ("torch:tensor", False),
    ("torch:device", True), ("torch:Device", False),
    ("torch:ScriptObject", True), ("torch:ScriptModule", False), ("torch:load", False),
    ("torch:float32", True), ("torch:bfloat16", True), ("torch:uint16", True),
    ("torch:float8_e4m3fn", True), ("torch:bool", True),
    ("torch:float33", False), ("torch:Float32", False),
    ("torch.storage:UntypedStorage", True), ("torch.storage:TypedStorage", False),
    ("torch.storage:_load_from_bytes", False), ("torch.cuda:FloatStorage", False),
    ("torch._utils:_rebuild_tensor", True), ("torch._utils:_rebuild_tensor_v2", True),
    ("torch._utils:_rebuild_", True), ("torch._utils:_rebuild_qtensor", True),
    ("torch._utils:_rebuild", False), ("torch._utils:rebuild_tensor", False),
    ("torch._utils:_import_dotted_name", False),
    ("torch._tensor:_rebuild_from_type_v2", True), ("torch._tensor:_rebuild_from_type", False),
    ("torch._tensor:_rebuild_from_type_v3", False), ("torch._tensor:Tensor", False),
    ("torch.nn.parameter:Parameter", True), ("torch.nn.parameter:Buffer", False),
    ("torch.nn.parameter:Parameters", False), ("torch.nn:Parameter", False),
    ("torch.serialization:_get_layout", True), ("torch.serialization:load", False),
    ("torch.serialization:_get_layouts", False),
    ("torch._tensor:_rebuild_from_type_v2x", False),
    ("torch.jit._pickle:build_intlist", True), ("torch.jit._pickle:build_tensorlist", False),
    ("torch._export.serde.serialize:_reconstruct_fake_tensor", True),
    ("torch._export.serde.serialize:_reconstruct_fake_tensors", False),
    ("torch._export.serde.serialize:deserialize", False),
    ("collections:OrderedDict", True), ("collections:Counter", False),
    ("collections:defaultdict", False),
    ("collections.abc:OrderedDict", False),
    ("_codecs:encode", True), ("_codecs:decode", False), ("codecs:encode", False),
    ("__torch__.torch.classes.my:Foo", True), ("__torch__.torch.classes.a.b:Bar", True),
    ("__torch__.torch.classes.:Foo", True), ("__torch__.torch.classes:Foo", False),
    ("__torch__.torch.classesX:Foo", False), ("__torch__:Foo", False),
    ("torch.torch.classes.my:Foo", False),
    ("builtins:set", False), ("builtins:getattr", False),
    ("os:system", False), ("my:Weight", False),
)


def within(path):
    """A tensor with hooks that are this; torch gives them to it, and no format says what they
    have to be."""
    return tensor(FIRST, (1,), hooks=imported(path))


def imports(made):
    one = made["pickled"]
    for path, valid in IMPORTS:
        label = path.replace(":", "-")
        change = items(other=within(path))
        one.pairs([("import-" + label, valid, change, "The weights name %s." %
                    path.replace(":", "."))], [PICKLE], BAD)
    evil = imported("os:system")
    stacked = text("os") + text("system") + b"\x93"
    for label, change, why in (
            ("constants", pickle("constants", items={"table": tensor(
                storage("1", 4), (2, 2), hooks=evil)}), "The constants."),
            ("stack", items(other=tensor(FIRST, (1,), hooks=stacked)),
             "The name is on the stack."),
            ("stack-computed", items(other=tensor(FIRST, (1,), hooks=several(text("os")) + text(
                "system") + b"\x93")), "A name that is no text."),
            ("instance", items(other=tensor(FIRST, (1,), hooks=b"(ios\nsystem\n")),
             "By the opcode INST."),
            ("function-of-type", items(other=of_type("my:Weight", "my:make", number(1))),
             "The function that makes a tensor of a class."),
            ("argument-of-type", items(other=of_type(
                "my:Weight", "torch._utils:_rebuild_wrapper_subclass", evil)),
             "An argument of a tensor of a class."),
            ("attribute-of-type", items(other=called(
                "torch._tensor:_rebuild_from_type_v2", imported("torch._utils:_rebuild_tensor_v2"),
                imported("my:Weight"), several(number(1)), evil)),
             "An attribute of a tensor of a class.")):
        one.bad("import-in-" + label, change, BAD, None, "What a pickle imports. " + why)
    one.good("import-class-of-type", items(other=subclassed(FIRST, (1,))), [PICKLE],
             "The class of a tensor may be any.")
    made["raw"].bad("import-in-own", own(within("os:system")), BAD, None,
                    "What the pickle of a weight of its own imports.")
    made["raw"].good("own-hooks", own(within("collections:OrderedDict")), [PICKLE],
                     "A weight that is pickled by itself.")
    made["flat-8.7"].bad("import-in-flat", items(other=within("os:system")), BAD, None,
                         "What the weights of a flat archive import.")
    made["flat-2"].bad("import-in-flat", items(other=within("os:system")), BAD, None,
                       "What the weights of a program of version 2 import.")
    made["flat-8.7"].bad("import-in-constants", pickle("constants", items={"table": tensor(
        storage("1", 4), (2, 2), hooks=evil)}), BAD, None,
                         "What the constants of a flat archive import.")


def own(data):
    """A weight that the program does not know, pickled by itself."""
    return add("weights", "own", held("weight_1", meta(1), pickle=True),
               weight_1=saved(pickled(data), {"0": STORED}))


# ---- 8.5.3: storages --------------------------------------------------------------


def holding(data, storages):
    return both(items(other=data), pickle("weights", storages=storages))


SIZED = (  # label, whether it fits, change, why
    ("missing", False, items(other=tensor(storage("9", 1), (1,))), "There is none of this key."),
    ("missing-empty", False, items(other=tensor(storage("9", 0), (0,))),
     "There is none of this key, of a tensor of no elements."),
    ("more", True, pickle("weights", storages={"9": bytes(4)}), "One that the pickle does not "
     "name."),
    ("key", True, holding(tensor(storage("a/b", 1), (1,)), {"a/b": bytes(4)}), "Any key."),
    ("key-zero", False, items(other=tensor(storage("00", 8), (1,))), "The key of another."),
    ("short", False, pickle("weights", storages={"0": STORED[:-1]}), "A byte less."),
    ("shorter", False, pickle("weights", storages={"0": STORED[:-4]}), "An element less."),
    ("long", False, pickle("weights", storages={"0": STORED + b"\0"}), "A byte more."),
    ("longer", False, pickle("weights", storages={"0": STORED + bytes(4)}), "An element more."),
    ("none", False, pickle("weights", storages={"0": b""}), "No bytes."),
    ("counts", False, items(other=tensor(storage("0", 7), (1,))), "Two counts of one storage."),
    ("dtypes", True, items(other=tensor(storage("0", 4, 8), (1,))),
     "One storage as floats and as doubles."),
    ("bytes", True, items(other=tensor_of_dtype(storage("0", 32, kind=UNTYPED), "torch:uint16",
                                                (16,))), "Untyped, and so counted in bytes."),
    ("bytes-counted", False, items(other=tensor_of_dtype(storage("0", 16, kind=UNTYPED),
                                                         "torch:uint16", (16,))),
     "Untyped, and counted in elements."),
    ("empty", True, holding(tensor(storage("1", 0), (0,)), {"1": b""}), "No elements."),
    ("wrap", False, holding(tensor(storage("1", 1 << 62), (0,)), {"1": b""}),
     "2^62 floats, which are 2^64 bytes."),
    ("wrap-half", False, holding(tensor(storage("1", 1 << 61, 8), (0,)), {"1": b""}),
     "2^61 doubles, which are 2^64 bytes."),
    ("exact", True, items(other=tensor(FIRST, (2, 4))), "All elements are shown."),
    ("over", False, items(other=tensor(FIRST, (3, 3))), "An element more than there are."),
    ("offset", True, items(other=tensor(FIRST, (3,), offset=5)), "The last elements."),
    ("offset-over", False, items(other=tensor(FIRST, (3,), offset=6)), "Beyond the last element."),
    ("offset-end", False, items(other=tensor(FIRST, (), offset=8)), "Behind the last element."),
    ("strides", True, items(other=tensor(FIRST, (2, 2), (5, 2))), "Steps up to the last element."),
    ("strides-over", False, items(other=tensor(FIRST, (2, 2), (5, 3))),
     "Steps beyond the last element."),
    ("no-elements", True, items(other=tensor(FIRST, (0, 9), (9, 9), 99)),
     "No elements, from anywhere."),
    ("no-elements-last", True, items(other=tensor(FIRST, (9, 0), (9, 9), 99)),
     "No elements, from anywhere, by the last size."),
    ("strides-wrap-end", False, items(other=tensor(FIRST, (3,), ((1 << 63) - 4,), 8)),
     "An offset behind the last element, and steps that are 2^64 with it."),
    ("strides-wrap", False, items(other=tensor(FIRST, (2, 2), ((1 << 63) - 1, (1 << 63) - 1), 2)),
     "Steps and an offset that are 2^64 together."),
    ("offset-wrap", False, items(other=tensor(FIRST, (1,), (1,), 1 << 62)),
     "2^62 floats before it, which are 2^64 bytes."),
    ("dtype-over", False, items(other=tensor_of_dtype(storage("0", 32, kind=UNTYPED),
                                                      "torch:float64", (5,))),
     "Five doubles in the bytes of four."),
)


def storages(made):
    for label, valid, change, why in SIZED:
        made["pickled"].pairs([("storage-" + label, valid, change, "A storage of the weights. "
                                + why)], [STORAGES], UNFIT)
    for label, dtype, size in (("byte", 1, 1), ("char", 2, 1), ("short", 3, 2), ("int", 4, 4),
                               ("long", 5, 8), ("half", 6, 2), ("double", 8, 8),
                               ("complex", 10, 8), ("complex-double", 11, 16), ("bool", 12, 1),
                               ("bfloat", 13, 2)):
        twin = made["pickled"].good("storage-of-" + label, holding(
            tensor(storage("1", 3, dtype), (3,)), {"1": bytes(3 * size)}), [STORAGES],
                                    "Three elements of %s, of %d bytes each."
                                    % (pickles.STORAGES[dtype], size))
        if size > 8:
            made["pickled"].bad("storage-of-%s-short" % label, holding(
                tensor(storage("1", 3, dtype), (3,)), {"1": bytes(3 * size - 1)}), UNFIT, None,
                                "Three elements of %s in a byte less." % pickles.STORAGES[dtype],
                                twin=twin)
    short = pickle("weights", storages={"0": STORED[:-4]})
    for label in ("flat-2", "flat-5.1", "flat-8.7"):
        made[label].bad("storage-shorter", short, UNFIT, None,
                        "A storage that is an element too short, in the flat layout.")
    made["pickled"].bad("storage-constants", pickle("constants", storages={"1": bytes(12)}), UNFIT,
                        None, "A storage of the constants that is too short.")


SPARE = (  # label, offset, strides, elements of the storage and of its member, twin, why
    ("none", 0, 1, 3, 3, None, "It has what the tensor shows."),
    ("behind", 0, 1, 9, 9, None, "It goes on behind what the tensor shows."),
    ("before", 6, 1, 9, 9, None, "It begins before what the tensor shows."),
    ("around", 2, 1, 9, 9, None, "It is longer at both ends than what the tensor shows."),
    ("between", 0, 4, 9, 9, None, "It has elements between those that the tensor shows."),
    ("cut", 0, 1, 9, 3, "behind", "It has what the tensor shows, and the pickle says more."),
    ("cut-last", 0, 1, 9, 8, "behind", "It lacks an element that no tensor shows."),
    ("more", 0, 1, 3, 9, "none", "It has more than the pickle says."),
    ("beyond", 7, 1, 9, 9, "before", "The tensor shows an element beyond its end."),
)


def own_storage(part, name, sizes, row):
    """A tensor whose storage no other has, which may be longer than it needs."""
    offset, stride, says, has = row[1:5]
    strides = [stride * step for step in contiguous(sizes)]
    value_name = {"tail": "b_tail", "table": "c_table"}[name]
    return both(pickle(part, items={name: tensor(storage("own", says), sizes, strides, offset)},
                       storages={"own": bytes(4 * has)}), value(value_name, strides=strides))


def spares(made):
    """State that torch.save wrote, in each layout: a storage may have elements to spare, and has
    as many as the pickle says all the same."""
    for label, one in made.items():
        for row in SPARE:
            twin, why = row[-2:]
            if label == "raw":
                change = own_beside(row)
            else:
                change = own_storage("weights", "tail", (3,), row)
            if twin is None:
                one.good("own-spare-" + row[0], change, [STORAGES, "8.3.4"],
                         "A storage of a tensor alone. " + why)
            else:
                one.bad("own-spare-" + row[0], change, UNFIT, None,
                        "A storage of a tensor alone. " + why, twin="own-spare-" + twin)
    for label in ("pickled", "flat-5.1", "flat-8.7"):
        for row in (("behind", 0, 1, 9, 9), ("before", 5, 1, 9, 9), ("between", 0, 3, 10, 10)):
            made[label].good("own-spare-constant-" + row[0], own_storage(
                "constants", "table", (2, 2), row), [STORAGES, "8.3.4"],
                             "A storage of a constant alone, with elements to spare.")


def own_beside(row):
    """The same of a weight that a config names, pickled in a member of its own."""
    offset, stride, says, has = row[1:5]

    def change(kit):
        kit.weights["tail"].update(path_name="weight_1", use_pickle=True)
        kit.weights["tail"]["tensor_meta"].update(storage_offset=offset, strides=[stride])
        kit.payloads["weights/weight_1"] = saved(
            pickled(tensor(storage("0", says), (3,), (stride,), offset)), {"0": bytes(4 * has)})
        value("b_tail", storage_offset=offset, strides=[stride])(kit)
    return change


def vectors(suite):
    made = {"raw": Wholes(suite, "raw", raw, [], ""),
            "pickled": Wholes(suite, "pickled", lambda: saved_state("8.8", PT2), [], "")}
    for version in ("2", "5.1", "8.7"):
        label = "flat-" + version
        made[label] = Wholes(suite, label, lambda version=version: saved_state(version, FLAT), [],
                             "")
    archives(made["pickled"])
    objects(Wholes(suite, "object", raw_object, [], ""))
    forms(made["pickled"])
    inputs(made["pickled"], made["flat-8.7"])
    imports(made)
    storages(made)
    for version in ("1", "5.3", "7.3"):
        label = "flat-" + version
        made[label] = Wholes(suite, label, lambda version=version: saved_state(version, FLAT), [],
                             "")
    spares(made)
