"""Programs as plain Python, the same for all versions, and back: structs are dicts
with all their fields, unions are {tag: value}.
"""

import copy
import json

from format.history import ALL_FIELDS, PROGRAM, TYPE_VALUE, VERSIONS
from format.writer import Writer



class Misfit(ValueError):
    """The program is not of that version."""


class Reader:
    """Takes the forms of a version off a program."""

    def __init__(self, version):
        self.version = version

    def read(self, shape, raw):
        part = getattr(self, "read_" + shape.kind, None)
        return part(shape, raw) if part else raw

    def read_float(self, shape, raw):
        return raw if isinstance(raw, str) else float(raw)

    def read_list(self, shape, raw):
        return [self.read(shape.parts[0], item) for item in raw]

    def read_tuple(self, shape, raw):
        return [self.read(part, item) for part, item in zip(shape.parts, raw)]

    def read_dict(self, shape, raw):
        return {key: self.read(shape.parts[0], item) for key, item in raw.items()}

    def read_optional(self, shape, raw):
        return None if raw is None else self.read(shape.parts[0], raw)

    def read_struct(self, shape, raw):
        members = self.version.types[shape.name].members
        lacking = {member.name for member in members if member.required}.difference(raw)
        unknown = set(raw).difference(member.name for member in members)
        if lacking or unknown:
            raise Misfit("%s: lacks %s, has %s" % (shape.name, lacking, unknown))
        made = {member.name: self.read(member.shape, raw[member.name]) if member.name in raw
                else copy.deepcopy(member.default) for member in members}
        return made["meta"] if shape.name == "TensorValue" else made

    def read_union(self, shape, raw):
        if self.version.unions == TYPE_VALUE:
            raw = {raw.get("$type"): raw.get("$value")}
        elif self.version.unions == ALL_FIELDS:
            raw = {tag: value for tag, value in raw.items() if value is not None}
        (tag, value), = raw.items()
        for member in self.version.types[shape.name].members:
            if member.name == tag:
                return {tag: self.grown(shape, tag, self.read(member.shape, value))}
        raise Misfit("%s: no %s" % (shape.name, tag))

    @staticmethod
    def grown(shape, tag, value):
        """Two structs were texts once."""
        if isinstance(value, str) and tag == "as_expr":
            return {"expr_str": value}
        if isinstance(value, str) and shape.name == "OptionalTensorArgument":
            return {"name": value}
        return value


class Ordered(dict):
    """A dict whose entries have an order other than that of their keys."""


class Printer(Writer):
    """Puts the forms on again, with every dict in its order (SPEC 6.8.1)."""

    def said_dict(self, shape, data):
        return super().said_dict(shape, data if isinstance(data, Ordered)
                                 else dict(sorted(data.items())))


def integer(text):
    """For json.load: only a float can be written -0."""
    return -0.0 if text == "-0" else int(text)


def keys_of(value):
    """All keys anywhere in a document: what markers are looked for in (SPEC 3.1.5)."""
    found, todo = set(), [value]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            found.update(value)
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
    return found


def marked(version, keys):
    """Whether a document with these keys is of a sibling, untold."""
    marker = version.marker
    return marker and (marker[1:] not in keys if marker[0] == "-" else marker in keys)


def read(document, schema=None):
    """The version of a document, and the program in it."""
    if schema:
        return VERSIONS[schema], Reader(VERSIONS[schema]).read(PROGRAM, document)
    said, keys, first = document["schema_version"], keys_of(document), None
    number = "%d.%d" % (said["major"], said["minor"]) if isinstance(said, dict) else str(said)
    number = "8.11" if number in ("8.12", "8.13") else number
    alike = [each for each in VERSIONS.values() if each.number == number]
    for version in sorted(alike, key=lambda each: each.sibling):
        if not version.sibling or marked(version, keys):
            try:
                return version, Reader(version).read(PROGRAM, document)
            except (Misfit, AttributeError, TypeError, ValueError) as misfit:
                first = first or misfit
    raise first or Misfit("no version %s" % number)


def written(version, program):
    """The document of a program."""
    return json.loads(Printer(version).filled("ExportedProgram", program))
