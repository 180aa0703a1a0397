"""The smallest program of a version, made from its types: what stands where nothing else is
said, and the spelling of each kind of value.
"""

import json

from format.document import Node
from format.history import ALL_FIELDS, TYPE_VALUE

# What stands in a field when nothing else is wanted of it.
STRINGS = {
    "target": "torch.ops.aten.add.Tensor", "type": "cuda", "expr_str": "s0", "expr_ast": "s0",
    "dialect": "ATEN", "torch_version": "2.7.0", "class_fqn": "__torch__.C", "in_spec": "[1, null]",
    "out_spec": "[1, null]", "fqn": "", "metadata": "line 1\n\t\"\u00e9\U0001f600\"",
    "guards_code": "L['x'].size()[0] >= 2", "verifiers": "TRAINING", "as_operator": "#ns:op",
    "parameter_name": "p", "buffer_name": "b", "as_symbol": "s0",
}
ENUMS = {"ScalarType": 7, "Layout": 7, "MemoryFormat": 1, "ArgumentKind": 1}
INTS = {"opset_version": (10,), "index": (0, 1), "as_int": (2, -3, 1000), "as_ints": (3, -1)}
PREFERRED = ("as_tensor", "as_int", "as_name", "user_input", "user_output")

# Where a struct's fields are made in another order than they are written in:
# what is to show every variant comes first.
FIRST = {"Graph": ("nodes", "tensor_values"), "Node": ("inputs",)}


def quoted(text):
    return json.dumps(text)


class Smallest:
    """Makes values with nothing in them that need not be there."""

    defaults = False  # whether fields that have their default are written

    def __init__(self, version):
        self.version, self.types = version, version.types
        self.place = (None, None)

    def program(self):
        return self.struct("ExportedProgram")

    def value(self, shape, place=None):
        """A value of a shape, as the value of a (type, member)."""
        if place is not None:
            self.place = place
        node = getattr(self, "make_" + shape.kind)(shape)
        node.shape = shape
        if place is not None:
            node.place = place
        return node

    def scalar(self, text):
        return Node("scalar", text=text)

    # -- structs

    def struct(self, name):
        node = Node("struct", type_name=name)
        kind = self.types[name]
        made = {}
        for member in sorted(kind.members, key=lambda each: self.turn(name, each)):
            value = self.field(name, member)
            if value is not None:
                made[member.name] = value
        node.members = [[each.name, made[each.name]] for each in kind.members if each.name in made]
        return node

    @staticmethod
    def turn(name, member):
        first = FIRST.get(name, ())
        return first.index(member.name) if member.name in first else len(first)

    def field(self, name, member):
        if name == "ExportedProgram" and member.name == "schema_version":
            return self.schema_version(member)
        if member.required:
            return self.value(member.shape, (name, member.name))
        return self.default(name, member) if self.defaults else None

    def default(self, name, member):
        """A field that has its default; None where it is not written."""
        if member.default is None and not self.version.nulls:
            return None
        node = self.scalar(json.dumps(member.default))
        if member.default in ([], {}):
            node = Node("list" if member.default == [] else "dict")
        elif member.default is None:
            node = Node("null", text="null")
        node.shape, node.place = member.shape, (name, member.name)
        return node

    def schema_version(self, member):
        if "." not in self.version.number:
            node = self.scalar(self.version.number)
        else:
            node = Node("struct", type_name="SchemaVersion")
            for field, text in zip(self.types["SchemaVersion"].members,
                                   self.version.number.split(".")):
                value = self.scalar(text)
                value.shape, value.place = field.shape, ("SchemaVersion", field.name)
                node.members.append([field.name, value])
        node.shape, node.place = member.shape, ("ExportedProgram", "schema_version")
        return node

    def make_struct(self, shape):
        return self.struct(shape.name)

    # -- unions

    def choose(self, kind):
        names = [member.name for member in kind.members]
        preferred = [name for name in PREFERRED if name in names]
        wanted = (preferred or names)[0]
        return kind.members[names.index(wanted)]

    def make_union(self, shape):
        kind = self.types[shape.name]
        return self.union(kind, self.choose(kind))

    def union(self, kind, member, value=None):
        """In the form of the version, with a variant."""
        node = Node("union", type_name=kind.name)
        node.tag = member.name
        value = value or self.value(member.shape, (kind.name, member.name))
        if self.version.unions == TYPE_VALUE:
            node.members = [["$type", self.scalar(quoted(member.name))], ["$value", value]]
        elif self.version.unions == ALL_FIELDS:
            node.members = [[each.name, value if each is member else Node("null", text="null")]
                            for each in kind.members]
        else:
            node.members = [[member.name, value]]
        return node

    # -- the rest

    def make_list(self, shape):
        return Node("list")

    def make_dict(self, shape):
        return Node("dict")

    def make_optional(self, shape):
        return Node("null", text="null")

    def make_tuple(self, shape):
        node = Node("tuple")
        node.items = [self.value(part) for part in shape.parts]
        return node

    def make_str(self, shape):
        return self.scalar(quoted(STRINGS.get(self.place[1], "x")))

    def make_int(self, shape):
        return self.scalar(str(INTS.get(self.place[1], (0,))[0]))

    def make_open(self, shape):
        return self.scalar("2")

    def make_float(self, shape):
        return self.scalar("0.5")

    def make_bool(self, shape):
        return self.scalar("false")

    def make_true(self, shape):
        return self.scalar("true")

    def make_unit(self, shape):
        return self.scalar("[]")

    def make_bytes(self, shape):
        return self.scalar(quoted("AAEC"))

    def make_enum(self, shape):
        values = self.types[shape.name].values.values()
        wanted = ENUMS.get(shape.name)
        return self.scalar(str(wanted if wanted in values else min(values)))


class Encoded(Smallest):
    """The smallest program as an encoder writes it."""

    defaults = True
