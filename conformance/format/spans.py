"""Where each value of a JSON text stands: a tree of spans over its bytes, in which JSON
Pointers are found.  A pointer names the members of structs and unions as the newest
version does; what an older one wraps around a value ("$value", "meta") may be left out.
"""

import json
import re

TOKEN = re.compile(rb'[ \t\r\n]*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^{}\[\]:,"\s]+)', re.S)


class Span:
    """A value: bytes from start to end.  members of an object: [key, where the key
    starts, value]; items of an array."""

    __slots__ = ("kind", "start", "end", "members", "items")

    def __init__(self, kind, start):
        self.kind, self.start, self.end, self.members, self.items = kind, start, start, [], []

    def member(self, key):
        """The value of a key, of the last of several; None where there is none."""
        return next((value for name, _, value in reversed(self.members) if name == key), None)

    def at(self, key):
        return next(i for i, member in enumerate(self.members) if member[0] == key)


def token_end(data, start):
    """Where the string or word ends that begins at a byte."""
    return TOKEN.match(data, start).end()


def key_of(token):
    return token[1:-1].decode() if b"\\" not in token else json.loads(token)


def closed(span, end, wants):
    """An object or array that ends, if it may end here."""
    if wants not in ("comma", "first key" if span.kind == "object" else "value"):
        raise ValueError("byte %d: ends too early" % end)
    span.end = end
    return span


def scan(data):
    """The tree of a text that is JSON, or nearly so: ValueError where it is not."""
    root, stack, wants, place = None, [], "value", 0
    while place < len(data):
        found = TOKEN.match(data, place)
        if not found:
            if data[place:].strip(b" \t\r\n"):
                raise ValueError("byte %d: no token" % place)
            break
        token, start, place = found[1], found.start(1), found.end()
        span, first = None, token[:1]
        if root is not None:
            raise ValueError("byte %d: something more" % start)
        if first in b"}]":
            if not stack or (first == b"}") != (stack[-1].kind == "object"):
                raise ValueError("byte %d: closes nothing" % start)
            span, wants = closed(stack.pop(), place, wants), "comma"
            root = None if stack else span
        elif first in b",:":
            if wants != ("comma" if first == b"," else "colon"):
                raise ValueError("byte %d: no place for it" % start)
            more = "key" if stack and stack[-1].kind == "object" else "item"
            wants = more if first == b"," else "member"
        elif wants in ("key", "first key"):
            stack[-1].members.append([key_of(token), start, None])
            wants = "colon"
        elif wants in ("value", "item", "member"):
            span = Span({b"{": "object", b"[": "array"}.get(first, "scalar"), start)
            span.end = place
            if stack and stack[-1].kind == "object":
                stack[-1].members[-1][2] = span
            elif stack:
                stack[-1].items.append(span)
            if span.kind == "scalar":
                wants, root = "comma", None if stack else span
            else:
                stack.append(span)
                wants = "first key" if first == b"{" else "value"
        else:
            raise ValueError("byte %d: not expected" % start)
    if root is None:
        raise ValueError("byte %d: the end" % place)
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
        said += "/" + key.replace("~", "~0").replace("/", "~1")
        if span is None:
            raise LookupError(said)
    return span, around, said
