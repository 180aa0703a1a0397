"""The adapter of PyTorch's own reader and writer in Python: any release from 2.1 on.

All that is judged here is PyTorch's, torch/_export/serde/serialize.py; nothing is
repaired or refused by the adapter. A document is refused when PyTorch raises an
exception, whichever: it has no class for it. RecursionError is one of them, as it
is how Python says that a text is too deep; lack of memory is an error.

    wire     the bytes as UTF-8, and json.loads
    decode   the same, then _dict_to_dataclass of ExportedProgram, then the version
             check, which the deserializer makes before all else
    forward  decode, from 2.9 on, which ignores fields that it does not know
    check    decode, then ExportedProgramDeserializer, which makes the program of it.
             What it needs beside the document is made up: beside.py
    archive  torch.export.load, with what is in the archive
    whole    the same: it reads the state of each program, and returns the one called model.
             A model of AOTInductor, which it unpacks into files and links, is unsupported
    encode   decode, and what serialize() does with the dataclass at its end
    canon    decode, canonicalize, and the same; the torch form

Reading a program evaluates texts of it as Python, and reading state unpickles it, without
restriction where it fails with one. A document that so reached for
processes, the network, or files to write or remove would be stopped, and said as an
error; none of the vectors does.
"""

import dataclasses
import importlib
import io
import json
import logging
import pathlib
import re
import sys
import warnings
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import torch  # noqa: E402
from torch._export.serde import schema, serialize  # noqa: E402
import beside  # noqa: E402
from testee import MAJORS, Refused, Unsupported, check_version, serve  # noqa: E402

PROGRAM = re.compile(r"serialized_exported_program\.json|.*/models/[^/]*\.json")
RELEASE = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
FORBIDDEN = {"os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "subprocess.Popen",
             "os.remove", "os.rename", "os.rmdir", "os.mkdir", "shutil.rmtree", "socket.connect",
             "socket.bind"}


class Stopped(BaseException):
    """A document reached for something outside; no handler in PyTorch is to catch this."""


def written():
    """The version that this release writes, as the vectors spell it."""
    version = schema.SCHEMA_VERSION
    return str(version) if isinstance(version, int) else ".".join(str(part) for part in version)


def taken():
    """The versions that it takes: 2.1 and 2.2 compare a number, later ones the major alone."""
    version = schema.SCHEMA_VERSION
    if isinstance(version, int):
        return [name for name in MAJORS[version] if "." not in name]
    return MAJORS[version[0]]


def load(program, state_dict, constants):
    """ExportedProgramDeserializer, as each release wants to be called."""
    deserializer = serialize.ExportedProgramDeserializer()
    if RELEASE >= (2, 4):
        return deserializer.deserialize(program, state_dict, constants)
    weights = serialize.serialize_torch_artifact(state_dict)
    if RELEASE == (2, 1):
        return deserializer.deserialize(program, weights)
    artifact = serialize.SerializedArtifact(
        program, weights, serialize.serialize_torch_artifact(constants))
    return deserializer.deserialize(artifact)


def decode(document):
    data = json.loads(document.decode("utf-8"))
    program = serialize._dict_to_dataclass(schema.ExportedProgram, data)
    # As no more than its version is judged, the ranges may be left out.
    bare = dataclasses.replace(program, range_constraints={})
    check_version(serialize, lambda: load(bare, {}, {}))
    return program


def bytes_of(program):
    """The end of serialize(), release by release."""
    if hasattr(serialize, "_to_json_bytes"):
        return serialize._to_json_bytes(program)
    as_dict = getattr(serialize, "_dataclass_to_dict", dataclasses.asdict)
    return json.dumps(as_dict(program), cls=serialize.EnumEncoder).encode("utf-8")


def check(document):
    program = decode(document)
    with beside.registered(program):
        load(program, *beside.artifacts(program))


def canon(document, options):
    program = decode(document)
    if RELEASE >= (2, 7):
        return bytes_of(serialize.canonicalize(program, set(options.get("constants", []))))
    if "constants" in options:
        raise Unsupported("canonicalize takes no constants before 2.7")
    return bytes_of(serialize.canonicalize(program))


def program_in(archive):
    """The program in an archive, to see its operators; None where PyTorch will not find it."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as members:
            name = next(name for name in members.namelist() if PROGRAM.fullmatch(name))
            return decode(members.read(name))
    except Exception:
        return None


def archive(document):
    with beside.registered(program_in(document)):
        torch.export.load(io.BytesIO(document))


def whole(document):
    if b"/data/aotinductor/" in document:
        raise Unsupported("a model of AOTInductor is unpacked and linked")
    archive(document)


def wire(document):
    json.loads(document.decode("utf-8"))


OPERATIONS = {
    "wire": lambda document, options: wire(document),
    "decode": lambda document, options: decode(document) and None,
    "forward": lambda document, options: decode(document) and None,
    "check": lambda document, options: check(document),
    "archive": lambda document, options: archive(document),
    "whole": lambda document, options: whole(document),
    "encode": lambda document, options: bytes_of(decode(document)),
    "forward-encode": lambda document, options: bytes_of(decode(document)),
    "canon": canon,
}


def answer(operation, options, document):
    try:
        return OPERATIONS[operation](document, options)
    except (Unsupported, MemoryError):
        raise
    except Stopped as error:
        raise RuntimeError(str(error)) from error
    except Exception as error:
        raise Refused from error


def operations():
    has = ["wire", "decode", "check", "archive", "whole", "encode"]
    if RELEASE >= (2, 9):
        has += ["forward", "forward-encode"]
    return has + ["canon"] if hasattr(serialize, "canonicalize") else has


def hello():
    return {
        "name": "PyTorch (Python)",
        "version": torch.__version__,
        "operations": operations(),
        "schemas": {"*": taken(), "encode": [written()]},
        "options": ["form", "constants"],
        "forms": {"torch": [written()]} if hasattr(serialize, "canonicalize") else {},
        "profile": "pytorch",
    }


def guard(event, args):
    """What is asked of the system while documents are read."""
    if event in FORBIDDEN:
        raise Stopped(event)
    if event == "open" and isinstance(args[0], str) and set(args[1] or "r") & set("wax+"):
        raise Stopped(f"open {args[0]}")


def warm_up():
    """What PyTorch imports when it first reads a program is imported before the guard stands."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    importlib.import_module("torch.ao.quantization.fx._decomposed")  # registers operators
    module = torch.nn.Linear(2, 2)
    program = torch.export.export(module, (torch.ones(1, 2),))
    made = serialize.serialize(program)
    check(made[0] if isinstance(made, tuple) else made.exported_program)


if __name__ == "__main__":
    warm_up()
    sys.addaudithook(guard)
    serve(hello(), answer)
