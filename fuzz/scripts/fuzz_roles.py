"""The roles: how the targets are compiled (BUILDS), and in which ways they are
run in a campaign (ROLES).
"""

import dataclasses
import os

LIBFUZZER = "-fsanitize=fuzzer"
AFL = "afl"  # replaced by the path of libAFLDriver.a
COVER = "-fsanitize=fuzzer-no-link"
COUNTERS = "-fsanitize-coverage=inline-8bit-counters,pc-table"  # without comparisons: twice as fast
LINES = "-g"
STRICT = "-fno-sanitize-recover=all -fno-omit-frame-pointer"


@dataclasses.dataclass(frozen=True)
class Build:
    """A way to compile the targets; engine "" is the plain main of fuzz/."""

    about: str
    compiler: str
    engine: str
    flags: str
    environment: tuple = ()
    shared: bool = False  # what is made is loaded by a program
    hermetic: bool = False  # every library that is linked must be instrumented


BUILDS = {
    "libfuzzer": Build("libFuzzer, for speed", "clang", LIBFUZZER, f"-O2 {LINES} {COUNTERS}"),
    "libfuzzer-asan": Build(
        "libFuzzer with ASan and UBSan", "clang", LIBFUZZER,
        f"-O1 {LINES} {COVER},address,undefined {STRICT}"),
    "libfuzzer-msan": Build(
        "libFuzzer with MSan, origins tracked", "clang", LIBFUZZER,
        f"-O1 {LINES} {COVER},memory -fsanitize-memory-track-origins=2 {STRICT}",
        hermetic=True),
    "afl": Build("AFL++, persistent", "afl-clang-fast", AFL, f"-O2 {LINES}"),
    "afl-cmplog": Build("AFL++, comparisons logged", "afl-clang-fast", AFL, f"-O2 {LINES}",
                        (("AFL_LLVM_CMPLOG", "1"),)),
    "afl-asan": Build("AFL++ with ASan", "afl-clang-fast", AFL, f"-O1 {LINES} {STRICT}",
                      (("AFL_USE_ASAN", "1"),)),
    "mutator": Build("the custom mutator that AFL++ loads, not instrumented", "cc", "", "-O2 -g",
                     shared=True),
    "replay-asan": Build(
        "plain main with ASan and UBSan", "clang", "",
        f"-O1 {LINES} -fsanitize=address,undefined {STRICT}"),
}

# Targets that link a library which nobody instruments here, or ask another process.
UNINSTRUMENTED = {"archive", "given", "oracle", "pack", "pytorch", "state", "zip"}


@dataclasses.dataclass(frozen=True)
class Role:
    """A way to run a target in a campaign, and its share of the time."""

    about: str
    build: str
    weight: float
    options: tuple = ()
    afl: str = ""  # the instance's name and kind: -M main, -S cmplog
    needs: tuple = ()


ROLES = {
    "plain": Role("libFuzzer", "libfuzzer", 5),
    "asan": Role("libFuzzer, ASan and UBSan, value profile", "libfuzzer-asan", 3,
                 ("-use_value_profile=1",)),
    "afl-main": Role("AFL++ main", "afl", 2, (), "-M"),
    "afl-cmplog": Role("AFL++ with comparison log", "afl", 1, ("-l", "2"), "-S", ("afl-cmplog",)),
    "msan": Role("libFuzzer, MSan", "libfuzzer-msan", 1),
    "afl-asan": Role("AFL++ with ASan", "afl-asan", 1, (), "-S"),
}

# Targets that a live process answers, and how they are run; where it is, a variable
# of the environment says.
LIVE = {"oracle": ("plain", None), "pytorch": ("plain", "EPREF_FUZZ_PYTHON")}


def answers(target, role):
    """Whether a live process, where a target needs one, is there for a role."""
    only, variable = LIVE.get(target.name, (role, None))
    return role == only and (variable is None or variable in os.environ)


def fits(build, target):
    """Whether a target is built in a way: MSan takes only what is whole, and what
    AFL++ loads is no target."""
    if build == "mutator":
        return False
    return not (BUILDS[build].hermetic and target.name in UNINSTRUMENTED)


def builds_of(names):
    """What must be built for these roles, without the campaign's own needs."""
    wanted = []
    for name in names:
        for build in (ROLES[name].build, *ROLES[name].needs):
            if build not in wanted:
                wanted.append(build)
    if any(ROLES[name].afl for name in names):
        wanted.append("mutator")
    return wanted


def builds_named(names):
    """The builds of a list, which may have roles in it; all for None."""
    if not names:
        return list(BUILDS)
    found = {}
    for name in names.split(","):
        found.update(dict.fromkeys(
            builds_of([name]) if name in ROLES else known(name, BUILDS, "build or role")))
    return list(found)


def known(names, table, what):
    """The names of a list with commas, all of them in the table; all for None."""
    wanted = names.split(",") if names else list(table)
    for name in wanted:
        if name not in table:
            raise ValueError(f"no such {what}: {name}; there are {', '.join(table)}")
    return wanted
