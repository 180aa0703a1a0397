"""Rows of the .def files, read as text: MACRO(arguments), with comments and
preprocessor lines left out; and what version.def, schema.def and error.def say together.
"""

import os
import re
from collections import namedtuple

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
        self.shapes = {}
        self.types = {}
        self.versions = [Version(*items)
                         for items in rows_named("ref/src/schema/version.def", "VERSION")]
        self.numbers = {v.symbol: i for i, v in enumerate(self.versions)}
        for macro, items in rows_of("ref/src/schema/schema.def"):
            self.add(macro, items)

    def span(self, since, until):
        last = len(self.versions) if until in NEVER else self.numbers[until]
        return self.numbers[since], last

    def add(self, macro, items):
        if macro == "SHAPE":
            self.shapes[items[0]] = Shape(*items[1:])
        elif macro in ("TYPE", "TYPE_AGAIN"):
            name, kind, clause, *span = items
            found = self.types.setdefault(name, Type(name, kind, clause, [], []))
            found.spans.append(self.span(*span))
        elif macro != "NAME":
            owner, name, *said, number, since, until = items
            shape, default = (*said, None, None)[:2]  # of a variant the one, of an enumerator none
            self.types[owner].members.append(
                Member(name, shape, default, int(number), *self.span(since, until)))

    def shape_text(self, name):
        if name in SCALARS or name in self.types:
            return name
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


def errors():
    numbers = dict(re.findall(r"\b(EP_[A-Z0-9_]+) = (\d+)", read("ref/include/epref.h")))
    return [Error(*items, int(numbers[items[0]]))
            for items in rows_named("ref/src/base/error.def", "ERROR")]
