"""Planted faults: the rows of fuzz/faults/faults.jsonl, a copy of the project that
they are put into one at a time, and whether each still applies and compiles.
"""

import dataclasses
import json
import os
import re
import shutil
import subprocess

from fuzz_project import ROOT, Trouble

FOLDER = os.path.join(ROOT, "fuzz", "faults")
COPIED = ("CMakeLists.txt", "annex", "cmake", "conformance", "corpora/golden", "corpora/schemas",
          "fuzz", "ref", "scripts")
COMPILERS = ("gcc", "clang")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wcast-qual", "-Wvla",
            "-Wstrict-prototypes", "-Wswitch-enum", "-Werror")
CHANGED = re.compile(r"^\+\+\+ b/(\S+)", re.MULTILINE)
SECONDS = 300  # for a compiler or patch


@dataclasses.dataclass(frozen=True)
class Fault:
    """A row: what is wrong with the patch in place, and who ought to see it."""

    id: str
    patch: str
    file: str
    kind: str
    what: str
    targets: tuple
    property: str
    build: str = "libfuzzer"

    @property
    def path(self):
        return os.path.join(FOLDER, self.patch)


def load(folder=FOLDER):
    """The faults, in the order of their numbers. Trouble where rows and patches
    are not one to one."""
    faults = []
    with open(os.path.join(folder, "faults.jsonl"), encoding="utf-8") as file:
        for row in map(json.loads, filter(str.strip, file)):
            row["targets"] = tuple(row["targets"])
            faults.append(Fault(**row))
    rows = [each.patch for each in faults]
    patches = sorted(name for name in os.listdir(folder) if name.endswith(".patch"))
    if sorted(rows) != patches or len(set(rows)) != len(rows):
        raise Trouble(f"{folder}: rows and patches are not one to one: "
                      f"{sorted(set(rows) ^ set(patches))}")
    return faults


def choose(faults, names):
    """Those whose names begin with one of a list with commas; all for None."""
    if not names:
        return faults
    wanted = names.split(",")
    found = [each for each in faults if any(each.id.startswith(name) for name in wanted)]
    unknown = [name for name in wanted if not any(each.id.startswith(name) for each in faults)]
    if unknown:
        raise Trouble("no such fault: " + ", ".join(unknown))
    return found


def run(command, folder, seconds=SECONDS):
    """(exit status, both outputs) of a command."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=seconds,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def copy_file(source, place):
    """Copy what is not there as it is; what is equal keeps its time, so that it is
    not built again."""
    if os.path.isfile(place):
        with open(source, "rb") as one, open(place, "rb") as other:
            if one.read() == other.read():
                return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    shutil.copyfile(source, place)
    shutil.copymode(source, place)


class Tree:
    """A copy of what the fuzz targets are built of."""

    def __init__(self, folder):
        self.folder = folder
        self.fault = None

    def files(self):
        """What is copied: tracked files, and new ones that are not ignored."""
        status, text = run(["git", "ls-files", "-co", "--exclude-standard", "--", *COPIED], ROOT)
        if status != 0:
            raise Trouble(f"git ls-files failed: {text}")
        return [name for name in text.splitlines() if os.path.isfile(os.path.join(ROOT, name))]

    def refresh(self):
        """As the project is now, whatever an earlier run left in it."""
        names = self.files()
        for name in names:
            copy_file(os.path.join(ROOT, name), os.path.join(self.folder, name))
        wanted = set(names)
        for place, _, files in os.walk(self.folder):
            for name in files:
                path = os.path.join(place, name)
                if os.path.relpath(path, self.folder) not in wanted:
                    os.unlink(path)

    def patch(self, fault, *more):
        return run(["patch", "-p1", "--no-backup-if-mismatch", "--fuzz=0", "-s", "-i", fault.path,
                    *more], self.folder)

    def plant(self, fault):
        """Put a fault in; Trouble where it does not fit."""
        status, text = self.patch(fault)
        if status != 0:
            raise Trouble(f"{fault.id} does not apply: {text.strip()}")
        self.fault = fault

    def clear(self):
        """Take the fault out."""
        if self.fault is not None:
            fault, self.fault = self.fault, None
            status, text = self.patch(fault, "-R")
            if status != 0:
                raise Trouble(f"{fault.id} cannot be taken out: {text.strip()}")


def sources(tree, fault):
    """The C files to compile: those that are changed, or include what is."""
    with open(fault.path, encoding="utf-8") as file:
        changed = CHANGED.findall(file.read())
    found = [name for name in changed if name.endswith(".c")]
    for name in changed:
        if name.endswith(".c"):
            continue
        place, base = os.path.split(name)
        for other in sorted(os.listdir(os.path.join(tree.folder, place))):
            path = os.path.join(tree.folder, place, other)
            if other.endswith(".c") and f'#include "{base}"' in open(path, encoding="utf-8").read():
                found.append(os.path.join(place, other))
    return found


def check_one(tree, fault):
    """Why a fault is none any more; "" where it applies and compiles cleanly."""
    try:
        tree.plant(fault)
    except Trouble as trouble:
        return str(trouble)
    try:
        for compiler in filter(shutil.which, COMPILERS):
            for name in sources(tree, fault):
                status, text = run([compiler, "-std=c11", "-O2", *WARNINGS, "-Iref/include",
                                    "-Iref/src", "-Iref", "-c", name, "-o", "/dev/null"],
                                   tree.folder)
                if status != 0:
                    return f"{compiler}: {name}:\n{text}"
    finally:
        tree.clear()
    return ""


def check(faults, tree, say):
    """Whether all apply and compile without a warning; how many do not."""
    tree.refresh()
    wrong = 0
    for fault in faults:
        why = check_one(tree, fault)
        wrong += why != ""
        if why:
            say(f"{fault.id}: {why}")
    say(f"{len(faults)} faults, {wrong} that do not apply or compile")
    return wrong
