"""scripts/fuzz build: one CMake folder a way of compiling, OUT/BUILD/bin/fuzz_NAME. CMake
and Ninja know what is up to date. What this machine cannot build is said, and counted as
skipped.
"""

import os
import shutil
import subprocess

import fuzz_roles
from fuzz_project import ROOT, Trouble

MUTATOR = "fuzz_mutator"
MERGERS = ("libfuzzer", "libfuzzer-asan", "libfuzzer-msan")
DRIVERS = ("/usr/lib/afl/libAFLDriver.a", "/usr/local/lib/afl/libAFLDriver.a")


def afl_driver():
    """The archive that makes a target of libFuzzer one of AFL++, or None."""
    own = os.environ.get("AFL_DRIVER")
    return next((path for path in (own, *DRIVERS) if path and os.path.isfile(path)), None)


def lacking(build):
    """What the machine lacks for a way of compiling; "" for nothing."""
    tools = ["cmake", "ninja", build.compiler]
    if build.engine == fuzz_roles.AFL:
        tools.append("afl-fuzz")
        if afl_driver() is None:
            return "there is no libAFLDriver.a"
    return next((f"there is no {tool}" for tool in tools if shutil.which(tool) is None), "")


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


def build_one(name, targets, out, jobs, say):
    """Bring one way of compiling up to date; whether that can be done here."""
    build, folder = fuzz_roles.BUILDS[name], os.path.join(out, name)
    reason = lacking(build)
    if reason:
        say(f"{name:16} skipped: {reason}")
        return False

    def run(*command):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
                              env={**os.environ, **dict(build.environment), "AFL_QUIET": "1"})
        if done.returncode != 0:
            raise Trouble(f"{name}: {command[0]} failed:\n{done.stdout[-3000:]}")

    run(*configuration(build, folder))
    wanted = [MUTATOR] if name == "mutator" else \
        [each.binary for each in targets if fuzz_roles.fits(name, each)]
    say(f"{name:16} {' '.join(each.replace('fuzz_', '', 1) for each in wanted)}")
    if wanted:
        run("ninja", "-C", folder, f"-j{jobs}", *wanted)
    return True


def build(names, targets, out, jobs=2, say=print):
    """Bring several up to date; returns how many were skipped."""
    return sum(not build_one(name, targets, out, jobs, say) for name in names)


def binary(out, build_name, target):
    """The path of a target's binary, or None where it is not there."""
    path = os.path.join(out, build_name, "bin", target.binary)
    return path if os.path.isfile(path) else None


def merger(out, target):
    """The build whose binary merges corpora: the fastest that is there, or None."""
    return next((name for name in MERGERS if binary(out, name, target)), None)


def mutator(out):
    """The custom mutator for AFL++, or None."""
    paths = (os.path.join(out, "mutator", place, "libfuzz_mutator.so") for place in ("bin", "lib"))
    return next(filter(os.path.isfile, paths), None)
