"""Where each value of a JSON text stands: a tree of spans over its bytes, in which JSON
Pointers are found.  A pointer names the members of structs and unions as the newest
version does; what an older one wraps around a value ("$value", "meta") may be left out.
"""

import json
import re

TOKEN = re.compile(rb'[ \t\r\n]*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^{}\[\]:,"\s]+)', re.S)


class Span:
    """A value: its bytes from start to end.  members of an object: [key, where the key
    starts, value]; items of an array.  place() adds pointer and text."""

    __slots__ = ("kind", "start", "end", "members", "items", "pointer", "text")

    def __init__(self, kind, start, end):
        self.kind, self.start, self.end, self.members, self.items = kind, start, end, [], []

    def member(self, key):
        """The value of a key, of the last of several; None where there is none."""
        return next((value for name, _, value in reversed(self.members) if name == key), None)

    def at(self, key):
        return next(i for i, member in enumerate(self.members) if member[0] == key)


KINDS = {b"{": "object", b"[": "array", b'"': "string"}  # by their first byte; else scalar
CLOSED = {b"}": ("object", "first key"), b"]": ("array", "first item")}


def escape(segment):
    return segment.replace("~", "~0").replace("/", "~1")


def token_end(data, start):
    """Where the string or word ends that begins at a byte."""
    return TOKEN.match(data, start).end()


def key_of(token):
    return token[1:-1].decode() if b"\\" not in token else json.loads(token, strict=False)


def tokens(data):
    """(token, where it starts) in turn; ValueError where there is none."""
    place = 0
    while found := TOKEN.match(data, place):
        yield found[1], found.start(1)
        place = found.end()
    if data[place:].strip(b" \t\r\n"):
        raise ValueError("byte %d: no token" % place)


def scan(data):
    """The tree of a text that is JSON but for Python's literals, repeated keys and lone
    surrogates, which pass: ValueError where it is not."""
    top = Span("array", 0, 0)  # which holds the root alone
    stack, wants = [top], "root"
    for token, start in tokens(data):
        first, span = token[:1], stack[-1]
        if wants in ("value", "item", "first item", "root") and first not in b"]},:":
            value = Span(KINDS.get(first, "scalar"), start, start + len(token))
            if span.kind == "object":
                span.members[-1][2] = value
            else:
                span.items.append(value)
            wants = {"object": "first key", "array": "first item"}.get(value.kind)
            if wants:
                stack.append(value)
        elif wants in ("key", "first key") and first == b'"':
            span.members.append([key_of(token), start, None])
            wants = "colon"
        elif first == b":" and wants == "colon":
            wants = "value"
        elif first == b"," and wants is None and span is not top:
            wants = "key" if span.kind == "object" else "item"
        elif first in CLOSED and span is not top and wants in (None, CLOSED[first][1]) and (
                span.kind == CLOSED[first][0]):
            stack.pop().end = start + 1
            wants = None
        else:
            raise ValueError("byte %d: not expected" % start)
    if len(stack) > 1 or not top.items:
        raise ValueError("byte %d: the end" % len(data))
    return top.items[0]


def placed(data):
    """The same, in which each value has its pointer, and each scalar its text."""
    root = scan(data)
    root.pointer, todo = "", [root]
    while todo:
        span = todo.pop()
        inside = [(key, value) for key, _, value in span.members] + list(enumerate(span.items))
        for key, value in inside:
            value.pointer = "%s/%s" % (span.pointer, escape(str(key)))
            todo.append(value)
        leaf = span.kind in ("string", "scalar")
        span.text = data[span.start:span.end].decode("latin-1") if leaf else ""
    return root


def segments(pointer):
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def wrapped(span, data, key):
    """The key under which an older version has what a pointer names; None if none."""
    if span.kind == "object" and span.member(key) is None:
        tag = span.member("$type")
        if tag and data[tag.start:tag.end] == json.dumps(key).encode():
            return "$value"
        if span.member("meta") and len(span.members) == 1:
            return "meta"
    return None


def step(span, key):
    """Into a value; None where there is nothing."""
    if span.kind == "array":
        return span.items[int(key)] if key.isdigit() and int(key) < len(span.items) else None
    return span.member(key)


def find(root, data, pointer):
    """The span at a pointer, the object or array around it, and the pointer as this
    document has it.  LookupError where there is nothing."""
    span, around, said = root, None, ""
    todo = segments(pointer)
    while todo:
        key = todo[0]
        other = wrapped(span, data, key)
        if other == "meta":
            todo.insert(0, other)
        elif other:
            todo[0] = other
        key = todo.pop(0)
        around, span = span, step(span, key)
        said += "/" + escape(key)
        if span is None:
            raise LookupError(said)
    return span, around, said
