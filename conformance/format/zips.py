"""Zip archives (SPEC 8.1.5), byte for byte the same on every machine: no clock, and no
compressor of a library.  A member says what stands in its two headers, so that either can
be made to say something else.
"""

import functools
import struct
import zlib
from collections import namedtuple

STORED = 0
SIZED_LATER, UTF8 = 0x8, 0x800  # flags
DATE = 0x21 << 16  # 1980-01-01
OLD, ZIP64 = 20, 45  # versions needed to read it
TORCH = 0x31E  # what PyTorch's own writer calls itself
UNSAID, FULL = 0xFFFFFFFF, 0xFFFF
LONGEST = 258  # bytes that one reference of deflate repeats
ALIGNMENT = 64  # of the bytes of a member that PyTorch writes

Header = namedtuple("Header", "crc packed size name flags method needed small wide extra")
SAID = {  # in the directory alone
    "system": 0, "disk": 0, "internal": 0, "attributes": 0, "offset": None, "comment": b""}
ENDINGS = {  # how a descriptor can be spelled: its signature, and its numbers
    "signed": (b"PK\7\10", "<III"), "bare": (b"", "<III"),
    "wide": (b"PK\7\10", "<IQQ"), "bare-wide": (b"", "<IQQ"),
}
MEMBER = {  # what is said of a member beside its name and bytes
    "method": STORED, "flags": 0, "zip64": False, "local": {}, "central": {}, "aligned": False,
    "stream": None, "ending": "signed", "after": b"", "date": None}
WRITERS = {  # what a writer says of each member
    "plain": {}, "torch": {"aligned": True, "flags": SIZED_LATER | UTF8},
    "python": {"central": {"system": 3, "attributes": 0o600 << 16}}}
FIELDS = {  # of each record: where a number stands, and how many bytes it has
    "local": {"signature": (0, 4), "needed": (4, 2), "flags": (6, 2), "method": (8, 2),
              "date": (10, 4), "crc": (14, 4), "packed": (18, 4), "size": (22, 4),
              "name": (26, 2), "extra": (28, 2)},
    "central": {"signature": (0, 4), "maker": (4, 2), "needed": (6, 2), "flags": (8, 2),
                "method": (10, 2), "date": (12, 4), "crc": (16, 4), "packed": (20, 4),
                "size": (24, 4), "name": (28, 2), "extra": (30, 2), "comment": (32, 2),
                "disk": (34, 2), "internal": (36, 2), "attributes": (38, 4), "offset": (42, 4)},
    "end": {"signature": (0, 4), "disk": (4, 2), "first disk": (6, 2), "count here": (8, 2),
            "count": (10, 2), "size": (12, 4), "offset": (16, 4), "comment": (20, 2)},
    "zip64 end": {"signature": (0, 4), "length": (4, 8), "maker": (12, 2), "needed": (14, 2),
                  "disk": (16, 4), "first disk": (20, 4), "count here": (24, 8),
                  "count": (32, 8), "size": (40, 8), "offset": (48, 8)},
    "locator": {"signature": (0, 4), "disk": (4, 4), "offset": (8, 8), "disks": (16, 4)},
}


class Member:
    """local, central: dicts of what its headers say instead of the truth: what Header and
    SAID have; small are its two sizes in 32 bits, wide is what the field of zip64 holds
    (None: there is no field), extra are bytes behind that. aligned: the header is as
    PyTorch's own writer makes it, with padding up to the bytes. stream: what stands there
    instead of the deflated data. ending: one of ENDINGS, or the bytes of the descriptor.
    after: bytes that belong to no member. date: time and date of both headers."""

    def __init__(self, name, data, writer="plain", **how):
        self.name, self.data = name, data
        vars(self).update({**MEMBER, **WRITERS[writer], **how})
        if "flags" not in how:
            if writer == "torch" and not data:  # which has its size at once
                self.flags = UTF8
            if max(name, default=0) > 127 and "flags" not in self.central:
                self.flags |= UTF8
        self.packed = self.stream
        if self.stream is None:
            self.packed = data if self.method == STORED else deflated(data)
        if self.date is None:
            self.date = 0 if self.aligned else DATE
        self.crc = zlib.crc32(data)


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

    def end(self):
        self.code(0, 7)
        if self.count:
            self.number(0, 8 - self.count)
        return bytes(self.done)


@functools.lru_cache(maxsize=256)
def deflated(data):
    """One block of fixed codes; a run of one byte is a reference to the byte before.
    Without such runs it is the same in Deflate64."""
    bits, at = Bits(), 0
    bits.number(3, 3)
    while at < len(data):
        if at and data[at - 1:at] * LONGEST == data[at:at + LONGEST]:
            bits.code(0xC5, 8)  # of the length 258
            bits.code(0, 5)     # of the distance 1
            at += LONGEST
            continue
        byte, at = data[at], at + 1
        bits.code(*(0x30 + byte, 8) if byte < 144 else (0x100 + byte, 9))
    return bits.end()


# ---- records ----------------------------------------------------------------------


def said_in(each, changes):
    """What a header says: the truth, but for the changes."""
    # PyTorch's own writer says no version and no date
    needed = 0 if each.aligned else ZIP64 if each.zip64 else OLD
    said = Header(each.crc, len(each.packed), len(each.data), each.name, each.flags, each.method,
                  needed, None, None, b"")
    if changes:
        said = said._replace(**{key: value for key, value in changes.items() if key not in SAID})
    if said.small is None:
        said = said._replace(small=(UNSAID,) * 2 if each.zip64 else (said.packed, said.size))
    if each.zip64 and "wide" not in changes:
        said = said._replace(wide=struct.pack("<QQ", said.size, said.packed))
    return said


def extra_of(said):
    """The field of zip64, and what is behind it."""
    wide = b"" if said.wide is None else struct.pack("<HH", 1, len(said.wide)) + said.wide
    return wide + said.extra


def padding(each, length):
    """An extra field that is as long as brings the bytes to a multiple of 64, when
    so many stand before it."""
    if not each.aligned:
        return b""
    count = -(length + 4) % ALIGNMENT
    return struct.pack("<2sH", b"FB", count) + b"Z" * count


def local_header(each, offset):
    said = said_in(each, each.local)
    extra = extra_of(said)
    extra += padding(each, offset + 30 + len(said.name) + len(extra))
    if each.flags & SIZED_LATER:
        said = said._replace(crc=each.local.get("crc", 0),
                             small=said.small if each.zip64 else each.local.get("small", (0, 0)))
    return struct.pack("<4sHHHIIIIHH", b"PK\3\4", said.needed, said.flags, said.method,
                       each.date, said.crc, *said.small, len(said.name), len(extra)
                       ) + said.name + extra


def descriptor(each):
    if not each.flags & SIZED_LATER:
        return b""
    if isinstance(each.ending, bytes):
        return each.ending
    signature, numbers = ENDINGS[each.ending]
    return signature + struct.pack(numbers, each.crc, len(each.packed),
                                   len(each.data))


def central_header(each, offset):
    said = said_in(each, each.central)
    more = {**SAID, **each.central} if each.central else SAID
    extra = extra_of(said)
    maker = (0 if each.aligned else OLD) | more["system"] << 8
    return struct.pack("<4sHHHHIIIIHHHHHII", b"PK\1\2", maker, said.needed, said.flags,
                       said.method, each.date, said.crc, *said.small, len(said.name),
                       len(extra), len(more["comment"]), more["disk"], more["internal"],
                       more["attributes"], offset if more["offset"] is None else more["offset"]
                       ) + said.name + extra + more["comment"]


def archive(members, comment=b"", ends=None, order=None, behind=b""):
    """The bytes, and where each record is. ends: how the numbers of the end are said: "small"
    in 16 and 32 bits, "large" in 64 alone, "both" as PyTorch's own writer says them. order:
    which members the directory has, by their indices. behind: bytes between the directory and
    the end."""
    pieces, entries, at, places = [], [], 0, {}
    for i, each in enumerate(members):
        places["local", i] = at
        entries.append((i, central_header(each, at)))
        piece = local_header(each, at) + each.packed + descriptor(each) + each.after
        pieces.append(piece)
        at += len(piece)
    entries = entries if order is None else [entries[i] for i in order]
    start = at
    for i, entry in entries:
        places["central", i] = at
        pieces.append(entry)
        at += len(entry)
    torch = any(each.aligned for each in members)
    ends = ends or ("both" if torch or len(entries) > FULL else "small")
    numbers = len(entries), at - start, start
    pieces.append(behind)
    at += len(behind)
    if ends != "small":
        places["zip64 end", None], places["locator", None] = at, at + 56
        pieces.append(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, TORCH if torch else ZIP64, ZIP64,
                                  0, 0, numbers[0], *numbers))
        pieces.append(struct.pack("<4sIQI", b"PK\6\7", 0, at, 1))
        at += 76
    places["end", None] = at
    small = (FULL, UNSAID, UNSAID) if ends == "large" else (min(numbers[0], FULL), *numbers[1:])
    pieces.append(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, small[0], *small, len(comment)))
    return b"".join(pieces) + comment, places
