"""Archives (SPEC 8.1): the program in a zip file, in both layouts, and zip files
that are none, hold no program, or several, or are of no layout.  readers has
what the zip itself has to be.
"""

from generate.archive import hidden, readers, zip_bounds, zip_near
from format.history import VERSIONS
from generate.suite import change_between
from generate.whole import Draft, place_of
from generate.archive.zips import DEFLATED, archive, member, written

FLAT, PT2 = "serialized_exported_program.json", "archive/models/model.json"
LAYOUTS = (("flat", FLAT, "8.7"), ("pt2", PT2, "8.20"))
ZIP, ONE, READ, NAMED, LAID = "8.1.1", "8.1.2", "8.1.3", "8.1.4", "8.1.7"
LONG = 300  # bytes of a change that is flagged
SHORT = 1200  # bytes of a change that is not worth a file


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
        self.base = None
        self.base = self.valid("base", archive(*self.make(self.data)),
                   [ZIP, ONE, READ, NAMED, "8.1.5", "8.1.6", LAID],
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
        """A file of its own, or the base with a change that is shorter."""
        file = "archives/%s-%s.pt2" % (label, self.layout)
        edit = change_between(self.suite.bytes[self.base], data) if self.base else None
        if edit and not more and len(edit[2]) < SHORT:
            return self.suite.valid_edit(self.named(label), self.base, edit, clause, why,
                                         provenance="hand",
                                         flags=["large"] if len(edit[2]) > LONG else None)
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
    alone, others = here.parts()
    here.good("alone", [alone], [ZIP, ONE], "Nothing but the program.")
    here.good("last", others + [alone], [ONE, LAID], "The program behind all others.")
    here.good("folders", make(data) + [member("archive/", b""), member("archive/models/", b"")],
              [ONE, LAID], "Members for folders are no programs.")


def hostile_names(here):
    """In the PT2 layout they are in the folder of all."""
    names = ("../../escaped.json", "/absolute.json", "C:drive.json", "..", "a//b", "./c", "d\n\x7f")
    here.good("names", here.make(here.data) + [here.other(name, b"{}") for name in names],
              [ONE, NAMED, LAID], "Nothing is unpacked: a name is only compared.")


NEAR = (  # beside the program of the PT2 layout; None: it is none, and may be there
    ("near-case", "ARCHIVE/MODELS/x.json", "EP_ARCHIVE_LAYOUT", "Case counts: another folder."),
    ("near-case-models", "archive/MODELS/x.json", None, "Case counts: it is no program."),
    ("near-ending", "archive/models/x.JSON", "EP_ARCHIVE_LAYOUT", "Case counts."),
    ("near-nameless", "archive/models/.json", "EP_ARCHIVE_PROGRAM", "NAME may be empty."),
    ("near-rootless", "/models/x.json", "EP_ARCHIVE_LAYOUT", "R is not empty."),
    ("near-top", "models/x.json", "EP_ARCHIVE_LAYOUT", "Another folder."),
    ("near-below", "archive/models/a/x.json", "EP_ARCHIVE_PROGRAM", "NAME may have slashes."),
    ("near-above", "a/archive/models/x.json", "EP_ARCHIVE_LAYOUT", "R has no slash."),
    ("near-backslash", "archive\\models\\x.json", "EP_ARCHIVE_NAME", "A slash on some systems."),
    ("near-longer", "archive/models/x.json.bak", "EP_ARCHIVE_LAYOUT", "Another ending."),
    ("near-short", "archive/models/json", "EP_ARCHIVE_LAYOUT", "No ending."),
    ("near-folder", "archive/" + FLAT, None, "The flat layout has no folder."),
    ("near-flat", FLAT.upper(), "EP_ARCHIVE_LAYOUT", "Case counts: it is in no folder."),
    ("near-longer-folder", "archive2/x", "EP_ARCHIVE_LAYOUT", "A folder whose name is longer."),
    ("near-folder-alone", "other/", "EP_ARCHIVE_LAYOUT", "A folder, too, is in R."),
    ("near-folder-below", "archive/models/a/", None, "A folder is no program."),
)
ROOTS = (
    ("root-other", "m/models/model.json", "R is what PyTorch called the file."),
    ("root-letters", "\u00e9 \u4e16/models/\u00e9.json", "R and NAME are any characters."),
    ("root-dots", "../models/...json", "R and NAME are any characters, and lead nowhere."),
    ("root-models", "models/models/models.json", "R and NAME may be any word."),
    ("name-empty", "archive/models/.json", "NAME may be empty."),
    ("name-slash", "archive/models/a/b.json", "NAME may have slashes."),
    ("name-ending", "archive/models/.json.json", "NAME may end as members do."),
)


def moved(here, path):
    """All members as of a program of that path: in its folder, and called after it."""
    root, _, name = path[:-len(".json")].split("/", 2)
    return [each._replace(name=each.name.replace(b"archive", root.encode("utf-8"), 1).replace(
        b"/model.", b"/%s." % name.encode("utf-8")).replace(
        b"/model_", b"/%s_" % name.encode("utf-8"))) for each in here.make(here.data)]


def names(here):
    for label, name, code, why in NEAR:
        with_it = archive(*here.make(here.data), member(name, b"" if name[-1] == "/" else here.data))
        if code:
            here.bad(label, with_it, code, "Another one beside the program. " + why)
        else:
            here.valid(label, with_it, [ONE, LAID], "The other one is no program. " + why)
    for label, name, why in ROOTS:
        here.good(label, moved(here, name), [ONE, LAID], why)


def layouts(here):
    """Which folder all are in, and which member is the first."""
    alone, others = here.parts()
    here.bad("outside", archive(*others, alone, member("x", b"ab")), "EP_ARCHIVE_LAYOUT",
             "A member in no folder, behind all others.", twin=here.named("last"))
    here.bad("outside-first", archive(member("x/y", b"ab"), *here.make(here.data)),
             "EP_ARCHIVE_LAYOUT", "PyTorch takes the folder of the first, which is not that of the "
             "program.")
    other = alone._replace(name=alone.name[:-1] + b"_")
    here.bad("ending", archive(*[other if each == alone else each for each in
                                 here.make(here.data)]), "EP_ARCHIVE_LAYOUT",
             "Where programs are, of another ending: PyTorch takes it for one.")
    folder = member("archive/", b"")
    here.good("folder-first", [folder] + here.make(here.data), [LAID],
              "The folder itself, before all others.")


def flat_layouts(here):
    """A flat archive has other rules for names and folders."""
    extra = [member("extra_files/models/x.json", here.data), member("extra_files/models/y", b"ab")]
    here.good("extra-files", here.make(here.data) + extra, [ONE, LAID],
              "What a user put there is no program, whatever it is called.")
    members = here.make(here.data) + [member("x/y", b"ab")]
    twin = here.good("beside", members, [LAID], "A member in a folder, behind others.")
    here.bad("folder-first", archive(*members, order=[len(members) - 1, *range(len(members) - 1)]),
             "EP_ARCHIVE_LAYOUT", "The first member of the directory is in a folder: later releases "
             "take the archive for one of the PT2 layout.", twin=twin)
    here.good("models-beside", here.make(here.data) + [member("x/models/y", b"ab")], [LAID],
              "Where programs of the other layout are, and none.")
    here.bad("extra-files-below", archive(*here.make(here.data),
                                          member("extra_files2/models/x.json", b"{}")),
             "EP_ARCHIVE_PROGRAM", "A program of the other layout, not in extra_files/.")


def versions(suite):
    """The layout says nothing of the version, nor does a member of that name."""
    for layout, name, version in (("flat", FLAT, "8.20"), ("flat", FLAT, "1"), ("pt2", PT2, "1"),
                                  ("pt2", PT2, "5.3")):
        folder = "archive/" if layout == "pt2" else ""
        data = archive(member(name, program(version)), member(folder + "version", b"99.0"))
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


# ---- no program, or several ------------------------------------------------------


def not_one(here):
    data, make = here.data, here.make
    alone = here.parts()[0]
    nowhere = FLAT[:-1] + "_" if here.layout == "flat" else "archive/model_/model.json"
    other = alone._replace(name=nowhere.encode("ascii"))
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
    here.bad("model-folders", archive(*here.make(here.data), member("b/models/other.json", b"{}")),
             "EP_ARCHIVE_LAYOUT", "One of that name, and a program in another folder.", twin=twin)
    here.bad("model-ending-other", archive(*here.make(here.data), member("archive/models/x", b"{}")),
             "EP_ARCHIVE_LAYOUT", "What lies where programs are is one, or none may be there.",
             twin=twin)
    here.bad("ending-alone", archive(member("archive/models/x.JSON", b"{}")), "EP_ARCHIVE_LAYOUT",
             "There is no program; what lies where programs are is judged first.")
    here.suite.invalid(here.named("model-unknown"), twin, None, "EP_ARCHIVE_PROGRAM", None,
                       "None of that name.", provenance="hand", options={"model": "third"})
    here.suite.invalid(here.named("model-ending"), twin, None, "EP_ARCHIVE_PROGRAM", None,
                       "The name is without the ending.", provenance="hand",
                       options={"model": "model.json"})
    here.suite.invalid(here.named("model-broken"), twin, None, "EP_VERSION_MISSING", (1, ""),
                       "The other one, which says no version.", provenance="hand", also=[ONE],
                       options={"model": "other"})


# ---- the program's member --------------------------------------------------------


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
    here.bad("nul", archive(*make(here.data + b"\0")), "EP_TRAILING",
             "A zero behind the document, in its member.", at=(len(here.data), ""), also=[READ])
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
        not_one(here)
        readers.vectors(here)
        documents(here)
        limits(here)
        if layout == "pt2":
            names(here)
            layouts(here)
            asked_for(here)
        else:
            flat_layouts(here)
            hidden.vectors(here)
        zip_bounds.vectors(here)
        zip_near.vectors(here)
    versions(suite)
