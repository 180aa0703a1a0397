"""Changes of a document, by pointer.  Each is a list that begins with what it does:

    ["set", POINTER, VALUE]             the value is another one
    ["add", POINTER, VALUE, BEFORE]     a member more, at the end or before a key; an item
                                        more, before the item that has its index
    ["remove", POINTER]                 a member or item less
    ["rename", POINTER, KEY]            the key is other bytes, with its quotes
    ["raw", POINTER, BYTES]             the value is these bytes
    ["text", POINTER, AT, LENGTH, BYTES]      a part of the bytes of a value is another
    ["bytes", AT, LENGTH, BYTES, TIMES, BETWEEN, AFTER]  a part of the bytes of the document

Pointers are those of the document before all changes.  VALUE is written as format/neutral.py
has it.  BYTES are a text, {"base64": ...} or {"hex": ...}.
"""

import base64

from format import spans
from format.neutral import shape_at, spell


def apply(text, change):
    """The bytes that a change makes; change may repeat its replacement, and then nest
    something in it: (offset, length, before, times, between, after)."""
    offset, length, replacement = change[:3]
    times = change[3] if len(change) > 3 else 1
    between, after = change[4:] if len(change) > 4 else (text[:0], text[:0])
    return (text[:offset] + replacement * times + between + after * times
            + text[offset + length:])


def raw(said):
    """The bytes of a text, of {"base64": ...} or {"hex": ...}."""
    if isinstance(said, str):
        return said.encode("utf-8", "surrogatepass")
    return bytes.fromhex(said["hex"]) if "hex" in said else base64.b64decode(said["base64"])


def of_version(value, version):
    """What a row says, with {v} as the version."""
    if isinstance(value, str):
        return value.replace("{v}", version or "")
    if isinstance(value, dict):
        return {key: of_version(each, version) for key, each in value.items()}
    return value


def fits_text(data):
    """Whether bytes can stand as text: UTF-8 without U+0000, which ends C's strings."""
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def said(data):
    """Bytes as raw() reads them."""
    return data.decode("utf-8") if fits_text(data) else {
        "base64": base64.b64encode(data).decode("ascii")}


def parts(span):
    """Where each member or item of an object or array starts, and where it ends."""
    if span.kind == "array":
        return [item.start for item in span.items], [item.end for item in span.items]
    return [start for _, start, _ in span.members], [value.end for _, _, value in span.members]


class Edit:
    """One change of a document of a version: a splice, (at, length, bytes, ...)."""

    def __init__(self, data, root, version):
        self.data, self.root, self.version = data, root, version

    def splice(self, change):
        what, *rest = change
        return getattr(self, "do_" + what)(*rest)

    def span(self, pointer):
        return spans.find(self.root, self.data, pointer)[0]

    def parent(self, pointer):
        head, _, _ = pointer.rpartition("/")
        return self.span(head), spans.segments(pointer)[-1]

    def value(self, pointer, said):
        shape = self.version and shape_at(self.version, spans.segments(pointer))
        return spell(self.version, shape or None, said)

    def do_bytes(self, at, length, said, *nested):
        return (at, length, raw(said), *(n if isinstance(n, int) else raw(n) for n in nested))

    def do_set(self, pointer, said):
        span = self.span(pointer)
        return span.start, span.end - span.start, self.value(pointer, said)

    def do_raw(self, pointer, said):
        span = self.span(pointer)
        return span.start, span.end - span.start, raw(said)

    def do_text(self, pointer, at, length, said):
        return self.span(pointer).start + at, length, raw(said)

    def do_rename(self, pointer, said):
        span, key = self.parent(pointer)
        start = span.members[span.at(key)][1]
        return start, spans.token_end(self.data, start) - start, raw(said)

    def do_add(self, pointer, said, before=None):
        span, key = self.parent(pointer)
        value = self.value(pointer, said)
        starts, ends = parts(span)
        if span.kind == "array":
            place = int(key)
        else:
            place = len(starts) if before is None else span.at(before)
            value = spell(None, None, key) + b": " + value
        if not starts:
            return span.start + 1, 0, value
        if place == len(starts):
            return ends[-1], 0, b", " + value
        return starts[place], 0, value + b", "

    def do_remove(self, pointer):
        span, key = self.parent(pointer)
        starts, ends = parts(span)
        place = int(key) if span.kind == "array" else span.at(key)
        if place:
            begin, end = ends[place - 1], ends[place]
        elif len(starts) > 1:
            begin, end = starts[0], starts[1]
        else:
            begin, end = starts[0], ends[0]
        return begin, end - begin, b""


def splices(data, version, edit, root=None):
    """The bytes after all changes, and their splices from first to last byte.  Pointers and
    bytes are those of the document before all of them."""
    if root is None and any(change[0] != "bytes" for change in edit):
        root = spans.scan(data)
    one = Edit(data, root, version)
    return applied(data, [one.splice(change) for change in edit])


def applied(data, made):
    """The bytes after splices, and these from first to last byte."""
    done = sorted(made, key=lambda splice: splice[:2])
    for before, after in zip(done, done[1:]):
        if before[0] + before[1] > after[0]:
            raise ValueError("two changes of byte %d" % after[0])
    for splice in reversed(done):
        data = apply(data, splice)
    return data, done
