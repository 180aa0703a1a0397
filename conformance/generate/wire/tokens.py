"""The wire level: the rows of token_rows, alone and inside of programs."""

import json

from generate.wire import token_rows as rows
from format.document import Document, escape
from format.history import VERSIONS
from format.programs import carrier
from generate.suite import change_between, to_bytes

CARET = "\u2038"

# Where a program of 8.20 can carry a twin of the rows, and as what.
SLOTS = {
    "object": "opset_version", "pair": "opset_version", "empty-object": "opset_version",
    "strings": "metadata", "array": "as_ints", "floats": "as_floats", "bools": "as_bools",
    "empty-array": "as_strings",
}
ALONE = ("trailing/", "encoding/")  # these need the document to themselves

# What may complete a document that was cut.
ENDS = ("{}", "}", "]", '"', '"c": 1}', 'a": 1}', '": 1}', ': 1}', " 1}", "1}", 'n": 1}', '"b": 2}',
        '{}}', "}}", "]}}", "2]", "]]", "n\"", '00e9"', '0e9"', '9"', '\\ude00"', 'ude00"', 'de00"',
        '0"', "rue", "e", "e]", "ull", "l]", "nity}", "nfinity}", "y}", "N}", "1", "1]", "0", "5]",
        "\udca9\"", "\udcac\"", "\udc80\"", "\udca0\udc80\"", "\udcbf\"", "\udcbf\udcbf\"")

ALSO = {"space/": ["2.3.1"], "trailing/form": ["2.3.1"], "control/": [], "word/": [],
        "encoding/utf": ["2.2.2"], "encoding/byte-order-mark-after": ["2.2.1"]}


def marked(text):
    """The text without its caret, and where that stood, in bytes."""
    before, after = text.split(CARET)
    return to_bytes(before + after), len(to_bytes(before))


def also(name):
    return next((found for start, found in ALSO.items() if name.startswith(start)), [])


def is_valid(text):
    """As Python reads JSON, but without what it lets pass of surrogates."""
    try:
        said = json.loads(to_bytes(text).decode("utf-8"))
        json.dumps(said, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return False
    return True


def complete(text):
    """The shortest of the documents that begin so; the ends above are tried."""
    return next(text + end for end in sorted(ENDS, key=len) if is_valid(text + end))


def alone(suite):
    """The rows as documents of their own."""
    for name, text in rows.TWINS.items():
        suite.valid("wire/valid/" + name, "wire", None, text, ["2.1.1", "2.1.2", "2.1.3"],
                    "The twin of others.", provenance="hand")
    for name, code, pointer, twin, bad, why in rows.BAD:
        data, offset = marked(bad)
        suite.invalid("wire/" + name, "wire/valid/" + twin,
                      change_between(rows.TWINS[twin], data), code, (offset, pointer), why,
                      also=also(name), provenance="hand")
    for name, text, clause in rows.GOOD:
        suite.valid("wire/valid/" + name, "wire", None, text, clause, "Valid JSON.",
                    provenance="hand")
    cuts(suite)
    literals(suite)


def cuts(suite):
    for name, text, pointer in rows.CUT:
        whole = complete(text)
        twin = suite.whole("wire/whole/" + name, "wire", None, whole, "2.1.1",
                           "Complete; wire/end/%s is not." % name)
        size = len(to_bytes(text))
        suite.invalid("wire/end/" + name, twin, (size, len(to_bytes(whole)) - size, ""), "EP_END",
                      (size, pointer), "The document ends here.", provenance="hand")


def literals(suite):
    for name, code, pointer, twin, bad, why in rows.LITERALS:
        data, offset = marked(bad)
        base = suite.whole("wire/valid/literal-" + name, "wire", None, twin, "2.7.1",
                           "Valid JSON without the literal.")
        suite.invalid("wire/literal/" + name, base, change_between(twin, data), code,
                      (offset, pointer), why, provenance="hand")


# ---- inside of programs -----------------------------------------------------


class Slot:
    """A place in a program that can carry a twin."""

    def __init__(self, suite, version, place, twin):
        root, node = carrier(version, place, twin)
        document = Document(root)
        self.suite, self.start, self.pointer, self.twin = suite, node.start, node.pointer, twin
        self.text = document.text
        label = twin if len(twin) < 9 else "other"
        self.base = suite.whole(
            "program/carrier/%s-%s/%s" % (place, NAMES.get(twin, label), version.name), "decode",
            version.name, self.text, "3.4.1", "A program that carries %s as %s." % (twin, place))

    def invalid(self, name, bad, code, pointer, why):
        data, offset = marked(bad)
        begin, length, text = change_between(self.twin, data)
        self.suite.invalid(name, self.base, (self.start + begin, length, text), code,
                           (self.start + offset, self.pointer + pointer), why, also=also(name[7:]),
                           provenance="hand")


NAMES = {text: name for name, text in rows.TWINS.items()}
STRUCT = ("syntax/", "utf8/", "control/", "escape/", "surrogate/")


def inside(suite):
    """The same errors in dicts and lists of a program, and in a struct."""
    version = VERSIONS["8.20"]
    slots = {twin: Slot(suite, version, place, rows.TWINS[twin]) for twin, place in SLOTS.items()}
    NAMES['{"name": "b"}'] = "struct"
    struct = Slot(suite, version, "as_tensor", '{"name": "b"}')
    for name, code, pointer, twin, bad, why in rows.BAD:
        if twin in slots and not name.startswith(ALONE) and code != "EP_TRAILING":
            slots[twin].invalid("inside/%s/8.20" % name, bad, code, pointer, why)
        if twin == "strings" and name.startswith(STRUCT):
            spelled = bad.replace('{"a', '{"name', 1)
            where = pointer.replace("/a", "/name")
            struct.invalid("struct/%s/8.20" % name, spelled, code, where, why)


# Where a program is cut: text that it holds, and how much of that is left.
CUTS = (
    ('"schema_version": {"major": 8', 0), ('"schema_version": {"major": 8', 1),
    ('"schema_version": {"major": 8', 8), ('"schema_version": {"major": 8', 16),
    ('"schema_version": {"major": 8', 17), ('"schema_version": {"major": 8', 18),
    ('"schema_version": {"major": 8', 19), ('"schema_version": {"major": 8', 28),
    ('"schema_version": {"major": 8', 29), ('"dtype": 7', 10), ('"as_none": true', 0),
    ('"as_none": true', 13), ('"as_none": true', 15), ('"as_ints": [3, -1]', 13),
    ('"as_ints": [3, -1]', 16), ('"as_ints": [3, -1]', 18), ('0.5, -1e-05', 2),
    ('0.5, -1e-05', 8), ('0.5, -1e-05', 9), ('"TRAINING"', 5), ('\\n\\t\\"', 1), ('\\n\\t\\"', 6),
    ('\\u00e9', 4), ('\\u00e9', 6), ('\\ud83d\\ude00', 6), ('\\ud83d\\ude00', 9),
    ('"index": 1}', 10), ('"index": 1}', 11), ('"tensor_values": {"x"', 18),
    ('"tensor_values": {"x"', 21),
    ('"expr_str": "s0"', 16), ('{"as_expr"', 1), ('"kind": null', 10), ('"guards_code": ["L', 18),
)


def program_cuts(suite):
    """The rich program of 8.20, cut in many places; what is awaited there is
    told by counting, not by a parser."""
    twin = "program/rich/8.20"
    text = suite.bytes[twin].decode("ascii")
    for i, (found, left) in enumerate(CUTS):
        end = text.index(found) + left
        suite.invalid("inside/end/%02d/8.20" % i, twin, (end, len(text) - end, ""), "EP_END",
                      (end, Awaited(text[:end]).pointer),
                      "Cut after %s." % json.dumps(text[end - 6:end]))
    end = len(text) - 1
    suite.invalid("inside/end/last/8.20", twin, (end, 1, ""), "EP_END", (end, ""),
                  "The last brace is lacking.")


class Awaited:
    """Where the beginning of a document in PyTorch's spelling stops: a stack of
    keys and indices, the last of which counts if its value is still to come."""

    def __init__(self, text):
        self.text, self.path, self.kinds, self.open, self.at = text, [], [], False, 0
        while self.at < len(text):
            self.step(text[self.at])

    def step(self, letter):
        if letter == '"':
            self.string()
        elif letter in "{[":
            self.kinds.append(letter)
            self.path.append(None if letter == "{" else 0)
            self.open = letter == "[" and self.text[self.at + 1:self.at + 2] not in ("", "]")
            self.at += 1
        elif letter in "}]":
            self.kinds.pop()
            self.path.pop()
            self.open = False
            self.at += 1
        elif letter == ",":
            self.open = self.kinds[-1] == "["
            self.path[-1] = self.path[-1] + 1 if self.open else None
            self.at += 1
        elif letter in " :":
            self.at += 1
        else:
            self.scalar()

    def string(self):
        end = self.at + 1
        while end < len(self.text) and self.text[end] != '"':
            end += 2 if self.text[end] == "\\" else 1
        whole = end < len(self.text)
        if whole and self.kinds[-1] == "{" and not self.open:
            self.path[-1], self.open = json.loads(self.text[self.at:end + 1]), True
        elif whole:
            self.open = False
        self.at = end + 1

    def scalar(self):
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] not in ",]}":
            self.at += 1
        word = self.text[begin:self.at]
        self.open = self.at == len(self.text) and word not in ("true", "false", "null")

    @property
    def pointer(self):
        path = self.path if self.open else self.path[:-1]
        return "".join("/" + escape(str(step)) for step in path)


def vectors(suite):
    alone(suite)
    inside(suite)
    program_cuts(suite)
