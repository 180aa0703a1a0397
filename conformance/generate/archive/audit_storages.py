"""Audits of storages (SPEC 9.6.13, 9.6.14) that several tensors show, raw and pickled, of names
that a pickle may import, and of members beside a model or a program.
"""

import json

from generate.archive.archives import NO_TENSORS
from generate.archive.pickles import (UNTYPED, dictionary, imported, meta_tensor, parameter, pickled,
                                      saved, several, sparse_tensor, storage, subclassed, tensor,
                                      tensor_of_dtype)
from generate.archive.zips import DEFLATED, archive, deflated, member, written
from generate.archive.audit_members import (BOMB, CLEAN, CONTAINER, DUPLICATE, EVIL, FLAT, GLOBAL,
                                             HIDDEN, MEBIBYTE, NAMES, NATIVE, PATH, PICKLE, PT2,
                                             PUSHES, R, UNPICKLED, UNREAD, ZEROS, base, put, replaced, sized,
                                             text)

MOST = (1 << 63) - 1

# ---- raw -------------------------------------------------------------------------------


def config(*entries):
    """Of (path, what a tensor says)."""
    return json.dumps({"config": {"w%d" % i: {
        "path_name": path, "is_param": False, "use_pickle": False, **said}
        for i, (path, said) in enumerate(entries)}}).encode("utf-8")


def piece(offset, *sizes, **said):
    return sized(sizes=sizes, offset=offset, **said)


def hidden(count, size):
    return [(HIDDEN, "%d of %d bytes" % (count, size))]


SHARED = (  # label, tensors, bytes of their member, findings
    ("pieces", [piece(0, 2), piece(2, 2)], 16, []),
    ("pieces-more", [piece(0, 2), piece(2, 2)], 20, hidden(4, 20)),
    ("pieces-turned", [piece(2, 2), piece(0, 2)], 20, hidden(4, 20)),
    ("gap", [piece(0, 1), piece(2, 1)], 12, hidden(4, 12)),
    ("gap-turned", [piece(2, 1), piece(0, 1)], 12, hidden(4, 12)),
    ("gaps", [piece(4, 1), piece(0, 1), piece(2, 1)], 24, hidden(12, 24)),
    ("before", [piece(3, 1), piece(2, 1)], 16, hidden(8, 16)),
    ("overlap", [piece(0, 3), piece(1, 3)], 20, hidden(4, 20)),
    ("overlap-turned", [piece(1, 3), piece(0, 3)], 20, hidden(4, 20)),
    ("overlap-gap", [piece(0, 2), piece(1, 2), piece(4, 1)], 24, hidden(8, 24)),
    ("inside", [piece(0, 4), piece(1, 2)], 20, hidden(4, 20)),
    ("inside-first", [piece(0, 1), piece(0, 4)], 20, hidden(4, 20)),
    ("inside-twice", [piece(0, 4), piece(1, 1), piece(2, 1), piece(5, 1)], 28, hidden(8, 28)),
    ("twice", [piece(0, 2), piece(0, 2)], 12, hidden(4, 12)),
    ("thrice", [piece(1, 2)] * 3, 16, hidden(8, 16)),
    ("none-beside", [piece(0, 0), piece(1, 1)], 8, hidden(4, 8)),
    ("none-far", [piece(9, 0), piece(0, 1)], 8, hidden(4, 8)),
    ("none-both", [piece(0, 0), piece(0, 0)], 8, hidden(8, 8)),
    ("overlap-behind", [piece(1, 3), piece(2, 3)], 24, hidden(8, 24)),
    ("none-last", [piece(0, 4, 0, strides=(1, 1))], 8, hidden(8, 8)),
    ("beyond-around", [piece(0, 9), piece(1, 1)], 12, []),
    ("crossed-third", [piece(0, 2, 2, strides=(4, 1))] * 2 + [piece(0, 2, 2, strides=(3, 2))], 24,
     []),
    ("crossed", [piece(0, 2, 2, strides=(4, 1)), piece(0, 2, 2, strides=(3, 2))], 24, []),
    ("scalars", [piece(0), piece(2)], 12, hidden(4, 12)),
    ("beyond", [piece(0, 1), piece(1, 9)], 12, []),
    ("beyond-first", [piece(2, 9), piece(0, 1)], 12, []),
    ("beyond-byte", [piece(0, 1), piece(2, 1)], 11, []),
    ("rows", [piece(0, 2, 2, strides=(3, 1))], 20, hidden(4, 20)),
    ("rows-touch", [piece(0, 2, 2, strides=(1, 1))], 12, []),
    ("rows-turned", [piece(0, 3, 2, strides=(1, 3))], 28, hidden(4, 28)),
    ("columns", [piece(0, 1, 3, strides=(9, 2))], 20, hidden(8, 20)),
    ("repeated", [piece(0, 5, 2, strides=(0, 2))], 12, hidden(4, 12)),
    ("repeated-rows", [piece(1, 2, 5, strides=(2, 0))], 16, hidden(8, 16)),
    ("far", [piece(0, 2, strides=(MOST,))], 12, []), ("far-offset", [piece(MOST, 1)], 12, []),
    ("far-rows", [piece(0, 2, 2, strides=(MOST, MOST))], 12, []),
    ("far-size", [piece(0, 1 << 62)], 12, []), ("far-sizes", [piece(0, 1 << 40, 1 << 40)], 12, []),
    ("wide", [piece(0, 1, dtype=11)], 20, hidden(4, 20)),
    ("wide-two", [piece(0, 1, dtype=5), piece(1, 1, dtype=5)], 20, hidden(4, 20)),
    ("layout", [dict(tensor_meta={**sized()["tensor_meta"], "layout": 1})], 8, []),
    ("zeros", [piece(0, 2), piece(0, 3)], 0, [(ZEROS, "12 bytes")]),
    ("zeros-turned", [piece(0, 3), piece(0, 2)], 0, [(ZEROS, "12 bytes")]),
    ("zeros-meta", [piece(0, 3, device="meta"), piece(0, 2)], 0, [(ZEROS, "8 bytes")]),
    ("zeros-none", [piece(0, 0), piece(0, 0)], 0, []),
    ("zeros-one", [piece(0, 0), piece(0, 1)], 0, [(ZEROS, "4 bytes")]),
    ("zeros-repeated", [piece(0, 9, strides=(0,))], 0, [(ZEROS, "36 bytes")]),
    ("zeros-rank", [piece(0, 2, 3, 4, strides=(1, 1, 1))], 0, [(ZEROS, "96 bytes")]),
)
FOLDERS = (("weights", "weight_0"), ("constants", "tensor_0"))


def raw(suite):
    for folder, kind in FOLDERS:
        said = R + "data/%s/model_%s_config.json" % (folder, folder)
        name = R + "data/%s/" % folder
        for label, tensors, size, found in SHARED:
            put(suite, "shared-%s-%s" % (folder, label), PT2,
                replaced(PT2, said, config(*[(kind, each) for each in tensors]))
                + [written(name + kind, b"." * size)],
                [(name + kind, each, about) for each, about in found],
                "Bytes that several tensors show of one storage.")
        for label, members in (
                ("two", ((kind, 1, 8), (kind + "0", 2, 8))),
                ("two-both", ((kind, 1, 8), (kind + "0", 1, 12))),
                ("two-turned", ((kind + "0", 1, 12), (kind, 1, 4))),
                ("three", ((kind + "1", 1, 4), (kind, 1, 8), (kind + "0", 1, 4)))):
            put(suite, "shared-%s-members-%s" % (folder, label), PT2,
                replaced(PT2, said, config(*[(path, piece(0, count)) for path, count, _ in members]))
                + [written(name + path, b"." * size) for path, _, size in members],
                [(name + path, *hidden(size - 4 * count, size)[0]) for path, count, size in members
                 if size > 4 * count], "Several members, each of a tensor.")
        put(suite, "shared-%s-case" % folder, PT2,
            replaced(PT2, said, config((kind.upper(), piece(0, 1)), (kind, piece(2, 1))))
            + [written(name + kind, b"." * 12)], [(name + kind, *hidden(4, 12)[0])],
            "Two tensors of one member, which is found under a name in another case.")


# ---- pickled ---------------------------------------------------------------------------


def inside(count, size, name="data/0"):
    return [(HIDDEN, "%d of %d bytes of %s" % (count, size, name))]


FIVE = storage("0", 5)
SAVED = (  # label, the tensors, {storage: bytes}, members beside, findings
    ("exact", [tensor(FIVE, (5,))], {"0": bytes(20)}, [], []),
    ("slice", [tensor(FIVE, (3,))], {"0": bytes(20)}, [], inside(8, 20)),
    ("slice-behind", [tensor(FIVE, (3,), offset=2)], {"0": bytes(20)}, [], inside(8, 20)),
    ("slices", [tensor(FIVE, (2,)), tensor(FIVE, (2,), offset=3)], {"0": bytes(20)}, [],
     inside(4, 20)),
    ("slices-turned", [tensor(FIVE, (2,), offset=3), tensor(FIVE, (2,))], {"0": bytes(20)}, [],
     inside(4, 20)),
    ("slices-overlap", [tensor(FIVE, (3,)), tensor(FIVE, (3,), offset=1)], {"0": bytes(20)}, [],
     inside(4, 20)),
    ("steps", [tensor(FIVE, (3,), (2,))], {"0": bytes(20)}, [], inside(8, 20)),
    ("rows", [tensor(FIVE, (2, 2), (3, 1))], {"0": bytes(20)}, [], inside(4, 20)),
    ("scalar", [tensor(FIVE, (), offset=4)], {"0": bytes(20)}, [], inside(16, 20)),
    ("nothing", [tensor(FIVE, (0,))], {"0": bytes(20)}, [], inside(20, 20)),
    ("beyond", [tensor(FIVE, (3,), offset=3)], {"0": bytes(20)}, [], []),
    ("parameter", [parameter(tensor(FIVE, (3,)))], {"0": bytes(20)}, [], inside(8, 20)),
    ("double", [tensor(storage("0", 3, 8), (2,))], {"0": bytes(24)}, [], inside(8, 24)),
    ("untyped", [tensor_of_dtype(storage("0", 20, kind=UNTYPED), "torch:uint16", (4,))],
     {"0": bytes(20)}, [], inside(12, 20)),
    ("two", [tensor(FIVE, (5,)), tensor(storage("1", 3), (2,))], {"0": bytes(20), "1": bytes(12)},
     [], inside(4, 12, "data/1")),
    ("two-both", [tensor(storage("1", 3), (2,)), tensor(FIVE, (4,))],
     {"0": bytes(20), "1": bytes(12)}, [], inside(4, 20) + inside(4, 12, "data/1")),
    ("key", [tensor(storage("a/b", 2), (1,))], {"a/b": bytes(8)}, [], inside(4, 8, "data/a/b")),
    ("key-long", [tensor(FIVE, (5,)), tensor(storage("00", 2), (1,))],
     {"0": bytes(20), "00": bytes(8)}, [], inside(4, 8, "data/00")),
    ("unnamed", [tensor(FIVE, (5,))], {"0": bytes(20), "9": bytes(7)}, [], inside(7, 7, "data/9")),
    ("unnamed-none", [tensor(FIVE, (5,))], {"0": bytes(20), "9": b""}, [], []),
    ("unnamed-other", [tensor(FIVE, (5,))], {"0": bytes(20)}, [("archive/x", b"ab")],
     inside(2, 2, "x")),
    ("unnamed-below", [tensor(FIVE, (5,))], {"0": bytes(20)}, [("archive/a/0", b"ab")],
     inside(2, 2, "a/0")),
    ("unnamed-near", [tensor(FIVE, (5,))], {"0": bytes(20)}, [("archive/data0", b"ab")],
     inside(2, 2, "data0")),
    ("frame", [tensor(FIVE, (5,))], {"0": bytes(20)}, [
        ("archive/.data/serialization_id", b"1"), ("archive/.format_version", b"1"),
        ("archive/.storage_alignment", b"64"), ("archive/.data/x", b"ab")], []),
    ("frame-near", [tensor(FIVE, (5,))], {"0": bytes(20)}, [
        ("archive/versions", b"ab"), ("archive/.format_versions", b"abc"),
        ("archive/.storage_alignments", b"abcd"), ("archive/byteorders", b"abcde"),
        ("archive/.datas", b"abcdef")],
     inside(2, 2, "versions") + inside(3, 3, ".format_versions")
     + inside(4, 4, ".storage_alignments") + inside(5, 5, "byteorders") + inside(6, 6, ".datas")),
    ("meta", [meta_tensor((9,)), tensor(FIVE, (3,))], {"0": bytes(20)}, [], inside(8, 20)),
    ("sparse", [sparse_tensor(tensor(storage("1", 2, 5), (1, 1)), tensor(FIVE, (1,)), (2,))],
     {"0": bytes(20), "1": bytes(16)}, [], inside(16, 20) + inside(8, 16, "data/1")),
    ("rank-64", [tensor(FIVE, (1,) * 63 + (2,), (1,) * 64)], {"0": bytes(20)}, [], inside(12, 20)),
)


def saves(suite):
    for layout, name in ((FLAT, "serialized_constants.pt"),
                         (PT2, "archive/data/sample_inputs/model.pt")):
        for label, tensors, storages, more, found in SAVED:
            made = several(several(*tensors), b"}") if layout == PT2 else dictionary(
                *[("t%d" % i, each) for i, each in enumerate(tensors)])
            put(suite, "saved-storage-" + label, layout,
                replaced(layout, name, saved(pickled(made), storages, more=more)),
                [(name, each, about) for each, about in found],
                "Bytes that tensors show of the storages of an archive of torch.save.")
        put(suite, "saved-storage-folder", layout, replaced(layout, name, saved(
            pickled(several(several(tensor(FIVE, (3,))), b"}")), {"0": bytes(20)},
            folder="any \u00e9")), [(name, each, about) for each, about in inside(8, 20)],
            "The archive has another folder.")
    name = "serialized_constants.pt"
    data = pickled(dictionary(("t", subclassed(FIVE, (3,)))))
    put(suite, "saved-storage-class", FLAT, replaced(FLAT, name, saved(data, {"0": bytes(20)})),
        [(name, GLOBAL, "torch.nn.parameter.Buffer"), *[(name, *each) for each in inside(8, 20)]],
        "A storage that only a tensor of a class uses.", drop=[name])
    parts = [("data/0", bytes(20)), ("data.pkl", pickled(dictionary(("t", tensor(FIVE, (3,)))))),
             ("version", b"3\n")]
    put(suite, "saved-storage-first", FLAT, replaced(FLAT, name, archive(
        *[member("archive/" + path, each) for path, each in parts])),
        [(name, *each) for each in inside(8, 20)], "A storage that is the first of all members.")
    said, name = R + "data/weights/model_weights_config.json", R + "data/weights/weight_0"
    entry = json.loads(config(("weight_0", piece(0, 3))))
    entry["config"]["w0"]["use_pickle"] = True
    put(suite, "saved-storage-own", PT2, replaced(PT2, said, json.dumps(entry).encode("utf-8")) + [
        written(name, saved(pickled(tensor(FIVE, (3,))), {"0": bytes(20)}))],
        [(name, "AUDIT_UNPICKLED", "")] + [(name, each, about) for each, about in inside(8, 20)],
        "A weight that is pickled by itself.")


# ---- pickles ---------------------------------------------------------------------------

STORED = ("BFloat16 Bool Byte Char ComplexDouble ComplexFloat Double Float Half Int Long QInt32 "
          "QInt8 QUInt2x4 QUInt4x2 QUInt8 Short").split()
PLAIN = "BFloat16 Byte Char Double Float Half Int Long Short".split()
DTYPES = ("bfloat16 bool complex128 complex32 complex64 float16 float32 float64 float8_e4m3fn "
          "float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int8 int16 int32 int64 qint32 "
          "qint8 quint2x4 quint4x2 quint8 uint8 uint16 uint32 uint64").split()
SCHEMES = ("per_channel_affine per_channel_affine_float_qparams per_channel_symmetric "
           "per_tensor_affine per_tensor_symmetric").split()
REBUILT = ("_rebuild_device_tensor_from_numpy _rebuild_meta_tensor_no_storage "
           "_rebuild_nested_tensor _rebuild_parameter _rebuild_parameter_with_state "
           "_rebuild_qtensor _rebuild_sparse_tensor _rebuild_tensor _rebuild_tensor_v2 "
           "_rebuild_tensor_v3 _rebuild_wrapper_subclass").split()
OWN = (  # what torch.load(weights_only=True) imports
    [("collections", name) for name in ("OrderedDict", "Counter")]
    + [(module, name) for module in ("builtins", "__builtin__")
       for name in ("bytearray", "set", "complex")]
    + [("_codecs", "encode"), ("torch.storage", "TypedStorage"), ("torch.storage", "UntypedStorage"),
       ("torch.serialization", "_get_layout"), ("torch.nn.parameter", "Parameter"),
       ("torch._tensor", "_rebuild_from_type_v2")]
    + [("torch", name) for name in ["Size", "Tensor", "device", *DTYPES, *SCHEMES]]
    + [("torch", name + "Storage") for name in STORED]
    + [("torch", name + "Tensor") for name in [*PLAIN, "Bool"]]
    + [("torch.cuda", name + kind) for name in [*PLAIN, "Bool"] for kind in ("Storage", "Tensor")]
    + [(module, name + "Tensor") for module in ("torch.sparse", "torch.cuda.sparse")
       for name in PLAIN]
    + [("torch._utils", name) for name in REBUILT])
VALUES = ([("collections", name) for name in ("defaultdict", "deque")]
          + [("builtins", name) for name in (
              "bool bytes dict float frozenset int list range slice str tuple").split()])
STRANGE = (  # what comes near to either
    ("collections", "OrderedDicts"), ("collections", "Ordered"), ("collections.abc", "OrderedDict"),
    ("builtins", "sets"), ("builtins", "se"), ("builtin", "set"), ("torch", "FloatStorages"),
    ("torch", "Float"), ("torch", "storage"), ("torch", "float"), ("torch", "size"),
    ("torch.cuda", "Size"), ("torch.sparse", "FloatStorage"), ("torch.sparse", "BoolTensor"),
    ("torch.storage", "FloatStorage"), ("torch.nn", "Parameter"), ("torch.nn.parameter", "Buffer"),
    ("torch._utils", "_rebuild"), ("torch._utils", "_rebuild_tensor_v"), ("torch._utils", ""),
    ("torch", ""), ("", "OrderedDict"), ("torch._tensor", "Tensor"), ("_codecs", "decode"),
    ("builtins", "list range"), ("torch", "Size Tensor"))


BROKEN = (  # what stops an unpickler
    b"h\5", b"g5\n", b"j\5\0\0\0", b"gx\n", b"Npx\n", b"0", b"1", b"2", b"(2", b"a", b"s", b"t",
    b"Nt", b"\x85", b"(\x86", b"\x87", b"R", b"b", b"Q", b"q\0", b"(q\0", b"\x94", b"\x93",
    b"N\x93", b"NN\x93", b"\xff", b"\x82\1", b"\x83\1\0", b"\x84\1\0\0\0", b"e", b"u", b"l",
    b"d", b"o", b"(.")
LINES = (  # what is put, and what is taken
    ("digits", b"p1\n", b"p10\n", b"g1\ng10\n"), ("tens", b"p9\n", b"p10\n", b"g9\ng10\n"),
    ("hundreds", b"p10\n", b"p100\n", b"g10\ng100\n"),
    ("zeros", b"p0\n", b"p100\n", b"g0\ng100\n"))


def tuple_of(paths):
    return b"(" + b"".join(imported(":".join(path)) for path in paths) + b"t."


def pickles(suite):
    name = "serialized_constants.pt"

    def of(label, data, found, why):
        put(suite, "pickle-" + label, FLAT, replaced(FLAT, name, data),
            [(name, each, about) for each, about in found], why, drop=[name])
    of("own", tuple_of(OWN), [("AUDIT_UNPICKLED", "")], "All that tensors need.")
    of("values", tuple_of(VALUES), [(CONTAINER, ".".join(path)) for path in VALUES],
       "All that makes nothing but a value.")
    of("strange", tuple_of(STRANGE), [(GLOBAL, ".".join(path)) for path in STRANGE],
       "What comes near to these.")
    of("thrice", tuple_of([("os", "b"), ("os", "a"), ("os", "b"), ("os", "c"), ("os", "b")]),
       [(GLOBAL, "os." + each) for each in "abc"], "Each is told once, whatever their order.")
    for label, data in (
            ("extension-1", b"N\x82\1."), ("extension-2", b"N\x83\1\0."),
            ("extension-4", b"N\x84\1\0\0\0."), ("pop-empty", b"0N."), ("pop-mark-empty", b"N1."),
            ("get-letter", b"Np1\ng1x\n."), ("get-colon", b"Np10\ng:\n."),
            ("get-slash", b"Np0\ng/\n."), ("put-letter", b"Np1x\n."), ("get-none", b"Np0\ng\n."),
            ("cut-pop", b"N0"), ("mark-stop", b"N(."), ("obj-none", b"No."),
            ("appends-none", b"]e."), ("additems-none", b"\x8f\x90."), ("frozenset-none", b"\x91.")):
        of("broken-" + label, data, [(PICKLE, "")], "A pickle that is malformed.")
    of("broken-inst-none", b"ios\nsystem\n.", [(GLOBAL, "os.system"), (PICKLE, "")],
       "It is imported before the mark is looked for.")
    for at, data in enumerate(BROKEN):
        of("stops-%d" % at, data + EVIL[2:], [(PICKLE, "")],
           "Nothing is imported behind what is malformed.")
    for label, first, second, taken in LINES:
        of("memo-" + label, text("os") + first + b"0" + text("system") + second + b"0" + taken
           + b"\x93.", [(GLOBAL, "os.system")], "Numbers of the memo, in lines.")
    for at, again in enumerate((b"Nq\0q\0", b"Nq\0Nq\0", b"]q\0p0\n", b"Nr\0\0\0\0q\0")):
        of("memo-again-%d" % at, again + text("os") + b"\x94" + text("system") + b"\x94"
           b"h\1h\2\x93.", [(GLOBAL, "os.system")], "A number of the memo is used twice.")
    for label, made in PUSHES:
        of("put-" + label, NAMES + made + b"q\x60h\x600" + b"0\x93.", [(GLOBAL, "os.system")],
           "What an opcode leaves is put into the memo, and taken from it.")
    last = "serialized_example_inputs.pt"
    put(suite, "saved-clipped-last", FLAT, replaced(FLAT, last, saved(CLEAN)[:-1]),
        [(last, PICKLE, "")], "An archive without its end, as the last of all.", drop=[last])
    put(suite, "saved-pickle-empty", FLAT, replaced(FLAT, name, saved(b"")), [(name, PICKLE, "")],
        "In an archive of torch.save, a pickle of no bytes.", drop=[name])
    for label, path in (("case", "archive/DATA.PKL"), ("below", "archive/a/data.pkl"),
                        ("longer", "archive/xdata.pkl")):
        put(suite, "saved-pickle-" + label, FLAT, replaced(FLAT, name, saved(
            CLEAN, more=[(path, EVIL)], without=("data.pkl",))), [(name, GLOBAL, "os.system")],
            "A pickle that some loader finds under this name.", drop=[name])
    made = base(FLAT)
    put(suite, "saved-deflated", FLAT, [each._replace(data=saved(EVIL), method=DEFLATED)
                                        if each.name == name.encode() else each for each in made],
        [(name, GLOBAL, "os.system")], "An archive of torch.save that is deflated.", drop=[name])


# ---- members ---------------------------------------------------------------------------

CONFIGS = (  # label, folder, name of the config
    ("other", "weights", "other_weights_config.json"),
    ("other-constants", "constants", "other_constants_config.json"),
    ("short", "weights", "mode_weights_config.json"),
    ("longer", "weights", "models_weights_config.json"),
    ("nameless", "constants", "_constants_config.json"),
    ("case", "weights", "OTHER_weights_config.json"),
)


def members(suite):
    for label, folder, name in CONFIGS:
        path = R + "data/%s/%s" % (folder, name)
        put(suite, "config-of-" + label, PT2, base(PT2) + [written(path, NO_TENSORS)],
            [(path, UNREAD, "")], "A payload config of no program.")
    for label, name in (("same", "Model"), ("case", "MODEL")):
        path = R + "data/weights/model_weights_config.json"
        made = [each._replace(name=each.name.replace(b"model_weights", name.encode() + b"_weights"))
                if each.name == path.encode() else each for each in base(PT2)]
        put(suite, "config-name-" + label, PT2, made, [],
            "The config of the program, by a name in another case.")
    library, own = R + "data/aotinductor/m/x.so", R + "data/weights/w"
    native = [(library, NATIVE, "")]
    for label, path, data, found in (
            ("saved", own, saved(EVIL), [(GLOBAL, "os.system")]),
            ("bare", own, EVIL, [(UNREAD, "")]), ("short", own, b"PK\3", [(UNREAD, "")]),
            ("four", own, b"PK\3\4", [(PICKLE, "")]),
            ("constant", R + "data/constants/tensor_0", saved(EVIL), [(UNREAD, "")])):
        put(suite, "model-" + label, PT2, base(PT2) + [written(library, b"ab"), written(path, data)],
            native + [(path, each, about) for each, about in found],
            "What no config names, beside a model of AOTInductor.")
    put(suite, "model-none", PT2, base(PT2) + [written(own, saved(EVIL))], [(own, UNREAD, "")],
        "An archive that no config names, and no model.")


def extra(suite):
    """What a user put into a flat archive has any name; it is no member of the other layout."""
    for label, path, data in (
            ("weight", "extra_files/data/weights/w", EVIL),
            ("config", "extra_files/data/weights/x_weights_config.json", NO_TENSORS),
            ("constant", "extra_files/data/constants/tensor_0", EVIL)):
        put(suite, "extra-" + label, FLAT, base(FLAT) + [member(path, data)], [],
            "An extra file of a name of the other layout.")
    for label, path in (("first", "Xersion"), ("last", "versio"), ("middle", "verXion")):
        put(suite, "duplicate-not-" + label, FLAT, base(FLAT) + [member(path, b"ab")],
            [(path, UNREAD, "")], "A name that differs in more than case.")
    put(suite, "path-slash", FLAT, base(FLAT) + [member("/", b"")], [("/", PATH, "")],
        "A folder whose name is a slash.")
    put(suite, "duplicate-first", FLAT, base(FLAT) + [member("A", b"ab"), member("a", b"ab")],
        [("A", UNREAD, ""), ("a", UNREAD, ""), ("a", DUPLICATE, "")],
        "Two names that differ in case only, before all others.")
    made = [each._replace(name=each.name.replace(b"/model", b"/m")) for each in base(PT2)]
    made = [each._replace(name=each.name.replace(b"archive/ms/", b"archive/models/"))
            for each in made]
    put(suite, "name-letter", PT2, made, [("archive/data/sample_inputs/m.pt", UNPICKLED, "")],
        "A program of a name of one letter.", drop=["archive/data/sample_inputs/model.pt"])


def bombs(suite):
    """A member of exactly a hundred times what it takes, and of a byte more."""
    for more, found in ((0, []), (1, [(BOMB, "")])):
        size = MEBIBYTE + more
        while True:
            data = b" " * size
            stream = deflated(data)
            rest = (size - more) // 100 - len(stream)
            if (size - more) % 100 == 0 and rest % 5 == 0:
                break
            size += 1
        padded = b"\0\0\0\xff\xff" * (rest // 5) + stream  # blocks of nothing before it
        assert len(padded) * 100 + more == size
        name = "extra_files/x"
        put(suite, "bomb-ratio-%d" % more, FLAT, base(FLAT) + [
            member(name, data, method=DEFLATED, stream=padded)],
            [(name, each, about) for each, about in found],
            "A hundred times what it takes, and %d bytes." % more)


def vectors(suite):
    for part in (raw, saves, pickles, members, extra, bombs):
        part(suite)
