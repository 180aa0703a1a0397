"""End records before the last one (SPEC 8.1.1), which a reader may prefer when they lead to a
directory: number by number, in 16 and 32 bits and in 64, in the bytes of a member and in what an
entry of the directory has as its comment.
"""

import struct

from generate.archive.readers import END_FIELDS, ZIP, Ends, flipped, patched, times
from generate.archive.zips import archive, central_header, end_of, large_end_of

BAD = "EP_ARCHIVE"
UNSAID = struct.pack("<HHHHII", *[0xFFFF] * 4, 0xFFFFFFFF, 0xFFFFFFFF)


class Hidden:
    """An archive with some bytes in a member x."""

    def __init__(self, here):
        self.here, self.make = here, here.make(here.data)
        self.entry = central_header(self.make[0], 0)
        self.size = len(self.entry)
        mark = b"here it is"
        self.place = archive(*self.make, here.other("x", mark)).index(mark)

    def of(self, data):
        return archive(*self.make, self.here.other("x", data))

    def commented(self, count):
        """The entry with a comment that it does not have."""
        return patched(self.entry, 32, struct.pack("<H", count))


def small(hidden):
    """(label, valid, bytes, why): in 16 and 32 bits."""
    entry, size, place = hidden.entry, hidden.size, hidden.place
    extra = central_header(hidden.make[0]._replace(central={"extra": times(0x5455)}), 0)
    for label, valid, count, said, at, why in (
            ("none", False, 0, 0, place, "No entries, of no bytes."),
            ("none-first", False, 0, 0, 0, "No entries, at the beginning of the file."),
            ("none-last", False, 0, 0, place + size, "No entries, right before it."),
            ("none-behind", True, 0, 0, place + size + 1, "No entries, behind its beginning."),
            ("none-some", True, 0, size, place, "An entry, which is not counted."),
            ("none-byte", True, 0, 1, place, "A byte, and no entry."),
            ("one-none", True, 1, 0, place, "An entry of no bytes."),
            ("count-more", True, 2, size, place, "Two entries are counted."),
            ("count-most", True, 0xFFFE, size, place, "Many entries are counted."),
            ("size-less", True, 1, size - 1, place, "The last byte of the entry is left out."),
            ("size-head", True, 1, 46, place, "The name of the entry is left out."),
            ("size-cut", True, 1, 45, place, "Not even the head of the entry."),
            ("size-far", True, 1, 0x7FFFFFFF, place, "It ends behind the file."),
            ("place-before", True, 1, size, place - 1, "It begins a byte earlier."),
            ("place-behind", True, 1, size, place + 1, "It begins a byte later."),
            ("place-far", True, 1, size, 0x7FFFFFFF, "It begins behind the file.")):
        yield label, valid, entry + end_of(count, said, at, b""), why
    for more in (1, 46, size):
        yield ("size-more-%d" % min(more, 47), True,
               entry + b"\0" * more + end_of(1, size + more, place, b""),
               "Bytes behind its entry belong to the directory, too.")
    for label, valid, data, why in (
            ("gap", False, entry + b"\0" * 5 + end_of(1, size, place, b""),
             "Bytes between the directory and its end."),
            ("two", False, entry * 2 + end_of(2, size * 2, place, b""), "Two entries."),
            ("two-counted-one", True, entry * 2 + end_of(1, size * 2, place, b""),
             "Two entries, of which one is counted."),
            ("two-mark", True, entry + flipped(entry, 3) + end_of(2, size * 2, place, b""),
             "The second is no entry."),
            ("mark", True, flipped(entry, 0) + end_of(1, size, place, b""), "No entry."),
            ("before", True, end_of(1, size, place + 22, b"") + entry,
             "The directory stands behind it."),
            ("comment", False, hidden.commented(3) + b"abc" + end_of(1, size + 3, place, b""),
             "An entry with a comment."),
            ("overlap", True, hidden.commented(1) + end_of(1, size + 1, place, b""),
             "The directory ends within it."),
            ("disk", False, entry + patched(end_of(1, size, place, b""), 4, b"\1\0\1"),
             "It says that it is on another disk."),
            ("extra", False, extra + end_of(1, len(extra), place, b""),
             "An entry with an extra field."),
            ("extra-comment", False, patched(extra, 32, b"\3\0") + b"abc" + end_of(
                1, len(extra) + 3, place, b""), "An entry with an extra field and a comment."),
            ("end-mark", True, entry + flipped(end_of(1, size, place, b""), 3),
             "The last byte of its mark is another."),
            ("said-comment", False, entry + end_of(1, size, place, b"abc")[:-3],
             "Its comment is cut off.")):
        yield label, valid, data, why


def large(hidden):
    """The same in 64 bits: a record, a locator, and an end that leaves all to it."""
    entry, size, place = hidden.entry, hidden.size, hidden.place
    end = patched(end_of(0, 0, 0, b""), 4, UNSAID)

    def numbered(behind=0, **said):
        data = large_end_of(1, size, place, 45, behind)
        for name, number in said.items():
            data = patched(data, END_FIELDS[name][1][0], struct.pack("<Q", number))
        return data
    for label, valid, data, why in (
            ("one", False, numbered(), "An entry."),
            ("gap", False, b"\0" + numbered(1), "A byte before the record."),
            ("count-more", True, numbered(count=2, here=2), "Two entries are counted."),
            ("count-none", True, numbered(count=0, here=0), "No entry is counted."),
            ("count-high", True, numbered(count=1 + (1 << 32)), "Too many in 64 bits alone."),
            ("size-more", True, b"\0" + numbered(1, size=size + 1), "A byte behind its entry."),
            ("size-less", True, numbered(size=size - 1), "The last byte of the entry is left out."),
            ("size-high", True, numbered(size=size + (1 << 32)), "Too long in 64 bits alone."),
            ("place-behind", True, numbered(place=place + 1), "It begins a byte later."),
            ("place-high", True, numbered(place=place + (1 << 32)), "Far behind the file."),
            ("place-highest", True, numbered(place=(1 << 64) - size), "As far as can be said."),
            ("mark", True, flipped(numbered(), 0), "The record is none."),
            ("mark-last", True, flipped(numbered(), 3), "The last byte of its mark is another."),
            ("locator-mark", True, flipped(numbered(), 56), "The locator is none."),
            ("locator-place", True, patched(numbered(), 64, struct.pack("<Q", place)),
             "The locator points at the entry."),
            ("locator-far", True, patched(numbered(), 64, b"\xff" * 8),
             "The locator points behind the file."),
            ("locator-gap", True, numbered() + b"\0", "The locator stands a byte earlier."),
            ("none", False, numbered(count=0, here=0, size=0), "No entries, of no bytes.")):
        yield "large-" + label, valid, entry + data + end, why
    both = end_of(1, size, place, b"")
    yield ("large-small", False, entry + numbered(count=2) + both,
           "In 64 bits it leads nowhere, in 32 it does.")


def in_members(here):
    hidden = Hidden(here)
    twin = here.named("second-end-nowhere")
    for rows in (small, large):
        for label, valid, data, why in rows(hidden):
            why = "An end record in a member. " + why
            if valid:
                here.valid("hidden-" + label, hidden.of(data), [ZIP], why)
            else:
                here.bad("hidden-" + label, hidden.of(data), BAD, why, twin=twin)


def in_comments(here):
    """In the comment of the last entry: the entries before it are a directory of their own."""
    data = archive(*here.make(here.data))
    ends = Ends(data)
    last = data.rindex(b"PK\1\2")
    count = data[ends.place:last].count(b"PK\1\2")
    before = last - ends.place

    def commented(comment):
        made = data[:ends.end] + comment + ends.saying(size=len(comment))[ends.end:]
        return patched(made, last + 32, struct.pack("<H", len(comment)))
    twin = here.valid("hidden-entry", commented(b"by hand"), [ZIP], "The comment of an entry.")
    for label, valid, said, why in (
            ("all", True, (count + 1, before + ends.end - last, ends.place),
             "All entries, but not the comment."),
            ("fewer", False, (count, before, ends.place), "All entries but the last."),
            ("fewer-size", True, (count, before + 1, ends.place), "They do not fill it."),
            ("fewer-count", True, (count - 1, before, ends.place), "They are more."),
            ("none", False, (0, 0, 0), "No entries.")):
        made, why = commented(end_of(*said, b"")), "An end record as a comment. " + why
        if valid:
            here.valid("hidden-entry-" + label, made, [ZIP], why)
        else:
            here.bad("hidden-entry-" + label, made, BAD, why, twin=twin)


def vectors(here):
    in_members(here)
    in_comments(here)
