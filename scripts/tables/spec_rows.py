"""Rows of the .def files, read as text: MACRO(arguments), with comments and
preprocessor lines left out; and what version.def, schema.def and error.def say together.
"""

import os
import re
from collections import OrderedDict, namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8", newline="") as file:
        return file.read()


ROW = re.compile(r"^\s*([A-Z_]+)\(", re.MULTILINE)
WORD = r'[^\s",()|]+'
ITEM = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(%s(?:\s*\|\s*%s)*))\s*([,)])' % (WORD, WORD))


def rows_of(path):
    """Yield (macro, arguments) for every row; a string loses its quotes, NULL is None."""
    text = re.sub(r"/\*.*?\*/", " ", read(path), flags=re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    end = 0
    for match in ROW.finditer(text):
        if match.start() < end or text[end : match.start()].strip():
            raise ValueError("%s: %r is no row" % (path, text[end : match.end()].strip()))
        items, end = [], match.end()
        while True:
            item = ITEM.match(text, end)
            if item is None:
                raise ValueError("%s: cannot read %r" % (path, text[match.start() : end + 30]))
            word = item.group(2)
            items.append(item.group(1) if word is None else None if word == "NULL" else word)
            end = item.end()
            if item.group(3) == ")":
                break
        yield match.group(1), items
    if text[end:].strip():
        raise ValueError("%s: %r is no row" % (path, text[end:].strip()))


def rows_named(path, macro):
    return [items for name, items in rows_of(path) if name == macro]


# ---- versions, types and errors ----------------------------------------------

SCALARS = ("str", "int", "float", "bool", "unit", "bytes")
NEVER = ("FUTURE", "END")  # the row still holds

Version = namedtuple(
    "Version",
    "symbol name major minor last owner unions nulls nonfinite ids treespec marker releases note",
)
Type = namedtuple("Type", "name kind clause spans members")
Member = namedtuple("Member", "name shape default id since until")
Shape = namedtuple("Shape", "form of second")
Error = namedtuple("Error", "code level clause message number")


class History:
    """The rows of version.def and schema.def; a version is its place in the order."""

    def __init__(self):
        self.versions = []
        self.shapes = {}
        self.types = OrderedDict()
        self.names = []
        for macro, items in rows_of("ref/src/schema/version.def"):
            if macro != "VERSION" or len(items) != len(Version._fields):
                raise ValueError("version.def: %s(%s ...)" % (macro, items[0]))
            self.versions.append(Version(*items))
        self.numbers = {v.symbol: i for i, v in enumerate(self.versions)}
        for macro, items in rows_of("ref/src/schema/schema.def"):
            self.add(macro, items)
        for name in self.names:
            if name not in self.types:
                raise ValueError("schema.def: NAME(%s) without TYPE" % name)

    def span(self, since, until):
        first = self.numbers.get(since)
        last = len(self.versions) if until in NEVER else self.numbers.get(until)
        if first is None or last is None or first >= last:
            raise ValueError("schema.def: no such span: %s, %s" % (since, until))
        return first, last

    def add(self, macro, items):
        counts = {"NAME": 1, "SHAPE": 4, "TYPE": 5, "TYPE_AGAIN": 5, "FIELD": 7, "VARIANT": 6,
                  "ENUMERATOR": 5}
        if counts.get(macro) != len(items):
            raise ValueError("schema.def: %s(%s)" % (macro, ", ".join(map(str, items))))
        if macro == "NAME":
            self.names.append(items[0])
        elif macro == "SHAPE":
            self.shapes[items[0]] = Shape(*items[1:])
        elif macro in ("TYPE", "TYPE_AGAIN"):
            self.add_type(items)
        else:
            self.add_member(macro, items)

    def add_type(self, items):
        name, kind, clause, since, until = items
        if name not in self.names:
            raise ValueError("schema.def: TYPE(%s) without NAME" % name)
        found = self.types.setdefault(name, Type(name, kind, clause, [], []))
        if (found.kind, found.clause) != (kind, clause):
            raise ValueError("schema.def: two kinds or clauses of %s" % name)
        found.spans.append(self.span(since, until))

    def add_member(self, macro, items):
        kinds = {"FIELD": "STRUCT", "VARIANT": "UNION", "ENUMERATOR": "ENUM"}
        found = self.types.get(items[0])
        if found is None or found.kind != kinds[macro]:
            raise ValueError("schema.def: %s(%s, %s) outside its type" % (macro, *items[:2]))
        span = self.span(items[-2], items[-1])
        if macro == "FIELD":
            member = Member(items[1], items[2], items[3], int(items[4]), *span)
        elif macro == "VARIANT":
            member = Member(items[1], items[2], None, int(items[3]), *span)
        else:
            member = Member(items[1], None, None, int(items[2]), *span)
        found.members.append(member)

    def shape_text(self, name):
        if name in SCALARS or name in self.types:
            return name
        if name not in self.shapes:
            raise ValueError("schema.def: no shape %s" % name)
        shape = self.shapes[name]
        if shape.form == "OPEN_END":
            return "int or infinite"
        of = self.shape_text(shape.of)
        if shape.form == "TUPLE":
            return "tuple<%s, %s>" % (of, self.shape_text(shape.second))
        return {"DICT": "dict<str, %s>"}.get(shape.form, shape.form.lower() + "<%s>") % of

    def types_in(self, name):
        """The types that a shape is made of."""
        if name in self.types:
            return {name}
        if name in SCALARS or name == "none":
            return set()
        shape = self.shapes[name]
        return self.types_in(shape.of) | self.types_in(shape.second)

    def members_at(self, name, version):
        return [m for m in self.types[name].members if m.since <= version < m.until]

    def reachable(self):
        """The types that an ExportedProgram of some version can hold."""
        found, new = set(), {"ExportedProgram"}
        while new:
            found |= new
            members = [m for name in new for m in self.types[name].members]
            new = {t for m in members if m.shape for t in self.types_in(m.shape)} - found
        return found

    def since_text(self, version):
        return self.versions[version].name


def errors():
    numbers = dict(re.findall(r"\b(EP_[A-Z0-9_]+) = (\d+)", read("ref/include/epref.h")))
    found = []
    for macro, items in rows_of("ref/src/base/error.def"):
        if macro != "ERROR" or len(items) != 4 or items[0] not in numbers:
            raise ValueError("error.def: %s(%s)" % (macro, items[0]))
        found.append(Error(*items, int(numbers[items[0]])))
    return found
