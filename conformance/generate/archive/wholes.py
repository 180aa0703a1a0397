"""Whole archives (SPEC 8.2): the order of judgement, the marks, the members that have to be
there, those that nobody reads, and extra files.
"""

import hashlib

from generate.archive.kits import (FLAT, NOWHERE, PT2, STORED, Wholes, add, both, constants_of, drop,
                                   entry, held, payload, plain, put, raw, raw_object, remove,
                                   saved_object, saved_state, value)
from generate.archive.pickles import pickled, saved
from generate.archive.zips import DEFLATED
from generate.whole import meta

MARKED, PARTED, READ, TEXT = "8.2.1", "8.2.2", "8.2.3", "8.2.4"
ZIPPED = ["8.1.1", "8.1.2"]
FLATS = ("1", "2", "5.1", "5.3", "7.3", "8.7")
WEIGHTS, CONSTANTS = "data/weights/model.pt", "data/constants/model.pt"
WEIGHTS_CONFIG = "data/weights/model_weights_config.json"
CONSTANTS_CONFIG = "data/constants/model_constants_config.json"
INPUTS = "data/sample_inputs/model.pt"
NO_STATE = saved(pickled(b"}"))


def first_spec(kit):
    """The first parameter of the program."""
    return kit.place(("program", "graph_module/signature/input_specs/0"))


# ---- kinds of archives ------------------------------------------------------------


def kinds(suite):
    """A base of each kind, from which all others are made."""
    made = {
        "raw": Wholes(suite, "raw", raw, [MARKED, PARTED, READ, "8.3.1", "8.3.2", "8.3.3", "8.3.4",
                                          "8.4.1", "8.4.2", "8.4.3"],
                      "Configs, and members that they name: a parameter, a view behind others of "
                      "its storage, a buffer that is not persistent, a constant."),
        "plain": Wholes(suite, "plain", plain, [MARKED, PARTED, READ],
                        "A program without state, and configs without entries."),
        "pickled": Wholes(suite, "pickled", lambda: saved_state("8.8", PT2),
                          [MARKED, PARTED, READ, "8.4.1", "8.4.2", "8.4.3", "8.5.1", "8.5.2",
                           "8.5.3"], "State that torch.save wrote, in the PT2 layout."),
    }
    Wholes(suite, "object", raw_object, ["8.3.2", "8.4.1", "8.4.3", "8.5.1", "8.5.2"],
           "Configs, one of which names a custom object.")
    Wholes(suite, "saved-object", saved_object, ["8.4.1", "8.4.3", "8.5.2"],
           "State that torch.save wrote, with a custom object.")
    for version in FLATS:
        label = "flat-" + version
        made[label] = Wholes(suite, label, lambda version=version: saved_state(version, FLAT),
                             [MARKED, PARTED, READ, "8.4.1", "8.4.3", "8.5.1", "8.5.2", "8.5.3"],
                             "The flat layout, as a release writes it whose version is " + version
                             + ".")
    return made


# ---- the order of judgement -------------------------------------------------------


def second(change=None, name="other"):
    """Another program, with a state of its own, or that of the first."""
    def put_second(kit):
        other = raw()
        other.name = name
        if change:
            change(other)
        for key, data in other.files().items():
            if name in key:
                kit.puts[key] = data
    return put_second


def programs(raw_one):
    raw_one.good("two", second(), ZIPPED + [PARTED, "8.4.1"],
                 "Two programs, whose configs name the same members.")
    raw_one.good("two-names", second(name="a/b \u00e9"), ZIPPED + [PARTED],
                 "Two programs, one of a name with a slash and more.")
    twin = "two"

    def broken(kit):
        kit.draft.data["graph"]["tensor_values"]["c_table"]["dtype"] = 0
    place = ("program", "graph_module/graph/tensor_values/c_table")

    def where(kit):
        changed = raw()
        broken(changed)
        return changed.place(place)
    raw_one.bad("two-second-invalid", second(broken), "EP_DTYPE", where,
                "The second program is not valid.", twin=twin)
    raw_one.bad("first-invalid", broken, "EP_DTYPE", place,
                "The only program is not valid.")

    raw_one.bad("two-second-lacks", second(remove("weights", "tail")), "EP_ARCHIVE_MISSING",
                ("program", "graph_module/signature/input_specs/1"), "The second program has no state for a "
                "buffer; the first has.", twin=twin)
    raw_one.bad("two-second-without", both(second(), drop("data/sample_inputs/other.pt")),
                "EP_ARCHIVE_PART", None, "The second program has no sample inputs.", twin=twin)
    raw_one.bad("none", drop("models/model.json"), "EP_ARCHIVE_PROGRAM", NOWHERE,
                "All but a program.")


def pickled_alone(data):
    """The view in a member of its own, of which these bytes are said to be the pickle."""
    return both(entry("weights", "tail", path_name="weight_1", use_pickle=True),
                payload("weights/weight_1", data))


ORDERED = (  # label, of what is earlier, of what is later, code, where, why
    ("mark-part", both(put("byteorder", b"big"), drop(WEIGHTS_CONFIG)), "EP_ARCHIVE_MARK", None,
     "A mark before a member that is missing."),
    ("mark-mark", both(put("archive_version", b"1"), put("archive_format", b"pt")),
     "EP_ARCHIVE_MARK", None, "Two marks."),
    ("mark-lost", both(drop("archive_format"), put("byteorder", b"big")), "EP_ARCHIVE_PART", None,
     "The first mark is missing, and a later one is wrong."),
    ("mark-wrong-lost", both(put("archive_version", b"1"), drop("byteorder")), "EP_ARCHIVE_MARK",
     None, "A mark is wrong, and a later one is missing."),
    ("mark-lost-last", both(drop("byteorder"), put(".data/serialization_id", b"1")),
     "EP_ARCHIVE_PART", None, "The last mark but one is missing, and the last one is wrong."),
    ("lost-stripped", both(drop("byteorder"), put(".data/stripped", b"epref stripped 1\n")),
     "EP_ARCHIVE_PART", None, "A mark is missing, and the archive is stripped."),
    ("entries-pickle", both(pickled_alone(b"ab"), add("weights", "w", held(
        "weight_1", meta(3), pickle=True))), "EP_ARCHIVE_PICKLE", None,
     "The pickle of an entry before a later entry that names the member again."),
    ("shared-pickle", both(entry("weights", "tail", use_pickle=True), payload(
        "weights/weight_0", STORED)), "EP_ARCHIVE_PAYLOAD", ("weights", "tail"),
     "Another use_pickle for the same member, before that pickle is read."),
    ("payload-dtype", both(entry("weights", "tail", meta_dtype=4), add(
        "weights", "w", held("weight_9", meta(1)))), "EP_ARCHIVE_PAYLOAD", ("weights", "w"),
     "What an entry is before the dtype of an earlier one, which is another for the same member."),
    ("dtype-bytes", both(entry("weights", "tail", meta_dtype=4), payload(
        "constants/tensor_0", b"")), "EP_ARCHIVE_PAYLOAD", ("weights", "tail"),
     "The dtypes of one member before what fits."),
    ("part-payload", both(drop(INPUTS), add("weights", "w", held("weight_9", meta(1)))),
     "EP_ARCHIVE_PART", None, "A member that is missing before an entry."),
    ("weights-constants", both(add("weights", "w", held("weight_9", meta(1))),
                               add("constants", "c", held("tensor_9", meta(1)))),
     "EP_ARCHIVE_PAYLOAD", ("weights", "w"), "An entry of the weights before one of the "
     "constants."),
    ("payload-bytes", both(payload("weights/weight_0", STORED[:-1]),
                           add("weights", "w", held("weight_9", meta(1)))),
     "EP_ARCHIVE_PAYLOAD", ("weights", "w"), "What an entry is before what fits, of an entry that "
     "comes later."),
    ("bytes-tensor", both(payload("weights/weight_0", STORED[:-4]),
                          value("p_weight", dtype=8)),
     "EP_ARCHIVE_BYTES", ("weights", "tail"), "What fits before what the program says, of an entry "
     "that comes later."),
    ("tensor-missing", both(value("b_tail", dtype=8), remove("weights", "weight")),
     "EP_ARCHIVE_TENSOR", ("weights", "tail"), "What the program says before what is missing."),
    ("missing-constants", both(remove("weights", "tail"),
                               add("constants", "c", held("tensor_9", meta(1)))),
     "EP_ARCHIVE_MISSING", ("program", "graph_module/signature/input_specs/1"),
     "What the weights lack before the constants."),
    ("missing-unread", both(remove("weights", "tail"), put("data/weights/weight_9", b"")),
     "EP_ARCHIVE_MISSING", ("program", "graph_module/signature/input_specs/1"),
     "What is missing before what nobody reads."),
    ("inputs-unread", both(put(INPUTS, b"ab"), put("data/weights/weight_9", b"")),
     "EP_ARCHIVE_PICKLE", None, "The sample inputs before what nobody reads."),
    ("unread-text", both(put("extra/x", b"\xff"), put("data/weights/weight_9", b"")),
     "EP_ARCHIVE_UNREAD", None, "What nobody reads before an extra file."),
)


def orders(raw_one):
    for label, change, code, where, why in ORDERED:
        raw_one.bad("order-" + label, change, code, where, why, also=[PARTED],
                    flags=["precedence"])

    def damaged(kit):
        kit.puts["extra/x"] = b"ab"
        kit.how["extra/x"] = {"local": {"crc": 1}, "central": {"crc": 1}}
    raw_one.bad("order-checksum", both(damaged, put("byteorder", b"big")), "EP_ARCHIVE_MEMBER",
                NOWHERE, "A checksum of a member that nobody judges, before a mark.",
                flags=["precedence"])
    def two_damaged(kit):
        damaged(kit)
        kit.how["models/model.json"] = {"local": {"crc": 1}, "central": {"crc": 1}}
        kit.order = None
    raw_one.bad("order-checksum-program", two_damaged, "EP_ARCHIVE_MEMBER", NOWHERE,
                "The checksums of the program and of another member.", flags=["precedence"])
    raw_one.bad("checksum-raw", lambda kit: kit.how.update(
        {"data/weights/weight_0": {"local": {"crc": 1}, "central": {"crc": 1}}}),
                "EP_ARCHIVE_MEMBER", NOWHERE, "The checksum of a raw member is another.")


# ---- 8.2.1: marks -----------------------------------------------------------------

HIGHEST = b"18446744073709551615"
ABOVE = b"18446744073709551616"
MARK_ROWS = (  # the mark; label, whether it may say so, what it says
    ("archive_format", (
        ("empty", False, b""), ("cut", False, b"pt"), ("line", False, b"pt2\n"),
        ("blank", False, b" pt2"), ("upper", False, b"PT2"), ("long", False, b"pt22"),
        ("zero", False, b"pt2\0"), ("far", False, b"pt2" + b" " * 100), ("other", False, b"pt1"))),
    ("archive_version", (
        ("empty", False, b""), ("one", False, b"1"), ("zeros", False, b"00"),
        ("line", False, b"0\n"), ("blank", False, b" 0"), ("point", False, b"0.0"),
        ("far", False, b"0" + b"\0" * 100))),
    (".data/version", (
        ("1", True, b"1\n"), ("2", True, b"2"), ("3", True, b"3\n"), ("4", True, b"4"),
        ("5", True, b"5\n"), ("6-alone", True, b"6"), ("7", True, b"7\n"), ("8", True, b"8"),
        ("9", True, b"9\n"), ("10", True, b"10\n"), ("10-alone", True, b"10"),
        ("0", False, b"0\n"), ("11", False, b"11\n"), ("01", False, b"01\n"),
        ("010", False, b"010"), ("20", False, b"20"), ("empty", False, b""), ("line-alone", False, b"\n"), ("lines", False, b"6\n\n"),
        ("return", False, b"6\r\n"), ("blank", False, b" 6\n"), ("blank-behind", False, b"6 \n"),
        ("line-before", False, b"\n6"), ("plus", False, b"+6"), ("minus", False, b"-6"),
        ("letters", False, b"6abc"), ("hexadecimal", False, b"0x6"), ("point", False, b"6.0"),
        ("letter", False, b"a"), ("colon", False, b":"), ("slash", False, b"/"),
        ("zero", False, b"6\0"), ("wide", False, "\u0666".encode("utf-8")),
        ("wraps", False, b"18446744073709551622"), ("far", False, b"6" + b" " * 100))),
    ("byteorder", (
        ("empty", False, b""), ("big", False, b"big"), ("line", False, b"little\n"),
        ("upper", False, b"Little"), ("cut", False, b"littl"), ("blank", False, b" little"),
        ("zero", False, b"little\0"))),
    (".data/serialization_id", (
        ("zeros", True, b"0" * 40), ("highest", True, HIGHEST * 2),
        ("first-above", False, ABOVE + HIGHEST), ("second-above", False, HIGHEST + ABOVE),
        ("nines", False, b"9" * 40), ("short", False, b"0" * 39), ("long", False, b"0" * 41),
        ("empty", False, b""), ("line", False, b"0" * 40 + b"\n"),
        ("letter", False, b"0" * 39 + b"a"),
        ("half", False, b"0" * 20), ("letter-second", False, b"0" * 20 + b"a" + b"0" * 19),
        ("far", False, b"0" * 100))),
)
FLAT_MARKS = (  # of a version
    ("8.7", (("zero", b"8.07"), ("line", b"8.7\n"), ("major", b"8"), ("longer", b"8.70"),
             ("empty", b""), ("blank", b" 8.7"), ("next", b"8.8"), ("before", b"7.7"),
             ("three", b"8.7.0"), ("far", b"8.7" + b" " * 100))),
    ("1", (("point", b"1.0"), ("two", b"2"), ("line", b"1\n"), ("zero", b"01"))),
    ("2", (("point", b"2.0"), ("one", b"1"))),
    ("5.3", (("major", b"5"), ("minor", b"5.4"), ("zero", b"5.30"))),
)


def marks(made):
    one = made["plain"]
    for mark, rows in MARK_ROWS:
        for label, valid, said in rows:
            name = "mark-%s-%s" % (mark.strip(".").replace("/", "-").replace("_", "-"), label)
            why = "%s says %s." % (mark, repr(said)[1:] if len(said) < 50 else
                                   "what it should, and much more")
            one.pairs([(name, valid, put(mark, said), why)], [MARKED], "EP_ARCHIVE_MARK")
    one.good("mark-deflated", lambda kit: kit.how.update({"byteorder": {"method": DEFLATED}}),
             [MARKED], "A mark may be deflated as any member.")
    for version, rows in FLAT_MARKS:
        for label, said in rows:
            made["flat-" + version].bad("mark-version-" + label, put("version", said),
                                        "EP_ARCHIVE_MARK", None, "version says %s." %
                                        repr(said.strip() or said)[1:] + (
                                            " And more." if said.strip() != said else ""))


# ---- 8.2.2: parts -----------------------------------------------------------------

LIBRARY, METADATA = "data/aotinductor/m/x.wrapper.so", "data/aotinductor/m/x.wrapper_metadata.json"
MODEL = (
    ("so", True, {LIBRARY: b"ab", METADATA: b"{}"}, "A library for Linux."),
    ("cpp", True, {"data/aotinductor/m/x.cpp": b"", METADATA: b"{}"}, "A source."),
    ("pyd", True, {"data/aotinductor/m/x.pyd": b"", METADATA: b"{}"}, "A library for Python."),
    ("dll", True, {"data/aotinductor/m/x.dll": b"", METADATA: b"{}"}, "A library for Windows."),
    ("below", True, {"data/aotinductor/m/a/x.so": b"", "data/aotinductor/m/a/wrapper_metadata.json":
                     b""}, "Both in a folder below."),
    ("folder", True, {"data/aotinductor/m/": b"", LIBRARY: b"ab", METADATA: b"{}"},
     "The folder itself."),
    ("more", True, {LIBRARY: b"ab", METADATA: b"{}", "data/aotinductor/m/x.cubin": b""},
     "Something else beside."),
    ("two", True, {LIBRARY: b"ab", METADATA: b"{}", "data/aotinductor/n/x.so": b"",
                   "data/aotinductor/n/wrapper_metadata.json": b""}, "Two models."),
    ("file", True, {"data/aotinductor/x": b""}, "A member in no folder of a model."),
    ("elsewhere", True, {"data/aotinductors/m/x": b""}, "Another folder."),
    ("no-library", False, {METADATA: b"{}"}, "No library."),
    ("no-metadata", False, {LIBRARY: b"ab"}, "No metadata."),
    ("neither", False, {"data/aotinductor/m/x.txt": b""}, "Neither of both."),
    ("library-case", False, {"data/aotinductor/m/x.SO": b"", METADATA: b"{}"}, "Case counts."),
    ("library-longer", False, {LIBRARY + ".1": b"", METADATA: b"{}"}, "Another ending."),
    ("library-a", False, {"data/aotinductor/m/x.a": b"", METADATA: b"{}"}, "A library of another "
     "kind."),
    ("metadata-other", False, {LIBRARY: b"", "data/aotinductor/m/metadata.json": b"{}"},
     "Metadata of another name."),
    ("metadata-longer", False, {LIBRARY: b"", METADATA + "5": b"{}"}, "Metadata of another "
     "ending."),
    ("second", False, {LIBRARY: b"ab", METADATA: b"{}", "data/aotinductor/n/x.so": b""},
     "The second of two has no metadata."),
    ("across", False, {"data/aotinductor/m/x.so": b"", "data/aotinductor/n/wrapper_metadata.json":
                       b""}, "The library of one, the metadata of another."),
)


def putting(members):
    return both(*[put(name, data) for name, data in members.items()])


def models(one):
    for label, valid, members, why in MODEL:
        one.pairs([("model-" + label, valid, putting(members),
                    "A model of AOTInductor. " + why)], [PARTED], "EP_ARCHIVE_PART")


def parts(made):
    for mark in ("archive_format", "archive_version", ".data/version", "byteorder"):
        made["plain"].bad("no-" + mark.strip(".").replace("/", "-").replace("_", "-"), drop(mark),
                          "EP_ARCHIVE_PART", None, "There is no %s." % mark)
    made["plain"].good("no-id", drop(".data/serialization_id"), [PARTED],
                       "The identity may be missing.")
    made["plain"].bad("mark-elsewhere", both(drop("byteorder"), put("data/byteorder", b"little")),
                      "EP_ARCHIVE_PART", None, "The byte order in another folder.")
    made["plain"].bad("mark-longer", both(drop("byteorder"), put("byteorder2", b"little")),
                      "EP_ARCHIVE_PART", None, "The byte order under another name.")
    for label, name in (("weights", WEIGHTS_CONFIG), ("constants", CONSTANTS_CONFIG),
                        ("inputs", INPUTS)):
        made["plain"].bad("no-" + label, drop(name), "EP_ARCHIVE_PART", None,
                          "There are no %s." % label)
    made["plain"].bad("weights-case", both(drop(WEIGHTS_CONFIG), put(
        WEIGHTS_CONFIG.replace("model", "Model"), b'{"config": {}}')), "EP_ARCHIVE_PART", None,
                      "The config of a program of another case.")
    made["plain"].bad("inputs-other", both(drop(INPUTS), put(INPUTS.replace("model", "m"), b"")),
                      "EP_ARCHIVE_PART", None, "Sample inputs of another program.")
    for label, name in (("weights", WEIGHTS), ("constants", CONSTANTS), ("inputs", INPUTS)):
        made["pickled"].bad("no-" + label, drop(name), "EP_ARCHIVE_PART", None,
                            "There are no pickled %s." % label)
    made["plain"].good("pickle-weights", both(drop(WEIGHTS_CONFIG), put(WEIGHTS, NO_STATE)),
                       [PARTED], "A pickle stands for the config of the weights.")
    made["plain"].good("pickle-constants", both(drop(CONSTANTS_CONFIG), put(CONSTANTS, NO_STATE)),
                       [PARTED], "A pickle stands for the config of the constants.")
    made["plain"].good("empty-inputs", put(INPUTS, b""), [PARTED],
                       "Sample inputs without bytes stand for none.")
    made["plain"].good("empty-weights", both(drop(WEIGHTS_CONFIG), put(WEIGHTS, b"")), [PARTED],
                       "A pickle without bytes stands for no weights.")
    made["plain"].good("empty-constants", both(drop(CONSTANTS_CONFIG), put(CONSTANTS, b"")),
                       [PARTED], "A pickle without bytes stands for no constants.")
    made["plain"].bad("empty-config", put(WEIGHTS_CONFIG, b""), "EP_END", (0, ""),
                      "A config without bytes stands for nothing.")
    made["pickled"].bad("empty-weights", put(WEIGHTS, b""), "EP_ARCHIVE_MISSING", first_spec,
                        "A pickle without bytes has no entries, and the program has a parameter.")
    made["pickled"].bad("empty-constants", put(CONSTANTS, b""), "EP_ARCHIVE_MISSING",
                        ("program", "graph_module/signature/input_specs/2"),
                        "A pickle without bytes has no entries, and the program has constants.")
    made["raw"].good("mixed", mixed, [PARTED, "8.4.1"],
                     "A config of the weights, and pickled constants.")
    models(made["plain"])


def mixed(kit):
    """The constants in a pickle, the weights in members."""
    for path in [each for each in kit.payloads if each.startswith("constants/")]:
        del kit.payloads[path]
    kit.constants, kit.state["constants"] = None, constants_of()


NEEDED = (  # version, what it cannot do without
    ("1", ("version", "serialized_state_dict.json")),
    ("2", ("version", "serialized_state_dict.json", "serialized_constants.json")),
    ("5.1", ("version", "serialized_state_dict.pt", "serialized_constants.pt")),
    ("5.3", ("version", "serialized_state_dict.pt", "serialized_constants.pt")),
    ("7.3", ("version", "serialized_state_dict.pt", "serialized_constants.pt",
             "serialized_example_inputs.pt")),
    ("8.7", ("version", "serialized_state_dict.pt", "serialized_constants.pt",
             "serialized_example_inputs.pt")),
)
EXAMPLES = "serialized_example_inputs.pt"


def flat_parts(made):
    for version, names in NEEDED:
        for name in names:
            label = "no-" + name.replace("serialized_", "").replace("_", "-").split(".")[0]
            made["flat-" + version].bad(label, drop(name), "EP_ARCHIVE_PART", None,
                                        "There is no %s in version %s." % (name, version))
    for version in ("5.1", "5.3"):
        made["flat-" + version].good("with-inputs", put(EXAMPLES, b""), [PARTED],
                                     "Sample inputs may be there before 5.4.")
    made["flat-8.7"].good("empty-inputs", put(EXAMPLES, b""), [PARTED],
                          "Sample inputs without bytes, in the flat layout.")

    def other_form(version, old, new):
        def change(kit):
            name = "serialized_%s." % "state_dict"
            kit.puts[name + new] = kit.state["weights"].written()
            kit.drops.add(name + old)
        made["flat-" + version].bad("state-" + new, change, "EP_ARCHIVE_PART", None,
                                    "The state under the name that it has in other versions.")
    other_form("2", "json", "pt")
    other_form("5.1", "pt", "json")


# ---- 8.2.3: nothing unread --------------------------------------------------------

UNREAD = (  # of the PT2 layout, beside what is needed
    ("weight", False, {"data/weights/weight_9": b"abcd"}, "A weight that no config names."),
    ("weight-other", False, {"data/weights/x": b""}, "A member of the weights of any name."),
    ("weight-below", False, {"data/weights/a/b": b""}, "A folder in that of the weights."),
    ("weight-config", False, {"data/weights/other_weights_config.json": b'{"config": {}}'},
     "The config of a program that is not there."),
    ("weight-pickle", False, {"data/weights/other.pt": b""},
     "The weights of a program that is not there."),
    ("weight-longer", True, {"data/weights2/x": b""}, "A folder of another name."),
    ("weight-above", True, {"weights/x": b""}, "The folder in another place."),
    ("weight-folder", True, {"data/weights/": b""}, "The folder itself."),
    ("constant", False, {"data/constants/tensor_9": b""}, "A constant that no config names."),
    ("constant-object", False, {"data/constants/custom_obj_9": b""},
     "An object that no config names."),
    ("constant-opaque", False, {"data/constants/opaque_obj_9": b""},
     "An opaque object that no config names."),
    ("constant-config", False, {"data/constants/other_constants_config.json": b'{"config": {}}'},
     "The config of the constants of a program that is not there."),
    ("constant-weights", False, {"data/constants/model_weights_config.json": b'{"config": {}}'},
     "The config of the weights among the constants."),
    ("constant-folder", True, {"data/constants/": b""}, "The folder of the constants itself."),
    ("inputs", False, {"data/sample_inputs/other.pt": b""},
     "The sample inputs of a program that is not there."),
    ("inputs-config", False, {"data/sample_inputs/model.json": b"{}"},
     "Sample inputs in another form."),
    ("inputs-folder", True, {"data/sample_inputs/": b""}, "The folder of the inputs itself."),
    ("weights-both", False, {WEIGHTS: NO_STATE}, "A config beside the pickle that loaders take."),
    ("constants-both", False, {CONSTANTS: NO_STATE}, "The same of the constants."),
    ("weights-both-empty", False, {WEIGHTS: b""}, "A config beside a pickle without bytes."),
    ("data", True, {"data/x": b""}, "A member beside the folders of the state."),
    ("data-mtia", True, {"data/mtia/x": b""}, "A folder that later releases may read."),
    ("top", True, {"x": b"ab"}, "A member of any name beside the marks."),
    ("executorch", True, {"data/executorch/x.pte": b""}, "What ExecuTorch puts there."),
    ("version", False, {"version": b"8.20"}, "The mark of the flat layout."),
    ("serialized", False, {"serialized_state_dict.pt": b""}, "The state of the flat layout."),
    ("serialized-other", False, {"serialized_": b""}, "What begins as members of the flat layout."),
    ("version-below", True, {"data/version": b""}, "The name of a mark in a folder."),
    ("version-longer", True, {"versions": b""}, "A longer name."),
    ("version-case", True, {"Version": b""}, "Case counts in the mark."),
    ("serialized-below", True, {"x/serialized_state_dict.pt": b""}, "The state in a folder."),
    ("serialized-case", True, {"Serialized_x": b""}, "Case counts in the state."),
    ("serialized-short", True, {"serialized": b""}, "A shorter name."),
)
AOTI = {LIBRARY: b"ab", METADATA: b"{}"}
OF_MODELS = (  # beside a model of AOTInductor
    ("weight", True, {"data/weights/weight_9": b""}, "A weight that may be the model's."),
    ("object", True, {"data/constants/custom_obj_9": b""}, "An object that may be the model's."),
    ("weight-other", False, {"data/weights/x": b""}, "No model names its weights so."),
    ("constant", False, {"data/constants/tensor_9": b""}, "No model names its constants so."),
    ("weight-constant", False, {"data/constants/weight_9": b""}, "A weight among the constants."),
    ("object-weight", False, {"data/weights/custom_obj_9": b""}, "An object among the weights."),
    ("inputs", False, {"data/sample_inputs/other.pt": b""}, "No model has sample inputs."),
)
FLAT_UNREAD = (  # version, label, whether it may be there, member, why
    ("8.7", "top", False, "x", "A member that no release has."),
    ("8.7", "extra", True, "extra_files/x", "What a user put there."),
    ("8.7", "extra-short", False, "extra_files", "The folder's name without its slash."),
    ("8.7", "extra-longer", False, "extra_files2/x", "A folder of a longer name."),
    ("8.7", "extra-other", False, "extra/x", "The folder of the other layout."),
    ("8.7", "json", False, "serialized_state_dict.json", "The state of before 5.1 beside."),
    ("8.7", "json-constants", False, "serialized_constants.json", "Constants of before 5.1 "
     "beside."),
    ("8.7", "format", False, "archive_format", "A mark of the other layout."),
    ("8.7", "byteorder", False, "byteorder", "The byte order, which this layout does not say."),
    ("8.7", "state-other", False, "serialized_state_dict.bin", "The state in another form."),
    ("5.1", "json", False, "serialized_state_dict.json", "The state of the version before."),
    ("2", "pt", False, "serialized_state_dict.pt", "The state of the version behind."),
    ("2", "constants-pt", False, "serialized_constants.pt", "Constants of the version behind."),
    ("2", "inputs", False, EXAMPLES, "Sample inputs, which no release writes before 5."),
    ("1", "inputs", False, EXAMPLES, "Sample inputs, which the first release does not have."),
    ("1", "constants", False, "serialized_constants.json", "Constants, which the first release "
     "does not write."),
    ("1", "pt", False, "serialized_state_dict.pt", "A pickled state of a later version."),
)


def unread(made):
    one = made["plain"]
    for label, valid, members, why in UNREAD:
        one.pairs([("unread-" + label, valid, putting(members), why)], [READ],
                  "EP_ARCHIVE_UNREAD")
    for label, valid, members, why in OF_MODELS:
        one.pairs([("unread-model-" + label, valid, putting({**AOTI, **members}),
                    "Beside a model of AOTInductor. " + why)], [READ], "EP_ARCHIVE_UNREAD")
    made["raw"].bad("unread-payload", payload("weights/weight_1", b"abcd"), "EP_ARCHIVE_UNREAD",
                    None, "One of two members of the weights has no entry.")
    for version, label, valid, name, why in FLAT_UNREAD:
        made["flat-" + version].pairs(
            [("unread-" + label, valid, put(name, NO_STATE if name.startswith("serialized") else
                                            b""), why)], [READ], "EP_ARCHIVE_UNREAD")
    for version, name in (("8.7", "serialized_state_dict.json"), ("2", "serialized_state_dict.pt")):
        made["flat-" + version].bad("unread-first", unread_first(name), "EP_ARCHIVE_UNREAD", None,
                                    "State of another version, before that of its own.")


def unread_first(name):
    """A member that the directory has right behind the program."""
    def change(kit):
        count = len(kit.files())
        kit.puts[name] = b"ab"
        kit.order = [0, count, *range(1, count)]
    return change


# ---- 8.2.4: extra files -----------------------------------------------------------

PIECE = 1 << 16  # bytes, at whose end a reader may have to wait for the rest of a character
EXTRA = (  # label, whether it is text, what it holds
    ("ascii", True, b"a\0\x7f\n"), ("empty", True, b""), ("two", True, "\u0080\u07ff".encode()),
    ("three", True, "\u0800\ud7ff\ue000\uffff".encode()), ("four", True,
                                                           "\U00010000\U0010ffff".encode()),
    ("delete", True, b"\x7f"), ("mark", True, b"\xef\xbb\xbfx"), ("lone", False, b"\x80"), ("lone-high", False, b"a\xbfb"),
    ("cut-two", False, b"ab\xc3"), ("cut-three", False, b"\xe2\x82"),
    ("cut-four", False, b"\xf0\x9f\x98"), ("overlong-two", False, b"\xc1\xbf"),
    ("overlong-three", False, b"\xe0\x9f\xbf"), ("overlong-four", False, b"\xf0\x8f\xbf\xbf"),
    ("surrogate", False, b"\xed\xa0\x80"), ("surrogate-low", False, b"\xed\xbf\xbf"),
    ("above", False, b"\xf4\x90\x80\x80"), ("ff", False, b"\xff"),
    ("follower", False, b"\xc3("), ("follower-three", False, b"\xe2\x82("),
    ("latin", False, b"caf\xe9"),
)


def extras(made):
    for label, valid, data in EXTRA:
        why = "An extra file that holds %s." % data.hex() if data else "An extra file of no bytes."
        made["plain"].pairs([("extra-" + label, valid, put("extra/x", data), why)], [TEXT],
                            "EP_UTF8")
    made["plain"].good("extra-other-folder", put("extra2/x", b"\xff"), [TEXT],
                       "What is not text, in another folder.")
    made["plain"].bad("extra-below", put("extra/a/b", b"\xff"), "EP_UTF8", None,
                      "What is not text, in a folder below.")
    made["plain"].good("extra-deflated", put("extra/x", "\u20ac".encode() * 30, method=DEFLATED),
                       [TEXT], "An extra file that is deflated.")
    for shift in range(3):
        data = b"a" * (PIECE - 1 - shift) + "\U0001f600".encode()
        made["plain"].good("extra-pieces-%d" % shift, put("extra/x", data, method=DEFLATED),
                           [TEXT], "A character that begins %d bytes before 65,536 are read."
                           % (1 + shift))
    flat = made["flat-8.7"]
    flat.good("extra-text", put("extra_files/x", "\u20ac".encode()), [TEXT],
              "Text, in the flat layout.")
    flat.bad("extra-bytes", put("extra_files/x", b"\x80"), "EP_UTF8", None,
             "What is not text, in the flat layout.")


# ---- stripped archives ----------------------------------------------------------------


def stripped(made):
    """What says that members were taken out: in its place, elsewhere, and with nothing gone."""
    said = b"epref stripped 1\n"
    line = "8 %d %s m/data/weights/weight_0\n" % (len(STORED), hashlib.sha256(STORED).hexdigest())
    taken = said + line.encode()
    raw_one, flat = made["raw"], made["flat-8.7"]
    raw_one.bad("stripped", both(put(".data/stripped", taken), drop("data/weights/weight_0")),
                "EP_ARCHIVE_PART", None, "A weight was taken out.")
    raw_one.bad("stripped-of-nothing", put(".data/stripped", said), "EP_ARCHIVE_PART", None,
                "Nothing was taken out, and it says that it is stripped.")
    raw_one.bad("stripped-empty", put(".data/stripped", b""), "EP_ARCHIVE_PART", None,
                "The member alone says it, whatever it holds.")
    raw_one.good("stripped-extra", put("extra/.data/stripped", taken), ["8.2.4"],
                 "An extra file of the member's name.")
    flat.bad("stripped", both(put("stripped", said), drop("serialized_state_dict.pt")),
             "EP_ARCHIVE_PART", None, "The state was taken out.")
    flat.bad("stripped-of-nothing", put("stripped", said), "EP_ARCHIVE_PART", None,
             "Nothing was taken out, and it says that it is stripped.")
    flat.good("stripped-extra", put("extra_files/stripped", said), ["8.2.4"],
              "An extra file of the member's name.")


def vectors(suite):
    made = kinds(suite)
    stripped(made)
    programs(made["raw"])
    orders(made["raw"])
    marks(made)
    parts(made)
    flat_parts(made)
    unread(made)
    extras(made)
