"""The wire level (SPEC part 2) once more, from its grammar, for spec_oracle: the code that
a document is refused with, without versions and limits; and what it holds, with places.
"""

import re

SPACE = re.compile(rb"[ \t\n\r]*")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
DIGITS = re.compile(rb"[0-9]*")
HEX = b"0123456789abcdefABCDEF"
WORDS = {b"true": True, b"false": False, b"null": None}
LITERALS = (b"Infinity", b"-Infinity", b"NaN")
ESCAPES = b'"\\/bfnrt'
BOM = b"\xef\xbb\xbf"
CUT = "unexpected end of data"  # what Python says of a character that is not whole


class Refused(ValueError):
    """With the name of a code, and the byte that it is reported at."""

    def __init__(self, code, at):
        super().__init__(code)
        self.at = at


class Placed:
    """What stands in a document: its first byte, and its pointer."""

    at, pointer = 0, ""

    def put(self, at, pointer):
        self.at, self.pointer = at, pointer
        return self


class Text(Placed, str):
    """A string, or a key, whose pointer is that of the member."""


class Number(Placed, str):
    """A number as it is spelled, or a literal."""


class Members(Placed, list):
    """An object: (key, value), in order."""


class Items(Placed, list):
    """An array."""


class Wire:
    """A reader that goes over a document once."""

    def __init__(self, data):
        self.data, self.at = data, 0
        self.frames, self.due = [], ("", None)  # a pointer, and where its member begins
        self.spans = {}     # of pointers: where the member or item begins and ends
        self.literals = []  # places of those that versions decide about (2.7)
        self.root = None

    def peek(self):
        """The next byte; b"" behind the last."""
        return self.data[self.at:self.at + 1]

    def need(self):
        """The next byte, where there has to be one."""
        if not self.peek():
            raise self.refused("EP_END")
        return self.peek()

    def refused(self, code, at=None):
        at = len(self.data) if code == "EP_END" else at
        return Refused(code, self.at if at is None else at)

    def space(self):
        self.at = SPACE.match(self.data, self.at).end()

    def take(self, byte):
        if self.need() != byte:
            raise self.refused("EP_SYNTAX")
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
            raise self.refused("EP_NUMBER")

    def number(self):
        self.at += self.peek() == b"-"
        zero = self.peek() == b"0"
        begin = self.at
        self.digits()
        if zero and self.at > begin + 1:
            raise self.refused("EP_NUMBER", begin + 1)
        if self.peek() == b".":
            self.at += 1
            self.digits()
        if self.peek() in (b"e", b"E"):
            self.at += 1
            if self.peek() in (b"+", b"-"):
                self.at += 1
            self.digits()

    def unit(self, begin):
        """Four hexadecimal digits behind the u of an escape that begins there."""
        for _ in range(4):
            if self.need() not in [bytes([each]) for each in HEX]:
                raise self.refused("EP_ESCAPE", begin)
            self.at += 1
        return int(self.data[self.at - 4:self.at], 16)

    def escape(self):
        """What follows a backslash; the unit, or None."""
        begin, letter = self.at - 1, self.need()
        if letter == b"u":
            self.at += 1
            return self.unit(begin)
        if letter not in [bytes([each]) for each in ESCAPES]:
            raise self.refused("EP_ESCAPE", begin)
        self.at += 1
        return None

    def low(self, begin):
        """The other half of a character, the first of which begins there (2.4.3)."""
        second = self.at
        for byte in (b"\\", b"u"):
            if self.need() != byte:
                raise self.refused("EP_SURROGATE", begin)
            self.at += 1
        if not 0xDC00 <= self.unit(second) < 0xE000:
            raise self.refused("EP_SURROGATE", begin)

    def plain(self):
        end = PLAIN.match(self.data, self.at).end()
        try:
            text = self.data[self.at:end].decode("utf-8")
        except UnicodeDecodeError as error:
            cut = error.reason == CUT and end == len(self.data)
            at = self.at + error.start
            raise self.refused("EP_END" if cut else "EP_UTF8", at) from error
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
                raise self.refused("EP_CONTROL")
            self.at += 1
            if byte == b'"':
                return "".join(found)
            begin = self.at
            unit = self.escape()
            if unit is not None and 0xDC00 <= unit < 0xE000:
                raise self.refused("EP_SURROGATE", begin - 1)
            if unit is not None and 0xD800 <= unit < 0xDC00:
                self.low(begin - 1)
            spelled = self.data[begin:self.at].decode("ascii")
            found.append(said(spelled))

    # -- documents

    def scalar(self):
        begin, byte = self.at, self.need()
        if byte == b'"':
            return Text(self.string())
        for text in LITERALS:
            if byte == text[:1] and (byte != b"-" or self.data[self.at + 1:self.at + 2] == b"I"):
                self.word(text)
                self.literals.append(begin)
                return Number(text.decode("ascii"))
        if byte == b"-" or byte.isdigit():
            self.number()
            return Number(self.data[begin:self.at].decode("ascii"))
        for text, value in WORDS.items():
            if byte == text[:1]:
                self.word(text)
                return value
        raise self.refused("EP_SYNTAX")

    def part(self, frame):
        """The next item or member; its value is due."""
        if isinstance(frame.made, Items):
            self.due = "%s/%d" % (frame.pointer, frame.count), None
        else:
            begin = self.at
            if self.need() != b'"':
                raise self.refused("EP_SYNTAX")
            name = self.string()
            key = Text(name).put(begin, "%s/%s" % (frame.pointer, segment(name)))
            frame.made.append((key, None))
            self.space()
            self.take(b":")
            self.due = key.pointer, begin
        frame.count += 1

    def close(self, frame):
        """The closing bracket, if it is next."""
        if self.need() != (b"]" if isinstance(frame.made, Items) else b"}"):
            return False
        self.at += 1
        self.spans[frame.pointer] = frame.begin, self.at
        known = set()
        for key, _ in frame.made if isinstance(frame.made, Members) else ():
            if key in known:
                raise self.refused("EP_DUPLICATE_KEY", key.at)
            known.add(key)
        return True

    def value(self):
        """The value that is due."""
        (pointer, begin), self.due = self.due, None
        self.space()
        byte, at = self.need(), self.at
        begin = self.at if begin is None else begin
        if byte not in (b"[", b"{"):
            self.give(self.scalar(), at, pointer)
            self.spans[pointer] = begin, self.at
            return
        frame = Frame(Members() if byte == b"{" else Items(), pointer, begin)
        self.give(frame.made, at, pointer)
        self.at += 1
        self.space()
        if not self.close(frame):
            self.frames.append(frame)
            self.part(frame)

    def give(self, value, at, pointer):
        """A value that has begun there, to what holds it."""
        if isinstance(value, Placed):
            value.put(at, pointer)
        if not self.frames:
            self.root = value
        elif isinstance(self.frames[-1].made, Items):
            self.frames[-1].made.append(value)
        else:
            made = self.frames[-1].made
            made[-1] = made[-1][0], value

    def next(self):
        """What follows a value in the innermost container."""
        self.space()
        if self.close(self.frames[-1]):
            self.frames.pop()
        else:
            self.take(b",")
            self.space()
            self.part(self.frames[-1])

    def all(self):
        """A value with all that it holds."""
        while self.due or self.frames:
            if self.due:
                self.value()
            else:
                self.next()

    def document(self):
        if self.data.startswith(BOM):
            raise self.refused("EP_BOM")
        self.all()
        self.space()
        if self.peek():
            raise self.refused("EP_TRAILING")


class Frame:
    """An array or object that is open."""

    def __init__(self, made, pointer, begin):
        self.made, self.pointer, self.begin, self.count = made, pointer, begin, 0


def segment(name):
    """Of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def said(spelled):
    """What an escape stands for, of which the backslash is left out."""
    if spelled[0] != "u":
        return {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(spelled, spelled)
    units = [int(each, 16) for each in re.findall("u(.{4})", spelled)]
    return chr(units[0] if len(units) == 1 else
               0x10000 + (units[0] - 0xD800) * 1024 + units[1] - 0xDC00)


def judge(data):
    """The reader; the name of a code, and where it is reported, EP_OK for none. Where it holds
    a literal the versions decide."""
    wire = Wire(data)
    code, at = "EP_OK", 0
    try:
        wire.document()
    except Refused as refused:
        code, at = str(refused), refused.at
    return wire, "%s %d" % (code, at)
