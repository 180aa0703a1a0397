"""scripts/fuzz build: one CMake folder a way of compiling, OUT/BUILD/bin/fuzz_NAME.

What the sources' state and the command are is written beside the binaries, so
that what is up to date costs nothing. What this machine cannot build is said,
and counted as skipped.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess

import fuzz_roles
from fuzz_project import ROOT, Trouble, write_atomically

MUTATOR = "fuzz_mutator"
TOLD_EVERY = 15  # seconds
MERGERS = ("libfuzzer", "libfuzzer-asan", "libfuzzer-msan")
DRIVERS = ("/usr/lib/afl/libAFLDriver.a", "/usr/local/lib/afl/libAFLDriver.a")
WATCHED = ("CMakeLists.txt", "cmake/*.cmake", "fuzz/*.[ch]", "fuzz/mutator/*", "fuzz/oracles/*",
           "fuzz/CMakeLists.txt", "fuzz/*.json", "fuzz/*.cmake", "ref/src/*/*", "ref/include/*",
           "ref/common/*", "ref/archive/*/*", "ref/gen/*", "ref/gen/defects/*",
           "ref/test/rewrite/*", "ref/test/support/*.[ch]")


def afl_driver():
    """The archive that makes a target of libFuzzer one of AFL++, or None."""
    own = os.environ.get("AFL_DRIVER")
    return next((path for path in (own, *DRIVERS) if path and os.path.isfile(path)), None)


def lacking(build):
    """What the machine lacks for a way of compiling; "" for nothing."""
    for tool in ("cmake", "ninja", build.compiler):
        if shutil.which(tool) is None:
            return f"there is no {tool}"
    if build.engine == fuzz_roles.AFL:
        if shutil.which("afl-fuzz") is None:
            return "there is no afl-fuzz"
        if afl_driver() is None:
            return "there is no libAFLDriver.a"
    return ""


def fingerprint(build, names):
    """Sources, command and targets as one value."""
    total = hashlib.sha256(repr((build, names)).encode())
    for pattern in WATCHED:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    total.update(path.encode() + b"\0" + file.read())
    return total.hexdigest()


def configuration(build, folder):
    """The command of CMake for a way of compiling."""
    engine = afl_driver() if build.engine == fuzz_roles.AFL else build.engine
    command = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
               f"-DCMAKE_C_COMPILER={build.compiler}", f"-DCMAKE_C_FLAGS={build.flags}",
               f"-DEPREF_FUZZ_ENGINE={engine}",
               "-DEPREF_TESTS=ON", "-DEPREF_CLI=OFF", "-DEPREF_INSTALL=OFF"]
    if build.shared:
        command += ["-DCMAKE_POSITION_INDEPENDENT_CODE=ON"]
    if build.engine == fuzz_roles.AFL:  # the archive's main needs C++'s library
        command += ["-DCMAKE_CXX_COMPILER=afl-clang-fast++"]
    return command


def environment(build):
    return {**os.environ, **dict(build.environment), "AFL_QUIET": "1"}


def goals(folder, name, targets):
    """What of the wanted there is to build, by what Ninja knows."""
    listed = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"],
                            capture_output=True, text=True, check=False).stdout
    have = set(re.findall(r"^(\w+): phony", listed, re.MULTILINE))
    wanted = [MUTATOR] if name == "mutator" else [each.binary for each in targets]
    return [each for each in wanted if each in have]


def call(command, env, log, told=lambda: None):
    """Run a command with its output added to a log; whether it went well. Who waits is
    told now and then how far it is."""
    with open(log, "ab") as file, subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=file,
            stderr=subprocess.STDOUT) as process:
        while True:
            try:
                return process.wait(TOLD_EVERY) == 0
            except subprocess.TimeoutExpired:
                told()


def step_of(log):
    """How far Ninja is, as it says: "12 of 345"; "" before its first step."""
    steps = re.findall(r"^\[(\d+)/(\d+)\]", tail(log), re.MULTILINE)
    return " of ".join(steps[-1]) if steps else ""


def tail(path, lines=25):
    with open(path, encoding="utf-8", errors="replace") as file:
        return "".join(file.readlines()[-lines:])


def compile_build(name, targets, folder, jobs, say):
    """Configure and compile; the names of what is there now."""
    build = fuzz_roles.BUILDS[name]
    os.makedirs(folder, exist_ok=True)
    log = os.path.join(folder, "build.log")
    open(log, "wb").close()
    if not call(configuration(build, folder), environment(build), log):
        raise Trouble(f"{name}: cmake failed:\n{tail(log)}")
    wanted = goals(folder, name, targets)
    if wanted and not call(["ninja", "-C", folder, f"-j{jobs}", *wanted],
                           environment(build), log,
                           lambda: say(f"{name:16} building {step_of(log)}")):
        raise Trouble(f"{name}: ninja failed:\n{tail(log)}")
    return wanted


def is_current(folder, stamp, now):
    """Whether what was built last is there, and of these sources."""
    try:
        with open(stamp, encoding="utf-8") as file:
            was = json.load(file)
        return was["fingerprint"] == now and all(made(folder, each) for each in was["binaries"])
    except (OSError, ValueError, KeyError):
        return False


def made(folder, goal):
    if goal == MUTATOR:
        return mutator_in(folder) is not None
    return os.path.isfile(os.path.join(folder, "bin", goal))


def build_one(name, targets, out, jobs=2, say=print):
    """Bring one way of compiling up to date. Returns ("built" | "current" |
    "skipped", words)."""
    build, folder = fuzz_roles.BUILDS[name], os.path.join(out, name)
    reason = lacking(build)
    if reason:
        return "skipped", reason
    wanted = [each for each in targets if fuzz_roles.fits(name, each)]
    stamp = os.path.join(folder, "fuzz-stamp.json")
    now = fingerprint(build, [each.name for each in wanted])
    if is_current(folder, stamp, now):
        return "current", ""
    made_now = compile_build(name, wanted, folder, jobs, say)
    if not made_now:
        return "skipped", "CMake knows none of it"
    write_atomically(stamp, json.dumps({"fingerprint": now, "binaries": made_now}))
    missing = [each.name for each in wanted if each.binary not in made_now]
    return "built", " ".join(each.replace("fuzz_", "", 1) for each in made_now) + (
        f"; not in CMake: {' '.join(missing)}" if missing else "")


def build(names, targets, out, jobs=2, say=print):
    """Bring several up to date; returns how many were skipped."""
    skipped = 0
    for name in names:
        outcome, words = build_one(name, targets, out, jobs, say)
        skipped += outcome == "skipped"
        say(f"{name:16} {outcome:8} {words}")
    return skipped


def binary(out, build_name, target):
    """The path of a target's binary, or None where it is not there."""
    path = os.path.join(out, build_name, "bin", target.binary)
    return path if os.path.isfile(path) else None


def merger(out, target):
    """The build whose binary merges corpora: the fastest that is there, or None."""
    return next((name for name in MERGERS if binary(out, name, target)), None)


def mutator_in(folder):
    """libfuzz_mutator.so of a build folder, or None."""
    for place in ("bin", "lib"):
        path = os.path.join(folder, place, "libfuzz_mutator.so")
        if os.path.isfile(path):
            return path
    return None


def mutator(out):
    """The custom mutator for AFL++, or None."""
    return mutator_in(os.path.join(out, "mutator"))
