"""The adapter of ExecuTorch's fork of PyTorch's serializer, executorch/exir/serde.

The fork has types, JSON and deserializer of its own, in Python, and makes a program
of PyTorch with them. All that is judged here is the fork's; nothing is repaired or
refused by the adapter. A document is refused when the fork raises an exception,
whichever: it has no class for it. Lack of memory is an error.

    wire     the bytes as UTF-8, and json.loads
    decode   the same, then _dict_to_dataclass of ExportedProgram, then the version
             check, which the deserializer makes before all else
    check    decode, then ExportedProgramDeserializer, which makes the program of it,
             with no weights, for which it does not look, and anything for an object
    encode   decode, and what serialize() does with the dataclass at its end

    adapter.py HOME      HOME has the files of ExecuTorch's wheel and of what it needs
"""

import importlib.metadata
import json
import logging
import pathlib
import sys
import warnings

HOME = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.dont_write_bytecode = True
sys.path[:0] = [str(HOME), str(pathlib.Path(__file__).resolve().parent.parent)]
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

import torch  # noqa: E402
from executorch.exir.serde import export_serialize, schema, serialize  # noqa: E402
from testee import Refused, check_version, serve  # noqa: E402

# It compares major numbers. Of those of its own, 5.3-2024-03 and 5.4, which no PyTorch
# released, have fields that it does not know, and are not claimed.
SCHEMAS = ["5.1", "5.3"]
WRITTEN = ".".join(str(part) for part in schema.SCHEMA_VERSION)


class Objects(dict):
    """Constants: an object stands for each that is asked for."""

    def __missing__(self, name):
        return object()


def load(program):
    return serialize.ExportedProgramDeserializer().deserialize(program, {}, Objects())


def wire(document):
    return json.loads(document.decode("utf-8"))


def decode(document):
    program = export_serialize._dict_to_dataclass(schema.ExportedProgram, wire(document))
    bare = schema.ExportedProgram(graph_module=None, opset_version={}, range_constraints={},
                                  schema_version=program.schema_version)
    check_version(serialize, lambda: load(bare))
    return program


def encode(document):
    tree = export_serialize._dataclass_to_dict(decode(document))
    return json.dumps(tree, cls=export_serialize.EnumEncoder).encode("utf-8")


def check(document):
    return load(decode(document))


OPERATIONS = {"wire": wire, "decode": decode, "check": check, "encode": encode}


def answer(operation, options, document):
    try:
        made = OPERATIONS[operation](document)
        return made if operation == "encode" else None
    except MemoryError:
        raise
    except Exception as error:
        raise Refused from error


def version():
    """Of the wheel, which lies beside its files."""
    found = importlib.metadata.distributions(name="executorch", path=[str(HOME)])
    return next((wheel.version for wheel in found), "unknown")


def hello():
    return {
        "name": "ExecuTorch (serde)",
        "version": f"{version()} with PyTorch {torch.__version__}",
        "operations": list(OPERATIONS),
        "schemas": {"*": SCHEMAS, "encode": [WRITTEN]},
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    importlib.import_module("torch.ao.quantization.fx._decomposed")  # registers operators
    serve(hello(), answer, apart=True)  # what sympy caches changes later verdicts
