"""The programs that the vectors start from, made from the types of a version:
the smallest one, one that holds every field, variant and enumerator, and
carriers of one value at a place of choice.
"""

import json

from format.document import Node
from format.history import ALL_FIELDS, BARE, QUOTED, TYPE_VALUE, names_in

# What stands in a field when nothing else is wanted of it.
STRINGS = {
    "target": "torch.ops.aten.add.Tensor", "type": "cuda", "expr_str": "s0", "expr_ast": "s0",
    "dialect": "ATEN", "torch_version": "2.7.0", "class_fqn": "__torch__.C", "in_spec": "[1, null]",
    "out_spec": "[1, null]", "fqn": "", "metadata": "line 1\n\t\"\u00e9\U0001f600\"",
    "guards_code": "L['x'].size()[0] >= 2", "verifiers": "TRAINING", "as_operator": "#ns:op",
    "parameter_name": "p", "buffer_name": "b", "as_symbol": "s0",
}
BASE64 = ("AAEC", "", "AA==", "AAE=", "+/8=")
KEYS = {
    "opset_version": "aten", "range_constraints": "s0", "metadata": "stack_trace",
    "sym_int_values": "s0", "tensor_paths": "p", "constant_paths": "c",
}
ENUMS = {"ScalarType": 7, "Layout": 7, "MemoryFormat": 1, "ArgumentKind": 1}
INTS = {"opset_version": (10,), "index": (0, 1), "as_int": (2, -3, 1000), "as_ints": (3, -1)}
FLOATS = ("0.5", "-1e-05", "1e+16")
NONFINITE = ("Infinity", "-Infinity", "NaN")
PREFERRED = ("as_tensor", "as_int", "as_name", "user_input", "user_output")

# Where a struct's fields are made in another order than they are written in:
# what is to show every variant comes first.
FIRST = {"Graph": ("nodes", "tensor_values"), "Node": ("inputs",)}


def quoted(text):
    return json.dumps(text)


def nonfinite(version):
    """The spellings of non-finite floats in a version."""
    names = NONFINITE if version.floats in (BARE, QUOTED) else NONFINITE[:2]
    return [name if version.floats == BARE else quoted(name) for name in names]


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
        return self.scalar(FLOATS[0])

    def make_bool(self, shape):
        return self.scalar("false")

    def make_true(self, shape):
        return self.scalar("true")

    def make_unit(self, shape):
        return self.scalar("[]")

    def make_bytes(self, shape):
        return self.scalar(quoted(BASE64[0]))

    def make_enum(self, shape):
        values = self.types[shape.name].values.values()
        wanted = ENUMS.get(shape.name)
        return self.scalar(str(wanted if wanted in values else min(values)))


class Encoded(Smallest):
    """The smallest program as an encoder writes it."""

    defaults = True


class Rich(Smallest):
    """Makes a program that holds everything that the version has, each thing
    as often as it takes: a union takes the next variant that has not been
    seen, an array goes on while its items would show something new.  No float
    is infinite or NaN: many vectors start here, and would be about that, too."""

    defaults = True

    def __init__(self, version):
        super().__init__(version)
        self.seen = {("SchemaVersion", "major"), ("SchemaVersion", "minor")}
        self.open = []  # the types that are being made
        self.counts = {}

    def program(self):
        root = super().program()
        for name, kind in self.version.reachable().items():
            wanted = kind.values if kind.kind == "enum" else [m.name for m in kind.members]
            lacking = [each for each in wanted if (name, each) not in self.seen]
            assert not lacking, "%s: no %s of %s" % (self.version.name, lacking, name)
        return root

    def turn_of(self, what):
        """How often this has been asked for before."""
        self.counts[what] = self.counts.get(what, -1) + 1
        return self.counts[what]

    def inner(self):
        """Within a graph within a graph, say, nothing more is to be shown."""
        return any(self.open.count(name) > 1 for name in set(self.open))

    # -- what is still to be seen

    def is_new(self, shape):
        """Whether a value of a shape could show what has not been seen."""
        todo, been = list(names_in(shape)), set(self.open)
        while todo:
            name = todo.pop()
            if name in been:
                continue
            been.add(name)
            kind = self.types[name]
            if any((name, each) not in self.seen for each in kind.values):
                return True
            for member in kind.members:
                if (name, member.name) not in self.seen:
                    return True
                todo.extend(names_in(member.shape))
        return False

    def struct(self, name):
        self.open.append(name)
        self.seen.update((name, member.name) for member in self.types[name].members)
        node = super().struct(name)
        self.open.pop()
        return node

    def field(self, name, member):
        if member.required or member.name == "schema_version":
            return super().field(name, member)
        value = self.value(member.shape, (name, member.name))
        return self.default(name, member) if value.kind == "null" else value

    def choose(self, kind):
        if not self.inner() and kind.name not in self.open:
            for member in kind.members:
                if (kind.name, member.name) not in self.seen:
                    return member
            for member in kind.members:
                if self.is_new(member.shape):
                    return member
        return super().choose(kind)

    def union(self, kind, member, value=None):
        self.seen.add((kind.name, member.name))
        self.open.append(kind.name)
        node = super().union(kind, member, value)
        self.open.pop()
        return node

    def items(self, shape):
        """Items of a list or dict: one, and more while they show something."""
        place, part = self.place, shape.parts[0]
        if self.inner():
            return
        yield self.value(part, place)
        before = None
        while self.is_new(part) and before != len(self.seen):
            before = len(self.seen)
            yield self.value(part, place)

    def make_list(self, shape):
        node = Node("list")
        node.items = list(self.items(shape))
        if shape.parts[0].kind in ("int", "float", "bool", "str") and not self.inner():
            node.items += self.more(shape.parts[0])
        return node

    def more(self, shape):
        """Further items of a list of scalars."""
        if shape.kind == "float":
            texts = FLOATS[1:]
        else:
            texts = {"int": ["-1"], "bool": ["true"], "str": [quoted("")]}[shape.kind]
        nodes = [self.scalar(text) for text in texts]
        for node in nodes:
            node.shape, node.place = shape, self.place
        return nodes

    def make_dict(self, shape):
        node, key = Node("dict"), KEYS.get(self.place[1], "x")
        for i, item in enumerate(self.items(shape)):
            node.members.append([key if i == 0 else "%s%d" % (key, i), item])
        return node

    def make_optional(self, shape):
        if self.inner() or (self.turn_of(self.place) % 2 == 1 and not self.is_new(shape.parts[0])):
            return Node("null", text="null")
        return getattr(self, "make_" + shape.parts[0].kind)(shape.parts[0])

    def make_int(self, shape):
        values = INTS.get(self.place[1], (0,))
        return self.scalar(str(values[self.turn_of(self.place) % len(values)]))

    def make_open(self, shape):
        return self.scalar("2" if self.place[1] == "min_val" else "Infinity")

    def make_bool(self, shape):
        return self.scalar(("false", "true")[self.turn_of("bool") % 2])

    def make_bytes(self, shape):
        return self.scalar(quoted(BASE64[self.turn_of("bytes") % len(BASE64)]))

    def make_enum(self, shape):
        values = self.types[shape.name].values
        for name, value in values.items():
            if (shape.name, name) not in self.seen:
                self.seen.add((shape.name, name))
                return self.scalar(str(value))
        return super().make_enum(shape)


def carrier(version, place, text):
    """The smallest program with a text in one place: an Argument's tag, for an
    input of the graph, or a field of the outermost object or its graph module.
    Gives the root and the node of the text."""
    maker = Smallest(version)
    root = maker.program()
    value = Node("scalar", text=text)
    module = root.member("graph_module")
    if place.startswith("as_"):
        kind = version.types["Argument"]
        member = next(each for each in kind.members if each.name == place)
        module.member("graph").member("inputs").items.append(maker.union(kind, member, value))
        return root, value
    owner = root if any(name == place for name, _ in root.members) else module
    if any(name == place for name, _ in owner.members):
        owner.members[owner.index(place)][1] = value
    else:
        owner.members.append([place, value])
    return root, value
