"""The types of a schema version: read out of PyTorch's schema.py, and compared.

The file is parsed, never run, and PyTorch is not imported. A construct that is
not known is refused with its line, so that nothing is lost unseen.
"""

import ast
import json

UNIONS = {
    "all_fields_with_nulls":
        "object holding every union field; exactly one is non-null; unit value is []",
    "type_value_pair": '{"$type": tag, "$value": value}',
    "single_key_dict": "object with exactly one key, the tag",
}
PLAIN = ("str", "int", "float", "bool", "bytes")
GENERIC = {"List": "list", "list": "list", "Dict": "dict", "dict": "dict",
           "Optional": "optional", "Tuple": "tuple", "tuple": "tuple"}
ARITY = {"list": 1, "dict": 2, "optional": 1}
FACTORIES = {"list": [], "dict": {}}
ENUMS = ("IntEnum",)
UNION_BASE = "_Union"
DATACLASSES = ("dataclass", "_union_dataclass")
START = "ExportedProgram"
CONSTANTS = ("SCHEMA_VERSION", "TREESPEC_VERSION")
PROVENANCE = ("source", "evidence", "note")


class Unreadable(Exception):
    """The file holds something that this script does not know."""

    def __init__(self, node, what):
        super().__init__(f"line {getattr(node, 'lineno', '?')}: {what}")


def name_of(node):
    """The last name of a.b.c or of f(...); None for anything else."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    return None


def items_of(node):
    """What stands between the brackets of a subscript, as a list."""
    inner = node.slice
    return inner.elts if isinstance(inner, ast.Tuple) else [inner]


# ---- types ------------------------------------------------------------------


def read_generic(node):
    name = GENERIC.get(name_of(node.value))
    items = items_of(node)
    if name is None or len(items) != ARITY.get(name, len(items)):
        raise Unreadable(node, f"no such type: {ast.unparse(node)}")
    if name == "tuple" and not items:
        return "unit"
    return f"{name}<{','.join(read_type(item) for item in items)}>"


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def read_alternatives(node):
    """T | None, either way round."""
    rest = [side for side in (node.left, node.right) if not is_none(side)]
    if not isinstance(node.op, ast.BitOr) or len(rest) != 1:
        raise Unreadable(node, f"no such type: {ast.unparse(node)}")
    return f"optional<{read_type(rest[0])}>"


def read_type(node):
    """A type in the notation of the catalogue: list<SymInt>."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return read_type(ast.parse(node.value, mode="eval").body)
    if isinstance(node, ast.Name) and (node.id in PLAIN or node.id[0].isupper()):
        return node.id
    if isinstance(node, ast.Subscript):
        return read_generic(node)
    if isinstance(node, ast.BinOp):
        return read_alternatives(node)
    raise Unreadable(node, f"no such type: {ast.unparse(node)}")


def read_annotation(node):
    """The type, and the field id where there is one."""
    if not isinstance(node, ast.Subscript) or name_of(node.value) != "Annotated":
        return read_type(node), None
    items = items_of(node)
    if len(items) != 2 or not isinstance(items[1], ast.Constant):
        raise Unreadable(node, f"no field id: {ast.unparse(node)}")
    return read_type(items[0]), items[1].value


# ---- classes ----------------------------------------------------------------


def read_default(node):
    if isinstance(node, ast.Call) and name_of(node) == "field" and len(node.keywords) == 1:
        keyword = node.keywords[0]
        if keyword.arg == "default":
            return read_default(keyword.value)
        if keyword.arg == "default_factory" and name_of(keyword.value) in FACTORIES:
            return FACTORIES[name_of(keyword.value)]
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise Unreadable(node, f"no such default: {ast.unparse(node)}") from None


def read_field(node, is_union):
    shape, number = read_annotation(node.annotation)
    field = {"name": node.target.id, "type": shape, "required": node.value is None}
    if node.value is not None:
        if is_union:
            raise Unreadable(node, "a variant with a default")
        field["default"] = read_default(node.value)
    if number is not None:
        field["field_id"] = number
    return field


def statements(node, kind):
    """The statements of a class that count; docstrings do not."""
    for statement in node.body:
        if isinstance(statement, kind):
            yield statement
        elif not isinstance(statement, ast.Pass) and not (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            raise Unreadable(statement, f"in {node.name}: {ast.unparse(statement)}")


def read_enum(node):
    values = {}
    for statement in statements(node, ast.Assign):
        values[statement.targets[0].id] = ast.literal_eval(statement.value)
    return {"kind": "enum", "wire": "int", "values": values}


def read_class(node, encoding):
    bases = [name_of(base) for base in node.bases]
    if bases and bases[0] in ENUMS:
        return read_enum(node)
    is_union = bases == [UNION_BASE]
    decorated = any(name_of(each) in DATACLASSES for each in node.decorator_list)
    if not decorated or (bases and not is_union):
        raise Unreadable(node, f"no such class: {node.name}")
    fields = [read_field(each, is_union) for each in statements(node, ast.AnnAssign)]
    if is_union:
        return {"kind": "union", "fields": fields, "union_encoding": encoding}
    return {"kind": "struct", "fields": fields}


# ---- the file ---------------------------------------------------------------


def types_named(text):
    """The names in the text of a type, without the generic ones."""
    words = text.replace("<", " ").replace(">", " ").replace(",", " ").split()
    return [word for word in words if word[0].isupper()]


def references(types):
    """Type to the set of types that its fields hold. All of them must exist."""
    found = {}
    for name, row in types.items():
        found[name] = {word for field in row.get("fields", ())
                       for word in types_named(field["type"])}
        for other in found[name] - types.keys():
            raise Unreadable(None, f"{name} holds a {other}, which is not there")
    return found


def reachable(held, start):
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(held[name])
    return sorted(seen)


def read_version(constants):
    version = constants.get("SCHEMA_VERSION")
    if isinstance(version, int):
        return {"major": version, "minor": None}, "int"
    if not isinstance(version, tuple) or len(version) != 2:
        raise Unreadable(None, "no SCHEMA_VERSION")
    return {"major": version[0], "minor": version[1]}, "{major,minor}"


def read_schema(text, encoding):
    constants, types = {}, {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name != UNION_BASE:
            types[node.name] = read_class(node, encoding)
        elif isinstance(node, ast.Assign) and name_of(node.targets[0]) in CONSTANTS:
            constants[name_of(node.targets[0])] = ast.literal_eval(node.value)
    version, wire = read_version(constants)
    held = references(types)
    within = set().union(*held.values())
    return {
        "schema_version": version,
        "schema_version_wire": wire,
        "treespec_version": constants.get("TREESPEC_VERSION"),
        "union_encoding": {encoding: UNIONS[encoding]},
        "root_types": [name for name in types if name not in within],
        "reachable_from_ExportedProgram": reachable(held, START),
        "types": types,
    }


# ---- comparing --------------------------------------------------------------


def flat(value, path=""):
    """Path and leaf, in order; a list's items are named where they have names."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from flat(item, f"{path}/{key}")
    elif isinstance(value, list) and value:
        for i, item in enumerate(value):
            name = item.get("name", i) if isinstance(item, dict) else i
            yield from flat(item, f"{path}/{name}")
    else:
        yield path, json.dumps(value)


def without_words(schema):
    """What has to agree: not where it is from, nor the sentence on unions."""
    kept = {key: value for key, value in schema.items() if key not in PROVENANCE}
    kept["union_encoding"] = list(kept["union_encoding"])
    return kept


def differences(expected, found):
    before, after = list(flat(without_words(expected))), list(flat(without_words(found)))
    if before == after:
        return []
    lines = [f"- {path}: {leaf}" for path, leaf in before if (path, leaf) not in set(after)]
    lines += [f"+ {path}: {leaf}" for path, leaf in after if (path, leaf) not in set(before)]
    return lines or ["the order differs"]
