"""Zip archives, byte for byte the same on every machine: no clock, and no
compressor of a library.  A member says what stands in its two headers, so that
either can be made to say something else.
"""

import struct
import zlib
from collections import namedtuple

STORED, DEFLATED, DEFLATED64 = 0, 8, 9
SIZED_LATER, UTF8, ENCRYPTED = 0x8, 0x800, 0x1  # flags
DATE = 0x21  # 1980-01-01
OLD, ZIP64 = 20, 45  # versions needed to read it
WRITER = 0x31E  # what PyTorch's own writer calls itself
UNSAID = 0xFFFFFFFF
LONGEST = 258  # bytes that one reference of deflate repeats
ALIGNMENT = 64  # of the bytes of a member that PyTorch writes

Member = namedtuple("Member", "name data method flags zip64 local central aligned stream ending "
                    "after")
Header = namedtuple("Header", "crc packed size name flags method needed small wide extra")
SAID = {  # in the directory alone
    "system": 0, "disk": 0, "internal": 0, "attributes": 0, "offset": None, "comment": b""}
NO_ENDING = b""
ENDINGS = {  # how a descriptor can be spelled: its signature, and its numbers
    "signed": (b"PK\7\10", "<III"), "bare": (b"", "<III"),
    "wide": (b"PK\7\10", "<IQQ"), "bare-wide": (b"", "<IQQ"),
}


def member(name, data, method=STORED, flags=0, zip64=False, local=None, central=None,
           aligned=False, stream=None, ending="signed", after=b""):
    """local, central: dicts of what its headers say instead of the truth: what Header and
    SAID have; small are its two sizes in 32 bits, wide is what the field of zip64 holds
    (None: there is no field), extra are bytes behind that. aligned: the header is as
    PyTorch's own writer makes it, with padding up to the bytes. stream: what stands
    there instead of the deflated data. ending: one of ENDINGS, or the bytes of the
    descriptor. after: bytes that belong to no member."""
    name = name if isinstance(name, bytes) else name.encode("utf-8")
    flags |= UTF8 if max(name, default=0) > 127 and "flags" not in (central or {}) else 0
    return Member(name, data, method, flags, zip64, local or {}, central or {}, aligned, stream,
                  ending, after)


def both(**said):
    """What both headers say."""
    return {"local": dict(said), "central": dict(said)}


def written(name, data, **said):
    """A member as PyTorch's own writer makes it."""
    said.setdefault("flags", SIZED_LATER | UTF8)
    return member(name, data, aligned=True, **said)


# ---- deflate, RFC 1951 ----------------------------------------------------------


class Bits:
    """Bits as deflate packs them: from the lowest of each byte on."""

    def __init__(self):
        self.done, self.held, self.count = bytearray(), 0, 0

    def number(self, value, width):
        self.held |= value << self.count
        self.count += width
        while self.count >= 8:
            self.done.append(self.held & 255)
            self.held >>= 8
            self.count -= 8

    def code(self, value, width):
        """A code of Huffman's, whose first bit is its highest."""
        self.number(int(format(value, "0%db" % width)[::-1], 2), width)

    def literal(self, byte):
        if byte < 144:
            self.code(0x30 + byte, 8)
        else:
            self.code(0x190 + byte - 144, 9)

    def end(self):
        self.code(0, 7)
        if self.count:
            self.number(0, 8 - self.count)
        return bytes(self.done)


def deflated(data):
    """One block of fixed codes; a run of one byte is a reference to the byte before.
    Without such runs it is the same in Deflate64."""
    bits, at = Bits(), 0
    bits.number(1, 1)
    bits.number(1, 2)
    while at < len(data):
        if at and data[at - 1:at] * LONGEST == data[at:at + LONGEST]:
            bits.code(0xC5, 8)  # of the length 258
            bits.code(0, 5)     # of the distance 1
            at += LONGEST
        else:
            bits.literal(data[at])
            at += 1
    return bits.end()


# ---- zip ------------------------------------------------------------------------


def packed(each):
    if each.stream is not None:
        return each.stream
    return each.data if each.method == STORED else deflated(each.data)


def truth(each):
    data = packed(each)
    sizes = (len(data), len(each.data))
    # PyTorch's own writer says no version and no date
    needed = 0 if each.aligned else ZIP64 if each.zip64 else OLD
    wide = struct.pack("<QQ", sizes[1], sizes[0]) if each.zip64 else None
    return Header(zlib.crc32(each.data), *sizes, each.name, each.flags, each.method, needed,
                  (UNSAID, UNSAID) if each.zip64 else sizes, wide, b"")


def said_in(each, changes):
    """What a header says: the truth, but for the changes."""
    said = truth(each)
    changes = {key: value for key, value in changes.items() if key not in SAID}
    said = said._replace(**changes)
    if "small" not in changes and not each.zip64:
        said = said._replace(small=(said.packed, said.size))
    if each.zip64 and "wide" not in changes:
        said = said._replace(wide=struct.pack("<QQ", said.size, said.packed))
    return said


def field(identity, data):
    """An extra field."""
    return struct.pack("<HH", identity, len(data)) + data


def lying(each, **said):
    """The member, of which both headers and the descriptor say so."""
    told = truth(each)._replace(**said)
    ending = ENDINGS["signed"][0] + struct.pack("<III", told.crc, told.packed, told.size)
    local = each.local if each.flags & SIZED_LATER else {**each.local, **said}
    return each._replace(local=local, central={**each.central, **said}, ending=ending)


def extra_of(said):
    return (b"" if said.wide is None else field(1, said.wide)) + said.extra


def padding(each, length):
    """An extra field that is as long as brings the bytes to a multiple of 64, when
    so many stand before it."""
    if not each.aligned:
        return b""
    count = -(length + 4) % ALIGNMENT
    return struct.pack("<2sH", b"FB", count) + b"Z" * count


def date(each):
    return 0 if each.aligned else DATE


def local_header(each, offset):
    said = said_in(each, each.local)
    extra = extra_of(said)
    extra += padding(each, offset + 30 + len(said.name) + len(extra))
    if each.flags & SIZED_LATER:
        said = said._replace(crc=each.local.get("crc", 0),
                             small=said.small if each.zip64 else each.local.get("small", (0, 0)))
    return struct.pack("<4sHHHHHIIIHH", b"PK\3\4", said.needed, said.flags, said.method, 0,
                       date(each), said.crc, *said.small, len(said.name),
                       len(extra)) + said.name + extra


def descriptor(each):
    if not each.flags & SIZED_LATER:
        return NO_ENDING
    if isinstance(each.ending, bytes):
        return each.ending
    said = truth(each)
    signature, numbers = ENDINGS[each.ending]
    return signature + struct.pack(numbers, said.crc, said.packed, said.size)


def central_header(each, offset):
    said = said_in(each, each.central)
    more = {**SAID, **{key: each.central[key] for key in SAID if key in each.central}}
    extra = extra_of(said)
    maker = (0 if each.aligned else OLD) | more["system"] << 8
    return struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", maker, said.needed, said.flags,
                       said.method, 0, date(each), said.crc, *said.small, len(said.name),
                       len(extra), len(more["comment"]), more["disk"], more["internal"],
                       more["attributes"], offset if more["offset"] is None else more["offset"]
                       ) + said.name + extra + more["comment"]


def end_of(count, size, offset, comment):
    """The end of the central directory, behind which is nothing but the comment."""
    return struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, size, offset,
                       len(comment)) + comment


def large_end_of(count, size, offset, maker, behind=0):
    """The same in 64 bits, which stands before it, so many bytes behind the directory, and
    where that is."""
    large = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, maker, ZIP64, 0, 0, count, count, size,
                        offset)
    return large + struct.pack("<4sIQI", b"PK\6\7", 0, offset + size + behind, 1)


def archive(*members, comment=b"", ends=None, order=None, behind=b""):
    """ends: how the numbers of the end are said: "small" in 16 and 32 bits, "large" in 64
    alone, "both" as PyTorch's own writer says them. order: which members the directory
    has, by their indices. behind: bytes between the directory and the end."""
    data, entries = b"", []
    for each in members:
        entries.append(central_header(each, len(data)))
        data += local_header(each, len(data)) + packed(each) + descriptor(each) + each.after
    entries = entries if order is None else [entries[i] for i in order]
    directory = b"".join(entries)
    said = (len(entries), len(directory), len(data))
    ends = ends or ("both" if any(each.aligned for each in members) else "small")
    maker = WRITER if any(each.aligned for each in members) else ZIP64
    large = b"" if ends == "small" else large_end_of(*said, maker, len(behind))
    small = end_of(*said, comment) if ends != "large" else end_of(0xFFFF, UNSAID, UNSAID, comment)
    return data + directory + behind + large + small
