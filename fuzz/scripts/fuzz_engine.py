"""The command lines and environments of the engines: libFuzzer, its merge and
its minimiser, AFL++, and the plain replay.
"""

import collections
import os
import re

import fuzz_build
import fuzz_roles
from fuzz_process import Command

RSS = 2048  # megabytes that a target may use
SLOW = {"libfuzzer-asan": 3, "libfuzzer-msan": 4, "replay-asan": 3}  # times the timeout
SANITIZERS = {
    "ASAN_OPTIONS": "symbolize=1:detect_leaks=1:allocator_may_return_null=1:"
                    "detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:symbolize=1",
    "MSAN_OPTIONS": "symbolize=1",
}
AFL_SANITIZERS = {
    "ASAN_OPTIONS": f"abort_on_error=1:symbolize=0:detect_leaks=0:hard_rss_limit_mb={RSS}:"
                    "allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:symbolize=0",
    "MSAN_OPTIONS": "exit_code=86:abort_on_error=1:symbolize=0",
}
AFL_ENVIRONMENT = {
    "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_NO_UI": "1",
    "AFL_AUTORESUME": "1", "AFL_TESTCACHE_SIZE": "50",
    "AFL_FAST_CAL": "1", "AFL_IMPORT_FIRST": "1", "AFL_NO_AFFINITY": "1",
    "AFL_NO_CRASH_README": "1", "AFL_FORKSRV_INIT_TMOUT": "30000",
}


RUN = re.compile(r"^#(\d+):?\s", re.MULTILINE)
STAT = re.compile(r"^stat::number_of_executed_units:\s+(\d+)|^Done (\d+) runs", re.MULTILINE)
EDGES = re.compile(r"\bcov: (\d+)")
Figures = collections.namedtuple("Figures", "executions edges crashes")


def figures_of(text):
    """What a run of libFuzzer has done, by its log, whole or cut off."""
    counts = [int(one or other) for one, other in STAT.findall(text)]
    counts += [int(each) for each in RUN.findall(text)[-1:]]
    return Figures(max(counts, default=0), max(map(int, EDGES.findall(text)), default=0),
                   text.count("Test unit written to "))


def text_of(log):
    """A log of an engine, or its end; "" where there is none."""
    if not os.path.exists(log):
        return ""
    with open(log, "rb") as file:
        file.seek(max(0, os.path.getsize(log) - (4 << 20)))
        return file.read().decode("utf-8", "replace")


def figures(log):
    return figures_of(text_of(log))


def afl_figures(instance):
    """What a run of AFL++ has done, by its fuzzer_stats."""
    rows = dict(re.findall(r"^(\w+) *: (\d+)", text_of(os.path.join(instance, "fuzzer_stats")),
                           re.MULTILINE))
    executions, edges, crashes, hangs = (int(rows.get(key, 0)) for key in (
        "execs_done", "edges_found", "saved_crashes", "saved_hangs"))
    return Figures(executions, edges, crashes + hangs)


def timeout(target, build):
    """Seconds for one input, more where the build is slow."""
    return target.timeout * SLOW.get(build, 1)


def limits(target, build):
    """What every run of libFuzzer is given. Its entropic schedule counts each feature of each run,
    which takes longer than the run of most targets, and finds less in the same time."""
    return ["-entropic=0", f"-max_len={target.max_len}", f"-timeout={timeout(target, build)}",
            f"-rss_limit_mb={RSS}", f"-malloc_limit_mb={RSS // 2}", "-print_final_stats=1",
            "-print_funcs=0"]


def dictionary(target):
    path = target.dictionary()
    return [f"-dict={path}"] if path else []


def libfuzzer(out, target, role, seconds, place, corpora, seed, log):
    """One process of libFuzzer until the first finding: new inputs go to the first of
    `corpora`, findings to place/artifacts."""
    build = fuzz_roles.ROLES[role].build
    argv = [fuzz_build.binary(out, build, target), *limits(target, build),
            *dictionary(target), f"-max_total_time={max(1, int(seconds))}", f"-seed={seed}",
            f"-artifact_prefix={place}/artifacts/", *fuzz_roles.ROLES[role].options, *corpora]
    patience = seconds + 4 * timeout(target, build) + 30
    return Command(argv, place, log, patience, {**SANITIZERS, "TMPDIR": place})


def forking(command):
    """The same in fork mode, which goes on behind a finding."""
    command.argv[1:1] = ["-fork=1", "-ignore_crashes=1", "-ignore_ooms=1", "-ignore_timeouts=1"]
    return command


def merge(out, target, into, sources, place, log, seconds=120):
    """Add to a corpus what has new features; by the fastest build."""
    build = fuzz_build.merger(out, target)
    os.makedirs(place, exist_ok=True)
    argv = [fuzz_build.binary(out, build, target), "-merge=1", *limits(target, build), f"-artifact_prefix={place}/merge-", into, *sources]
    return Command(argv, place, log, seconds, {"TMPDIR": place})


def replay(out, build, target, path, place, log):
    """One input on a build of libFuzzer, with reports that have symbols."""
    argv = [fuzz_build.binary(out, build, target), *limits(target, build),
            f"-artifact_prefix={place}/", path]
    return Command(argv, place, log, 2 * timeout(target, build) + 20, dict(SANITIZERS))


def minimize(out, build, target, path, result, place, log, seconds):
    """libFuzzer's own minimiser, for some seconds."""
    argv = [fuzz_build.binary(out, build, target), "-minimize_crash=1",
            *limits(target, build), f"-max_total_time={int(seconds)}",
            f"-exact_artifact_path={result}", path]
    return Command(argv, place, log, seconds + 60, {**SANITIZERS, "TMPDIR": place})


def afl_instance(role):
    """The folder of a role inside AFL++'s own."""
    return role.replace("afl-", "", 1)


def afl(out, target, role, seconds, place, folders, log, seed):
    """A run of AFL++: `folders` are its output, what it starts from, and what
    the main instance reads of the others."""
    row = fuzz_roles.ROLES[role]
    output, start, foreign = folders
    argv = ["afl-fuzz", "-i", start, "-o", output, row.afl, afl_instance(role),
            "-V", str(max(1, int(seconds))), "-s", str(seed), "-m", "none",
            "-t", f"{1000 * timeout(target, row.build)}+", "-G", str(target.max_len)]
    if target.dictionary():
        argv += ["-x", target.dictionary()]
    if row.afl == "-M":
        argv += ["-F", foreign]
    for build in row.needs:
        argv += ["-c", fuzz_build.binary(out, build, target)]
    argv += [*row.options, "--", fuzz_build.binary(out, row.build, target)]
    environment = afl_environment(out, place, target)
    if os.path.isdir(os.path.join(output, afl_instance(role))):  # it has seen the old ones
        environment["AFL_CMPLOG_ONLY_NEW"] = "1"
    environment["AFL_HANG_TMOUT"] = str(1000 * timeout(target, row.build))
    return Command(argv, place, log, seconds + 60, environment)


def afl_environment(out, place, target):
    """AFL++ is told nearly everything by its environment."""
    env = {**AFL_ENVIRONMENT, **AFL_SANITIZERS, "TMPDIR": place, "AFL_TMPDIR": place}
    mutator = fuzz_build.mutator(out)
    if mutator:
        env["AFL_CUSTOM_MUTATOR_LIBRARY"] = mutator
        env["EPREF_FUZZ_LAYOUT"] = target.input
    return env
