"""The wire level (SPEC part 2) once more, from its grammar, for spec_oracle: the code that
a document is refused with, without versions and limits.
"""

import re

SPACE = re.compile(rb"[ \t\n\r]*")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
DIGITS = re.compile(rb"[0-9]*")
HEX = b"0123456789abcdefABCDEF"
WORDS = (b"true", b"false", b"null")
LITERALS = (b"Infinity", b"-Infinity", b"NaN")
ESCAPES = b'"\\/bfnrt'
BOM = b"\xef\xbb\xbf"
DUE = ()  # on the stack: a value
CUT = "unexpected end of data"  # what Python says of a character that is not whole


class Refused(ValueError):
    """With the name of a code."""


class Wire:
    """A reader that goes over a document once."""

    def __init__(self, data):
        self.data, self.at = data, 0
        self.literal = False  # one was met, which versions decide about (2.7)

    def peek(self):
        """The next byte; b"" behind the last."""
        return self.data[self.at:self.at + 1]

    def need(self):
        """The next byte, where there has to be one."""
        if not self.peek():
            raise Refused("EP_END")
        return self.peek()

    def space(self):
        self.at = SPACE.match(self.data, self.at).end()

    def take(self, byte):
        if self.need() != byte:
            raise Refused("EP_SYNTAX")
        self.at += 1

    # -- scalars

    def word(self, text):
        for i in range(len(text)):
            self.take(text[i:i + 1])

    def digits(self):
        """One or more."""
        begin, self.at = self.at, DIGITS.match(self.data, self.at).end()
        if self.at == begin:
            self.need()
            raise Refused("EP_NUMBER")

    def number(self):
        self.at += self.peek() == b"-"
        zero = self.peek() == b"0"
        begin = self.at
        self.digits()
        if zero and self.at > begin + 1:
            raise Refused("EP_NUMBER")
        if self.peek() == b".":
            self.at += 1
            self.digits()
        if self.peek() in (b"e", b"E"):
            self.at += 1
            if self.peek() in (b"+", b"-"):
                self.at += 1
            self.digits()

    def unit(self):
        """Four hexadecimal digits behind the u of an escape."""
        for i in range(4):
            if self.need() not in [bytes([each]) for each in HEX]:
                raise Refused("EP_ESCAPE")
            self.at += 1
        return int(self.data[self.at - 4:self.at], 16)

    def escape(self):
        """What follows a backslash; the unit, or None."""
        letter = self.need()
        if letter == b"u":
            self.at += 1
            return self.unit()
        if letter not in [bytes([each]) for each in ESCAPES]:
            raise Refused("EP_ESCAPE")
        self.at += 1
        return None

    def low(self):
        """The other half of a character (2.4.3)."""
        for byte in (b"\\", b"u"):
            if self.need() != byte:
                raise Refused("EP_SURROGATE")
            self.at += 1
        if not 0xDC00 <= self.unit() < 0xE000:
            raise Refused("EP_SURROGATE")
        return None

    def plain(self):
        end = PLAIN.match(self.data, self.at).end()
        try:
            text = self.data[self.at:end].decode("utf-8")
        except UnicodeDecodeError as error:
            cut = error.reason == CUT and end == len(self.data)
            raise Refused("EP_END" if cut else "EP_UTF8") from error
        self.at = end
        return text

    def string(self):
        """What a string says."""
        found = []
        self.at += 1
        while True:
            found.append(self.plain())
            byte = self.need()
            if byte not in (b'"', b"\\"):
                raise Refused("EP_CONTROL")
            self.at += 1
            if byte == b'"':
                return "".join(found)
            begin = self.at
            unit = self.escape()
            if unit is not None and 0xDC00 <= unit < 0xE000:
                raise Refused("EP_SURROGATE")
            if unit is not None and 0xD800 <= unit < 0xDC00:
                self.low()
            spelled = self.data[begin:self.at].decode("ascii")
            found.append(said(spelled))

    # -- documents

    def scalar(self):
        byte = self.need()
        if byte == b'"':
            self.string()
            return
        for text in LITERALS:
            if byte == text[:1] and (byte != b"-" or self.data[self.at + 1:self.at + 2] == b"I"):
                self.word(text)
                self.literal = True
                return
        if byte == b"-" or byte.isdigit():
            self.number()
            return
        for text in WORDS:
            if byte == text[:1]:
                self.word(text)
                return
        raise Refused("EP_SYNTAX")

    def key(self, known):
        if self.need() != b'"':
            raise Refused("EP_SYNTAX")
        known.append(self.string())
        self.space()
        self.take(b":")

    def open(self, stack):
        """A container that has parts is put on the stack; an empty one is over."""
        known = [] if self.peek() == b"{" else None
        self.at += 1
        self.space()
        if self.need() == (b"]" if known is None else b"}"):
            self.at += 1
            return
        stack.append(known)
        if known is not None:
            self.key(known)
        self.value(stack)

    def value(self, stack):
        self.space()
        stack.append(DUE)

    def document(self):
        if self.data.startswith(BOM):
            raise Refused("EP_BOM")
        stack = []
        self.value(stack)
        while stack:
            self.next(stack)
        self.space()
        if self.peek():
            raise Refused("EP_TRAILING")

    def next(self, stack):
        if stack[-1] is DUE:
            stack.pop()
            if self.need() in (b"[", b"{"):
                self.open(stack)
            else:
                self.scalar()
            return
        known = stack[-1]
        self.space()
        if self.need() == (b"]" if known is None else b"}"):
            self.at += 1
            stack.pop()
            if known is not None and len(set(known)) < len(known):
                raise Refused("EP_DUPLICATE_KEY")
            return
        self.take(b",")
        self.space()
        if known is not None:
            self.key(known)
        self.value(stack)


def said(spelled):
    """What an escape stands for, of which the backslash is left out."""
    if spelled[0] != "u":
        return {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(spelled, spelled)
    units = [int(each, 16) for each in re.findall("u(.{4})", spelled)]
    return chr(units[0] if len(units) == 1 else
               0x10000 + (units[0] - 0xD800) * 1024 + units[1] - 0xDC00)


def judge(data):
    """The name of a code, EP_OK for none; None where the versions decide."""
    wire = Wire(data)
    try:
        wire.document()
    except Refused as refused:
        return None if wire.literal else str(refused)
    return None if wire.literal else "EP_OK"
