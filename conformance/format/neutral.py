"""Values of programs without the forms of a version: of structs only what has no
default, unions as {tag: value}, a SymInt as its number or its text.  One value is
spelled as any version spells it; what cannot be said so is {"$raw": bytes}.
"""

import json

from format.history import PROGRAM, VERSIONS
from format.writer import RAW, Writer


def spell(version, shape, data):
    """The bytes of a value; shape None where the types know nothing of it."""
    if shape is None:
        text = data[RAW] if isinstance(data, dict) and RAW in data else json.dumps(data)
    else:
        text = Writer(VERSIONS[version]).said(shape, data)
    return text.encode("utf-8", "surrogatepass")


def inner(version, shape, key):
    """The shape of what a pointer's segment leads to; None where the types end."""
    while shape is not None and shape.kind == "optional":
        shape = shape.parts[0]
    if shape is None or not shape.kind:
        return None
    if shape.kind in ("list", "dict"):
        return shape.parts[0]
    if shape.kind == "tuple":
        return shape.parts[int(key)] if key.isdigit() and int(key) < len(shape.parts) else None
    if shape.kind not in ("struct", "union"):
        return None
    members = {member.name: member.shape for member in VERSIONS[version].types[shape.name].members}
    if key not in members and shape.name == "TensorValue" and "meta" in members:
        return inner(version, members["meta"], key)
    return members.get(key)


def shape_at(version, keys):
    """The shape of what stands at the segments of a pointer in a program."""
    shape = PROGRAM
    for key in keys:
        shape = inner(version, shape, key)
    return shape
