"""A process of the harvest: it has PyTorch make the programs of one group after the other.

Lines of JSON come in: {"group": NAME, "skip": N, ...} or {"list": true}. Lines of
JSON go out: one as each program is begun, one when it is done, one at the end of a
group. What PyTorch itself prints goes to standard error.
"""

import contextlib
import fnmatch
import importlib
import io
import json
import os
import pathlib
import random
import resource
import signal
import sys
import time
import traceback
import zipfile

sys.dont_write_bytecode = True  # no __pycache__ beside the scripts

MODULES = ["harvest_torch", "harvest_blocks", "harvest_shapes", "harvest_regions",
           "harvest_objects"]
MEMORY = 3 << 20  # KiB of memory from which on a worker asks to be replaced


class TooLong(BaseException):
    """A program took too long; no handler of Exception may take it."""


def alarmed(number, frame):
    raise TooLong()


@contextlib.contextmanager
def within(seconds):
    signal.signal(signal.SIGALRM, alarmed)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def cause_of(error):
    """An exception in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # What comes with a traceback in its text says last what it is about.
    nested = any(line.startswith("Traceback") for line in lines)
    told = (lines[-1] if nested else lines[0]) if lines else ""
    return f"{type(error).__name__}: {told[:300]}"


class Worker:
    """Exports, saves and loads again."""

    def __init__(self, asked, out):
        self.out, self.seed, self.timeout = out, asked["seed"], asked["timeout"]
        self.folder, self.only = pathlib.Path(asked["folder"]), asked["only"]
        sys.path.extend(asked["packages"])
        import torch
        import harvest_ways
        import installed
        installed.prepare(torch)
        self.torch, self.ways, self.prove = torch, harvest_ways, installed
        self.groups = {}
        for name in MODULES:
            for kind, source in importlib.import_module(name).SOURCES.items():
                if any(fnmatch.fnmatchcase(kind, only.split("/")[0]) for only in self.only):
                    self.groups.update(source())

    def say(self, **said):
        self.out.write(json.dumps(said) + "\n")
        self.out.flush()

    # ------------------------------------------------------------ one program

    def saved(self, program, way, path):
        self.torch.export.save(program, path, **self.ways.SAVED.get(way, {}))

    def canonical(self, path):
        """The program of an archive in PyTorch's own canonical form, or why there is none."""
        from torch._export.serde import schema, serialize
        with zipfile.ZipFile(path) as archive:
            text = next(archive.read(name) for name in archive.namelist()
                        if name.endswith("models/model.json"))
        tree = serialize._dict_to_dataclass(schema.ExportedProgram, json.loads(text))
        try:
            made = serialize.canonicalize(tree)
        except Exception as error:  # whatever PyTorch raises
            return cause_of(error)
        dictionary = serialize._dataclass_to_dict(made)
        path.with_suffix(".canonical").write_bytes(
            json.dumps(dictionary, cls=serialize.EnumEncoder).encode("utf-8"))
        return None

    def steps(self, model, way, path):
        """Each step by name: yields (its name, what does it)."""
        held = {}

        def made():
            held["program"] = self.ways.WAYS[way](model.make())

        def loaded():
            held["loaded"] = self.prove.load(self.torch, str(path))

        def again():
            self.saved(held["loaded"], way, path.with_suffix(".again"))
            path.with_suffix(".again").unlink()

        yield "exported", made
        yield "saved", lambda: self.saved(held["program"], way, path)
        yield "loaded", loaded
        yield "again", again

    def program(self, model, way, path):
        """What became of one program: true for each step that worked, and an error."""
        said = {}
        self.torch.manual_seed(self.seed)
        random.seed(self.seed)
        for name, step in self.steps(model, way, path):
            try:
                with within(self.timeout), contextlib.redirect_stderr(io.StringIO()):
                    step()
            except TooLong:
                said["error"] = f"more than {self.timeout} seconds"
                break
            except (Exception, SystemExit) as error:
                told = str(error) if isinstance(error, self.prove.Failed) else cause_of(error)
                said["error"] = told
                break
            said[name] = True
        if said.get("saved"):
            said["path"], said["bytes"] = str(path), path.stat().st_size
            said["form"] = self.canonical(path)
        else:
            path.unlink(missing_ok=True)
        return said

    # ------------------------------------------------------------ a group

    def cases(self, group):
        """(name, model, way) of each program of a group; the same whatever is skipped."""
        self.torch.manual_seed(self.seed)
        random.seed(self.seed)
        return list(self.wanted(group))

    def wanted(self, group):
        for model in self.groups[group]():
            for way in model.ways:
                name = f"{group}/{model.name}/{way}"
                if any(fnmatch.fnmatchcase(name, pattern) for pattern in self.only):
                    yield name, model, way

    def memory(self):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def group(self, group, skip, most):
        """All programs of a group but the first few, which were done before."""
        for name, model, way in self.cases(group)[skip:most]:
            self.say(begin=name)
            path = self.folder / f"{name.replace('/', '~')}.pt2"
            begun = time.process_time()
            said = self.program(model, way, path)
            said["seconds"] = round(time.process_time() - begun, 3)
            if way.startswith("strict"):
                self.torch._dynamo.reset()
            self.say(done=name, **said)
        self.say(end=group, replace=self.memory() > MEMORY)

    def answer(self, asked):
        if asked.get("list"):
            self.say(groups=list(self.groups), torch=self.torch.__version__)
            return
        try:
            self.group(asked["group"], asked["skip"], asked["most"])
        except Exception:  # a fault of a table, or of this script
            self.say(fault=asked["group"], error=traceback.format_exc(limit=-4))


def main():
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker(json.loads(sys.stdin.readline()), out)
    for line in sys.stdin:
        worker.answer(json.loads(line))


if __name__ == "__main__":
    main()
