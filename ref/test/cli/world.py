"""What the scripts share that test epref: the list of cases and a folder for each, runs of the
program, another user.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

SKIPPED = 77
NOBODY = 65534
TIMEOUT = 120
MIB = 1 << 20
IO = 3

COMMANDS = ["check", "inspect", "encode", "migrate", "canon", "digest", "diff", "show", "stats",
            "list", "extract", "pack", "repair", "strip", "join", "audit", "loads", "schema", "explain",
            "gen"]
CASES = []


class Skip(Exception):
    """Why a case cannot be tried here."""


def case(function):
    CASES.append(function)
    return function


def equal(actual, expected, what=""):
    if actual != expected:
        raise AssertionError(f"{what}: {actual!r} instead of {expected!r}")


def contains(text, part, what=""):
    if part not in text:
        raise AssertionError(f"{what}: no {part!r} in {text!r}")


class Run:
    """What a run of epref did."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err.decode("utf-8")

    @property
    def text(self):
        return self.out.decode("utf-8")

    @property
    def lines(self):
        """Those of --format=json."""
        return [json.loads(line) for line in self.out.splitlines()]


class World:
    """The program to test, some inputs, and a folder for the case at hand."""

    def __init__(self, args, folder):
        self.args, self.epref = args, os.fspath(args.epref.resolve())
        self.golden = args.corpora.resolve() / "golden"
        self.folder = pathlib.Path(folder)
        self.program = self.golden / "2.13.0/linear/program.json"
        self.archive = self.golden / "2.13.0/linear/model.pt2"
        self.old = self.golden / "2.4.1/linear/program.json"
        self.old_archive = self.golden / "2.4.1/linear/model.pt2"
        self.other = self.golden / "2.13.0/mlp/program.json"
        self.environment = {"PATH": os.environ.get("PATH", ""), "TERM": "dumb"}
        self.beside = self.folder.parent / (self.folder.name + ".parts")
        for sanitizer in ("ASAN", "LSAN", "UBSAN"):
            self.environment[f"{sanitizer}_OPTIONS"] = "exitcode=99"

    def command(self, *args):
        return [self.epref, *map(os.fspath, args)]

    def run(self, *args, status=None, before=None, prefix=(), **options):
        """Runs epref. With a status, it has to end so."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        extra = {name: os.fspath(value) if isinstance(value, os.PathLike) else str(value)
                 for name, value in options.pop("environment", {}).items()}
        done = subprocess.run([*prefix, *self.command(*args)], cwd=self.folder, check=False,
                              env={**self.environment, **extra}, timeout=TIMEOUT, preexec_fn=before, **options)
        run = Run(done.returncode, done.stdout, done.stderr or b"")
        if status is not None:
            equal(run.status, status, f"{args}: {run.err[:300]}")
        return run

    def done(self, *args, **options):
        """A run that succeeds."""
        return self.run(*args, status=0, **options)

    def json(self, command, path, *options):
        """What a command says of a file, whether it takes it or not."""
        return json.loads(self.run(command, "--format=json", *options, path).out)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    def parts(self):
        """A folder for pack, and two archives for join, beside the folder of the case."""
        found = [self.beside / name for name in ("folder", "stripped", "weights")]
        if not self.beside.exists():
            found[0].mkdir(parents=True)
            for args in (["extract", "--all", f"--to-dir={found[0]}", self.archive],
                         ["strip", self.archive, "-o", found[1], f"--weights-to={found[2]}"]):
                self.done(*args)
        return found

    def fails(self, reason, *args, **options):
        """A run that ends for want of input or output, and says this in one line."""
        run = self.run(*args, **options)
        equal(run.status, IO, f"{args}: {run.err}")
        said = reason if "--format=json" in args else f"error: {reason}\n"
        contains(run.err, said, f"{args}")
        lines = 2 if "audit" in args else 1  # which adds that nothing was looked at
        equal(run.err.count("\n") <= lines, True, f"{args}: {run.err}")
        return run

    def writers(self, archives=True):
        """Every command that writes, with something to do."""
        parts, stripped, weights = self.parts()
        found = [["encode", self.program], ["canon", self.program],
                 ["canon", "--form=torch", self.program], ["migrate", "--to=8.20", self.old],
                 ["gen", "--nodes=40"], ["digest", self.program],
                 ["diff", self.program, self.other], ["show", self.program],
                 ["stats", self.program], ["stats", "--format=json", self.program],
                 ["check", "--verbose", self.program], ["check", "--format=json", self.program],
                 ["inspect", self.archive], ["loads", "--in=2.15", self.archive], ["show", "--format=json", self.program],
                 ["list", self.archive], ["list", "--format=json", self.archive],
                 ["extract", self.archive], ["extract", "--program", self.archive],
                 ["pack", parts], ["repair", self.archive], ["strip", self.archive], ["join", stripped, weights],
                 ["audit", self.archive], ["audit", "--format=json", self.archive],
                 ["explain"], ["explain", "--format=json"], ["schema"], ["schema", "8.8"],
                 ["schema", "--format=json", "8.8"]]
        if archives:
            found.append(["migrate", "--to=latest", self.old_archive])
        return found

    def makers(self, archives=True):
        """Those of them that write a product to a file."""
        return [args for args in self.writers(archives)
                if args[0] not in ("check", "inspect", "diff", "audit", "loads")]

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


def nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def nobody_can_start(w):
    """Whether another user can run the program, and be in the folder."""
    if os.geteuid() != 0:
        raise Skip("only root can become nobody")
    w.folder.chmod(0o777)
    copy = w.folder / "epref"
    shutil.copy(w.epref, copy)
    copy.chmod(0o755)
    program = w.folder / "program.json"
    shutil.copy(w.program, program)
    program.chmod(0o644)
    w.epref = os.fspath(copy)
    try:
        run = w.run("check", "program.json", before=nobody)
    except (OSError, subprocess.SubprocessError) as error:
        raise Skip(f"cannot become nobody: {error}") from error
    if run.status != 0:
        raise Skip(f"nobody cannot run the program: {run.err}")


# ---------------------------------------------------------------------------- main


def run_case(function, args, make):
    """None for a case that could not be tried."""
    with tempfile.TemporaryDirectory(prefix="epref-world-") as folder:
        try:
            function(make(args, folder))
        except Skip as reason:
            print(f"SKIP {function.__name__}: {reason}")
            return None
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            print(f"FAIL {function.__name__}: {error}")
            return False
        finally:
            shutil.rmtree(f"{folder}.parts", ignore_errors=True)
    return True


def main(description, make=World, slow=(), **options):
    """Cases in a world that make(args, folder) gives; options: arguments of add_argument.
    Slow cases are run when they are named."""
    parser = argparse.ArgumentParser(description=description.split("\n", maxsplit=1)[0])
    parser.add_argument("--epref", required=True, type=pathlib.Path, help="the program to test")
    parser.add_argument("--corpora", required=True, type=pathlib.Path, help="unpacked corpora")
    for name, given in options.items():
        parser.add_argument(f"--{name}", **given)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="a part of a case's name")
    args = parser.parse_args()
    chosen = [one for one in CASES if any(c in one.__name__ for c in args.cases)
              or not args.cases and one.__name__ not in slow]
    results = [run_case(one, args, make) for one in chosen]
    failed, skipped = results.count(False), results.count(None)
    print(f"{results.count(True)} passed, {failed} failed, {skipped} skipped")
    if failed or not results:
        return 1
    return SKIPPED if skipped == len(results) else 0
