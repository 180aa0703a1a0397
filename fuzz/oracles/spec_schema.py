"""The schema level (SPEC part 3) once more, from the specification and the types that
were read from PyTorch (corpora/schemas), for spec_oracle: whether a document is a
program of its version, and what an encoder writes for it.

The wire level is taken for granted: keys do not repeat, strings are Unicode.
"""

import base64
import binascii
import json
import re

from format.history import (ALL_FIELDS, BARE, QUOTED, QUOTED_INFINITY, TYPE_VALUE, VERSIONS)
from format.plain import PROGRAM
from spec_wire import Members, Number

INT = re.compile(r"-?[0-9]+\Z")
NATURAL = re.compile(r"[0-9]+\Z")
NUMBER_MOST = 2**31 - 1                 # of a version (3.1.2)
INT_LEAST, INT_MOST = -2**63, 2**63 - 1
LITERALS = ("Infinity", "-Infinity", "NaN")
QUOTABLE = {BARE: (), QUOTED_INFINITY: LITERALS[:2], QUOTED: LITERALS}
SORTS = {"SymInt": "int", "SymFloat": "float", "SymBool": "bool"}
WIDE = {"8.12": "8.11", "8.13": "8.11"}  # one version (3.1.3)


class Refused(ValueError):
    """The document is no program; why."""


def need(holds, why):
    if not holds:
        raise Refused(why)


def is_text(raw):
    return isinstance(raw, str) and not isinstance(raw, Number)


def is_object(raw):
    return isinstance(raw, Members)


def is_array(raw):
    return isinstance(raw, list) and not is_object(raw)


def number_of(said):
    """The number of a version as "8.20" or "2", and as it is written (3.1.2, 3.9.5)."""
    if is_object(said):
        parts = dict(said)
        need({"major", "minor"} <= set(parts), "schema_version")
        numbers = [parts["major"], parts["minor"]]
    else:
        numbers = [said]
    for each in numbers:
        need(isinstance(each, Number) and NATURAL.match(each), "schema_version")
        need(int(each) <= NUMBER_MOST, "schema_version")
    return ".".join(str(int(each)) for each in numbers)


class Coder:
    """Judges what was parsed as a program of a version, and writes it."""

    def __init__(self, version):
        self.version, self.types = version, version.types
        self.texts = []  # of the strings level: (language, key or sort, text)
        self.sort = None  # of the expression that is met next
        has = {each.name for each in version.types["GraphModule"].members}
        self.fields = {} if "treespec_namedtuple_fields" in has else None

    def code(self, shape, raw):
        return getattr(self, "code_" + shape.kind)(shape, raw)

    def code_str(self, shape, raw):
        need(is_text(raw), "str")
        return json.dumps(raw).replace("\x7f", "\\u007f")

    def code_int(self, shape, raw):
        need(isinstance(raw, Number) and INT.match(raw) and raw != "-0", "int")
        need(len(raw) <= 20 and INT_LEAST <= int(raw) <= INT_MOST, "int range")
        return str(int(raw))

    def code_enum(self, shape, raw):
        text = self.code_int(shape, raw)
        need(int(text) in self.types[shape.name].values.values(), shape.name)
        return text

    def code_float(self, shape, raw):
        if is_text(raw):
            need(raw in QUOTABLE[self.version.floats], "float string")
            return json.dumps(raw)
        need(isinstance(raw, Number), "float")
        if raw in LITERALS:
            need(self.version.floats == BARE, "literal")
            return str(raw)
        value = float(raw)
        need(abs(value) != float("inf"), "float range")
        return repr(value)

    def code_open(self, shape, raw):
        if isinstance(raw, Number) and raw in LITERALS[:2]:
            need(self.version.floats == BARE, "literal")
            return str(raw)
        return self.code_int(shape, raw)

    def code_bool(self, shape, raw):
        need(isinstance(raw, bool), "bool")
        return "true" if raw else "false"

    def code_true(self, shape, raw):
        need(raw is True, "as_none")
        return "true"

    def code_unit(self, shape, raw):
        need(is_array(raw) and not raw, "unit")
        return "[]"

    def code_bytes(self, shape, raw):
        need(is_text(raw), "bytes")
        try:
            data = base64.b64decode(raw.encode("ascii"), validate=True)
        except (binascii.Error, UnicodeError) as error:
            raise Refused("base64") from error
        need(base64.b64encode(data).decode("ascii") == raw, "base64")
        return json.dumps(raw)

    def code_list(self, shape, raw):
        need(is_array(raw), "list")
        return "[%s]" % ", ".join([self.code(shape.parts[0], each) for each in raw])

    def code_tuple(self, shape, raw):
        need(is_array(raw) and len(raw) == len(shape.parts), "tuple")
        return "[%s]" % ", ".join([self.code(*each) for each in zip(shape.parts, raw)])

    def code_dict(self, shape, raw):
        need(is_object(raw), "dict")
        return self.members([(key, self.code(shape.parts[0], value)) for key, value in raw])

    def code_optional(self, shape, raw):
        return "null" if raw is None else self.code(shape.parts[0], raw)

    def members(self, pairs):
        return "{%s}" % ", ".join("%s: %s" % (self.code_str(None, key), text)
                                  for key, text in pairs)

    def code_struct(self, shape, raw):
        need(is_object(raw), shape.name)
        said, pairs = dict(raw), []
        members = self.types[shape.name].members
        need(set(said) <= {each.name for each in members}, shape.name)
        for each in members:
            if each.name in said:
                text = self.code_field(shape, each, said[each.name])
            else:
                need(not each.required, each.name)
                text = json.dumps(each.default)
            if each.required or text != "null" or self.version.nulls:
                pairs.append((each.name, text))
        if shape.name == "SymExpr" and said.get("expr_ast") is None:
            self.texts.append(("expression", self.sort, said["expr_str"]))
        return self.members(pairs)

    def code_field(self, shape, member, raw):
        if (shape.name, member.name) == ("ExportedProgram", "schema_version") and is_object(raw):
            parts = dict(raw)
            need(set(parts) == {"major", "minor"}, "schema_version")
            return self.members([(key, str(int(parts[key]))) for key in ("major", "minor")])
        text = self.code(member.shape, raw)
        if raw is not None:
            self.texts += texts_of(shape.name, member.name, raw)
        if member.name == "treespec_namedtuple_fields":
            self.fields = {key: len(dict(value)["field_names"]) for key, value in raw}
        return text

    def code_union(self, shape, raw):
        need(is_object(raw), shape.name)
        members = self.types[shape.name].members
        if self.version.unions == ALL_FIELDS:
            said = dict(raw)
            need(set(said) == {each.name for each in members}, shape.name)
            need(sum(value is not None for value in said.values()) == 1, shape.name)
            return self.members([(each.name, "null" if said[each.name] is None else
                                  self.variant(shape, each, said[each.name])) for each in members])
        if self.version.unions == TYPE_VALUE:
            need([key for key, _ in raw] == ["$type", "$value"] and is_text(raw[0][1]), shape.name)
            (_, tag), (_, value) = raw
        else:
            need(len(raw) == 1, shape.name)
            (tag, value), = raw
        member = next((each for each in members if each.name == tag), None)
        need(member is not None, shape.name)
        text = self.variant(shape, member, value)
        if self.version.unions == TYPE_VALUE:
            return self.members([("$type", json.dumps(tag)), ("$value", text)])
        return self.members([(tag, text)])


    def variant(self, shape, member, raw):
        self.sort = SORTS.get(shape.name, self.sort)
        text = self.code(member.shape, raw)
        if (shape.name, member.name) == ("Argument", "as_operator"):
            self.texts.append(("target", None, raw))
        elif member.name == "as_expr" and member.shape.kind == "str":
            self.texts.append(("expression", self.sort, raw))
        return text


def texts_of(owner, name, raw):
    """The texts of a field, by the table of part 4."""
    if name in ("in_spec", "out_spec"):
        return [("treespec", None, raw)]
    if (owner, name) == ("Node", "metadata"):
        return [("metadata", str(key), value) for key, value in raw]
    if (owner, name) == ("ExportedProgram", "guards_code"):
        return [("guard", None, each) for each in raw]
    if (owner, name) == ("Node", "target"):
        return [("target", None, raw)]
    return [("device", None, raw)] if (owner, name) == ("Device", "type") else []


def marker_holds(version, text):
    """SPEC 3.1.5; a version without a marker is not tried."""
    marker = version.marker
    if not marker:
        return False
    name = marker[1:] if marker[0] == "-" else marker
    stands = re.search(rb'"%s"[ \t\n\r]*:' % re.escape(name.encode("ascii")), text) is not None
    return stands != (marker[0] == "-")


def candidates(text, raw):
    """The versions that a document may be of, the first of them first (3.1)."""
    need(is_object(raw), "object")
    said = [value for key, value in raw if key == "schema_version"]
    need(said, "no schema_version")
    number = number_of(said[0])
    number = WIDE.get(number, number)
    alike = [each for each in VERSIONS.values() if each.number == number]
    need(alike, "no such version")
    return [each for each in alike if not each.sibling] + \
        [each for each in alike if each.sibling and marker_holds(each, text)]


def encoded(text, raw):
    """The coder with which a document is taken, and the encoding; Refused where it is none."""
    first = None
    for version in candidates(text, raw):
        coder = Coder(version)
        try:
            return coder, coder.code(PROGRAM, raw)
        except Refused as refused:
            first = first or refused
    raise first
