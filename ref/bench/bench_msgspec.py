"""The benchmark's typed peer of Python: msgspec decodes a program into structs that are made of the
types of a schema version.

    bench_msgspec.py PROGRAM SCHEMA
"""

import json
import re
import sys
from types import ModuleType

import msgspec

SCALARS = {"str": "str", "int": "int", "float": "float", "bool": "bool"}


def annotation(shape):
    """A type of the schema, "optional<list<Node>>", as Python writes it."""
    outer, inner = re.fullmatch(r"(\w+)(?:<(.+)>)?", shape).groups()
    if outer == "optional":
        return f"Optional[{annotation(inner)}]"
    if inner:
        return f"{outer}[{', '.join(map(annotation, inner.split(',', outer == 'dict')))}]"
    return SCALARS.get(outer, f"'{outer}'")


def declarations(types):
    """The classes. A union is an object with one key: all its members are optional."""
    yield "import enum, msgspec\nfrom typing import Optional, Union"
    for name, made in types.items():
        if made["kind"] == "enum":
            yield f"class {name}(enum.IntEnum):"
            yield from (f"    {each} = {number}" for each, number in made["values"].items())
            continue
        absent = {field["name"]: "" if made["kind"] == "struct" and field["required"]
                  else " = None" for field in made["fields"]}
        yield f"class {name}(msgspec.Struct, kw_only=True):"
        for field in made["fields"]:
            shape = annotation(field["type"])
            shape = shape if made["kind"] == "struct" else f"Union[{shape}, None]"
            yield f"    {field['name']}: {shape}{absent[field['name']]}"
        yield "    pass"


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        types = json.load(file)["types"]
    module = sys.modules["program"] = ModuleType("program")  # where msgspec finds the names
    exec("\n".join(declarations(types)), vars(module))
    with open(sys.argv[1], "rb") as file:
        msgspec.json.decode(file.read(), type=module.ExportedProgram)


if __name__ == "__main__":
    main()
