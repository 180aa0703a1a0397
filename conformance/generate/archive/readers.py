"""The zip of an archive (SPEC 8.1.1, 8.1.3 to 8.1.6): where readers of zip files part,
and what they all take.  Most is tried on a member x that PyTorch does not look for,
behind those that it wrote; the rules are the same for all.
"""

import struct
import zlib

from generate.archive.zips import (DEFLATED, DEFLATED64, ENCRYPTED, ENDINGS, SIZED_LATER, UNSAID,
                                   UTF8, archive, both, central_header, deflated, end_of, field,
                                   lying, truth)

ZIP, READ, NAMED, HEADER, SPACE = "8.1.1", "8.1.3", "8.1.4", "8.1.5", "8.1.6"
MIDDLE = 200  # a byte of the program somewhere in it
WORDS = b"some words of nobody's"
LINK, DEVICE, FIFO, FOLDER, REGULAR = 0o120777, 0o020666, 0o010644, 0o040755, 0o100644
UNIX, DARWIN, FAT = 3, 19, 0
END_FIELDS = {  # offset and size, in the end record and in that of zip64
    "disk": ((4, 2), (16, 4)), "directory_disk": ((6, 2), (20, 4)), "here": ((8, 2), (24, 8)),
    "count": ((10, 2), (32, 8)), "size": ((12, 4), (40, 8)), "place": ((16, 4), (48, 8)),
}


def patched(data, at, new):
    return data[:at] + new + data[at + len(new):]


def flipped(data, at):
    return patched(data, at, bytes([data[at] ^ 1]))


class Ends:
    """Where the records at the end of an archive without a comment are."""

    def __init__(self, data):
        self.data, self.end = data, data.rindex(b"PK\5\6")
        self.locator = self.end - 20
        self.large = self.end - 76 if data[self.locator:self.locator + 4] == b"PK\6\7" else None
        (low, high), wide = END_FIELDS["place"]
        at = self.large + wide[0] if self.large is not None else self.end + low
        self.place = int.from_bytes(data[at:at + (high if self.large is None else 8)], "little")

    def saying(self, where="all", **changes):
        """Other numbers: a number, or by how much it is more."""
        data = self.data
        for name, change in changes.items():
            (small, width), (wide, more) = END_FIELDS[name]
            spots = [(self.end + small, width)] if where in ("all", "small") else []
            if self.large is not None and where in ("all", "large"):
                spots.append((self.large + wide, more))
            for at, size in spots:
                was = int.from_bytes(data[at:at + size], "little")
                if was != (1 << 8 * size) - 1:
                    data = patched(data, at, (was + change).to_bytes(size, "little"))
        return data


# ---- 8.1.1: end and directory ---------------------------------------------------


def cut(here):
    base = here.suite.bytes[here.base]
    end = base.rindex(b"PK\5\6")
    for label, data, why in (
            ("cut-first", base[:4], "The mark of an archive, and no more."),
            ("cut-half", base[:len(base) // 2], "Half of it."),
            ("cut-directory", base[:end], "All but the end of the directory."),
            ("cut-last", base[:-1], "All but the last byte."),
            ("junk-behind", base + b"\n", "A byte that is no comment behind the end."),
            ("comment-missing", base[:-2] + b"\1\0", "A comment of one byte, which is missing.")):
        here.bad(label, data, "EP_ARCHIVE", why)


def comments(here):
    make = here.make(here.data)
    data = archive(*make, comment=b"by hand")
    twin = here.valid("comment", data, [ZIP], "A comment at the end.")
    size = len(data) - len(b"by hand") - 2
    here.suite.valid_edit(here.named("comment-longest"), here.base, (size, 2, b"\xff", 65537),
                          [ZIP], "The longest comment that there can be.", provenance="hand")
    here.bad("comment-short", patched(data, size, b"\6\0"), "EP_ARCHIVE",
             "The last byte is not the comment's.", twin=twin)
    here.bad("comment-mark", archive(*make, comment=b"PK\5\6and"), "EP_ARCHIVE",
             "A comment that begins as an end record: some readers take it for one.", twin=twin)
    here.bad("comment-mark-last", archive(*make, comment=b"andPK\5\6"), "EP_ARCHIVE",
             "A comment that ends as an end record begins.", twin=twin)
    here.suite.invalid(here.named("comment-marks"), twin, (size, 9, b"PK\5\6", 5000), "EP_ARCHIVE",
                       None, "Thousands of marks, the first of which says how long the comment is.",
                       provenance="hand", flags=["large"])
    whole = len(archive(*make))
    here.bad("comment-end", archive(*make, comment=end_of(0, 0, whole, b"")), "EP_ARCHIVE",
             "A comment that is the end of an archive of no members: there are two ends.",
             twin=twin)


def second_ends(here):
    """An end record in a member's bytes, which libzip may prefer."""
    make = here.make(here.data)
    entry = central_header(make[0], 0)

    def hiding(place):
        return archive(*make, here.other("x", entry + end_of(1, len(entry), place, b"")))

    nowhere = hiding(0)
    twin = here.valid("second-end-nowhere", nowhere, [ZIP],
                      "An end record in a member, of no directory: any archive in an archive has "
                      "one.")
    here.bad("second-end", hiding(nowhere.index(entry)), "EP_ARCHIVE",
             "An end record in a member, of a directory that is there too.", twin=twin)


def numbers_of_the_end(here):
    ends = Ends(here.suite.bytes[here.base])
    for label, change, why in (
            ("count", {"here": 1, "count": 1}, "The end counts one member more than there are."),
            ("count-fewer", {"here": -1, "count": -1},
             "The end counts one member less than there are."),
            ("count-here", {"here": -1}, "One of the members is said to be on another disk."),
            ("end-disk", {"disk": 1}, "The end is on the second disk."),
            ("end-directory-disk", {"directory_disk": 1}, "The directory is on the second disk."),
            ("end-place", {"place": -1}, "The directory begins a byte earlier."),
            ("end-place-later", {"place": 1}, "The directory begins a byte later."),
            ("end-size", {"size": -1}, "The directory is a byte shorter."),
            ("end-size-more", {"size": 1}, "The directory is a byte longer."),
            ("end-moved", {"place": 1, "size": -1}, "The directory begins within its first entry."),
    ):
        here.bad(label, ends.saying(**change), "EP_ARCHIVE", why)
    here.bad("entry-mark", flipped(ends.data, ends.place), "EP_ARCHIVE",
             "The directory begins with something else.")
    here.bad("directory-gap", archive(*here.make(here.data), behind=b"\0"), "EP_ARCHIVE",
             "A byte between the directory and its end.")


def numbers_in_64_bits(here):
    make = here.make(here.data)
    twin = here.valid("small-end", archive(*make, ends="small"), [ZIP],
                      "The end in 16 and 32 bits alone.")
    small = Ends(archive(*make, ends="small"))
    for name, size in (("count", 2), ("size", 4), ("place", 4)):
        at = small.end + END_FIELDS[name][0][0]
        here.bad("saturated-" + name, patched(small.data, at, b"\xff" * size), "EP_ARCHIVE",
                 "The end says that it is said in 64 bits, which it is not.",
                 twin=twin)
    twin = here.valid("both-ends", archive(*make, ends="both"), [ZIP], "All is said twice.")
    ends = Ends(archive(*make, ends="both"))
    for where, of in (("small", "the end"), ("large", "the end record of zip64")):
        for name in ("count", "size", "place"):
            here.bad("two-%s-%s" % (name, where), ends.saying(where, **{name: -1}), "EP_ARCHIVE",
                     "In %s the %s is another." % (of, name), twin=twin)


def records_of_64_bits(here):
    data = archive(*here.make(here.data), ends="large")
    twin = here.valid("zip64-end", data, [ZIP],
                      "The end of the directory in 64 bits, as of a large archive.")
    ends = Ends(data)
    record, locator = data[ends.large:ends.locator], data[ends.locator:ends.end]
    before, behind = data[:ends.large], data[ends.end:]

    def located(at):
        return patched(locator, 8, struct.pack("<Q", at))

    longer = patched(record, 4, struct.pack("<Q", 52)) + b"\0" * 8
    for label, new, why in (
            ("locator-place", record + located(ends.large + 1), "The locator points elsewhere."),
            ("locator-far", record + located(1 << 60), "The locator points behind the file."),
            ("locator-disk", record + patched(locator, 4, b"\1"), "The record is on another disk."),
            ("locator-disks", record + patched(locator, 16, b"\2"), "There are two disks."),
            ("locator-mark", record + flipped(locator, 3), "There is no locator."),
            ("locator-gap", record + locator + b"\0", "A byte between the locator and the end."),
            ("record-mark", flipped(record, 3) + locator, "There is something else."),
            ("record-short", patched(record, 4, b"\x2b") + locator, "It says that it is shorter."),
            ("record-long", longer + locator, "It holds more than the numbers."),
            ("record-gap", record + b"\0" + locator, "A byte between it and the locator."),
            ("record-two", record + record + located(ends.large + len(record)),
             "Two of them: one where the locator points, another where the directory ends."),
            ("record-before", record + record + locator,
             "Two of them: one where the locator points, another right before it.")):
        here.bad("zip64-" + label, before + new + behind, "EP_ARCHIVE", why, twin=twin)
    here.bad("zip64-disk", ends.saying("large", disk=1), "EP_ARCHIVE",
             "In 64 bits, the end is on the second disk.", twin=twin)
    here.bad("zip64-count", ends.saying("large", count=1, here=1), "EP_ARCHIVE",
             "In 64 bits, one member more.", twin=twin)


# ---- 8.1.3: the bytes -----------------------------------------------------------


def program_damaged(here):
    data, make = here.data, here.make
    base = here.suite.bytes[here.base]
    here.bad("byte", flipped(base, base.index(data) + MIDDLE), "EP_ARCHIVE_MEMBER",
             "A bit of the program, which the checksum shows.")
    here.bad("crc", with_program(here, lambda each: lying(each, crc=1)), "EP_ARCHIVE_MEMBER",
             "Another checksum.")
    here.bad("crc-none", with_program(here, lambda each: lying(each, crc=0)), "EP_ARCHIVE_MEMBER",
             "No checksum: it is 0.")
    base = archive(*make(data, method=DEFLATED))
    at = base.index(deflated(data))
    here.bad("stream", patched(base, at, b"\7"), "EP_ARCHIVE_MEMBER",
             "Compressed in a way that is none.", twin=here.named("deflated"))
    for label, change, why in streams(data):
        if label == "cut" and here.layout == "pt2":
            continue  # PyTorch's reader gives what lay in memory, which may be the twin
        here.bad("stream-" + label, with_program(here, change, method=DEFLATED),
                 "EP_ARCHIVE_MEMBER", why, twin=here.named("deflated"))


def with_program(here, change, **said):
    """The archive whose program's member is changed."""
    alone, _ = here.parts(**said)
    return archive(*[change(each) if each == alone else each
                     for each in here.make(here.data, **said)])


def streams(data):
    """What can be wrong with a deflated member: label, what makes it, why."""
    stream = deflated(data)
    return (
        ("behind", lambda each: each._replace(stream=stream + b"\0"), "A byte behind its end."),
        ("twice", lambda each: each._replace(stream=stream + deflated(b"")),
         "A second stream behind its end."),
        ("cut", lambda each: each._replace(stream=stream[:len(stream) // 2]), "It has no end."),
        ("more", lambda each: lying(each, size=len(data) - 1), "More comes out than it says."),
        ("less", lambda each: lying(each, size=len(data) + 1), "Less comes out than it says."),
    )


def other_damaged(here):
    """A member that nobody looks for is read as well."""
    twin = here.named("other")
    base = here.suite.bytes[twin]
    here.bad("other-byte", flipped(base, base.index(WORDS)), "EP_ARCHIVE_MEMBER",
             "A bit of another member, which its checksum shows.", twin=twin)
    twin = here.named("other-deflated")
    for label, change, why in streams(WORDS):
        here.bad("other-stream-" + label, with_x(here, change, method=DEFLATED),
                 "EP_ARCHIVE_MEMBER", "Of a member that PyTorch does not look for: " + why,
                 twin=twin)
    here.bad("broken-other", archive(*here.make(here.data), here.other("x", b"ab", **both(crc=1))),
             "EP_ARCHIVE_MEMBER", "Another member does not agree with its checksum.")


# ---- a member x -----------------------------------------------------------------


def with_x(here, change=lambda each: each, order=None, **said):
    return archive(*here.make(here.data), change(here.other("x", WORDS, **said)), order=order)


def others(here):
    """Members that PyTorch does not look for, as writers of zip files make them."""
    for label, said, clause, why in (
            ("other", {}, [READ, HEADER], "A member that PyTorch does not look for."),
            ("other-deflated", {"method": DEFLATED}, [READ], "A member that is compressed."),
            ("other-later", {"flags": SIZED_LATER}, [HEADER], "Its sizes follow its bytes."),
            ("other-zip64", {"zip64": True}, [HEADER], "Its sizes in 64 bits."),
            ("other-zip64-later", {"zip64": True, "flags": SIZED_LATER, "ending": "wide"},
             [HEADER], "Its sizes in 64 bits, before its bytes and behind them.")):
        here.valid(label, with_x(here, **said), clause, why)
    here.good("zip64", here.make(here.data, zip64=True, flags=0), [ZIP, READ, HEADER],
              "The sizes in 64 bits, as of a large member.")


def times(identity):
    return field(identity, b"\1\0\0\0\0")


# ---- 8.1.4: names ---------------------------------------------------------------


def named(here, label, code, name, why, twin="other", **said):
    """Another member of this name, in the folder of all."""
    flags = said.pop("flags", 0)
    extra = (b"archive/" if here.layout == "pt2" else b"") + name
    member = here.other("x", said.pop("data", WORDS))._replace(name=extra, flags=flags)
    data = archive(*here.make(here.data), member)
    if code:
        here.bad(label, data, code, why, twin=here.named(twin))
    else:
        here.valid(label, data, [NAMED], why)


def names(here):
    data, make = here.data, here.make
    bad = "EP_ARCHIVE_NAME"
    here.bad("twice", archive(*make(data), here.parts()[0]), bad, "Two programs of one name.")
    here.bad("twice-other", archive(*make(data), here.parts()[1][0]), bad,
             "Two members of one name, neither of which is a program.")
    x = here.other("x", WORDS)._replace(name=b"")
    here.bad("name-none", archive(*make(data), x), bad, "A member without a name.",
             twin=here.named("other"))
    for label, code, name, flags, why in (
            ("name-zero", bad, b"x\0y", 0, "A zero byte, at which some readers end the name."),
            ("name-zero-last", bad, b"x\0", 0, "A zero byte at the end."),
            ("name-backslash", bad, b"x\\y", 0, "A backslash, which is a slash on some systems."),
            ("name-control", bad, b"x\x1b[1m", 0, "A control character: some readers take it for "
             "a sign of code page 437."),
            ("name-control-last", bad, b"x\x1f", 0, "The last of the control characters."),
            ("name-bell", bad, b"\x07x", 0, "A control character that has a name in C."),
            ("name-lines", None, b"x\t\n\r\x20\x7f", 0, "Those that every reader takes."),
            ("name-utf8", None, "\u00e9".encode("utf-8"), UTF8, "UTF-8, and said to be."),
            ("name-ascii", None, b"x", UTF8, "ASCII that is said to be UTF-8."),
            ("name-unflagged", bad, "\u00e9".encode("utf-8"), 0,
             "UTF-8 that is not said to be: to Python it is code page 437."),
            ("name-latin", bad, b"\xe9", UTF8, "Not UTF-8, and said to be."),
            ("name-overlong", bad, b"\xc0\xaf", UTF8, "An overlong slash is not UTF-8."),
            ("name-surrogate", bad, b"\xed\xa0\x80", UTF8, "A surrogate is not UTF-8."),
            ("name-437", bad, b"\x82", 0, "Code page 437.")):
        named(here, label, code, name, why, flags=flags)
    named(here, "name-folder", None, b"x/", "A folder.", data=b"")
    named(here, "name-folder-bytes", bad, b"x/", "A folder that holds bytes.")
    folder = len(b"archive/") if here.layout == "pt2" else 0
    long = b"n" * (511 - folder)
    named(here, "name-511", None, long, "As long as PyTorch's reader takes names.")
    twice = here.make(data) + [here.other("VERSION", b"1"), here.other("Version", b"2")]
    program = here.name.upper().replace("ARCHIVE/", "archive/").encode("ascii")
    twin = here.parts()[0]._replace(name=program)
    if here.layout == "pt2":
        named(here, "name-512", bad, long + b"n", "PyTorch's reader cuts it.", twin="name-511")
        here.bad("case", archive(*twice), bad,
                 "PyTorch's reader does not tell names by case.")
        here.bad("case-program", archive(*make(data), twin), bad,
                 "A name that PyTorch's reader takes for the program's.")
        here.bad("case-folder", archive(*make(data), here.other("MODELS/model.json", WORDS)),
                 bad, "A name that differs from the program's in the case of its folder.")
        named(here, "case-beyond-ascii", None, "\u00c9".encode("utf-8"),
              "Case is that of ASCII letters.", flags=UTF8)
    else:
        named(here, "name-512", None, long + b"n", "The flat layout is read by Python.")
        here.good("case", twice, [NAMED], "Two names that differ in case are two names.")
        here.good("case-program", here.make(data) + [twin], [NAMED],
                  "A name that differs from the program's in case is another.")


# ---- 8.1.5: headers -------------------------------------------------------------


def two_headers(here):
    """The directory and the local header say one thing, of the program and of x."""
    data, make = here.data, here.make
    bad = "EP_ARCHIVE_HEADER"
    here.bad("other-name", archive(*make(data, local={"name": b"x" * len(here.name)})), bad,
             "The name before the program is not that of the directory.")
    if not here.parts()[0].flags & SIZED_LATER:
        here.bad("size", archive(*make(data, local={"size": len(data) - 1})), bad,
                 "The size before the program is not that of the directory.")
        here.bad("crc-two", archive(*make(data, local={"crc": 1})), bad,
                 "The checksum before the program is not that of the directory.")
    else:
        here.bad("crc-two", archive(*make(data, local={"crc": 1})), bad,
                 "The checksum before the program is neither 0 nor that of the directory.")
    size = len(WORDS)
    for label, local, why in (
            ("name", {"name": b"y"}, "Another name."),
            ("name-longer", {"name": here.other("xy", b"").name}, "A longer name."),
            ("flags", {"flags": UTF8}, "Another flag."),
            ("later", {"flags": SIZED_LATER}, "Its sizes are said to follow its bytes."),
            ("method", {"method": DEFLATED}, "Another method."),
            ("crc", {"crc": 1}, "Another checksum."),
            ("crc-none", {"crc": 0}, "No checksum."),
            ("size", {"size": size - 1}, "Another size."),
            ("packed", {"packed": size - 1}, "Another size in the file."),
            ("sizes-none", {"small": (0, 0)}, "No sizes.")):
        here.bad("local-" + label, with_x(here, local=local), bad,
                 "In the local header alone: " + why, twin=here.named("other"))
    at = here.suite.bytes[here.named("other")].index(WORDS) - len(here.other("x", b"").name) - 30
    here.bad("local-mark", flipped(here.suite.bytes[here.named("other")], at), bad,
             "There is no local header where the directory says.", twin=here.named("other"))


def descriptors(here):
    bad, twin = "EP_ARCHIVE_HEADER", here.named("other-later")
    for label in ("bare", "wide", "bare-wide"):
        here.valid("descriptor-" + label, with_x(here, flags=SIZED_LATER, ending=label), [HEADER],
                   "A descriptor in one of its four spellings.")
    said = truth(here.other("x", WORDS))
    here.valid("descriptor-told", with_x(here, flags=SIZED_LATER, local={
        "crc": said.crc, "small": (said.packed, said.size)}), [HEADER],
        "A descriptor, and the same before the bytes.")
    mark = ENDINGS["signed"][0]
    for label, ending, why in (
            ("crc", mark + struct.pack("<III", 1, said.packed, said.size), "Another checksum."),
            ("packed", mark + struct.pack("<III", said.crc, 1, said.size),
             "Another size in the file."),
            ("size", mark + struct.pack("<III", said.crc, said.packed, 1), "Another size."),
            ("mark", b"PK\7\7" + struct.pack("<III", said.crc, said.packed, said.size),
             "Another signature."),
            ("none-said", mark + struct.pack("<III", 0, 0, 0), "No numbers.")):
        here.bad("descriptor-" + label, with_x(here, flags=SIZED_LATER, ending=ending), bad,
                 "In the descriptor: " + why, twin=twin)
    whole = mark + struct.pack("<III", said.crc, said.packed, said.size)
    for label, ending, why in (("missing", b"", "There is none."),
                               ("cut", whole[:-1], "A byte of it is missing."),
                               ("longer", whole + b"\0", "A byte behind it.")):
        here.bad("descriptor-" + label, with_x(here, flags=SIZED_LATER, ending=ending),
                 "EP_ARCHIVE_SPACE", "A descriptor that is as long as none can be. " + why,
                 twin=twin)
    here.bad("descriptor-none-local", with_x(here, flags=SIZED_LATER, local={"crc": 1}), bad,
             "A checksum before the bytes that is neither 0 nor true.", twin=twin)
    here.bad("descriptor-size-local", with_x(here, flags=SIZED_LATER, local={"small": (0, 1)}), bad,
             "A size before the bytes that is neither 0 nor true.", twin=twin)


def flags_and_methods(here):
    bad, twin = "EP_ARCHIVE_HEADER", here.named("other")
    for label, flags, why in (
            ("secret-other", ENCRYPTED, "Encrypted."), ("flag-4", 1 << 4, "Deflated anew."),
            ("flag-patch", 1 << 5, "A patch of another file."),
            ("flag-strong", 1 << 6 | 1, "Encrypted strongly."),
            ("flag-masked", 1 << 13, "Its local header is masked."),
            ("flag-last", 1 << 15, "A flag that means nothing.")):
        here.bad(label, with_x(here, flags=flags), bad, "Of the flags: " + why, twin=twin)
    here.bad("secret", archive(*here.make(
        here.data, flags=here.parts()[0].flags | ENCRYPTED)), bad,
        "The program is encrypted, and nobody said with what.")
    here.valid("flag-levels", with_x(here, flags=6, method=DEFLATED), [HEADER],
               "How it was deflated is said by two flags.")
    deflated_twin = here.named("other-deflated")
    here.bad("deflated64", archive(*here.make(here.data, method=DEFLATED64)), bad,
             "Compressed in another way, which few tools read.", twin=here.named("deflated"))
    here.bad("deflated-other", with_x(here, method=DEFLATED64), bad,
             "A member that nobody looks for is compressed in another way.", twin=deflated_twin)
    for label, method in (("bzip2", 12), ("lzma", 14), ("zstandard", 93), ("aes", 99)):
        here.bad("method-" + label, with_x(here, **both(method=method)), bad,
                 "A method that not all readers have.", twin=twin)
    size = len(WORDS)
    here.bad("stored-less", with_x(here, lambda each: lying(each, size=size - 1)), bad,
             "It is stored, and longer in the file than it is.", twin=twin)
    here.bad("stored-more", with_x(here, lambda each: lying(each, size=size + 1)), bad,
             "It is stored, and shorter in the file than it is.", twin=twin)
    here.bad("deflated-nothing", with_x(here, lambda each: each._replace(stream=b""),
                                        method=DEFLATED), bad,
             "It is deflated to no bytes at all.", twin=deflated_twin)


EXTRAS = (  # of either header: label, whether it is taken, bytes, why
    ("padding", True, field(0x4246, b"Z" * 9), "PyTorch's padding."),
    ("times", True, times(0x5455), "Times, of Info-ZIP."),
    ("times-old", True, field(0x5855, bytes(8)), "Times and owner, of old."),
    ("times-windows", True, field(0x000A, bytes(32)), "Times, of Windows."),
    ("owner", True, field(0x7875, b"\1\4\0\0\0\0\4\0\0\0\0"), "The owner."),
    ("owner-old", True, field(0x7855, bytes(4)), "The owner, of old."),
    ("several", True, times(0x5455) + field(0x7875, b"") + field(0x4246, b""), "Several."),
    ("comment", False, field(0x6375, b"\1\0\0\0\0x"), "Another comment."),
    ("aes", False, field(0x9901, b"\2\0AE\1\0\0"), "How it is encrypted."),
    ("unknown", False, field(0xCAFE, b""), "A field that nobody has defined."),
    ("cut", False, b"\x55\x54\1", "Three bytes are no field."),
    ("overrun", False, b"\x55\x54\2\0\1", "A field that is longer than its place."),
    ("overrun-all", False, b"\x55\x54\1\0", "A field that has no byte of those that it says."),
    ("overrun-far", False, b"\x55\x54\xff\xff\1", "A field that is much longer than its place."),
    ("behind", False, times(0x5455) + b"\0", "A byte behind the last field."),
)


def renaming(name, other):
    """The field of Info-ZIP that gives a member of this name another one."""
    return field(0x7075, b"\1" + struct.pack("<I", zlib.crc32(name)) + other)


def extra_paths(here):
    x, program = here.other("x", b"").name, here.name.encode("ascii")
    for where in ("local", "central"):
        data = with_x(here, **{where: {"extra": renaming(x, x + b".json")}})
        here.bad("extra-path-" + where, data, "EP_ARCHIVE_HEADER",
                 "An extra field in one header: Another name, for those who take it.",
                 twin=here.named("other"))
    here.bad("extra-path-stale", with_x(here, **both(extra=field(0x7075, b"\1\0\0\0\0y"))),
             "EP_ARCHIVE_HEADER", "Another name, of a member that has been renamed since.",
             twin=here.named("other"))
    here.bad("extra-path-program", with_program(here, lambda each: each._replace(central={
        "extra": renaming(program, x)})), "EP_ARCHIVE_HEADER",
        "The program has another name, for those who take it.")
    here.bad("extra-path-to-program", with_x(here, **both(extra=renaming(x, program))),
             "EP_ARCHIVE_HEADER", "Another member has the name of the program, for those who take "
             "it.", twin=here.named("other"))


def extra_fields(here):
    for label, taken, extra, why in EXTRAS:
        for where in ("local", "central"):
            data = with_x(here, **{where: {"extra": extra}})
            name = "extra-%s-%s" % (label, where)
            if taken and where == "central":  # one of both is enough
                here.valid("extra-" + label, with_x(here, **both(extra=extra)), [HEADER],
                           "Extra fields in both headers: " + why)
            elif not taken:
                here.bad(name, data, "EP_ARCHIVE_HEADER",
                         "An extra field in one header: " + why, twin=here.named("other"))


def wide(*values):
    return struct.pack("<%dQ" % len(values), *values)


def fields_of_zip64(here):
    bad, twin, size = "EP_ARCHIVE_HEADER", here.named("other-zip64"), len(WORDS)
    plain = archive(*here.make(here.data))
    place = Ends(plain).place  # x follows where the directory would be
    for label, central, why in (
            ("size", {"small": (size, UNSAID), "wide": wide(size)}, "The size alone."),
            ("packed", {"small": (UNSAID, size), "wide": wide(size)}, "The packed size alone."),
            ("place", {"offset": UNSAID, "wide": wide(place)}, "The place alone."),
            ("all", {"small": (UNSAID, UNSAID), "offset": UNSAID, "wide": wide(size, size, place)},
             "All three.")):
        here.valid("zip64-field-" + label, with_x(here, central=central), [HEADER],
                   "In 64 bits in the directory: " + why)
    said = wide(size, size)
    for label, central, why in (
            ("missing", {"wide": None}, "There is none."),
            ("empty", {"wide": b""}, "It is empty."),
            ("short", {"wide": said[:-1]}, "It is too short."),
            ("half", {"wide": wide(size)}, "One of two."),
            ("long", {"wide": said + wide(place)}, "A place that is said elsewhere."),
            ("disk", {"wide": said + bytes(4)}, "A disk that is said elsewhere."),
            ("needless", {"small": (size, size)}, "Nothing is said there."),
            ("other", {"wide": wide(size, size + 1)}, "Another size.")):
        here.bad("zip64-field-" + label, with_x(here, zip64=True, central=central), bad,
                 "The field of zip64 in the directory: " + why, twin=twin)
    here.bad("zip64-field-none", with_x(here, central={"wide": b""}), bad,
             "The field of zip64 in the directory is empty, and nothing is said elsewhere.",
             twin=here.named("other"))
    both_said = field(1, said)
    for where in ("local", "central"):
        here.bad("zip64-twice-" + where, with_x(here, zip64=True, **{where: {"extra": both_said}}),
                 bad, "Two fields of zip64 in one header.", twin=twin)
    for label, local, why in (
            ("missing", {"wide": None}, "There is none."),
            ("half", {"wide": wide(size)}, "The size alone."),
            ("long", {"wide": said + wide(place)}, "A place."),
            ("short", {"wide": said[:-1]}, "It is too short."),
            ("needless", {"small": (size, size)}, "Nothing is said there."),
            ("one", {"small": (size, UNSAID)}, "One of both sizes is said there."),
            ("other", {"wide": wide(size + 1, size)}, "Another size."),
            ("none-said", {"wide": wide(0, 0)}, "No sizes, which do not follow the bytes.")):
        here.bad("zip64-local-" + label, with_x(here, zip64=True, local=local), bad,
                 "The field of zip64 in the local header: " + why, twin=twin)
    for label, data in (("bytes", WORDS), ("empty", b"")):
        local = {"wide": wide(place)}
        here.valid("zip64-local-place-" + label, archive(
            *here.make(here.data), here.other("x", data, local=local)), [HEADER],
            "The place of the header, as of members behind 4 GiB.")
    twin_place = here.named("zip64-local-place-empty")
    for label, numbers, why in (("none", (), "Nothing."),
                                ("size", (0,), "A size of 0, which the header says."),
                                ("twice", (place, place), "The place, twice."),
                                ("wrong", (place + 1,), "Another place."),
                                ("behind", (0, place), "A size before the place."),
                                ("before", (place, 0), "A size behind the place.")):
        here.bad("zip64-local-place-" + label, archive(
            *here.make(here.data), here.other("x", b"", local={"wide": wide(*numbers)})), bad,
            "The field of zip64 of a member without bytes: " + why, twin=twin_place)
    later = {"flags": SIZED_LATER}
    for label, local, why in (
            ("zeros", {"small": (UNSAID, UNSAID), "wide": wide(0, 0)}, "Zeros."),
            ("size", {"wide": wide(size)}, "The size, which is 0 in the header."),
            ("place", {"wide": wide(place)}, "The place of the header."),
            ("three", {"wide": wide(size, size, place)}, "All three numbers.")):
        here.valid("zip64-later-" + label, with_x(here, local=local, **later), [HEADER],
                   "A field of zip64 where the sizes follow the bytes: " + why)
    twin = here.named("zip64-later-size")
    for label, local, why in (
            ("wrong", {"wide": wide(size + 1)}, "Neither size, place nor 0."),
            ("cut", {"wide": wide(size)[:-1]}, "No whole number."),
            ("many", {"wide": wide(size, size, place, 0)}, "Four numbers.")):
        here.bad("zip64-later-" + label, with_x(here, local=local, **later), bad,
                 "A field of zip64 where the sizes follow the bytes: " + why, twin=twin)


def attributes(here):
    bad, twin = "EP_ARCHIVE_HEADER", here.named("other")
    for label, mode, system, why in (
            ("link", LINK, UNIX, "A link."), ("device", DEVICE, UNIX, "A device."),
            ("folder", FOLDER, UNIX, "A folder, which its name does not say."),
            ("fifo", FIFO, UNIX, "A pipe."), ("link-darwin", LINK, DARWIN, "A link.")):
        here.bad("mode-" + label, with_x(here, central={"attributes": mode << 16,
                                                        "system": system}), bad,
                 "As writers on Unix say it: " + why, twin=twin)
    for label, mode, system, why in (
            ("regular", REGULAR, UNIX, "A file."), ("none", 0o644, UNIX, "Permissions alone."),
            ("elsewhere", LINK, FAT, "What is a link on Unix, of a writer elsewhere.")):
        here.valid("mode-" + label, with_x(here, central={"attributes": mode << 16,
                                                          "system": system}), [HEADER], why)
    for label, system in (("dos", FAT), ("unix", UNIX)):
        here.bad("mode-folder-" + label, with_x(here, central={"attributes": 16, "system": system}),
                 bad, "The bit of MS-DOS says that it is a folder: PyTorch's reader reads nothing "
                 "of it.", twin=twin)
        folder = here.other("x/", b"", central={"attributes": FOLDER << 16 | 16, "system": system})
        here.valid("mode-folder-named-" + label, archive(*here.make(here.data), folder), [HEADER],
                   "A folder, which its name says.")
    here.valid("needed-63", with_x(here, **both(needed=63)), [HEADER],
               "Version 6.3, the last one that is defined.")
    for where in ("local", "central"):
        here.bad("needed-64-" + where, with_x(here, **{where: {"needed": 64}}), bad,
                 "It needs a version that does not exist.", twin=twin)
    here.bad("member-disk", with_x(here, central={"disk": 1}), bad,
             "It begins on another disk.", twin=twin)


# ---- 8.1.6: no gap, no overlap --------------------------------------------------


def gaps(here):
    make, bad = here.make(here.data), "EP_ARCHIVE_SPACE"
    last = len(make) - 1
    here.bad("gap", archive(*[each._replace(after=b"\0" * 100) if at == 1 else each
                              for at, each in enumerate(make)]), bad,
             "Bytes between two members.")
    here.bad("gap-last", with_x(here, after=b"\0"), bad,
             "A byte between the last member and the directory.", twin=here.named("other"))
    here.bad("unlisted-first", archive(*make, order=range(1, last + 1)), bad,
             "The first member is not in the directory.")
    here.bad("unlisted", archive(*make, order=[*range(1), *range(2, last + 1)]), bad,
             "A member is not in the directory.")
    here.bad("unlisted-last", archive(*make, order=range(last)), bad,
             "The last member is not in the directory.")
    here.bad("unlisted-all", archive(*make, order=[]), bad, "No member is in the directory.")


def overlaps(here):
    bad, twin = "EP_ARCHIVE_SPACE", here.named("other")
    size = len(WORDS)
    place = Ends(archive(*here.make(here.data))).place
    for label, central, why in (
            ("offset-header", {"offset": 0}, "Two members have one local header."),
            ("offset-within", {"offset": place - 1}, "It begins within another one."),
            ("offset-later", {"offset": place + 1}, "It begins a byte later."),
            ("offset-directory", {"offset": place + 300}, "It begins within the directory."),
            ("offset-beyond", {"offset": 0x7FFFFFFF}, "It begins behind the end.")):
        here.bad(label, with_x(here, central=central), bad,
                 "Where the directory has a member: " + why, twin=twin)
    here.bad("reaches", with_x(here, lambda each: lying(each, size=size + 1, packed=size + 1)), bad,
             "It reaches into the directory.", twin=twin)
    here.bad("reaches-not", with_x(here, lambda each: lying(each, size=size - 1, packed=size - 1)),
             bad, "It ends before the directory.", twin=twin)
    here.bad("offset", with_program(here, lambda each: each._replace(
        central={"offset": 0x7FFFFFFF})), bad,
        "The directory has the program behind the end of the file.")


def orders(here):
    make = here.make(here.data)
    count = len(make)
    here.valid("order", archive(*make, order=range(count)[::-1]), [SPACE],
               "The directory has the members in another order than the file.")
    here.valid("order-reversed", archive(*make[::-1], order=range(count)[::-1]), [SPACE],
               "The file has the members in another order than the directory.")
    here.valid("order-mixed", archive(*make, order=[*range(0, count, 2), *range(1, count, 2)]),
               [SPACE], "Another order, that is not the other way round.")


def vectors(here):
    others(here)
    cut(here)
    comments(here)
    second_ends(here)
    numbers_of_the_end(here)
    numbers_in_64_bits(here)
    records_of_64_bits(here)
    program_damaged(here)
    other_damaged(here)
    names(here)
    two_headers(here)
    descriptors(here)
    flags_and_methods(here)
    extra_fields(here)
    extra_paths(here)
    fields_of_zip64(here)
    attributes(here)
    gaps(here)
    overlaps(here)
    orders(here)
