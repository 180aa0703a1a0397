"""The languages inside strings (SPEC part 4) once more, from the specification and its
annexes, for spec_oracle: which text of a program is the first that is none, the code that it
is refused with, and the byte of the document. Tree specs and metadata are here.
"""

import json
import re

import spec_expressions
import spec_guards
import spec_wire
from format.annexes import rows
from format.history import ORDER
from spec_expressions import Wrong

INT_LEAST, INT_MOST = -2**63, 2**63 - 1
NAMES = {"nn_module_stack": "1-2023-08", "source_fn": "1-2023-08", "source_fn_stack": "2",
         "torch_fn": "5.3", "custom": "7.3", "from_node": "8.17"}
LAST = {"source_fn": "1"}  # of 1-2023-12 nobody knows
OLD, BETWEEN = ("1-2023-08", "1"), "1-2023-12"  # two forms of nn_module_stack; in one, any
ENUM_KEYS = "7.4"
EITHER, SREPR = "8.1-a", "8.2"  # from then on expressions in either form, in one
TREE, CONTEXT = "EP_TREESPEC", "EP_TREESPEC_CONTEXT"
FORMS = [(each["type"], each["form"], each["since"], each["until"])
         for each in rows("tree_specs")]
PROTOCOLS = {each["name"]: int(each["tree_spec"] or 1) for each in rows("versions")}
STRINGS = ("null", "keys", "maxlen")  # forms whose context is a text in a string
SPACE = b" \t\n\r"


def place(name):
    return ORDER.index(name)


def within(version, since, until=None):
    return spec_guards.within(version.name, since, until)


def is_name(text):
    """Names of Python with dots between, < and > around some (4.2.3). Every character beyond
    ASCII counts as a letter (1.6), whatever Python says of it."""
    text = re.sub(r"[^\x00-\x7f]", "a", text)
    parts = [re.sub(r"\A<(.*)>\Z", r"\1", part, flags=re.DOTALL) for part in text.split(".")]
    return all(part.isidentifier() for part in parts)


def spelled(data):
    """As json.dumps; U+007F is escaped (3.9.3)."""
    return json.dumps(data).replace("\x7f", "\\u007f")


def is_int(data):
    return isinstance(data, int) and not isinstance(data, bool) and INT_LEAST <= data <= INT_MOST


def places(raw, begin):
    """The bytes that the characters of a JSON string come from, whose quote is at begin; the
    closing quote last (part 4)."""
    found, at = [], begin + 1
    while raw[at] != 0x22:
        found.append(at)
        if raw[at] != 0x5C:
            at += 1
            while raw[at] & 0xC0 == 0x80:
                at += 1
        elif raw[at + 1] != 0x75:
            at += 2
        else:
            at += 12 if 0xD800 <= int(raw[at + 2:at + 6], 16) < 0xDC00 else 6
    return found + [at]


# ---- JSON as json.dumps spells it


class Reader:
    """Of a text that is JSON, spelled in one way; at is a byte."""

    def __init__(self, text, code):
        self.raw, self.code = text.encode("utf-8"), code
        self.wire = spec_wire.Wire(self.raw)

    @property
    def at(self):
        return self.wire.at

    def next(self):
        return self.raw[self.at:self.at + 1]

    def wrong(self, at=None, code=None):
        return Wrong(code or self.code, self.at if at is None else at)

    def take(self, text):
        for i in range(len(text)):
            if self.next() != text[i:i + 1]:
                raise self.wrong()
            self.wire.at += 1

    def end(self):
        if self.at < len(self.raw):
            raise self.wrong()

    def read(self, how):
        try:
            return how()
        except spec_wire.Refused as refused:
            raise self.wrong(refused.at) from refused

    def scalar(self):
        """A string, number or word; spelled otherwise it is wrong at its first byte."""
        begin = self.at
        self.wire.literals.clear()
        value = self.read(self.wire.scalar)
        if isinstance(value, spec_wire.Number) and not self.wire.literals:
            value = json.loads(value)
        if self.wire.literals or spelled(value) != self.raw[begin:self.at].decode("utf-8"):
            raise self.wrong(begin)
        return value

    def string(self):
        if self.next() != b'"':
            raise self.wrong()
        return self.scalar()

    def integer(self):
        """One of 64 bits."""
        begin = self.at
        value = self.number()
        if not is_int(value):
            raise self.wrong(begin)
        return value

    def number(self):
        """An integer of any size."""
        begin = self.at
        if self.next() not in tuple(b"-0123456789"[i:i + 1] for i in range(11)) \
                or self.raw[begin:begin + 2] == b"-I":  # a literal, or what begins as one
            raise self.wrong()
        value = self.scalar()
        if isinstance(value, float):
            raise self.wrong(begin)
        return value

    def value(self):
        """Any value: of an array or object its end is found first, then how it is spelled is
        looked at (4.2.1)."""
        if self.next() not in (b"[", b"{"):
            return self.scalar()
        begin = self.at
        inner = spec_wire.Wire(self.raw)
        inner.at = begin
        self.read(inner.all)
        if inner.literals:
            raise self.wrong(inner.literals[0])
        end, self.wire.at = inner.at, begin
        while self.at < end:
            self.token()
        return None

    def token(self):
        letter = self.next()
        if letter in SPACE:
            raise self.wrong()
        if letter not in (b"[", b"]", b"{", b"}", b",", b":"):
            self.scalar()
            return
        self.wire.at += 1
        if letter in (b",", b":"):
            self.take(b" ")


# ---- tree specs


class Tree:
    def __init__(self, text, version, fields):
        self.reader, self.version, self.fields = Reader(text, TREE), version, fields

    def whole(self):
        reader = self.reader
        reader.take(b"[")
        begin = reader.at
        if reader.number() != PROTOCOLS[self.version.name]:
            raise reader.wrong(begin, "EP_TREESPEC_PROTOCOL")
        reader.take(b", ")
        self.node()
        reader.take(b"]")
        reader.end()

    def node(self):
        reader, count = self.reader, 0
        reader.take(b'{"type": ')
        kind = self.kind()
        reader.take(b', "context": ')
        least, most = self.context(kind)
        reader.take(b', "children_spec": [')
        while reader.next() != b"]":
            if count:
                reader.take(b", ")
            if reader.next() == b"{" and count == most:
                raise reader.wrong(code="EP_TREESPEC_CHILDREN")
            self.node()
            count += 1
        if count < least:
            raise reader.wrong(code="EP_TREESPEC_CHILDREN")
        reader.take(b"]}")

    def kind(self):
        """Nothing, a registered type, or the forms of a type of E.2."""
        reader, begin = self.reader, self.reader.at
        if reader.next() == b"n":
            reader.take(b"null")
            return None
        name = reader.string()
        forms = [form for each, form, since, until in FORMS
                 if each == name and within(self.version, since, until)]
        if not forms and (not is_name(name) or name.startswith(("builtins.", "collections."))):
            raise reader.wrong(begin, "EP_TREESPEC_TYPE")
        return forms or name

    def context(self, kind):
        """How many children a node has, at least and at most."""
        begin = self.reader.at
        first = self.reader.next()
        value = self.reader.value()
        end = self.reader.at
        many = 1 << 60
        if kind is None:
            if value is not None or first != b"n":
                raise self.reader.wrong(begin, CONTEXT)
            return 0, 0
        if isinstance(kind, str):
            count = None if self.fields is None else self.fields.get(kind)
            return (0, many) if count is None else (count, count)
        form = kind[0] if len(kind) == 1 else "fields" if first == b"{" else "name"
        counts = Context(self.reader, begin, self.version, self.fields).count(form)
        self.reader.wire.at = end
        return counts


class Context:
    """A context against its form."""

    def __init__(self, outer, begin, version, fields):
        self.outer, self.begin, self.version, self.fields = outer, begin, version, fields

    def count(self, form):
        outer = self.outer
        outer.wire.at = self.begin
        if form in STRINGS + ("name",) and outer.next() != b'"':
            raise outer.wrong(code=CONTEXT)
        self.reader = outer
        if form not in STRINGS:
            before, outer.code = outer.code, CONTEXT
            found = getattr(self, "of_" + form)()
            outer.code = before
            return found
        text = outer.string()
        self.reader = Reader(text, CONTEXT)
        try:
            found = getattr(self, "of_" + form)()
            self.reader.end()
            return found
        except Wrong as wrong:
            at = len(self.reader.raw[:wrong.at].decode("utf-8", "ignore"))
            raise Wrong(wrong.code, places(outer.raw, self.begin)[at]) from wrong

    def of_null(self):
        self.reader.take(b"null")
        return 0, 1 << 60

    def of_maxlen(self):
        reader, begin = self.reader, self.reader.at
        if reader.next() == b"n":
            return self.of_null()
        most = reader.integer()
        if most < 0:
            raise reader.wrong(begin)
        return 0, most

    def of_keys(self, key=None):
        """An array of what are all different; established by its end."""
        reader, known, again = self.reader, set(), None
        reader.take(b"[")
        count = 0
        while reader.next() != b"]" or count:
            begin = reader.at
            said = (key or self.key)()
            if said in known and again is None:
                again = begin
            known.add(said)
            count += 1
            if reader.next() == b"]":
                break
            reader.take(b", ")
        reader.take(b"]")
        if again is not None:
            raise reader.wrong(again)
        return count, count

    def key(self):
        """Those are equal which Python takes for one."""
        reader, begin = self.reader, self.reader.at
        if reader.next() == b"{":
            return self.enum()
        if reader.next() == b"[":
            raise reader.wrong()
        if reader.next() in (b"N", b"I"):
            raise reader.wrong()
        value = reader.scalar()
        if isinstance(value, int) and not isinstance(value, bool) and not is_int(value):
            raise reader.wrong(begin)
        return ("text", value) if isinstance(value, str) else ("other", value)

    def enum(self):
        reader, begin = self.reader, self.reader.at
        reader.take(b'{"__enum__": true, "fqn": ')
        fqn = self.name(lambda text: all(map(is_name, text.split(":", 1))) and ":" in text)
        reader.take(b', "name": ')
        name = self.name()
        reader.take(b"}")
        if not within(self.version, ENUM_KEYS):
            raise reader.wrong(begin)
        return "enum", fqn, name

    def name(self, is_good=is_name):
        reader, begin = self.reader, self.reader.at
        text = reader.string()
        if not is_good(text):
            raise reader.wrong(begin)
        return text

    def of_factory(self):
        reader = self.reader
        reader.take(b'{"default_factory_module": ')
        self.name()
        reader.take(b', "default_factory_name": ')
        self.name()
        reader.take(b', "dict_context": ')
        found = self.of_keys()
        reader.take(b"}")
        return found

    def of_fields(self):
        reader = self.reader
        reader.take(b'{"class_name": ')
        self.name()
        reader.take(b', "fields": ')
        found = self.of_keys(reader.string)
        reader.take(b"}")
        return found

    def of_name(self):
        name = self.name()
        if self.fields is None:
            return 0, 1 << 60
        if name not in self.fields:
            raise self.reader.wrong(self.begin, "EP_TREESPEC_NAMEDTUPLE")
        return self.fields[name], self.fields[name]


# ---- metadata


def cut(text, begin, end, signs):
    """Where the commas at count 0 are (4.3). signs: what counts."""
    depth, found = 0, []
    for at in range(begin, end):
        letter = text[at]
        depth += (letter in signs[0]) - (letter in signs[1])
        if letter == "," and depth == 0:
            found.append(at)
    return found


def parted(code, text, begin, end, commas, count):
    """Parts that the commas set apart, as many as there have to be."""
    if len(commas) + 1 > count:
        raise Wrong(code, commas[count - 1])
    if len(commas) + 1 < count:
        raise Wrong(code, end)
    return list(zip([begin] + [at + 1 for at in commas], commas + [end]))


def filled(code, *spans):
    for begin, end in spans:
        if begin == end:
            raise Wrong(code, begin)


def entries(text):
    """Spans between semicolons."""
    at = 0
    for part in text.split(";"):
        yield at, at + len(part)
        at += len(part) + 1


def modules(text, version):
    code = "EP_METADATA_MODULES"
    for begin, end in entries(text) if version.name != BETWEEN else ():
        if version.name not in OLD:
            key, _, kind = parted(code, text, begin, end, cut(text, begin, end, ("([", ")]")), 3)
            filled(code, key, kind)
            continue
        colon = text.find(":", begin, end)
        if colon < 0 or colon + 1 == end:
            raise Wrong(code, end)
        if text[colon + 1] != "(":
            raise Wrong(code, colon + 1)
        _, kind = parted(code, text, colon + 2, end, cut(text, colon + 2, end, "()"), 2)
        if text[end - 1] != ")" or end - 1 < kind[0]:
            raise Wrong(code, end)
        filled(code, (begin, colon), (kind[0], end - 1))


def functions(text, spans):
    for begin, end in spans:
        commas = [at for at in range(begin, end) if text[at] == ","]
        filled("EP_METADATA_SOURCE", *parted("EP_METADATA_SOURCE", text, begin, end, commas, 2))


def torch_fn(text):
    signs = [at for at, letter in enumerate(text) if letter == ";"]
    filled("EP_METADATA_TORCH_FN", *parted("EP_METADATA_TORCH_FN", text, 0, len(text), signs, 2))


def custom(text):
    """By part 2, whose literals may stand."""
    wire = spec_wire.Wire(text.encode("utf-8"))
    wire.space()
    if wire.peek() != b"{":
        raise Wrong("EP_METADATA_CUSTOM", wire.at)
    wire = spec_wire.Wire(wire.data)
    try:
        wire.document()
    except spec_wire.Refused as refused:
        raise Wrong("EP_METADATA_CUSTOM", refused.at) from refused


class Sources:
    def __init__(self, text):
        self.reader = Reader(text, "EP_METADATA_FROM_NODE")

    def whole(self):
        if self.reader.raw != b"null":
            self.sources()
            self.reader.end()

    def sources(self):
        reader = self.reader
        reader.take(b"[")
        while reader.next() != b"]":
            self.source()
            if reader.next() == b"]":
                break
            reader.take(b", ")
            if reader.next() == b"]":
                raise reader.wrong()
        reader.take(b"]")

    def source(self):
        reader = self.reader
        for before, read in ((b'{"name": ', reader.string), (b', "target": ', reader.string),
                             (b', "graph_id": ', reader.integer),
                             (b', "pass_name": ', reader.string), (b', "action": ', self.action),
                             (b', "from_node": ', self.sources)):
            reader.take(before)
            read()
        reader.take(b"}")

    def action(self):
        reader, at = self.reader, self.reader.at + 1
        reader.string()
        end = reader.at - 1
        while at < end:
            word = next((each for each in (b"create", b"replace")
                         if reader.raw.startswith(each, at)), b"")
            behind = at + len(word)
            if not word or (behind < end and reader.raw[behind:behind + 1] != b"+"):
                raise reader.wrong(behind)
            at = behind + 1
            if at == end:
                raise reader.wrong(at)


def metadata(key, text, version):
    since = NAMES.get(key)
    if not since or not place(since) <= place(version.name) <= place(LAST.get(key, ORDER[-1])):
        return
    if key == "nn_module_stack":
        modules(text, version)
    elif key in ("source_fn", "source_fn_stack"):
        functions(text, entries(text) if key == "source_fn_stack" else [(0, len(text))])
    elif key == "torch_fn":
        torch_fn(text)
    elif key == "custom":
        custom(text)
    else:
        Sources(text).whole()


# ---- programs


def expression(text, sort, version):
    """By its form; where there are two, by the infix form when neither is."""
    form = spec_expressions.SREPR if within(version, SREPR) else spec_expressions.INFIX
    either = within(version, EITHER) and not within(version, SREPR)
    if either and spec_expressions.fault(text, spec_expressions.SREPR, sort) is None:
        return None
    return spec_expressions.fault(text, form, sort)


def fault(language, key, text, version, fields):
    """None, or a code and the character of the text."""
    if language == "expression":
        return expression(text, key, version)
    if language == "target":
        return spec_guards.target(text, version.name)
    if language in ("guard", "device"):
        at = getattr(spec_guards, language)(text)
        return None if at is None else ("EP_" + language.upper(), at)
    try:
        if language == "treespec":
            Tree(text, version, fields).whole()
        else:
            metadata(key, text, version)
    except Wrong as wrong:
        if key in ("nn_module_stack", "source_fn", "source_fn_stack", "torch_fn"):
            return wrong.code, wrong.at
        return wrong.code, len(text.encode("utf-8")[:wrong.at].decode("utf-8", "ignore"))
    return None


def first(raw, texts, version, fields):
    """The first text of a document that is none: (code, byte, pointer), None. texts: (what
    language, its key or sort, the string)."""
    for language, key, text in sorted(texts, key=lambda each: each[2].at):
        found = fault(language, key, str(text), version, fields)
        if found is not None:
            return found[0], places(raw, text.at)[found[1]], text.pointer
    return None
