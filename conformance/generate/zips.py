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

Member = namedtuple("Member", "name data method flags zip64 local central aligned")
Header = namedtuple("Header", "crc packed size name")


def member(name, data, method=STORED, flags=0, zip64=False, local=None, central=None,
           aligned=False):
    """local, central: dicts of what its headers say instead of the truth.  aligned: the
    header is as PyTorch's own writer makes it, with padding up to the bytes."""
    name = name.encode("utf-8")
    flags |= UTF8 if max(name, default=0) > 127 else 0
    return Member(name, data, method, flags, zip64, local or {}, central or {}, aligned)


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
    return each.data if each.method == STORED else deflated(each.data)


def truth(each):
    data = packed(each)
    return Header(zlib.crc32(each.data), len(data), len(each.data), each.name)


def sizes_extra(each, said):
    return struct.pack("<HHQQ", 1, 16, said.size, said.packed) if each.zip64 else b""


def padding(each, length):
    """An extra field that is as long as brings the bytes to a multiple of 64, when
    so many stand before it."""
    if not each.aligned:
        return b""
    count = -(length + 4) % ALIGNMENT
    return struct.pack("<2sH", b"FB", count) + b"Z" * count


def versions(each):
    """The version needed to read it, and its date: PyTorch's own writer has none."""
    return (0 if each.aligned else ZIP64 if each.zip64 else OLD, 0 if each.aligned else DATE)


def local_header(each, offset):
    said = truth(each)._replace(**each.local)
    extra = sizes_extra(each, said)
    extra += padding(each, offset + 30 + len(said.name) + len(extra))
    if each.flags & SIZED_LATER:
        said = said._replace(crc=0, packed=0, size=0)
    small = [UNSAID, UNSAID] if each.zip64 else [said.packed, said.size]
    needed, date = versions(each)
    return struct.pack("<4sHHHHHIIIHH", b"PK\3\4", needed, each.flags, each.method, 0, date,
                       said.crc, *small, len(said.name), len(extra)) + said.name + extra


def descriptor(each):
    if not each.flags & SIZED_LATER:
        return b""
    said = truth(each)
    return struct.pack("<4sIII", b"PK\7\10", said.crc, said.packed, said.size)


def central_header(each, offset):
    said = truth(each)._replace(**each.central)
    extra = sizes_extra(each, said)
    small = [UNSAID, UNSAID] if each.zip64 else [said.packed, said.size]
    needed, date = versions(each)
    return struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 0 if each.aligned else OLD, needed,
                       each.flags, each.method, 0, date, said.crc, *small, len(said.name),
                       len(extra), 0, 0, 0, 0, offset) + said.name + extra


def end_of(count, size, offset, comment):
    """The end of the central directory, behind which is nothing but the comment."""
    return struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, size, offset,
                       len(comment)) + comment


def large_end_of(count, size, offset, maker):
    """The same in 64 bits, which stands before it, and where that is."""
    large = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, maker, ZIP64, 0, 0, count, count, size,
                        offset)
    return large + struct.pack("<4sIQI", b"PK\6\7", 0, offset + size, 1)


def archive(*members, comment=b"", zip64=False):
    """zip64: the end says nothing but in 64 bits. PyTorch's own writer says all in both."""
    data, directory = b"", b""
    for each in members:
        directory += central_header(each, len(data))
        data += local_header(each, len(data)) + packed(each) + descriptor(each)
    said = (len(members), len(directory), len(data))
    if zip64:
        ends = large_end_of(*said, ZIP64) + end_of(0xFFFF, UNSAID, UNSAID, comment)
    elif any(each.aligned for each in members):
        ends = large_end_of(*said, WRITER) + end_of(*said, comment)
    else:
        ends = end_of(*said, comment)
    return data + directory + ends
