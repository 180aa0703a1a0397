"""Programs as plain Python, and values of them, spelled as a version has them, as PyTorch does:
structs are dicts, of which only what has no default need be there, unions {tag: value}, a SymInt
its number or its text.  What cannot be said so is {"$raw": text}.  A field that has to be there
and is not said is the smallest that there is.
"""

import functools
import json

from format.history import ALL_FIELDS, TYPE_VALUE, ever

RAW = "$raw"

# The smallest value of a kind; of a text and of an int by the name of its field; of an enum.
SMALLEST = {"list": "[]", "dict": "{}", "optional": "null", "open": "2", "float": "0.5",
            "bool": "false", "true": "true", "unit": "[]", "bytes": '"AAEC"'}
STRINGS = {
    "target": "torch.ops.aten.add.Tensor", "type": "cuda", "expr_str": "s0", "expr_ast": "s0",
    "dialect": "ATEN", "torch_version": "2.7.0", "class_fqn": "__torch__.C", "in_spec": "[1, null]",
    "out_spec": "[1, null]", "fqn": "", "metadata": "line 1\n\t\"\u00e9\U0001f600\"",
    "guards_code": "L['x'].size()[0] >= 2", "verifiers": "TRAINING", "as_operator": "#ns:op",
    "parameter_name": "p", "buffer_name": "b", "as_symbol": "s0",
}
INTS = {"as_int": 2, "as_ints": 3, "opset_version": 10}
ENUMS = {"ScalarType": 7, "Layout": 7, "MemoryFormat": 1, "ArgumentKind": 1}
PREFERRED = ("as_tensor", "as_int", "as_name", "user_input", "user_output")


@functools.lru_cache(maxsize=None)
def members_ever(type_name):
    return frozenset(ever(type_name))


def braced(members):
    return "{%s}" % ", ".join("%s: %s" % (json.dumps(key), text) for key, text in members)


def bracketed(items):
    return "[%s]" % ", ".join(items)


class Writer:
    """Makes the text of values."""

    def __init__(self, version):
        self.version, self.types = version, version.types

    # -- what is not said

    def smallest(self, shape, name):
        """A value of a shape, in a field of that name."""
        kind = shape.kind
        if kind in SMALLEST:
            return SMALLEST[kind]
        if kind == "struct":
            return self.filled(shape.name, {})
        if kind == "union":
            members = {member.name: member for member in self.types[shape.name].members}
            member = members[next((each for each in PREFERRED if each in members), next(iter(members)))]
            return self.union(shape.name, member.name, self.smallest(member.shape, member.name))
        if kind == "tuple":
            return bracketed(self.smallest(part, name) for part in shape.parts)
        if kind == "enum":
            values, wanted = self.types[shape.name].values.values(), ENUMS.get(shape.name)
            return str(wanted if wanted in values else min(values))
        return json.dumps(STRINGS.get(name, "x") if kind == "str" else INTS.get(name, 0))

    def field(self, name, member):
        """A field that nobody says; None where it is not written."""
        if name == "ExportedProgram" and member.name == "schema_version":
            numbers = self.version.number.split(".")
            return numbers[0] if len(numbers) == 1 else braced(
                zip((each.name for each in self.types["SchemaVersion"].members), numbers))
        if member.required:
            return self.smallest(member.shape, member.name)
        written = member.default is not None or self.version.nulls
        return json.dumps(member.default) if written else None

    def filled(self, name, data):
        """A struct with what is said, and defaults."""
        made = ((member.name, self.field(name, member) if data.get(member.name) is None
                 else self.said(member.shape, data[member.name])) for member in self.types[name].members)
        return braced((key, text) for key, text in made if text is not None)

    def union(self, name, tag, text):
        """In the form of the version, with a variant."""
        if self.version.unions == TYPE_VALUE:
            return braced((("$type", json.dumps(tag)), ("$value", text)))
        if self.version.unions == ALL_FIELDS:
            return braced((each.name, text if each.name == tag else "null")
                          for each in self.types[name].members)
        return braced(((tag, text),))

    # -- what is said

    def said(self, shape, data):
        if isinstance(data, dict) and RAW in data:
            return data[RAW]
        return getattr(self, "said_" + shape.kind, self.said_plain)(shape, data)

    def said_struct(self, shape, data):
        if shape.name == "TensorValue" and "meta" not in data:
            data = {"meta": data}
        known = {"meta"} if shape.name == "TensorValue" else members_ever(shape.name)
        assert set(data) <= known, "%s: %s" % (shape.name, set(data) - known)
        return self.filled(shape.name, data)

    def said_union(self, shape, data):
        if not isinstance(data, dict):
            data = self.symbolic(shape.name, data)
        (tag, value), = data.items()
        member = next((each for each in self.types[shape.name].members if each.name == tag), None)
        assert member is not None, "%s: no %s.%s" % (self.version.name, shape.name, tag)
        return self.union(shape.name, tag, self.said(member.shape, value))

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
        return bracketed(self.said(shape.parts[0], item) for item in data)

    def said_tuple(self, shape, data):
        return bracketed(self.said(part, item) for part, item in zip(shape.parts, data))

    def said_dict(self, shape, data):
        return braced((key, self.said(shape.parts[0], item)) for key, item in data.items())

    def said_optional(self, shape, data):
        return "null" if data is None else self.said(shape.parts[0], data)

    def said_str(self, shape, data):
        if isinstance(data, dict):  # a SymBool's expression, a tensor of a union: once texts
            data = data.get("expr_str", data.get("name"))
        return json.dumps(data)

    @staticmethod
    def said_plain(shape, data):
        return SMALLEST[shape.kind] if shape.kind in ("unit", "true") else json.dumps(data)
