#!/usr/bin/env python3
"""The adapter of PyTorch's C++ runtime, torch::nativert, which reads archives.

A document is put into the archive that PyTorch 2.11 writes, and the archive given to
`loader`, which opens it with torch::nativert::ModelRunnerHandle: the JSON becomes C++
types, these a graph, and the graph one with a kernel for each node.

    check    the archive can be loaded
    whole    the document, which is an archive, can be loaded; its program is called model

For check, weights and constants of the names that the signature wants lie in the archive, each a
scalar of float32: what is refused is to be refused for the document. Where Python cannot
read which are wanted, a document that is not refused as JSON is unsupported. Objects of
TorchScript classes cannot be made up, and operators of libraries that are not loaded
not be found: programs that want them are unsupported.

When the loader ends, this does too, in the same way.

    adapter.py HOME      HOME has the loader and the libraries that it is linked with
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from testee import MAJORS, Refused, Unsupported, serve  # noqa: E402

HOME = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SCALAR = {"dtype": 7, "sizes": [], "requires_grad": False, "device": {"type": "cpu", "index": None},
          "strides": [], "storage_offset": {"as_int": 0}, "layout": 7}
SCALAR_BYTES = bytes(4)
# What it says of an operator that it does not have, and the libraries that it comes with.
NO_OPERATOR = re.compile(r"Could not find schema for ([^:]*)::")
# How it refuses a text before it looks for any weight.
NO_JSON = "[json.exception."
OWN = {"aten", "prim", "prims", "quantized", "_quantized"}


def read(document):
    """The document as Python reads it; None where it does not."""
    try:
        return json.loads(document)
    except (ValueError, RecursionError):
        return None


def specs(program):
    """The input specs, as far as there are any: pairs of a tag and what it holds."""
    found = program
    for key in ("graph_module", "signature", "input_specs"):
        found = found.get(key) if isinstance(found, dict) else None
    found = found if isinstance(found, list) else []
    return [pair for spec in found if isinstance(spec, dict) for pair in spec.items()]


def wanted(program):
    """The names of weights, which are a parameter or not, and of constants."""
    weights, constants = {}, []
    for tag, spec in specs(program):
        if tag == "custom_obj":
            raise Unsupported("an object of a TorchScript class cannot be made up")
        if not isinstance(spec, dict):
            continue
        name = next((spec[key] for key in ("parameter_name", "buffer_name", "tensor_constant_name")
                     if isinstance(spec.get(key), str)), None)
        if tag == "parameter" or tag == "buffer" and spec.get("persistent"):
            weights[name] = tag == "parameter"
        elif tag in ("buffer", "tensor_constant"):
            constants.append(name)
    return weights, constants


def payloads(names, prefix):
    """The files of some tensors and what their config says of them."""
    config = {name: {"path_name": f"{prefix}{number}", "is_param": is_parameter,
                     "use_pickle": False, "tensor_meta": SCALAR}
              for number, (name, is_parameter) in enumerate(names.items()) if name is not None}
    return {said["path_name"]: SCALAR_BYTES for said in config.values()}, {"config": config}


def members(document, program):
    weights, constants = wanted(program)
    files = {"archive_format": b"pt2", "archive_version": b"0", "byteorder": b"little",
             ".data/version": b"6\n", "models/model.json": document}
    for kind, names, prefix in (("weights", weights, "weight_"),
                                ("constants", dict.fromkeys(constants, False), "tensor_")):
        data, config = payloads(names, prefix)
        files[f"data/{kind}/model_{kind}_config.json"] = json.dumps(config).encode("utf-8")
        files.update((f"data/{kind}/{path}", held) for path, held in data.items())
    return files


def write_archive(path, document, program):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members(document, program).items():
            archive.writestr(f"model/{name}", data)


class Loader:
    """The process, and the archive that it reads again and again."""

    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([str(HOME / "loader")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ended(self):
        """Ends as it has ended."""
        self.path.unlink()
        status = self.process.wait()
        if status < 0:
            signal.signal(-status, signal.SIG_DFL)
            os.kill(os.getpid(), -status)
        os._exit(status or 1)

    def asked(self):
        """What it says of the archive: a verdict and a message."""
        try:
            self.process.stdin.write(f"{self.path}\n".encode())
            self.process.stdin.flush()
        except OSError:
            self.ended()
        answer = self.process.stdout.readline()  # bytes: a message may hold a carriage return
        if not answer:
            self.ended()
        answer = answer.decode("utf-8", "backslashreplace")
        verdict, _, message = answer.rstrip("\n").partition(" ")
        return verdict, message

    def whole(self, document):
        self.path.write_bytes(document)
        verdict, message = self.asked()
        if verdict != "valid":
            raise Refused(message)

    def check(self, document):
        program = read(document)
        write_archive(self.path, document, program)
        verdict, message = self.asked()
        if verdict == "valid":
            return
        operator = NO_OPERATOR.match(message)
        if operator and operator[1] not in OWN:
            raise Unsupported(f"an operator of a library that is not loaded: {message}")
        if program is None and not message.startswith(NO_JSON):
            raise Unsupported("Python does not read the document, so that no weights were made up "
                              f"that it may want: {message}")
        raise Refused(message)


def hello():
    # Of its major number; the C++ types are read without a look at the version.
    version = json.loads((HOME / "installed.json").read_text(encoding="utf-8"))["versions"][0]
    return {"name": "PyTorch (nativert)", "version": version.partition("==")[2],
            "operations": ["check", "whole"], "schemas": MAJORS[8]}


def main():
    handle, name = tempfile.mkstemp(suffix=".pt2", dir=os.getcwd())
    os.close(handle)
    path = pathlib.Path(name)
    loader = Loader(path)
    operations = {"check": loader.check, "whole": loader.whole}
    serve(hello(), lambda operation, options, document: operations[operation](document))
    loader.process.stdin.close()
    loader.process.wait()
    path.unlink()


if __name__ == "__main__":
    main()
