"""The zip of an archive (SPEC 8.1), where what is looked at last, first or farthest makes the
difference: names that begin one another, the first member of all, the last byte of a mark, the
highest byte of a number, entries with long texts in a directory that another end record leads to,
and archives that hold as much as a limit.
"""

import struct

from generate.archive.hidden import UNSAID as ALL_SET
from generate.archive.readers import (HEADER, NAMED, SPACE, WORDS, ZIP, Ends, flipped, named,
                                      patched, times, wide, with_program, with_x)
from generate.archive.zips import (DEFLATED, LONGEST, UNSAID, archive, both, central_header, end_of,
                                   field, large_end_of, lying, member)
from generate.suite import change_between

BAD, NAME, HEAD, MEMBER = "EP_ARCHIVE", "EP_ARCHIVE_NAME", "EP_ARCHIVE_HEADER", "EP_ARCHIVE_MEMBER"
READ, FOLDER = "8.1.3", 16  # the bit of MS-DOS
FAR = 65578  # bytes at the end of a file in which other end records are looked for
STEPS = 1 << 16  # entries that a checker looks at


# ---- names ------------------------------------------------------------------------------


def begin(here, names, comments=()):
    """Members of these names in front of all others of the directory."""
    made = [here.other(name, b"", central={"comment": comment}) for name, comment in zip(
        names, list(comments) + [b""] * len(names))]
    whole = here.make(here.data) + made
    count = len(whole) - len(made)
    return archive(*whole, order=[*range(count, len(whole)), *range(count)])


def names_in_pt2(here):
    """What is compared without regard to case, in orders in which a sort meets it."""
    for label, pair in (("first", ("!a", "!A")), ("begin", ("A", "ab", "a")),
                        ("begin-two", ("A", "ab", "abc", "a"))):
        near = [pair[0] + "_", *pair[1:]]
        twin = here.valid("near-names-" + label, begin(here, near), [NAMED],
                          "Names that begin one another.")
        here.bad("near-names-%s-case" % label, begin(here, pair), NAME,
                 "Names that begin one another, two of which differ in case only.", twin=twin)
    names, comments = ("AB", "abc", "ab"), (b"a", b"", b"z")
    twin = here.valid("near-names-comments", begin(here, ("AB_", *names[1:]), comments), [NAMED],
                      "What stands behind a name is no part of it.")
    here.bad("near-names-comments-case", begin(here, names, comments), NAME,
             "Two names that differ in case only, and another that they begin.", twin=twin)
    twin = here.valid("near-long", begin(here, ("n" * 503,)), [NAMED],
                      "A name of 511 bytes, the first of the directory.")
    here.bad("near-long-512", begin(here, ("n" * 504,)), NAME,
             "A name of 512 bytes, the first of the directory.", twin=twin)


def names_in_flat(here):
    twin = here.valid("near-names-first", archive(
        *here.make(here.data), member("!", WORDS), member("\"", b"")), [NAMED],
        "The two names that are the first of all in their order.")
    here.bad("near-names-first-twice", archive(*here.make(here.data), member("!", WORDS), member(
        "!", b"")), NAME, "The name that is the first of all in its order, twice.", twin=twin)
    here.valid("near-folder", archive(*here.make(here.data), member("/", b"", central={
        "attributes": FOLDER})), [HEADER, NAMED], "A folder whose name is a slash alone.")


# ---- headers ----------------------------------------------------------------------------


def headers(here):
    size = len(WORDS)
    twin = here.named("other-zip64")
    for where, numbers in (("central-size", (size + (1 << 56), size)),
                           ("central-packed", (size, size + (1 << 56))),
                           ("local-size", (size + (1 << 56), size)),
                           ("local-packed", (size, size + (1 << 56)))):
        here.bad("near-zip64-" + where, with_x(here, zip64=True, **{where.split("-")[0]: {
            "wide": wide(*numbers)}}), HEAD, "The highest byte of a size in 64 bits.", twin=twin)
    place = Ends(archive(*here.make(here.data))).place
    here.bad("near-zip64-place", with_x(here, central={"offset": UNSAID, "wide": wide(
        place + (1 << 56))}), "EP_ARCHIVE_SPACE", "The highest byte of a place in 64 bits.",
        twin=here.named("zip64-field-place"))
    said = field(1, wide(size, size))
    for label, extra in (("times", times(0x5455)), ("padding", field(0x4246, b"Z" * 20))):
        here.valid("near-zip64-behind-" + label, with_x(here, **both(
            small=(UNSAID, UNSAID), extra=extra + said)), [HEADER],
            "Sizes in 64 bits, behind another extra field.")
    for where in ("local", "central"):
        here.bad("near-extra-second-" + where, with_x(here, **{where: {
            "extra": times(0x5455) + b"\x55\x54\2\0\1"}}), HEAD,
            "Of two extra fields the second is longer than its place.", twin=here.named("other"))
        here.bad("near-extra-zero-" + where, with_x(here, **{where: {"extra": bytes(4)}}), HEAD,
                 "An extra field of the number 0, which nobody has defined.",
                 twin=here.named("other"))
    data = here.suite.bytes[here.base]
    ends = Ends(data)
    for at in range(1, 4):
        here.bad("near-entry-mark-%d" % at, flipped(data, ends.place + at), BAD,
                 "A byte of the mark of the first entry.")
    nameless = here.other("x", b"")._replace(central={
        "name": b"", "attributes": FOLDER, "offset": 0x2F000000})
    here.suite.invalid(here.named("near-nameless-folder"), here.named("name-folder"),
                       change_between(here.suite.bytes[here.named("name-folder")], archive(
                           *here.make(here.data), nameless)), HEAD, None,
                       "An entry without a name, that is called a folder and lies behind the file: "
                       "what its header says comes before its name and its place.",
                       provenance="hand", flags=["precedence"])


# ---- bytes ------------------------------------------------------------------------------


def first_damaged(here):
    """A member that is the first of all and no program."""
    data = archive(*here.make(here.data), here.other("x", WORDS))
    count = len(here.make(here.data)) + 1
    whole = archive(*here.make(here.data), here.other("x", WORDS),
                    order=[count - 1, *range(count - 1)])
    twin = here.valid("near-first", whole, [READ, SPACE],
                      "A member that PyTorch does not look for, as the first of the directory.")
    here.bad("near-first-byte", flipped(whole, data.index(WORDS)), MEMBER,
             "A bit of the first member of the directory.", twin=twin)


# ---- limits -----------------------------------------------------------------------------


def asked(here, label, base, limit, valid, why):
    """The same archive, with a limit of so many bytes. What goes beyond it may be refused."""
    more = {} if valid else {"verdict": "implementation-defined", "code": "EP_LIMIT_BYTES",
                             "profiles": {"epref": "invalid"}}
    here.suite.valid_edit(here.named(label), base, None, ["1.4.1", READ], why, provenance="hand",
                          options={"limits": {"bytes": limit}}, **more)


def limits(here):
    make = here.make(here.data)
    data = archive(*make, here.other("x", b"", central={"comment": b" " * 1000}))
    base = here.valid("near-directory", data, [ZIP], "A directory that is longer than the program.")
    size = struct.unpack_from("<I", data, data.rindex(b"PK\5\6") + 12)[0]
    assert size > len(here.data)
    asked(here, "near-directory-limit", base, size, True, "The directory is as long as the limit.")
    asked(here, "near-directory-above", base, size - 1, False,
          "The directory is a byte longer than the limit.")
    blanks = b" " * (10 * LONGEST + 1)
    made = [here.other(name, blanks, method=DEFLATED) for name in ("x", "y")]
    data = archive(*make, *made)
    base = here.valid("near-held", data, [READ], "Two members that are short in the archive.")
    held = sum(len(each.data) for each in (*make, *made))
    limit = held - len(data)
    assert limit > 2 * len(here.data) and len(data) + limit > len(blanks) + 2 * len(here.data)
    asked(here, "near-held-limit", base, limit, True,
          "The archive holds as much as it is long and the limit.")
    asked(here, "near-held-above", base, limit - 1, False,
          "The archive holds a byte more than it is long and the limit.")


def limit_and_checksum(here):
    """What is as long as the limit is compared with its checksum."""
    size = len(here.data)
    data = here.suite.bytes[here.base]
    options = {"limits": {"bytes": size}}
    at = data.index(here.data) + 200
    here.suite.invalid(here.named("near-limit-byte"), here.named("limit"), (
        at, 1, bytes([data[at] ^ 1])), MEMBER, None,
        "A bit of a program that is as long as the limit.", provenance="hand", options=options)
    limit = 388 * LONGEST
    options = {"limits": {"bytes": limit}}

    def padded(count):
        return {"method": DEFLATED, "data": here.data + b" " * (count - size)}
    twin = here.valid("near-padded", with_program(here, lambda each: each._replace(**padded(
        limit))), ["1.4.1", READ], "A program that takes more than one read, as long as the limit.",
        options=options)
    here.suite.invalid(here.named("near-padded-above"), twin, change_between(
        here.suite.bytes[twin], with_program(here, lambda each: lying(each._replace(**padded(
            limit + 200 * LONGEST)), crc=1))), "EP_LIMIT_BYTES", (0, ""),
        "A program that is longer than the limit, and has another checksum, which is known only "
        "behind its last byte.", provenance="hand", also=[READ], options=options,
        flags=["precedence", "large"])


# ---- other end records ------------------------------------------------------------------


def entry_of(here, name=None, **said):
    """An entry of the first member, with other texts."""
    first = here.make(here.data)[0]
    return central_header(first._replace(central={
        **({} if name is None else {"name": name}), **said}), 0)


def hiding(here, made):
    """made(place): the bytes of a member x, which lie there."""
    mark = b"here it is"
    place = archive(*here.make(here.data), here.other("x", mark)).index(mark)
    return archive(*here.make(here.data), here.other("x", made(place)))


def hidden(here):
    twin = here.named("second-end-nowhere")
    long = field(0x4246, b"Z" * 300)
    for label, entry, why in (
            ("long", entry_of(here, b"n" * 300, extra=long, comment=b" " * 300),
             "A name, an extra field and a comment of 300 bytes."),
            ("long-name", entry_of(here, b"n" * 256), "A name of 256 bytes."),
            ("long-extra", entry_of(here, extra=long), "An extra field of 300 bytes."),
            ("long-comment", entry_of(here, comment=b" " * 256), "A comment of 256 bytes."),
            ("nameless", entry_of(here, b""), "No name at all.")):
        here.bad("near-hidden-" + label, hiding(here, lambda place, entry=entry: entry + end_of(
            1, len(entry), place, b"")), BAD,
            "An end record in a member, of a directory with an entry. " + why, twin=twin)
    entry = entry_of(here)
    end = patched(end_of(0, 0, 0, b""), 4, ALL_SET)

    def located(change=lambda tail: tail):
        return hiding(here, lambda place: entry + change(large_end_of(
            1, len(entry), place, 45)) + end)
    for label, made, why in (
            ("locator-mark", located(lambda tail: flipped(tail, 59)),
             "The last byte of the mark of its locator is another."),
            ("locator-highest", located(lambda tail: patched(tail, 71, b"\1")),
             "The highest byte of the place that its locator says.")):
        here.valid("near-hidden-" + label, made, [ZIP], "An end record in a member. " + why)


def at_the_end(here):
    """A comment of the archive that is a record of zip64, as the last bytes of the file; an end
    record in a member has a locator that points there."""
    entry = entry_of(here)
    end = patched(end_of(0, 0, 0, b""), 4, ALL_SET)
    mark = b"here it is"
    lost = archive(*here.make(here.data), here.other("x", mark))
    place = lost.index(mark)

    def made(count):
        record = large_end_of(count, len(entry), place, 45)[:56]
        size = len(entry) + 20 + len(end)
        where = len(lost) - len(mark) + size
        locator = struct.pack("<4sIQI", b"PK\6\7", 0, where, 1)
        return archive(*here.make(here.data), here.other("x", entry + locator + end),
                       comment=record)
    twin = here.valid("near-hidden-comment", made(2), [ZIP],
                      "The comment of the archive is a record of zip64, to which a locator in a "
                      "member points; it counts an entry that is not there.")
    here.bad("near-hidden-comment-leads", made(1), BAD,
             "The comment of the archive is a record of zip64, to which a locator in a member "
             "points, of a directory that is there.", twin=twin)
    for label, comment in (("last", b"PK\5\7"), ("second", b"PK\4\6"), ("letters", b"Pk\5\6")):
        here.valid("near-comment-" + label, archive(
            *here.make(here.data), comment=b"a" + comment + b"a" * 30), [ZIP],
            "A comment that nearly has the mark of an end record.")


def farthest(here):
    """A locator that is as far away as any is looked for, and one that is a byte farther."""
    entry = entry_of(here)
    end = patched(end_of(0, 0, 0, b""), 4, ALL_SET)

    def made(padding):
        return hiding(here, lambda place: entry + large_end_of(
            1, len(entry), place, 45) + end + bytes(padding))
    behind = len(made(0)) - made(0).rindex(b"PK\6\7")
    twin = here.valid("near-hidden-farther", made(FAR + 1 - behind), [ZIP],
                      "An end record with a locator that is one byte farther than any is looked "
                      "for.")
    here.bad("near-hidden-farthest", made(FAR - behind), BAD,
             "An end record with a locator that is as far away as any is looked for.", twin=twin)


def steps(here):
    """End records that lead nowhere, after many entries."""
    entry = entry_of(here, b"")

    alone, _ = here.parts()  # the other members have end records of their own
    place = archive(alone, here.other("x", entry)).index(entry)

    def made(entries, ends):
        return archive(alone, here.other("x", entry * entries + end_of(
            entries + 1, entries * len(entry), place, b"") * ends))
    here.valid("near-hidden-many", made(255, 257), [ZIP],
               "End records that lead nowhere, after 65,535 entries.")
    assert 255 * 257 == STEPS - 1
    here.valid("near-hidden-most", made(256, 256), [ZIP],
               "End records that lead nowhere, after 65,536 entries: a checker may refuse them.",
               verdict="implementation-defined", code=BAD, profiles={"epref": "invalid"})


def vectors(here):
    headers(here)
    if here.layout == "pt2":
        names_in_pt2(here)
        first_damaged(here)
        limit_and_checksum(here)
    else:
        names_in_flat(here)
        limits(here)
        hidden(here)
        at_the_end(here)
        farthest(here)
        steps(here)
