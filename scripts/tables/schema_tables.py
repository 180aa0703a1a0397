"""ref/src/schema/schema.def and version.def as tables: read, viewed at a version, edited.

A row keeps the line it stands on, so that an edit changes the lines that it has to
and no other.
"""

import re
from collections import namedtuple

ROW = re.compile(r"^(\s*)(NAME|SHAPE|TYPE|FIELD|VARIANT|ENUMERATOR)\((.*)\)\s*$")
ITEM = re.compile(r'\s*("[^"]*"|[^,"]+)\s*(?:,|$)')
VERSION = re.compile(r"^VERSION\(((?:\"[^\"]*\"|[^\")])*)\)$", re.M)
FUTURE = "FUTURE"
SCALARS = ("str", "int", "float", "bool", "unit", "bytes")
MEMBERS = {"FIELD": "STRUCT", "VARIANT": "UNION", "ENUMERATOR": "ENUM"}
MACROS = {kind: macro for macro, kind in MEMBERS.items()}
DEFAULTS = {"NONE": None, "FALSE": False, "EMPTY_LIST": [], "EMPTY_DICT": {}, "EMPTY_STR": "",
            "OLD_TORCH": "<=2.4"}

Row = namedtuple("Row", "line macro items")
Version = namedtuple("Version", "symbol name major minor last owner unions nulls nonfinite ids "
                                "treespec marker releases note")


class Unsupported(Exception):
    """What the tables cannot say, or this script not do."""


def items_of(text):
    return [found.strip() for found in ITEM.findall(text)]


def symbol_of(name):
    """5.1 as V5_1."""
    return "V" + re.sub(r"[.-]", "_", name)


def member_key(row):
    """What makes a member what it is: all but the id, the value of an enumerator included."""
    return tuple(row.items[1:-2]) if row.macro == "ENUMERATOR" else tuple(row.items[1:-3])


def member_id(row):
    return None if row.macro == "ENUMERATOR" else int(row.items[-3])


class Tables:
    """The two files, as lines and as rows."""

    def __init__(self, schema, versions):
        self.schema, self.version_text = schema, versions
        self.lines = schema.split("\n")
        self.rows = [Row(i, found[2], items_of(found[3])) for i, line in enumerate(self.lines)
                     for found in [ROW.match(line)] if found]
        self.versions = [Version(*items_of(found[1].replace("\n", " ")))
                         for found in VERSION.finditer(versions)]
        self.number = {version.symbol: i for i, version in enumerate(self.versions)}
        self.number[FUTURE] = len(self.versions)
        self.shapes = {row.items[0]: row.items[1:] for row in self.of("SHAPE")}

    def of(self, *macros):
        return [row for row in self.rows if row.macro in macros]

    def types(self):
        """The names of all types, in the order of NAME."""
        return [row.items[0] for row in self.of("NAME")]

    def named(self, name):
        """The version of that name, or None."""
        return next((version for version in self.versions
                     if version.name.strip('"') == name), None)

    # ------------------------------------------------------------ one version

    def stands(self, row, version):
        since, until = (self.number[symbol] for symbol in row.items[-2:])
        return since <= version < until

    def type_rows(self, version):
        return [row for row in self.of("TYPE") if self.stands(row, version)]

    def members(self, name, version):
        return [row for row in self.of(*MEMBERS)
                if row.items[0] == name and self.stands(row, version)]

    def shape_text(self, name):
        """A shape in the notation of the catalogue: list<SymInt>."""
        if name not in self.shapes:
            return name
        form, *parts = self.shapes[name]
        if form == "OPEN_END":
            return "int"
        inner = ",".join(self.shape_text(part) for part in parts if part != "none")
        return f"dict<str,{inner}>" if form == "DICT" else f"{form.lower()}<{inner}>"

    def field(self, row, with_ids):
        fallback = row.items[3] if row.macro == "FIELD" else "REQUIRED"
        field = {"name": row.items[1], "type": self.shape_text(row.items[2]),
                 "required": fallback == "REQUIRED"}
        if fallback != "REQUIRED":
            field["default"] = DEFAULTS[fallback]
        if with_ids:
            field["field_id"] = member_id(row)
        return field

    def view(self, version):
        """The types of a version, as corpora/schemas/ has them under "types"."""
        with_ids = self.versions[version].ids == "IDS"
        found = {}
        for row in self.type_rows(version):
            name, kind = row.items[0], row.items[1].lower()
            members = self.members(name, version)
            found[name] = {"kind": kind}
            if kind == "enum":
                found[name]["values"] = {each.items[1]: int(each.items[2]) for each in members}
            else:
                found[name]["fields"] = [self.field(each, with_ids) for each in members]
        return found

    # ------------------------------------------------------------ an earlier state

    def before(self, version):
        """The tables as they would be without a version and all that came after it."""
        gone, lines = set(), list(self.lines)
        for row in self.of("TYPE", *MEMBERS):
            since, until = (self.number[symbol] for symbol in row.items[-2:])
            if since >= version:
                gone.add(row.line)
            elif version <= until < len(self.versions):
                lines[row.line] = with_until(lines[row.line], FUTURE)
        gone |= self.without_use(gone)
        kept = [line for i, line in enumerate(lines) if i not in gone]
        return Tables(re.sub(r"\n{3,}", "\n\n", "\n".join(kept)), self.versions_before(version))

    def without_use(self, gone):
        """The lines of names and shapes that only what is gone had."""
        left = {row.items[0] for row in self.of("TYPE") if row.line not in gone}
        known = left | set(SCALARS) | {"none"}
        lines = {row.line for row in self.of("NAME") if row.items[0] not in left}
        todo = self.of("SHAPE")
        while True:
            ready = [row for row in todo if set(row.items[2:]) <= known]
            if not ready:
                return lines | {row.line for row in todo}
            known |= {row.items[0] for row in ready}
            todo = [row for row in todo if row not in ready]

    def versions_before(self, version):
        found = list(VERSION.finditer(self.version_text))
        return self.version_text[:found[version].start()] if version < len(found) \
            else self.version_text


def with_until(line, symbol):
    """A row with another end; nothing before it moves."""
    return re.sub(r"\w+\)$", f"{symbol})", line)


def read(schema, versions):
    with open(schema, encoding="utf-8") as one, open(versions, encoding="utf-8") as other:
        return Tables(one.read(), other.read())
