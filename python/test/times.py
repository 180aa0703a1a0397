"""How long the Python package takes, beside json.load and torch.export.load.

    python times.py FILE...     programs (.json) and archives (.pt2)

Prints a table in Markdown, in milliseconds of the processor: of each call the best of some runs
within two seconds. torch.export.load is of an archive, and left out where there is no PyTorch; a
program is put into one, with weights of zeros, where numpy is there.
"""

import io
import json
import pathlib
import sys
import tempfile
import time

import epref

try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
except ImportError:
    torch = None

ROWS = ("file", "bytes", "nodes", "json.load", "load, check=False", "load", "check", "encode",
        "load, digest", "all nodes", "torch.export.load")


def best(function):
    """Milliseconds; the first run, which may have to import, does not count alone."""
    found, stop = [], time.monotonic() + 2
    while len(found) < 2 or time.monotonic() < stop and len(found) < 50:
        start = time.process_time()
        function()
        found.append(time.process_time() - start)
    return min(found) * 1000


def walk(program):
    for node in program.nodes:
        for argument in (*node.inputs, *node.outputs):
            argument.value


def packed(program, path, folder):
    """An archive of a program, with weights of zeros."""
    weights = folder / "weights"
    weights.mkdir()
    for entry in program.signature.inputs:
        if entry.target:
            tensor = program.tensors.get(entry.name)
            array = numpy.zeros([int(size) for size in tensor.shape], tensor.dtype)
            numpy.save(weights / f"{entry.target}.npy", array)
    epref.pack(folder / "packed.pt2", path, tensors=weights)
    return folder / "packed.pt2"


def torch_time(path, program):
    if torch is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        if path.suffix == ".json":
            path = packed(program, path, pathlib.Path(folder))
        return best(lambda: torch.export.load(path))


def measure(path):
    program = epref.load(path)
    text = program.encode()
    times = [best(lambda: json.load(io.BytesIO(text))), best(lambda: epref.load(path, check=False)),
             best(lambda: epref.load(path)), best(lambda: epref.check(path)),
             best(program.encode), best(lambda: epref.load(path, check=False).digest()),
             best(lambda: walk(program)), torch_time(path, program)]
    return [path.parent.name + "/" + path.name, f"{path.stat().st_size:,}",
            f"{program.stats().nodes:,}",
            *("" if each is None else f"{each:,.2f}" for each in times)]


def main():
    print("| " + " | ".join(ROWS) + " |")
    print("|---|" + "---:|" * (len(ROWS) - 1))
    for word in sys.argv[1:]:
        print("| " + " | ".join(measure(pathlib.Path(word))) + " |", flush=True)


if __name__ == "__main__":
    main()
