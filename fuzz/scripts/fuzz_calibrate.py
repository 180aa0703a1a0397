"""scripts/fuzz calibrate: put planted faults (fuzz/faults) into a copy of the project,
one at a time, and see whether the targets that ought to find them do.

For each fault its targets are built from the copy. Each replays its corpus, which finds
what is "found by replay"; then libFuzzer runs until the first finding. An input counts
when it breaks nothing without the fault.

Exit status: 0 at least nine of ten were found; 1 fewer, or with --check a patch
that does not apply or compile; 2 it could not be done.
"""

import argparse
import dataclasses
import json
import os
import re
import shutil
import subprocess

import fuzz_build
import fuzz_engine
import fuzz_process
import fuzz_project
import fuzz_roles
import fuzz_triage
from fuzz_project import ROOT, Trouble

FOLDER = os.path.join(ROOT, "fuzz", "faults")
COPIED = ("CMakeLists.txt", "annex", "cmake", "conformance", "corpora/golden", "corpora/schemas",
          "fuzz", "ref", "scripts")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wcast-qual", "-Wvla",
            "-Wstrict-prototypes", "-Wswitch-enum", "-Werror")
CHANGED = re.compile(r"^\+\+\+ b/(\S+)", re.MULTILINE)
WANTED = 0.9  # of the faults
REPLAY = 1200  # seconds, at most, for a whole corpus


@dataclasses.dataclass(frozen=True)
class Fault:
    """A row of faults.jsonl: what is wrong with the patch in place, and who ought to see it."""

    id: str
    patch: str
    file: str
    kind: str
    what: str
    targets: list
    property: str
    build: str = "libfuzzer"


def load(names):
    """The faults whose names begin with one of a list with commas; all for None. Rows and
    patches are one to one."""
    with open(os.path.join(FOLDER, "faults.jsonl"), encoding="utf-8") as file:
        faults = [Fault(**json.loads(line)) for line in file]
    patches = sorted(name for name in os.listdir(FOLDER) if name.endswith(".patch"))
    if sorted(each.patch for each in faults) != patches:
        raise Trouble(f"{FOLDER}: rows and patches are not one to one")
    found = [each for each in faults
             if not names or any(each.id.startswith(name) for name in names.split(","))]
    if not found:
        raise Trouble(f"no such fault: {names}")
    return found


def run(command, folder):
    """(exit status, both outputs) of a command."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=3600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def must(command, folder):
    status, text = run(command, folder)
    if status != 0:
        raise Trouble(f"{' '.join(command[:4])}: {text[-2000:]}")
    return text


def copied(folder):
    """A copy of what the targets are built of: what is equal keeps its time, so that it is
    not built again."""
    names = must(["git", "ls-files", "-co", "--exclude-standard", "--", *COPIED], ROOT).splitlines()
    names = [name for name in names if os.path.isfile(os.path.join(ROOT, name))]
    for name in names:
        data, place = fuzz_project.read(os.path.join(ROOT, name)), os.path.join(folder, name)
        if not os.path.isfile(place) or fuzz_project.read(place) != data:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), place)
    for path in fuzz_project.files_under(folder):
        if os.path.relpath(path, folder) not in names:
            os.unlink(path)


def patch(tree, fault, *more):
    must(["patch", "-p1", "--no-backup-if-mismatch", "--fuzz=0", "-s",
          "-i", os.path.join(FOLDER, fault.patch), *more], tree)


# ---- whether they are faults still ---------------------------------------------


def sources(tree, fault):
    """The C files to compile: those that are changed, or include what is."""
    with open(os.path.join(FOLDER, fault.patch), encoding="utf-8") as file:
        changed = CHANGED.findall(file.read())
    for name in changed:
        place, base = os.path.split(name)
        names = [name] if name.endswith(".c") else [
            os.path.join(place, other) for other in sorted(os.listdir(os.path.join(tree, place)))
            if other.endswith(".c") and f'#include "{base}"'.encode() in fuzz_project.read(
                os.path.join(tree, place, other))]
        yield from names


def check_one(tree, fault):
    """Why a fault is none any more; "" where it applies and compiles cleanly."""
    try:
        patch(tree, fault)
    except Trouble as trouble:
        return str(trouble)
    try:
        for name in sources(tree, fault):
            must(["clang", "-std=c11", "-fsyntax-only", *WARNINGS, "-Iref/include", "-Iref/src",
                  "-Iref", name], tree)
    except Trouble as trouble:
        return str(trouble)
    finally:
        patch(tree, fault, "-R")
    return ""


def check(faults, tree):
    wrong = {fault.id: check_one(tree, fault) for fault in faults}
    wrong = {name: why for name, why in wrong.items() if why}
    for name, why in wrong.items():
        print(f"{name}: {why}")
    print(f"{len(faults)} faults, {len(wrong)} that do not apply or compile")
    return 1 if wrong else 0


# ---- whether they are found ----------------------------------------------------


class Bench:
    """The copy, a build folder for each way of compiling, and one without a fault."""

    def __init__(self, chosen, tree):
        self.chosen, self.tree = chosen, tree
        self.work = os.path.dirname(tree)
        self.clean, self.ready = os.path.join(self.work, "clean"), set()

    def build(self, build, target):
        """A target from the copy as it is now."""
        folder = os.path.join(self.work, build)
        reason = fuzz_build.lacking(fuzz_roles.BUILDS[build])
        if reason:
            raise Trouble(f"{build}: {reason}")
        must([self.tree if word == ROOT else word for word in
              fuzz_build.configuration(fuzz_roles.BUILDS[build], folder)], self.work)
        must(["ninja", "-C", folder, f"-j{self.chosen.jobs}", target.binary], self.work)
        return os.path.join(folder, "bin", target.binary)

    def prepare(self, build, target):
        """The target without a fault, and its corpus; once."""
        if (build, target.name) not in self.ready:
            place = os.path.join(self.clean, build, "bin")
            os.makedirs(place, exist_ok=True)
            shutil.copy2(self.build(build, target), place)
            fuzz_project.seeds(target, os.path.join(self.work, "corpora", target.name),
                               self.chosen.corpora)
            self.ready.add((build, target.name))

    def run(self, fault, target, more, seconds):
        """(the input of a confirmed finding or None, what it shows, executions)"""
        place = os.path.join(self.work, "runs", fault.id)
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(os.path.join(place, "artifacts"))
        os.makedirs(os.path.join(place, "new"))
        log = os.path.join(place, "log")
        argv = [fuzz_build.binary(self.work, fault.build, target),
                *fuzz_engine.limits(target, fault.build), f"-max_total_time={seconds}",
                f"-artifact_prefix={place}/artifacts/", *more, os.path.join(place, "new"),
                os.path.join(self.work, "corpora", target.name)]
        status, _ = fuzz_process.run(fuzz_process.Command(
            argv, place, log, seconds + 60, {**fuzz_engine.SANITIZERS, "TMPDIR": place}))
        text = fuzz_engine.text_of(log)
        found = fuzz_project.files_under(os.path.join(place, "artifacts"))
        executions = fuzz_engine.figures_of(text).executions
        if status == 0 or not found:
            return None, "", executions
        without, _ = fuzz_triage.run_input(self.clean, fault.build, target, found[0])
        if without.kind:
            return None, f"{target.name}: {without.what}, without the fault too", executions
        verdict = fuzz_triage.judge(text, status)
        return found[0], f"{verdict.kind}: {verdict.what}", executions

    def hunt(self, fault, targets):
        """Whether a fault is found; says how."""
        for target in targets:
            self.prepare(fault.build, target)
        patch(self.tree, fault)
        try:
            for stage, more, seconds in (
                    ("replay", ["-runs=0"], REPLAY),
                    ("fuzz", [f"-runs={self.chosen.runs}", f"-seed={self.chosen.seed}"],
                     self.chosen.seconds)):
                for target in targets:
                    self.build(fault.build, target)
                    found, what, executions = self.run(
                        fault, target, [*fuzz_engine.dictionary(target), *more], seconds)
                    if what:
                        print(f"{fault.id:32} {target.name:9} {stage:6} {executions:9}  {what}",
                              flush=True)
                    if found:
                        return True
        finally:
            patch(self.tree, fault, "-R")
        print(f"{fault.id:32} MISSED  {fault.kind}", flush=True)
        return False


def command(chosen):
    faults, tree = load(chosen.faults), os.path.join(os.path.abspath(chosen.work), "tree")
    if chosen.list:
        for fault in faults:
            print(f"{fault.id:32} {', '.join(fault.targets):24} {fault.kind}")
        return 0
    os.makedirs(tree, exist_ok=True)
    copied(tree)
    if chosen.check:
        return check(faults, tree)
    every, bench = fuzz_project.load_targets(), Bench(chosen, tree)
    found = sum(bench.hunt(fault, [each for name in fault.targets for each in every
                                   if each.name == name]) for fault in faults)
    print(f"{found} of {len(faults)} found")
    return 0 if found >= WANTED * len(faults) else 1


def add_parser(commands):
    """The command for scripts/fuzz."""
    parser = commands.add_parser("calibrate", help="find faults that were planted",
                                 description=__doc__.split("\n\n", 1)[1],
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--faults", metavar="LIST", help="names or their beginnings, with commas (default: all)")
    add("--work", metavar="DIR", default=os.path.join(ROOT, "build-fuzz", "calibrate"),
        help="the copy and its builds (build-fuzz/calibrate)")
    add("--corpora", metavar="DIR", action="append", default=[],
        help="further corpora, a folder or tar file a target")
    add("--runs", metavar="N", type=int, default=10000000, help="executions of a target (10000000)")
    add("--seconds", metavar="S", type=int, default=60, help="of a target (60)")
    add("--jobs", metavar="N", type=int, default=2, help="of a build (2)")
    add("--seed", metavar="N", type=int, default=1, help="for libFuzzer (1)")
    add("--check", action="store_true", help="only see that all apply and compile")
    add("--list", action="store_true", help="only name them")
    parser.set_defaults(run=command)
