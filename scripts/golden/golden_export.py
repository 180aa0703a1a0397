"""Make golden artifacts with the PyTorch that is installed beside this Python.

    golden_export.py --models=models.py --out=DIR [MODEL...]

scripts/golden/make calls this; it says one line of JSON a model: how it went.
Each model is exported in a process of its own, forked off when PyTorch has exported
one small module: PyTorch counts what it compiles, and the counts get into programs.

Exit status: 0 all asked for; 2 unusable arguments; 77 there is no PyTorch, or not
the release that --want names.
"""

import argparse
import json
import linecache
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
import types
import warnings

sys.dont_write_bytecode = True  # no __pycache__ beside the scripts

import golden_serde  # noqa: E402
from golden_neutral import Neutral, stop_the_clock  # noqa: E402

SEED = 0
LONG = 300  # seconds, for one model
SHOWN = 700  # characters of an error that are reported


def release_of(torch):
    return torch.__version__.split("+")[0]


def load_models(path):
    """models.py as a module that says of itself nothing but "models.py"."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    models = types.ModuleType("models")
    models.__file__ = "models.py"
    sys.modules["models"] = models
    linecache.cache["models.py"] = (len(source), None, source.splitlines(True), "models.py")
    exec(compile(source, "models.py", "exec"), models.__dict__)
    return models


# ---- one model --------------------------------------------------------------


class Maker:
    """Makes the artifacts of one model into its folder."""

    def __init__(self, torch, models, name, folder):
        self.torch, self.models, self.name, self.folder = torch, models, name, folder
        self.serde, self.about = golden_serde.Serde(torch), models.META[name]
        self.case = self.program = self.artifact = self.text = None
        self.strict = None

    def write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    # ------------------------------------------------------------ PyTorch

    def build(self):
        """The model and its inputs, of the seed alone; the memory is filled that nobody writes."""
        for filled in (True, False):  # some types cannot be filled
            try:
                self.torch.use_deterministic_algorithms(filled, warn_only=filled)
                self.torch.manual_seed(SEED)
                return self.models.CASES[self.name]()
            except RuntimeError:
                if not filled:
                    raise
            finally:
                self.torch.use_deterministic_algorithms(False)

    def export(self):
        self.program, self.strict = golden_serde.export(
            self.torch, self.case, self.about["mode"], self.about["strict"])
        if "patch" in self.case:
            self.program = self.case["patch"](self.program) or self.program
        Neutral(self.torch).program(self.program)

    def serialize(self):
        opset = self.case.get("save", {}).get("opset_version")
        self.artifact = self.serde.serialize(self.program, opset)
        self.text = self.serde.text(self.artifact)
        self.write("program.json", self.text)

    def save(self):
        """The archive, unless the release cannot save what it can serialize."""
        path = os.path.join(self.folder, "model.pt2")
        try:
            self.torch.export.save(self.program, path, **self.case.get("save", {}))
        except Exception:  # whatever PyTorch raises: the program is there all the same
            if os.path.exists(path):
                os.remove(path)

    # ------------------------------------------------------------ artifacts

    def canonicalize(self):
        """("ok", "error" or "unavailable"; the error)"""
        if self.serde.canonicalize is None:
            return "unavailable", None
        try:
            canonical = self.serde.canonical(json.loads(self.text))
        except Exception as error:  # whatever PyTorch raises is the result
            told = f"{type(error).__name__}: {error}"
            self.write("canonical.error.txt", told.encode())
            return "error", told
        self.write("canonical.json", canonical)
        return "ok", None

    def meta(self, canonical, told):
        """What epref stats does not tell of the program."""
        version, treespec = self.serde.versions()
        self.write("meta.json", json.dumps({
            "torch_version": str(self.torch.__version__), "schema_version": version,
            "treespec_version": treespec, "model": self.name,
            "features": self.about["features"], "mode": self.about["mode"],
            "strict": self.strict, "strict_argument": self.about["strict"],
            "canonical": canonical, "canonical_error": told}, indent=1).encode())

    def make(self):
        self.case = self.build()
        self.export()
        self.serialize()
        self.save()
        self.meta(*self.canonicalize())


# ---- one process a model ----------------------------------------------------


def in_child(torch, models, name, folder, told):
    """All that the forked process does; what went wrong goes into a file."""
    signal.alarm(LONG)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # some models print
    problem = None
    try:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        Maker(torch, models, name, folder).make()
    except BaseException as error:  # the process ends here, whatever it was
        problem = f"error: {type(error).__name__}: {error}"[:SHOWN].split("\n")[0]
    with open(told, "w", encoding="utf-8") as file:
        json.dump(problem, file)


def outcome(told, status):
    if not os.path.exists(told):
        return f"error: the process ended, status {status}"
    with open(told, encoding="utf-8") as file:
        return json.load(file)


def make_one(torch, models, name, out):
    """One line of JSON about one model."""
    folder, began = os.path.join(out, release_of(torch), name), time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        told = os.path.join(scratch, "told")
        child = os.fork()
        if child == 0:
            os.chdir(scratch)
            in_child(torch, models, name, folder, told)
            os._exit(0)
        problem = outcome(told, os.waitpid(child, 0)[1])
    if problem:
        shutil.rmtree(folder, ignore_errors=True)  # half an artifact is none
    print(json.dumps({"model": name, "problem": problem, "release": release_of(torch),
                      "seconds": round(time.monotonic() - began, 1)}), flush=True)


# ---- the command ------------------------------------------------------------


def import_torch(want):
    """PyTorch, with all that exporting imports; None if it is not there."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        import torch
    except ImportError:
        return None
    if want and not (release_of(torch) + ".").startswith(want + "."):
        return None
    torch.set_num_threads(1)
    stop_the_clock()
    return torch


def warm_up(torch):
    """Export something first: it registers what some archives need, and counts.

    The golden artifacts were made so: "<eval_with_key>.13" in a stack trace is how
    many graphs the process had compiled.
    """
    import torch.export
    torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--models", required=True)
    parser.add_argument("--out", required=True, type=os.path.abspath)
    parser.add_argument("--want", help="the release, or how it begins: 2.13")
    parser.add_argument("model", nargs="*")
    return parser.parse_args()


def main():
    given = arguments()
    torch = import_torch(given.want)
    if torch is None:
        print(f"golden_export: there is no PyTorch {given.want or ''}", file=sys.stderr)
        return 77
    models = load_models(given.models)
    strange = sorted(set(given.model) - set(models.CASES))
    if strange:
        print(f"golden_export: no such model: {strange[0]}", file=sys.stderr)
        return 2
    warm_up(torch)
    for name in given.model or sorted(models.CASES):
        make_one(torch, models, name, given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
