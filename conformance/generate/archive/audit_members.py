"""What an audit finds in an archive beside the program (SPEC 9.6): which members a loader
unpickles, links or passes over, and what a pickle imports, opcode by opcode.
"""

import json
import struct

from format.history import VERSIONS
from generate.archive.archives import LONG, NOTHING, NO_INPUTS, NO_TENSORS, flat, program, pt2, saved
from generate.archive.findings import FINDINGS, listed
from generate.suite import change_between
from generate.archive.zips import DEFLATED, archive, both, member, written

FLAT, PT2 = "flat", "pt2"
GLOBAL, PICKLE, UNPICKLED = "AUDIT_GLOBAL", "AUDIT_PICKLE", "AUDIT_UNPICKLED"
CONTAINER, STATE, SCRIPT = "AUDIT_CONTAINER", "AUDIT_STATE", "AUDIT_SCRIPT"
UNREAD, NATIVE, CONFIG = "AUDIT_UNREAD", "AUDIT_NATIVE", "AUDIT_CONFIG"
PATH, DUPLICATE, BOMB = "AUDIT_PATH", "AUDIT_DUPLICATE", "AUDIT_BOMB"
HIDDEN, ZEROS = "AUDIT_HIDDEN", "AUDIT_ZEROS"

# What the archives of generate/archives.py hold, and is unpickled.
PICKLED = {FLAT: ["serialized_state_dict.pt", "serialized_constants.pt",
                  "serialized_example_inputs.pt"],
           PT2: ["archive/data/sample_inputs/model.pt"]}
VERSION = {FLAT: "8.7", PT2: "8.20"}
MAKE = {FLAT: flat, PT2: pt2}
EVIL = b"\x80\x02cos\nsystem\n."
CLEAN = b"\x80\x02}."
MEBIBYTE = 1 << 20
SHORT = 3000  # bytes of a change that is not worth a file


def base(layout):
    return MAKE[layout](program(VERSION[layout]))


def put(suite, label, layout, members, found, why, drop=()):
    """An archive of these members. found: [(member, id, about)] beyond those that the base
    has, of which `drop` are other members now."""
    told = [(name, UNPICKLED, "") for name in PICKLED[layout] if name not in drop] + found
    first = FINDINGS[found[0][1]][1] if found else FINDINGS[UNPICKLED][1]
    name, data = "audit/archive-%s/%s" % (label, layout), archive(*members)
    twin = "audit/archive-base/" + layout
    edit = change_between(suite.bytes[twin], data) if twin in suite.vectors else None
    if edit and len(edit[2]) < SHORT:
        suite.valid_edit(name, twin, edit, [first], why, provenance="hand",
                         flags=["large"] if len(edit[2]) > LONG else None,
                         product=listed([], told))
    else:
        suite.valid(name, "audit", VERSION[layout], data, [first], why, provenance="hand",
                    file="archives/audit-%s-%s.pt2" % (label, layout), product=listed([], told))


def beside(suite, label, layout, name, data, found, why, **said):
    """One more member."""
    make = written if layout == PT2 else member
    put(suite, label, layout, base(layout) + [make(name, data, **said)],
        [(name, each, about) for each, about in found], why)


# ---- pickles -------------------------------------------------------------------------


def text(value):
    data = value.encode("utf-8")
    return b"\x8c" + bytes([len(data)]) + data


NAMES = text("os") + text("system")
SIZE4, SIZE8 = struct.Struct("<I").pack, struct.Struct("<Q").pack
# Each leaves one value on the stack, of which it needs none.
PUSHES = (
    ("none", b"N"), ("true", b"\x88"), ("false", b"\x89"), ("int", b"I12\n"),
    ("binint", b"J...0"), ("binint1", b"K0"), ("binint2", b"M00"), ("long", b"L12L\n"),
    ("long1", b"\x8a\x0200"), ("long4", b"\x8b" + SIZE4(2) + b"00"), ("float", b"F1.5\n"),
    ("binfloat", b"G........"), ("binbytes", b"B" + SIZE4(3) + b"..."),
    ("short-binbytes", b"C\x03..."), ("binbytes8", b"\x8e" + SIZE8(3) + b"..."),
    ("bytearray8", b"\x96" + SIZE8(3) + b"..."), ("next-buffer", b"\x97"),
    ("next-buffer-readonly", b"\x97\x98"), ("string", b"S'..'\n"), ("unicode", b"V..\n"),
    ("binstring", b"T" + SIZE4(2) + b".."), ("short-binstring", b"U\x02.."),
    ("binunicode", b"X" + SIZE4(2) + b".."), ("short-binunicode", b"\x8c\x02.."),
    ("binunicode8", b"\x8d" + SIZE8(2) + b".."), ("empty-list", b"]"), ("empty-dict", b"}"),
    ("empty-tuple", b")"), ("empty-set", b"\x8f"), ("append", b"]K0a"), ("setitem", b"}K0K0s"),
    ("appends", b"](K0K0e"), ("setitems", b"}(K0K0u"), ("additems", b"\x8f(K0\x90"),
    ("list", b"(K0l"), ("dict", b"(K0K0d"), ("tuple", b"(K0t"), ("frozenset", b"(K0\x91"),
    ("tuple1", b"K0\x85"), ("tuple2", b"K0K0\x86"), ("tuple3", b"K0K0K0\x87"),
    ("frame", b"\x95" + SIZE8(1) + b"N"), ("proto", b"\x80\x02N"), ("dup", b"K02" + b"0"),
    ("pop-mark", b"N(K0K01"), ("mark-pop", b"N(0"), ("binput", b"Nq\x07"), ("put", b"Np7\n"),
    ("long-binput", b"Nr" + SIZE4(7)), ("memoize", b"N\x94"), ("binget", b"Nq\x070h\x07"),
    ("get", b"Np7\n0g7\n"), ("long-binget", b"Nr" + SIZE4(7) + b"0j" + SIZE4(7)),
    ("reduce", b"N)R"), ("build", b"NNb"), ("newobj", b"N)\x81"), ("newobj-ex", b"N)}\x92"),
    ("obj", b"(NNo"), ("persid", b"P..\n"), ("binpersid", b"NQ"),
)
IMPORTS = (  # (label, pickle, findings)
    ("clean", CLEAN, [(UNPICKLED, "")]), ("old", b"(lp0\n.", [(UNPICKLED, "")]),
    ("global", EVIL, [(GLOBAL, "os.system")]),
    ("global-called", b"\x80\x02cos\nsystem\nX" + SIZE4(2) + b"ls\x85R.", [(GLOBAL, "os.system")]),
    ("global-twice", b"(cos\nsystem\ncos\nsystem\nt.", [(GLOBAL, "os.system")]),
    ("global-two", b"(cos\nsystem\ncos\nabort\nt.", [(GLOBAL, "os.abort"), (GLOBAL, "os.system")]),
    ("inst", b"(ios\nsystem\n.", [(GLOBAL, "os.system")]),
    ("inst-import", b"(ios\nsystem\n0cos\nabort\n.", [(GLOBAL, "os.abort"), (GLOBAL, "os.system")]),
    ("stack-global", NAMES + b"\x93.", [(GLOBAL, "os.system")]),
    ("stack-global-memo", text("system") + b"\x94" + text("os") + b"\x940" + b"h\x01h\x00\x93.",
     [(GLOBAL, "os.system")]),
    ("stack-global-put", text("os") + b"q\x050" + text("system") + b"r" + SIZE4(20)
     + b"0h\x05j" + SIZE4(20) + b"\x93.", [(GLOBAL, "os.system")]),
    ("stack-global-put-line", text("os") + b"p5\n0" + text("system") + b"p12\n0g5\ng12\n\x93.",
     [(GLOBAL, "os.system")]),
    ("stack-global-put-line-short", text("os") + b"p5\n0" + text("system")
     + b"p12\n0h\x05h\x0c\x93.", [(GLOBAL, "os.system")]),
    ("stack-global-put-over", text("x") + b"q\x00" + text("os") + b"q\x00" + text("system")
     + b"\x94" + b"h\x00h\x01\x93.", [(GLOBAL, "os.system")]),
    ("stack-global-dup", text("os") + b"2\x93.", [(GLOBAL, "os.os")]),
    ("stack-global-strings", b"U\x02osT" + SIZE4(6) + b"system\x93.", [(GLOBAL, "os.system")]),
    ("stack-global-8", b"\x8d" + SIZE8(2) + b"osX" + SIZE4(6) + b"system\x93.",
     [(GLOBAL, "os.system")]),
    ("second", CLEAN + EVIL, [(GLOBAL, "os.system")]),
    ("fifth", CLEAN * 4 + EVIL, [(GLOBAL, "os.system")]),
    ("tensors", b"(ctorch._utils\n_rebuild_tensor_v2\nctorch\nFloatStorage\nctorch\nfloat32\n"
     b"ccollections\nOrderedDict\nctorch.storage\nUntypedStorage\nt.", [(UNPICKLED, "")]),
    ("tensors-other", b"ctorch._utils\n_rebuild_tensor_v4\n.",
     [(GLOBAL, "torch._utils._rebuild_tensor_v4")]),
    ("tensors-module", b"cmine\n_rebuild_tensor_v2\n.", [(GLOBAL, "mine._rebuild_tensor_v2")]),
    ("container", b"ccollections\ndefaultdict\n.", [(CONTAINER, "collections.defaultdict")]),
    ("containers", b"(ccollections\ndeque\ncbuiltins\nint\ncbuiltins\nslice\nt.",
     [(CONTAINER, "builtins.int"), (CONTAINER, "builtins.slice"), (CONTAINER, "collections.deque")]),
    ("container-not", b"cbuiltins\neval\n.", [(GLOBAL, "builtins.eval")]),
    ("object", b"ctorch\nScriptObject\n.", [(STATE, "torch.ScriptObject")]),
    ("object-near", b"ctorch\nScriptObjects\n.", [(GLOBAL, "torch.ScriptObjects")]),
    ("all", b"(ctorch\nScriptObject\nccollections\ndeque\ncos\nabort\nt.",
     [(GLOBAL, "os.abort"), (CONTAINER, "collections.deque"), (STATE, "torch.ScriptObject")]),
    ("computed", b"N" + text("system") + b"\x93.", [(PICKLE, "")]),
    ("computed-name", text("os") + b"N\x93.", [(PICKLE, "")]),
    ("computed-escaped", b"Vos\nVsystem\n\x93.", [(PICKLE, "")]),
    ("computed-after", EVIL[:-1] + NAMES[:4] + b"N\x93.", [(GLOBAL, "os.system"), (PICKLE, "")]),
    ("extension", b"\x82\x01.", [(PICKLE, "")]), ("extension-2", b"\x83\x01\x00.", [(PICKLE, "")]),
    ("extension-4", b"\x84" + SIZE4(1) + b".", [(PICKLE, "")]),
    ("cut", b"\x80\x02}", [(PICKLE, "")]), ("cut-text", b"X" + SIZE4(9) + b"os.", [(PICKLE, "")]),
    ("cut-line", b"cos\nsystem", [(PICKLE, "")]), ("cut-second", CLEAN + b"}", [(PICKLE, "")]),
    ("unknown", b"\xff.", [(PICKLE, "")]), ("underflow", b"a.", [(PICKLE, "")]),
    ("stop-empty", b".", [(PICKLE, "")]), ("stop-mark", b"(.", [(PICKLE, "")]),
    ("mark-missing", b"Nt.", [(PICKLE, "")]), ("mark-taken", b"(\x85.", [(PICKLE, "")]),
    ("dup-empty", b"2.", [(PICKLE, "")]), ("get-first", b"h\x00.", [(PICKLE, "")]),
    ("get-other", b"Nq\x00h\x01.", [(PICKLE, "")]), ("get-hole", b"Nq\x02h\x01.", [(PICKLE, "")]),
    ("get-before-put", b"h\x00q\x00.", [(PICKLE, "")]), ("get-line", b"g0\n.", [(PICKLE, "")]),
    ("get-line-word", b"Np0\ngx\n.", [(PICKLE, "")]), ("put-line-empty", b"Np\n.", [(PICKLE, "")]),
    ("put-empty", b"q\x00N.", [(PICKLE, "")]), ("put-mark", b"(q\x00N.", [(PICKLE, "")]),
    ("second-memo", b"Nq\x00.h\x00.", [(PICKLE, "")]),
    ("text", b"no pickle", [(PICKLE, "")]),
)


def pickles(suite):
    name = "serialized_constants.pt"
    rows = list(IMPORTS) + [("op-" + label, NAMES + ops + b"0\x93.", [(GLOBAL, "os.system")])
                            for label, ops in PUSHES]
    for label, data, found in rows:
        put(suite, "pickle-" + label, FLAT, replaced(FLAT, name, data),
            [(name, each, about) for each, about in found], "A pickle as it stands.", drop=[name])
        if label in ("clean", "global", "cut", "second"):
            put(suite, "saved-" + label, FLAT, replaced(FLAT, name, saved(data, b"1")),
                [(name, each, about) for each, about in found], "In an archive of torch.save.",
                drop=[name])


def replaced(layout, name, data):
    return [each._replace(data=data) if each.name == name.encode("utf-8") else each
            for each in base(layout)]


def archives_inside(suite):
    name = "serialized_constants.pt"
    pickle = written("archive/data.pkl", CLEAN)
    for label, members, found, why in (
            ("script", [pickle, written("archive/constants.pkl", CLEAN)],
             [(SCRIPT, "constants.pkl")], "It is compiled."),
            ("script-alone", [written("archive/constants.pkl", CLEAN)],
             [(SCRIPT, "constants.pkl")], "It is compiled."),
            ("none", [written("archive/x", b"ab")], [(PICKLE, "")], "Nothing that is unpickled."),
            ("other", [written("archive/data.pkl2", CLEAN)], [(PICKLE, "")], "Another name."),
            ("more", [pickle, written("archive/data/0", EVIL)], [(UNPICKLED, "")],
             "The bytes of a tensor are no pickle."),
            ("damaged", [member("archive/data.pkl", CLEAN, **both(crc=1))],
             [(PICKLE, "data.pkl")], "Its checksum is wrong."),
            ("refused", [pickle._replace(central={"crc": 1})], [(PICKLE, "")],
             "Its two headers differ."),
            ("gap", [pickle._replace(after=b"\0")], [(PICKLE, "")], "A byte behind a member."),
            ("case", [pickle, written("archive/x", b"ab"), written("archive/X", b"cd")],
             [(PICKLE, "")], "Two of its names differ in case only.")):
        put(suite, "saved-" + label, FLAT, replaced(FLAT, name, archive(*members)),
            [(name, each, about) for each, about in found], why, drop=[name])
    put(suite, "saved-clipped", FLAT, replaced(FLAT, name, NOTHING[:-1]), [(name, PICKLE, "")],
        "An archive without its end.", drop=[name])
    put(suite, "empty", FLAT, replaced(FLAT, name, b""), [], "A member of no bytes.", drop=[name])


# ---- members -------------------------------------------------------------------------

R = "archive/"
MEMBERS = (  # (layout, label, name, findings where it holds EVIL)
    (FLAT, "state-json", "serialized_state_dict.json", GLOBAL),
    (FLAT, "constants-json", "serialized_constants.json", GLOBAL),
    (FLAT, "extra", "extra_files/x", None), (FLAT, "extra-so", "extra_files/x.so", None),
    (FLAT, "unread", "x", UNREAD), (FLAT, "unread-folder", "x/y", UNREAD),
    (FLAT, "unread-near", "serialized_constant.pt", UNREAD),
    (FLAT, "unread-longer", "serialized_constantss.pt", UNREAD),
    (FLAT, "so", "x.so", NATIVE), (FLAT, "dll", "x.DLL", NATIVE), (FLAT, "dylib", "x.dylib", NATIVE),
    (FLAT, "pyd", "x.pyd", NATIVE), (FLAT, "so-near", "x.sos", UNREAD), (FLAT, "so-word", "xso", UNREAD),
    (FLAT, "byteorder", "byteorder", UNREAD), (FLAT, "format", "archive_format", UNREAD),
    (FLAT, "versions", "versions", UNREAD), (FLAT, "weights", "data/weights/x.pt", UNREAD),
    (FLAT, "folder-weights", "x/data/weights/x.pt", UNREAD),
    (FLAT, "folder-native", "x/data/aotinductor/model/x.cpp", NATIVE),
    (FLAT, "extra-weights", "extra_files/data/weights/x.pt", None),
    (FLAT, "state-case", "Serialized_State_Dict.json", UNREAD),
    (FLAT, "state-longer", "serialized_state_dict.ptx", NATIVE),
    (FLAT, "constants-other", "serialized_constants.bin", UNREAD),
    (FLAT, "constants-below", "serialized_constants.json/x", UNREAD),
    (FLAT, "inputs-json", "serialized_example_inputs.json", UNREAD),
    (FLAT, "program-longer", "serialized_exported_program.jsons", UNREAD),
    (PT2, "sample", R + "data/sample_inputs/other.pt", GLOBAL),
    (PT2, "sample-other", R + "data/sample_inputs/other.bin", UNREAD),
    (PT2, "weights", R + "data/weights/x.pt", GLOBAL), (PT2, "constants", R + "data/constants/x.pt", GLOBAL),
    (PT2, "constants-case", R + "DATA/Constants/x.PT", GLOBAL),
    (PT2, "weight", R + "data/weights/weight_0", UNREAD),
    (PT2, "tensor", R + "data/constants/tensor_0", UNREAD),
    (PT2, "object", R + "data/constants/custom_obj_0", STATE),
    (PT2, "object-case", R + "data/constants/Custom_Obj_0", STATE),
    (PT2, "opaque", R + "data/constants/opaque_obj_0", GLOBAL),
    (PT2, "native", R + "data/aotinductor/model/x.cpp", NATIVE),
    (PT2, "native-near", R + "data/aotinductor2/x.cpp", NATIVE),
    (PT2, "so", R + "x.so", NATIVE), (PT2, "extra", R + "extra/x", None),
    (PT2, "extra-so", R + "extra/x.so", None), (PT2, "unread", R + "x", UNREAD),
    (PT2, "unread-data", R + "data/x", UNREAD), (PT2, "alignment", R + ".storage_alignment", None),
    (PT2, "format", R + ".format_version", None), (PT2, "dot-data", R + ".data/x", None),
    (PT2, "alignment-longer", R + ".storage_alignments", UNREAD),
    (PT2, "format-longer", R + ".format_version2", UNREAD),
    (PT2, "mark-longer", R + "archive_formats", UNREAD),
    (PT2, "version-longer", R + "archive_version/x", UNREAD),
    (PT2, "order-longer", R + "byteorder2", UNREAD),
    (PT2, "flat-name", R + "serialized_constants.pt", UNREAD),
)
ABOUT = {GLOBAL: "os.system"}


def members(suite):
    for layout, label, name, finding in MEMBERS:
        beside(suite, "member-" + label, layout, name, EVIL,
               [(finding, ABOUT.get(finding, ""))] if finding else [],
               "What a loader does with a member of this name.")
    for layout, label, name in ((FLAT, "absolute", "/x"), (FLAT, "up", "a/../x"),
                                (FLAT, "up-first", "../x"), (FLAT, "up-last", "a/.."),
                                (FLAT, "up-alone", ".."), (FLAT, "drive", "C:x"),
                                (PT2, "up", R + "../x"), (PT2, "up-last", R + "..")):
        beside(suite, "path-" + label, layout, name, b"ab", [(PATH, ""), (UNREAD, "")],
               "A name that leads elsewhere.")
    for label, name in (("dots", "a/...x"), ("dots-three", "a/.../x"), ("dot", "a/./x"),
                        ("dots-end", "x.."), ("dots-first", "a/.b/x"), ("dots-second", "a/b./x"),
                        ("colon", "ab:x"), ("dots-part", "a..b/x")):
        beside(suite, "path-not-" + label, FLAT, name, b"ab", [(UNREAD, "")],
               "A name that leads nowhere else.")
    beside(suite, "path-not-colon-behind", FLAT, "C", b"ab", [(UNREAD, "")],
           "A name of one letter, and a colon that is not its second.",
           central={"comment": b":"})
    put(suite, "folder", FLAT, base(FLAT) + [member("x/", b"")], [], "A folder is no member.")
    beside(suite, "duplicate", FLAT, "VERSION", b"8.7", [(DUPLICATE, ""), (UNREAD, "")],
           "A name that differs in case only.")
    for label, root in (("inputs", "serialized_example_inputs.x"),
                        ("state", "serialized_state_dict.pt"), ("extra", "extra_files")):
        renamed = [each._replace(name=each.name.replace(b"archive/", root.encode() + b"/", 1))
                   for each in base(PT2)]
        inputs = root + "/data/sample_inputs/model.pt"
        put(suite, "root-" + label, PT2, renamed, [(inputs, UNPICKLED, "")],
            "The folder of the archive has the name of a member of the flat layout.",
            drop=PICKLED[PT2])


def bombs(suite):
    for label, size, data, found in (
            ("mebibyte", MEBIBYTE, b" ", []), ("above", MEBIBYTE + 1, b" ", [(BOMB, "")])):
        beside(suite, "bomb-" + label, FLAT, "extra_files/x", data * size, found,
               "What little grows to.", method=DEFLATED)
    beside(suite, "bomb-stored", FLAT, "extra_files/x", b" " * 70000, [], "As long as it is.")


def payload(path, pickled=True, **more):
    size = {"as_int": 1}
    meta = {"dtype": 7, "sizes": [size], "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": [size],
            "storage_offset": {"as_int": 0}, "layout": 7}
    entry = {"path_name": path, "is_param": False, "use_pickle": pickled, "tensor_meta": meta, **more}
    return json.dumps({"config": {"w": entry}}).encode("utf-8")


def configs(suite):
    """Which payloads the configs say are pickles."""
    rows = (("pickled", payload("weight_0"), [(GLOBAL, "os.system")], []),
            ("raw", payload("weight_0", False), [(HIDDEN, "10 of 14 bytes")], []),
            ("other", payload("weight_1"), [(UNREAD, "")], []),
            ("case", payload("Weight_0"), [(GLOBAL, "os.system")], []),
            ("absolute", payload("/weight_0"), [], [(CONFIG, "")]),
            ("none", b"{}", [], [(CONFIG, "")]), ("syntax", b"{", [], [(CONFIG, "")]),
            ("strict", payload("weight_0", extra=1), [], [(CONFIG, "")]),
            ("empty", b"", [], [(CONFIG, "")]))
    for folder, kind in (("weights", "weight_0"), ("constants", "tensor_0")):
        config = R + "data/%s/model_%s_config.json" % (folder, folder)
        for label, data, found, told in rows:
            data = data.replace(b"eight_", b"ensor_").replace(b"Wensor", b"Tensor").replace(
                b"wensor", b"tensor") if folder == "constants" else data
            name = R + "data/%s/%s" % (folder, kind)
            put(suite, "config-%s-%s" % (folder, label), PT2,
                replaced(PT2, config, data) + [written(name, EVIL)],
                [(name, each, about) for each, about in found]
                + [(config, each, about) for each, about in told],
                "What a config says of a payload.")


def sized(dtype=7, sizes=(1,), strides=None, offset=0, device="cpu"):
    """What a tensor_meta says."""
    numbers = [{"as_int": size} for size in sizes]
    strides = [{"as_int": each} for each in strides or [1] * len(sizes)]
    return {"tensor_meta": {
        "dtype": dtype, "sizes": numbers, "requires_grad": False,
        "device": {"type": device, "index": None}, "strides": strides,
        "storage_offset": {"as_int": offset}, "layout": 7}}


STORAGES = (  # (label, what a tensor says, bytes of its member, findings)
    ("exact", sized(), 4, []), ("more", sized(), 5, [(HIDDEN, "1 of 5 bytes")]),
    ("behind", sized(offset=1), 8, [(HIDDEN, "4 of 8 bytes")]),
    ("half", sized(6, (3,)), 8, [(HIDDEN, "2 of 8 bytes")]),
    ("gaps", sized(sizes=(2,), strides=(2,)), 12, [(HIDDEN, "4 of 12 bytes")]),
    ("short", sized(sizes=(2,)), 4, []), ("repeated", sized(sizes=(9,), strides=(0,)), 4, []),
    ("none", sized(sizes=(0,)), 3, [(HIDDEN, "3 of 3 bytes")]),
    ("scalar", sized(sizes=()), 4, []), ("scalar-zeros", sized(sizes=()), 0, [(ZEROS, "4 bytes")]),
    ("zeros", sized(sizes=(2, 3), strides=(3, 1)), 0, [(ZEROS, "24 bytes")]),
    ("zeros-long", sized(5, (7,)), 0, [(ZEROS, "56 bytes")]),
    ("zeros-none", sized(sizes=(0, 4), strides=(4, 1)), 0, []),
    ("zeros-meta", sized(device="meta"), 0, []),
)


def storages(suite):
    """Raw members that hold more than tensors show, or nothing."""
    for folder, kind in (("weights", "weight_0"), ("constants", "tensor_0")):
        config = R + "data/%s/model_%s_config.json" % (folder, folder)
        name = R + "data/%s/%s" % (folder, kind)
        for label, said, size, found in STORAGES:
            put(suite, "storage-%s-%s" % (folder, label), PT2,
                replaced(PT2, config, payload(kind, False, **said)) + [written(name, b"." * size)],
                [(name, each, about) for each, about in found],
                "Bytes that a tensor shows of its storage.")


def refused(suite):
    """An archive that is none, and one whose program is none."""
    twin = "audit/archive-base/" + FLAT
    for label, data, code, at, why in (
            ("cut", suite.bytes[twin][:-1], "EP_ARCHIVE", None, "Without its last byte."),
            ("end", archive(*flat(program(VERSION[FLAT])[:-1])), "EP_END",
             (len(program(VERSION[FLAT])) - 1, ""), "Its program ends early.")):
        change = change_between(suite.bytes[twin], data)
        suite.invalid("audit/archive-refused-%s/%s" % (label, FLAT), twin, change, code, at, why,
                      provenance="hand", flags=["large"] if len(change[2]) > LONG else None)


def vectors(suite):
    for layout in (FLAT, PT2):
        put(suite, "base", layout, base(layout), [], "The members that PyTorch writes.")
    pickles(suite)
    archives_inside(suite)
    members(suite)
    bombs(suite)
    configs(suite)
    storages(suite)
    refused(suite)
