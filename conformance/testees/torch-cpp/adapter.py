"""The adapter of PyTorch's reader and writer in C++.

What is judged is the code in PyTorch's own library, as its Python module shows it:
torch._C._export, of torch/csrc/export/pybind.cpp.

    decode   deserialize_exported_program: nlohmann::json parses the bytes, upgrade()
             compares the major number of schema_version with that of the release, and
             from_json of ExportedProgram, in generated_serialization_types.h, takes
             what it wants
    encode   the same, then serialize_exported_program: to_json, and dump

A document is refused when that raises an exception. Whatever minor number it names, the
types are those of the release.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import torch  # noqa: E402
from torch._C import _export  # noqa: E402
from torch._export.serde import schema  # noqa: E402
from testee import Refused, serve  # noqa: E402

# The versions of the vectors with the major number of the types.
MAJORS = {
    8: "8.1-a 8.1-b 8.1-c 8.1-d 8.2-ast 8.1 8.2 8.3 8.5-a 8.5 8.6 8.7 8.8 8.10 8.11 8.14 "
       "8.15-a 8.15 8.16 8.17 8.18 8.19 8.20",
}


def answer(operation, options, document):
    try:
        program = _export.deserialize_exported_program(document)
        if operation == "encode":
            return _export.serialize_exported_program(program).encode("utf-8")
        return None
    except MemoryError:
        raise
    except Exception as error:
        raise Refused from error


def hello():
    major, minor = schema.SCHEMA_VERSION
    return {
        "name": "PyTorch (C++)",
        "version": torch.__version__,
        "operations": ["decode", "encode"],
        "schemas": {"*": MAJORS[major].split(), "encode": [f"{major}.{minor}"]},
    }


if __name__ == "__main__":
    serve(hello(), answer)
