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
from testee import MAJORS, Refused, serve  # noqa: E402


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
        "schemas": {"*": MAJORS[major], "encode": [f"{major}.{minor}"]},
    }


if __name__ == "__main__":
    serve(hello(), answer)
