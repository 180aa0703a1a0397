"""The schema versions and their types, as the vectors know them: the types
from corpora/schemas/, which were read from PyTorch's own files, and beside
them the rules of encoding, which were seen in what PyTorch wrote.  None of it
comes from ref/src: the vectors are to judge that.
"""

import json
import os
from collections import OrderedDict, namedtuple

from format.annexes import ROOT, rows

SCHEMAS = os.path.join(ROOT, "corpora", "schemas")

ALL_FIELDS, TYPE_VALUE, SINGLE_KEY = "all-fields", "type-value", "single-key"
BARE, QUOTED_INFINITY, QUOTED = "bare", "quoted-infinity", "quoted"

# The versions in the order of PyTorch's main branch; a row holds from its
# version on for the columns that it names. number: what a document says.
ROWS = (
    # name         number     marker of a sibling        what changes
    ("1-2023-08",   "1",       "-example_inputs",        {"unions": ALL_FIELDS, "nulls": True,
                                                          "floats": BARE, "open": False}),
    ("1",           "1",       None,                     {}),
    ("1-2023-12",   "1",       "input_specs",            {"open": True}),
    ("2",           "2",       None,                     {}),
    ("2.1",         "2.1",     None,                     {}),
    ("3.1-a",       "3.1",     "-class_fqn",             {"unions": TYPE_VALUE, "nulls": False}),
    ("3.1",         "3.1",     None,                     {}),
    ("3.1-c",       "3.1",     "persistent",             {}),
    ("4.2",         "4.2",     None,                     {}),
    ("5.1",         "5.1",     None,                     {"unions": SINGLE_KEY}),
    ("5.3-2024-03", "5.3",     "co_fileinfo_ordered_list", {}),
    ("5.3",         "5.3",     None,                     {"open": False}),
    ("5.4",         "5.4",     None,                     {"open": True}),
    ("6.1-a",       "6.1",     "",                       {}),
    ("6.1",         "6.1",     None,                     {}),
    ("7.1",         "7.1",     None,                     {}),
    ("7.2",         "7.2",     None,                     {}),
    ("7.3",         "7.3",     None,                     {}),
    ("7.4",         "7.4",     None,                     {}),
    ("8.1-a",       "8.1",     "",                       {"open": False}),
    ("8.1-b",       "8.1",     "",                       {}),
    ("8.1-c",       "8.1",     "",                       {}),
    ("8.1-d",       "8.1",     "",                       {}),
    ("8.2-ast",     "8.2",     "expr_ast",               {}),
    ("8.1",         "8.1",     None,                     {}),
    ("8.2",         "8.2",     None,                     {}),
    ("8.3",         "8.3",     None,                     {}),
    ("8.5-a",       "8.5",     "",                       {}),
    ("8.5",         "8.5",     None,                     {}),
    ("8.6",         "8.6",     None,                     {}),
    ("8.7",         "8.7",     None,                     {"nulls": True,
                                                          "floats": QUOTED_INFINITY}),
    ("8.8",         "8.8",     None,                     {}),
    ("8.10",        "8.10",    None,                     {}),
    ("8.11",        "8.11",    None,                     {}),
    ("8.14",        "8.14",    None,                     {"floats": QUOTED}),
    ("8.15-a",      "8.15",    "",                       {}),
    ("8.15",        "8.15",    None,                     {}),
    ("8.16",        "8.16",    None,                     {}),
    ("8.17",        "8.17",    None,                     {}),
    ("8.18",        "8.18",    None,                     {}),
    ("8.19",        "8.19",    None,                     {}),
    ("8.20",        "8.20",    None,                     {}),
)
FILES = {"1-2023-12": "2"}  # the types of 2 under the number 1

# ---- types ------------------------------------------------------------------

Shape = namedtuple("Shape", "kind parts name")  # name: of a struct, union or enum
Member = namedtuple("Member", "name shape required default")
Type = namedtuple("Type", "name kind members values")  # values: of an enum, by name

PROGRAM = Shape("struct", (), "ExportedProgram")

PLAIN = ("str", "int", "float", "bool", "bytes", "unit")


def parse(text, kinds):
    """A type in the notation of corpora/schemas, "list<SymInt>", as a Shape."""
    outer, _, inner = text.partition("<")
    if not inner:
        kind = outer if outer in PLAIN else kinds[outer]
        return Shape(kind, (), outer)
    parts, depth, start = [], 0, 0
    inner = inner[:-1]
    for i, letter in enumerate(inner + ","):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            parts.append(parse(inner[start:i], kinds))
            start = i + 1
    return Shape(outer, tuple(parts[1:] if outer == "dict" else parts), text)


class Version:
    """One row of ROWS with its types."""

    def __init__(self, name, number, marker, rules):
        self.name, self.number, self.marker = name, number, marker
        self.unions, self.nulls = rules["unions"], rules["nulls"]
        self.floats, self.open = rules["floats"], rules["open"]
        self.sibling = marker is not None
        with open(os.path.join(SCHEMAS, FILES.get(name, name) + ".json"), encoding="utf-8") as file:
            self.types = self.read(json.load(file)["types"])

    def read(self, rows):
        kinds = {name: row["kind"] for name, row in rows.items()}
        types = OrderedDict()
        for name, row in rows.items():
            members = [self.member(name, field, kinds) for field in row.get("fields", ())]
            types[name] = Type(name, row["kind"], members, row.get("values", {}))
        return types

    def member(self, owner, field, kinds):
        shape = parse(field["type"], kinds)
        if field["name"] == "as_none" and shape.kind == "bool":
            shape = Shape("true", (), "true")
        if owner == "RangeConstraint" and self.open:
            shape = Shape("open", (), "int or infinite")
        return Member(field["name"], shape, field["required"], field.get("default"))


def load():
    rules, versions = {}, OrderedDict()
    for name, number, marker, change in ROWS:
        rules = {**rules, **change}
        versions[name] = Version(name, number, marker, rules)
    return versions


VERSIONS = load()
ORDER = list(VERSIONS)
FORM = "8.20"  # the version of canonical forms (SPEC 6.1)


def ever(type_name):
    """Name to the first member of that name, over all versions of a type."""
    found = OrderedDict()
    for version in VERSIONS.values():
        kind = version.types.get(type_name)
        for member in kind.members if kind else ():
            found.setdefault(member.name, (version, member))
    return found


def codes():
    """Code to clause, of those that have one."""
    return {row["code"]: row["clause"] for row in rows("errors") if row["clause"]}
