"""Programs as plain Python, written as a version has them."""

import functools
import json

from format.document import Node
from format.history import ever
from format.programs import Encoded


@functools.lru_cache(maxsize=None)
def members_ever(type_name):
    return frozenset(ever(type_name))


class Writer(Encoded):
    """Makes the nodes of a version from programs as plain Python, or from the
    terms of a draft."""

    def said(self, shape, data, place=None):
        node = getattr(self, "said_" + shape.kind)(shape, data)
        node.shape = shape
        if place is not None:
            node.place = place
        return node

    def said_struct(self, shape, data):
        if shape.name == "TensorValue" and "meta" not in data:
            data = {"meta": data}
        known = {"meta"} if shape.name == "TensorValue" else members_ever(shape.name)
        assert set(data) <= known, "%s: %s" % (shape.name, set(data) - known)
        return self.filled(self.types[shape.name], data)

    def filled(self, kind, data):
        """A struct with what is said, and defaults."""
        node = Node("struct", type_name=kind.name)
        for member in kind.members:
            if data.get(member.name) is None:
                value = self.field(kind.name, member)
            else:
                value = self.said(member.shape, data[member.name], (kind.name, member.name))
            if value is not None:
                node.members.append([member.name, value])
        return node

    def said_union(self, shape, data):
        if not isinstance(data, dict):
            data = self.symbolic(shape.name, data)
        (tag, value), = data.items()
        kind = self.types[shape.name]
        member = next((each for each in kind.members if each.name == tag), None)
        assert member is not None, "%s: no %s.%s" % (self.version.name, shape.name, tag)
        return self.union(kind, member, self.said(member.shape, value, (shape.name, tag)))

    @staticmethod
    def symbolic(name, data):
        """A number, or an expression's text, or that with a hint; or a hint."""
        if name == "SymExprHint":
            return {"as_%s" % type(data).__name__: data}
        if isinstance(data, (str, tuple)):
            text, hint = data if isinstance(data, tuple) else (data, None)
            return {"as_expr": {"expr_str": text, "hint": hint}}
        return {{"SymInt": "as_int", "SymFloat": "as_float", "SymBool": "as_bool"}[name]: data}

    def said_list(self, shape, data):
        node = self.make_list(shape)
        node.items = [self.said(shape.parts[0], item) for item in data]
        return node

    def said_tuple(self, shape, data):
        node = Node("tuple")
        node.items = [self.said(part, item) for part, item in zip(shape.parts, data)]
        return node

    def said_dict(self, shape, data):
        node = self.make_dict(shape)
        node.members = [[key, self.said(shape.parts[0], item)] for key, item in data.items()]
        return node

    def said_optional(self, shape, data):
        return self.make_optional(shape) if data is None else self.said(shape.parts[0], data)

    def said_str(self, shape, data):
        if isinstance(data, dict):  # a SymBool's expression, a tensor of a union: once texts
            data = data.get("expr_str", data.get("name"))
        return self.scalar(json.dumps(data))

    def said_int(self, shape, data):
        return self.scalar(json.dumps(data))

    said_open = said_float = said_bool = said_enum = said_int

    def said_bytes(self, shape, data):
        return self.scalar(json.dumps(data))

    def said_unit(self, shape, data):
        return self.make_unit(shape)

    def said_true(self, shape, data):
        return self.make_true(shape)
