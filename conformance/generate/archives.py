"""Archives (SPEC 8.1): the program in a zip file, in both layouts, and zip files
that are none, are damaged, or hold no program, or several.  Nothing else of an
archive is judged, so members may be called and hold what they like.
"""

import struct

from generate.history import VERSIONS
from generate.suite import change_between
from generate.whole import Draft, place_of
from generate.zips import (DEFLATED, DEFLATED64, ENCRYPTED, SIZED_LATER, archive, deflated, member,
                           written)

FLAT, PT2 = "serialized_exported_program.json", "archive/models/model.json"
LAYOUTS = (("flat", FLAT, "8.7"), ("pt2", PT2, "8.20"))
ZIP, ONE, READ = "8.1.1", "8.1.2", "8.1.3"
LONG = 300  # bytes of a change that is flagged
MIDDLE = 200  # a byte of the program somewhere in it


def program(version):
    return Draft().written(VERSIONS[version]).text.encode("utf-8")


def saved(pickle, identity):
    """What torch.save writes of an object without tensors, by its pickle."""
    members = (("data.pkl", pickle), (".format_version", b"1"), (".storage_alignment", b"64"),
               ("byteorder", b"little"), ("version", b"3\n"), (".data/serialization_id", identity))
    return archive(*[written("archive/" + name, data) for name, data in members])


NOTHING = saved(b"\x80\x02}q\0.", b"0290846867776292310400103495851195097541")  # {}
NO_INPUTS = saved(b"\x80\x02)}q\0\x86q\1.", b"0290846867776292310400108335413031144845")  # (), {}
NO_TENSORS = b'{"config": {}}'


def flat(data, **said):
    """What 2.7 writes of a program without inputs and tensors."""
    return [member(FLAT, data, **said), member("serialized_state_dict.pt", NOTHING),
            member("serialized_constants.pt", NOTHING),
            member("serialized_example_inputs.pt", NO_INPUTS), member("version", b"8.7")]


def pt2(data, **said):
    """What 2.12 and later write of it."""
    return [written("archive/data/weights/model_weights_config.json", NO_TENSORS),
            written("archive/data/constants/model_constants_config.json", NO_TENSORS),
            written(PT2, data, **said),
            written("archive/data/sample_inputs/model.pt", NO_INPUTS),
            written("archive/archive_format", b"pt2"), written("archive/archive_version", b"0"),
            written("archive/.data/version", b"6\n"), written("archive/byteorder", b"little"),
            written("archive/.data/serialization_id",
                    b"1374611803619092859009724839916186401110")]


class Archives:
    """The archives of one layout: a valid one, and what is made from it."""

    def __init__(self, suite, layout, name, version):
        self.suite, self.layout, self.name, self.version = suite, layout, name, version
        self.data = program(version)
        self.make = flat if layout == "flat" else pt2
        self.base = self.named("base")
        self.valid("base", archive(*self.make(self.data)), [ZIP, ONE, READ],
                   "The members that PyTorch writes, as it writes them.")

    def named(self, label):
        return "archive/%s/%s" % (label, self.layout)

    def other(self, name, data, **said):
        """A member that no release writes, in the folder of all."""
        return member(("archive/" if self.layout == "pt2" else "") + name, data, **said)

    def parts(self, data=None, **said):
        """The program's member, and the others."""
        members = self.make(self.data if data is None else data, **said)
        alone = next(each for each in members if each.name == self.name.encode("ascii"))
        return alone, [each for each in members if each is not alone]

    def valid(self, label, data, clause, why, **more):
        file = "archives/%s-%s.pt2" % (label, self.layout)
        return self.suite.valid(self.named(label), "archive", self.version, data, clause, why,
                                file=file, provenance="hand", **more)

    def good(self, label, members, clause, why, **more):
        return self.valid(label, archive(*members), clause, why, **more)

    def bad(self, label, data, code, why, twin=None, at=None, **more):
        """The twin, and what it is instead."""
        twin = twin or self.base
        edit = change_between(self.suite.bytes[twin], data)
        flags = ["large"] if len(edit[2]) > LONG else None
        return self.suite.invalid(self.named(label), twin, edit, code, at, why, provenance="hand",
                                  flags=flags, **more)


# ---- valid, whatever else there is ----------------------------------------------


def odd_but_valid(here):
    data, make = here.data, here.make
    here.good("deflated", make(data, method=DEFLATED), [ZIP, READ],
              "PyTorch stores the program; compressed, it is the same.")
    here.good("deflated64", make(data, method=DEFLATED64), [READ],
              "Compressed in another way, which few tools read.",
              verdict="implementation-defined", code="EP_ARCHIVE_MEMBER",
              profiles={"epref": "invalid"})
    here.good("deflated-other", make(data) + [here.other("x", b"ab", method=DEFLATED64)],
              [READ],
              "A member that nobody reads is compressed in another way.")
    here.good("zip64", make(data, zip64=True, flags=0), [ZIP, READ],
              "The sizes in 64 bits, as of a large member.")
    here.valid("zip64-end", archive(*make(data), zip64=True), [ZIP],
               "The end of the directory in 64 bits, as of a large archive.")
    here.valid("comment", archive(*make(data), comment=b"by hand"), [ZIP], "A comment at the end.")
    alone, others = here.parts()
    here.good("alone", [alone], [ZIP, ONE], "Nothing but the program.")
    here.good("last", others + [alone], [ONE], "The program behind all others.")
    here.good("case", make(data) + [here.other("VERSION", b"1"), here.other("Version", b"2")],
              [ZIP], "Two names that differ in case are two names.")
    here.good("folders", make(data) + [member("archive/", b""), member("archive/models/", b"")],
              [ONE], "Members for folders are no programs.")
    here.good("broken-other", make(data) + [here.other("x", b"ab", local={"crc": 1},
                                                       central={"crc": 1})], [READ],
              "A member that nobody reads does not agree with its checksum.")
    here.good("secret-other", make(data) + [here.other("x", b"ab", flags=ENCRYPTED)], [READ],
              "A member that nobody reads is encrypted.")


def hostile_names(here):
    names = ("../../escaped.json", "/absolute.json", "C:\\drive.json", "a\\b", "..",
             "archive/models/../model.json")
    here.good("names", here.make(here.data) + [member(name, b"{}") for name in names], [ONE],
              "Nothing is unpacked: a name is only compared.")


NEAR = (
    ("near-case", "ARCHIVE/MODELS/x.json", "Case counts."),
    ("near-ending", "archive/models/x.JSON", "Case counts."),
    ("near-nameless", "archive/models/.json", "NAME is not empty."),
    ("near-rootless", "/models/x.json", "R is not empty."),
    ("near-top", "models/x.json", "There is a folder R."),
    ("near-below", "archive/models/a/x.json", "NAME has no slash."),
    ("near-above", "a/archive/models/x.json", "R has no slash."),
    ("near-backslash", "archive\\models\\x.json", "A backslash is no slash."),
    ("near-longer", "archive/models/x.json.bak", "Another ending."),
    ("near-folder", "archive/" + FLAT, "The flat layout has no folder."),
    ("near-flat", FLAT.upper(), "Case counts."),
)
ROOTS = (
    ("root-other", "m/models/model.json", "R is what PyTorch called the file."),
    ("root-letters", "\u00e9 \u4e16/models/\u00e9.json", "R and NAME are any characters."),
    ("root-dots", "../models/...json", "R and NAME are any characters, and lead nowhere."),
    ("root-models", "models/models/models.json", "R and NAME may be any word."),
)


def moved(here, path):
    """All members as of a program of that path: in its folder, and called after it."""
    root, _, name = path[:-len(".json")].split("/")
    return [each._replace(name=each.name.replace(b"archive", root.encode("utf-8"), 1).replace(
        b"/model.", b"/%s." % name.encode("utf-8")).replace(
        b"/model_", b"/%s_" % name.encode("utf-8"))) for each in here.make(here.data)]


def names(here):
    for label, name, why in NEAR:
        here.good(label, here.make(here.data) + [member(name, here.data)], [ONE],
                  "The other one is no program. " + why)
    for label, name, why in ROOTS:
        here.good(label, moved(here, name), [ONE], why)


def versions(suite):
    """The layout says nothing of the version, nor does a member of that name."""
    for layout, name, version in (("flat", FLAT, "8.20"), ("flat", FLAT, "1"), ("pt2", PT2, "1"),
                                  ("pt2", PT2, "5.3")):
        data = archive(member(name, program(version)), member("version", b"99.0"))
        suite.valid("archive/%s-%s/%s" % ("version", layout, version), "archive", version, data,
                    [ONE, "3.1.3"], "What the document says is its version.",
                    file="archives/version-%s-%s.pt2" % (layout, version), provenance="hand")


# ---- zip files that cannot be read ----------------------------------------------


def is_document(here):
    """The first four bytes say which it is."""
    base = here.suite.bytes[here.base]
    here.bad("cut-magic", base[:3], "EP_SYNTAX", "Three bytes are no mark of an archive.",
             at=(0, ""))
    here.bad("junk-before", b"\n" + base, "EP_SYNTAX",
             "A zip file behind something else is taken for a document.", at=(1, ""))
    here.bad("cut-whole", b"", "EP_END", "Nothing is no archive.", at=(0, ""))
    here.bad("no-members", archive(), "EP_SYNTAX",
             "A zip file of no members begins with its end: it is taken for a document.",
             at=(0, ""))


def more_counted(base, end, count):
    """With another count in the end record, and in the one of 64 bits, if there is one."""
    done = base[:end + 8] + struct.pack("<HH", count + 1, count + 1) + base[end + 12:]
    large = end - 76  # both parts of it
    if base[large:large + 4] != b"PK\6\6":
        return done
    return done[:large + 24] + struct.pack("<QQ", count + 1, count + 1) + done[large + 40:]


def unreadable(here):
    base, data, make = here.suite.bytes[here.base], here.data, here.make
    end = base.rindex(b"PK\5\6")
    here.bad("cut-first", base[:4], "EP_ARCHIVE", "The mark of an archive, and no more.")
    here.bad("cut-half", base[:len(base) // 2], "EP_ARCHIVE", "Half of it.")
    here.bad("cut-directory", base[:end], "EP_ARCHIVE", "All but the end of the directory.")
    here.bad("cut-last", base[:-1], "EP_ARCHIVE", "All but the last byte.")
    here.bad("junk-behind", base + b"\n", "EP_ARCHIVE", "A byte that is no comment behind the end.")
    here.bad("other-name", archive(*make(data, local={"name": b"x" * len(here.name)})),
             "EP_ARCHIVE", "The name before the program is not that of the directory.")
    here.bad("twice", archive(*make(data), member(here.name, data)), "EP_ARCHIVE",
             "Two programs of one name.")
    alone, others = here.parts()
    here.bad("twice-other", archive(*make(data), others[0]), "EP_ARCHIVE",
             "Two members of one name, neither of which is a program.")
    count = len(make(data))
    entry = base.rindex(here.name.encode("ascii")) - 46
    assert base[entry:entry + 4] == b"PK\1\2"
    here.bad("offset", base[:entry + 42] + b"\xff\xff\xff\x7f" + base[entry + 46:],
             "EP_ARCHIVE", "The directory has the program behind the end of the file.")
    here.bad("count", more_counted(base, end, count), "EP_ARCHIVE",
             "The end counts one member more than there are.")
    if not alone.flags & SIZED_LATER:
        here.bad("size", archive(*make(data, local={"size": len(data) - 1})), "EP_ARCHIVE",
                 "The size before the program is not that of the directory.")
        here.bad("crc-two", archive(*make(data, local={"crc": 1})), "EP_ARCHIVE",
                 "The checksum before the program is not that of the directory.")


# ---- no program, or several ------------------------------------------------------


def not_one(here):
    data, make = here.data, here.make
    alone = here.parts()[0]
    other = alone._replace(name=alone.name[:-1] + b"_")
    here.bad("none", archive(*[other if each == alone else each for each in make(data)]),
             "EP_ARCHIVE_PROGRAM", "No program.")
    here.bad("two-kinds", archive(*make(data), member(PT2 if here.layout == "flat" else FLAT,
                                                      data)),
             "EP_ARCHIVE_PROGRAM", "A program of each layout.")
    here.bad("two", archive(*make(data), member("archive/models/other.json", data)),
             "EP_ARCHIVE_PROGRAM", "Two programs, neither of which was asked for.")
    here.bad("two-roots", archive(*make(data), member("b/models/model.json", data)),
             "EP_ARCHIVE_PROGRAM", "Two programs under two folders.")


def asked_for(here):
    """A model that the user names."""
    several = archive(*here.make(here.data), member("archive/models/other.json", b"{}"))
    options = {"model": "model"}
    twin = here.valid("model-chosen", several, [ONE], "The one that was asked for; the other is "
                      "not looked at.", options=options)
    here.bad("model-two", archive(*here.make(here.data), member("b/models/model.json", here.data)),
             "EP_ARCHIVE_PROGRAM", "Two of that name.", twin=twin)
    here.suite.invalid(here.named("model-unknown"), twin, None, "EP_ARCHIVE_PROGRAM", None,
                       "None of that name.", provenance="hand", options={"model": "third"})
    here.suite.invalid(here.named("model-ending"), twin, None, "EP_ARCHIVE_PROGRAM", None,
                       "The name is without the ending.", provenance="hand",
                       options={"model": "model.json"})
    here.suite.invalid(here.named("model-broken"), twin, None, "EP_VERSION_MISSING", (1, ""),
                       "The other one, which says no version.", provenance="hand", also=[ONE],
                       options={"model": "other"})


# ---- the program's member --------------------------------------------------------


def damaged(here):
    data, make = here.data, here.make
    base = here.suite.bytes[here.base]
    at = base.index(data) + MIDDLE
    here.bad("byte", base[:at] + bytes([base[at] ^ 1]) + base[at + 1:], "EP_ARCHIVE_MEMBER",
             "A bit of the program, which the checksum shows.")
    here.bad("crc", archive(*make(data, local={"crc": 1}, central={"crc": 1})),
             "EP_ARCHIVE_MEMBER", "Another checksum.")
    here.bad("secret", archive(*make(data, flags=here.parts()[0].flags | ENCRYPTED)),
             "EP_ARCHIVE_MEMBER", "The program is encrypted, and nobody said with what.")
    twin = here.named("deflated")
    base = here.suite.bytes[twin]
    at = base.index(deflated(data))
    here.bad("stream", base[:at] + b"\7" + base[at + 1:], "EP_ARCHIVE_MEMBER",
             "Compressed in a way that is none.", twin=twin)


def documents(here):
    """What comes out is a document, with offsets of its own."""
    make = here.make
    document = Draft().written(VERSIONS[here.version])
    text, offset, pointer = place_of(document, "schema_version")
    here.bad("version", archive(*make(text.replace('"major": 8', '"major": 0').encode("utf-8"))),
             "EP_VERSION_UNKNOWN", "The document is wrong, and where is counted in it.",
             at=(offset, pointer), also=[READ])
    here.bad("end", archive(*make(here.data[:-1])), "EP_END",
             "The document ends early, the archive does not.", at=(len(here.data) - 1, ""),
             also=[READ])
    here.bad("empty", archive(*make(b"")), "EP_END", "A program of no bytes.", at=(0, ""),
             also=[READ])
    here.bad("mark", archive(*make(b"\xef\xbb\xbf" + here.data)), "EP_BOM",
             "A byte order mark.", at=(0, ""), also=[READ])
    here.bad("inner", archive(*make(archive(*make(b"{}")))), "EP_SYNTAX",
             "An archive in an archive is no document.", at=(0, ""), also=[READ])
    here.suite.invalid(here.named("schema"), here.base, None, "EP_VERSION_MISMATCH",
                       (offset, pointer), "The version that is demanded is another.",
                       provenance="hand", options={"schema": "7.3"}, also=[READ])


def limits(here):
    size = len(here.data)
    options = {"limits": {"bytes": size}}
    twin = here.suite.valid_edit(here.named("limit"), here.base, None, [READ, "1.4.1"],
                                 "As long as the limit; the archive is longer.",
                                 provenance="hand", options=options)
    here.suite.invalid(here.named("limit-above"), twin, None, "EP_LIMIT_BYTES", (0, ""),
                       "One byte longer than the limit.", provenance="hand", also=[READ],
                       options={"limits": {"bytes": size - 1}})
    blanks = b" " * (100 * 258)
    twin = here.valid("padded", archive(*here.make(here.data + blanks, method=DEFLATED)),
                      [READ, "1.4.1"], "Blanks that are next to nothing in the archive.",
                      options={"limits": {"bytes": size + len(blanks)}})
    here.suite.invalid(here.named("padded-above"), twin, None, "EP_LIMIT_BYTES", (0, ""),
                       "What comes out counts, not how small it is in the archive.",
                       provenance="hand", also=[READ],
                       options={"limits": {"bytes": size + len(blanks) - 1}})


def vectors(suite):
    for layout, name, version in LAYOUTS:
        here = Archives(suite, layout, name, version)
        odd_but_valid(here)
        hostile_names(here)
        is_document(here)
        unreadable(here)
        not_one(here)
        damaged(here)
        documents(here)
        limits(here)
        if layout == "pt2":
            names(here)
            asked_for(here)
    versions(suite)
