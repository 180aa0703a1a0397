"""The zip of an archive (SPEC 8.1), at the edges of its numbers, and where two of them could be
taken for each other: sizes in 64 bits of what is deflated, names beside the letters, other end
records as far away as any is looked for.
"""

import struct

from generate.archive.readers import (HEADER, NAMED, SPACE, WORDS, ZIP, Ends, named, patched, wide,
                                      with_x)
from generate.archive.hidden import UNSAID as ALL_SET
from generate.archive.zips import (DEFLATED, SIZED_LATER, UNSAID, WRITER, archive, both,
                                   central_header, deflated, end_of, field, large_end_of, truth)

BAD = "EP_ARCHIVE"
FAR = 65578  # bytes at the end of a file in which other end records are looked for


def sizes(here):
    """A deflated member has two sizes that are not the same."""
    size, packed = len(WORDS), len(deflated(WORDS))
    assert size != packed
    for label, said in (("", {}), ("-later", {"flags": SIZED_LATER, "ending": "wide"})):
        here.valid("edge-zip64-deflated" + label, with_x(
            here, method=DEFLATED, zip64=True, **said), [HEADER],
            "The sizes of a deflated member in 64 bits.")
    twin = here.named("edge-zip64-deflated")
    for where in ("local", "central"):
        here.bad("edge-zip64-deflated-%s" % where, with_x(
            here, method=DEFLATED, zip64=True, **{where: {"wide": wide(packed, size)}}),
            "EP_ARCHIVE_HEADER", "The two sizes in 64 bits, in the wrong order, in one header.",
            twin=twin)
    for label, local in (("size", {"wide": wide(0, packed)}), ("packed", {"wide": wide(size, 0)}),
                         ("none", {"wide": wide(0, 0)})):
        here.bad("edge-zip64-deflated-no-" + label, with_x(
            here, method=DEFLATED, zip64=True, local=local), "EP_ARCHIVE_HEADER",
            "A size of 0 in 64 bits, of a member whose sizes do not follow its bytes.", twin=twin)
    for label, small in (("packed", (UNSAID, size)), ("size", (packed, UNSAID))):
        number = packed if label == "packed" else size
        here.valid("edge-zip64-deflated-only-" + label, with_x(
            here, method=DEFLATED, central={"small": small, "wide": wide(number)}), [HEADER],
            "One of the sizes of a deflated member in 64 bits, in the directory.")
    twin = here.named("other-deflated")
    for label, said in (("size", {"size": packed}), ("packed", {"packed": size}),
                        ("turned", {"size": packed, "packed": size}), ("size-none", {"size": 0}),
                        ("packed-none", {"packed": 0}), ("size-one", {"size": size + 1}),
                        ("packed-one", {"packed": packed + 1})):
        here.bad("edge-local-" + label, with_x(here, method=DEFLATED, local=said),
                 "EP_ARCHIVE_HEADER", "A size of a deflated member in the local header.", twin=twin)


def later(here):
    """The sizes before the bytes, where they follow them, too."""
    size, packed = len(WORDS), len(deflated(WORDS))
    flags = {"method": DEFLATED, "flags": SIZED_LATER}
    twin = here.valid("edge-later", with_x(here, **flags), [HEADER],
                      "A deflated member whose sizes follow its bytes.")
    crc = truth(here.other("x", WORDS)).crc
    for label, valid, local in (
            ("all", True, {"crc": crc, "small": (packed, size)}), ("crc", True, {"crc": crc}),
            ("packed", True, {"small": (packed, 0)}), ("size", True, {"small": (0, size)}),
            ("turned", False, {"small": (size, packed)}), ("packed-size", False, {"small": (size, 0)}),
            ("size-packed", False, {"small": (0, packed)}), ("packed-one", False, {"small": (1, 0)}),
            ("size-one", False, {"small": (0, 1)}), ("crc-one", False, {"crc": 1})):
        data = with_x(here, local=local, **flags)
        why = "What the local header says of sizes that follow the bytes."
        if valid:
            here.valid("edge-later-" + label, data, [HEADER], why)
        else:
            here.bad("edge-later-" + label, data, "EP_ARCHIVE_HEADER", why, twin=twin)
    for label, valid, numbers in (
            ("packed", True, (packed,)), ("zero", True, (0,)), ("sizes", True, (size, packed)),
            ("turned", True, (packed, size)), ("zeros", True, (0, 0, 0)), ("none", True, ()),
            ("other", False, (packed + 1,)), ("second", False, (size, packed - 1)),
            ("third", False, (size, packed, 1))):
        data = with_x(here, local={"wide": wide(*numbers)}, **flags)
        why = "A field of zip64 before the bytes of a deflated member, whose sizes follow them."
        if valid:
            here.valid("edge-later-field-" + label, data, [HEADER], why)
        else:
            here.bad("edge-later-field-" + label, data, "EP_ARCHIVE_HEADER", why,
                     twin=here.named("edge-later-field-packed"))
    mark = b"PK\7\10"
    for label, ending in (
            ("turned", mark + struct.pack("<III", crc, size, packed)),
            ("wide-turned", mark + struct.pack("<IQQ", crc, size, packed)),
            ("bare-turned", struct.pack("<III", crc, size, packed)),
            ("wide-high", mark + struct.pack("<IQQ", crc, packed, size + (1 << 32))),
            ("wide-high-packed", mark + struct.pack("<IQQ", crc, packed + (1 << 32), size)),
            ("bare-crc", struct.pack("<III", crc ^ 1 << 31, packed, size)),
            ("wide-mark", b"PK\7\7" + struct.pack("<IQQ", crc, packed, size))):
        here.bad("edge-descriptor-" + label, with_x(here, ending=ending, **flags),
                 "EP_ARCHIVE_HEADER", "A descriptor of a deflated member.", twin=twin)


def numbers(here):
    """Numbers whose higher bytes count."""
    for where in ("local", "central"):
        for needed in (276, 0x8014, 0xFF00):
            here.bad("edge-needed-%d-%s" % (needed, where), with_x(
                here, **{where: {"needed": needed}}), "EP_ARCHIVE_HEADER",
                "It needs a version that does not exist, though the lower byte is one that does.",
                twin=here.named("other"))
    here.bad("edge-disk", with_x(here, central={"disk": 256}), "EP_ARCHIVE_HEADER",
             "It begins on disk 256.", twin=here.named("other"))
    for method in (0x100, 0x108, 0x800):
        here.bad("edge-method-%d" % method, with_x(here, **both(method=method)),
                 "EP_ARCHIVE_HEADER", "A method that there is not.", twin=here.named("other"))
    data = archive(*here.make(here.data), ends="large")
    ends, twin = Ends(data), here.named("zip64-end")
    for label, at, new in (
            ("locator-high", ends.locator + 15, b"\1"), ("locator-middle", ends.locator + 12, b"\1"),
            ("locator-disk", ends.locator + 7, b"\1"), ("locator-disks", ends.locator + 19, b"\1"),
            ("record-size", ends.large + 11, b"\1"), ("record-size-middle", ends.large + 8, b"\1"),
            ("disk", ends.large + 19, b"\1"), ("directory-disk", ends.large + 23, b"\1"),
            ("here", ends.large + 31, b"\1"), ("count", ends.large + 39, b"\1"),
            ("size", ends.large + 47, b"\1"), ("place", ends.large + 55, b"\1")):
        here.bad("edge-end-" + label, patched(data, at, new), BAD,
                 "The highest byte of a number of zip64.", twin=twin)
    here.bad("edge-end-counts", ends.saying("large", count=1 << 32, here=1 << 32), BAD,
             "Two counts that are the same, and 2^32 too much.", twin=twin)
    end = here.suite.bytes[here.base].rindex(b"PK\5\6")
    for label, at in (("disk", 5), ("directory-disk", 7), ("here", 9), ("count", 11)):
        here.bad("edge-small-" + label, patched(here.suite.bytes[here.base], end + at, b"\1"), BAD,
                 "The higher byte of a number of the end record.")


def fields(here):
    """Fields and marks, all of whose bytes count."""
    long = field(0x4246, b"Z" * 300)
    here.valid("edge-extra-long", with_x(here, **both(extra=long)), [HEADER],
               "An extra field of more than 255 bytes in both headers.")
    for where in ("local", "central"):
        here.bad("edge-extra-over-" + where, with_x(here, **{where: {"extra": patched(
            long, 2, struct.pack("<H", 301))}}), "EP_ARCHIVE_HEADER",
            "An extra field that is a byte longer than its place.", twin=here.named("other"))
        here.bad("edge-method-high-" + where, with_x(here, **{where: {"method": 0x100}}),
                 "EP_ARCHIVE_HEADER", "The higher byte of the method, in one header.",
                 twin=here.named("other"))
        here.bad("edge-flags-high-" + where, with_x(here, **{where: {"flags": 0x800}}),
                 "EP_ARCHIVE_HEADER", "A flag of the higher byte, in one header.",
                 twin=here.named("other"))
    data = here.suite.bytes[here.named("other")]
    at = data.index(WORDS) - len(here.other("x", b"").name) - 30
    for place in range(1, 4):
        here.bad("edge-local-mark-%d" % place, patched(
            data, at + place, bytes([data[at + place] ^ 1])), "EP_ARCHIVE_HEADER",
            "A byte of the mark of a local header.", twin=here.named("other"))


def cut(here):
    """The last member, of which so many bytes are there."""
    whole = with_x(here)
    ends, name = Ends(whole), len(here.other("x", b"").name)
    start = Ends(archive(*here.make(here.data))).place
    entries = whole[ends.place:ends.end if ends.large is None else ends.large]
    count = entries.count(b"PK\1\2")
    for kept in (1, 4, 29, 29 + name):
        place = start + kept
        tail = b"" if ends.large is None else large_end_of(count, len(entries), place, WRITER)
        data = whole[:place] + entries + tail + end_of(count, len(entries), place, b"")
        here.bad("edge-cut-%d" % kept, data, "EP_ARCHIVE_SPACE",
                 "The last member ends after %d bytes, where the directory begins." % kept,
                 twin=here.named("other"))


def names(here):
    twin = "name-folder"
    named(here, "edge-folder-byte", "EP_ARCHIVE_NAME", b"x/", "A folder of one byte.", twin=twin,
          data=b"a")
    for label, pair in (("brackets", b"[{"), ("at", b"@`"), ("lines", b"_\x7f"), ("digits", b"1Q")):
        made = [here.other("x" + chr(each), WORDS) for each in pair]
        here.good("edge-case-" + label, here.make(here.data) + made, [NAMED],
                  "Two names that differ by what is no case of a letter.")
    for letter in "azAZ":
        made = [here.other(each, WORDS) for each in (letter.lower() + "1", letter.upper() + "1")]
        if here.layout == "pt2":
            here.bad("edge-case-letter-" + letter, archive(*here.make(here.data), *made),
                     "EP_ARCHIVE_NAME", "Two names that differ in the case of a letter.")
    for count in (1, 2):
        made = [here.other("n" * each, WORDS) for each in (count, count + 1)]
        here.good("edge-names-%d" % count, here.make(here.data) + made, [NAMED],
                  "A name that begins another one.")
    here.bad("edge-twice-last", archive(*here.make(here.data), here.other("zz", WORDS),
                                        here.other("zz", b"")), "EP_ARCHIVE_NAME",
             "Two members of one name, the last of all.")


def hidden(here):
    """An end record in a member, so many bytes before the end of the file. The directory that it
    leads to stands before it."""
    entry = central_header(here.make(here.data)[0], 0)

    def hiding(padding):
        def made(place):
            record = entry + end_of(1, len(entry), place, b"")
            return archive(*here.make(here.data), here.other("x", record + bytes(padding)))
        return made(made(0).index(entry))
    behind = len(hiding(0)) - hiding(0).rindex(end_of(1, len(entry), hiding(0).index(entry), b""))
    twin = here.valid("edge-hidden-without", hiding(FAR + 1 - behind), [ZIP],
                      "An end record that is one byte farther than any is looked for.")
    here.bad("edge-hidden-within", hiding(FAR - behind), BAD,
             "An end record as far away as any is looked for.", twin=twin)
    located(here, entry)


def located(here, entry):
    """An end record in a member, with a locator of zip64 before it."""
    end = patched(end_of(0, 0, 0, b""), 4, ALL_SET)

    def hiding(place, at=None, disk=b"\0", entry=entry):
        data = entry + large_end_of(1, len(entry), place, 45)
        data = patched(data, len(entry) + 60, disk)
        if at is not None:
            data = patched(data, len(entry) + 64, struct.pack("<Q", at))
        return archive(*here.make(here.data), here.other("x", data + end))
    place, twin = hiding(0).index(entry + b"PK\6\6"), here.named("second-end-nowhere")
    size = len(hiding(place))
    for label, at in (("last", size - 55), ("end", size), ("behind", size + 1), ("byte", size - 1)):
        here.valid("edge-hidden-locator-" + label, hiding(place, at), [ZIP],
                   "A locator in a member that points at the end of the file.")
    here.bad("edge-hidden-locator-disk", hiding(place, disk=b"\1"), BAD,
             "A locator in a member that names another disk.", twin=twin)
    for label, at in (("disk", 34), ("attributes", 36), ("offset", 42)):
        made = patched(entry, at, b"\1")
        here.bad("edge-hidden-entry-" + label, hiding(place, entry=made), BAD,
                 "An end record in a member, of a directory whose entry says something else.",
                 twin=twin)


def places(here):
    """Members that lie elsewhere than their neighbours say."""
    make = here.make(here.data)
    count = len(make)
    for label, order in (("two-last", [*range(count - 2), count - 1, count - 2]),
                         ("two-first", [1, 0, *range(2, count)]),
                         ("last-first", [count - 1, *range(count - 1)]),
                         ("first-last", [*range(1, count), 0])):
        here.valid("edge-order-" + label, archive(*make, order=order), [SPACE],
                   "The directory has the members in another order than the file.")
    for at in range(count - 1):
        made = [each._replace(after=b"\0") if i == at else each for i, each in enumerate(make)]
        here.bad("edge-gap-%d" % at, archive(*made), "EP_ARCHIVE_SPACE",
                 "A byte behind a member.")


def said(here):
    """What the directory says beside the names, and a comment of more than 255 bytes."""
    for label, more in (("internal", {"internal": 1}), ("internal-all", {"internal": 0xFFFF}),
                        ("comment", {"comment": b"/a"}),
                        ("comment-long", {"comment": b"/" * 300})):
        here.valid("edge-said-" + label, with_x(here, central=more), [HEADER],
                   "What else an entry says means nothing.")
    long = archive(*here.make(here.data), comment=b" " * 256)
    twin = here.valid("edge-comment", long, [ZIP], "A comment of 256 bytes.")
    for count in (1, 255, 256):
        here.bad("edge-comment-cut-%d" % count, long[:-count], BAD,
                 "A comment of 256 bytes, the last %d of which are missing." % count, twin=twin)


def streams(here):
    """A stream that is longer than most readers read at a time, most of it without bytes."""
    nothing = b"\0\0\0\xff\xff"  # a stored block of no bytes
    here.valid("edge-stream", archive(*here.make(here.data, method=DEFLATED, stream=(
        nothing * 13200 + deflated(here.data)))), ["8.1.3"],
               "A deflated program whose stream has 66,000 bytes before the first that comes out.")


def vectors(here):
    for part in (sizes, later, numbers, fields, cut, names, places, said):
        part(here)
    if here.layout == "flat":
        hidden(here)
        streams(here)
