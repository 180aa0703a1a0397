"""What OSS-Fuzz asks of a target before it runs it: that it starts, that it is
instrumented by the engine and by the sanitizer of its build and by no other, and
that it needs nothing that is not where it runs.  The thresholds are those of its
base-runner.  Each check yields what is wrong.
"""

import os
import re
import subprocess
import tempfile

import ossfuzz_build
import ossfuzz_packed

RUNS = 4
EDGES_MIN = 100
CALLS_MIN = {"address": ("asan", 1000), "memory": ("msan", 1000), "undefined": ("ubsan", 168)}
CALLS_MAX = {"asan": 0, "dfsan": 0, "msan": 3, "ubsan": 200}
START_MAX = 20.0  # seconds until the first inputs have run
SEEDS_MAX = 900.0  # seconds for all seeds; long, for a machine that has other work
AFL_SECONDS = "4"
REPLAYED = 500
FUZZ_RUNS = 2000
FUZZ_SEEDS = 100  # to begin with: all have run before, and the time is for the runs
FUZZ_SECONDS = 60
MEMORY = ["-rss_limit_mb=2560", "-timeout=25"]
SYSTEM = re.compile(r"(linux-vdso|libc|libm|libdl|libpthread|librt|libresolv)\.so\.\d+|ld-linux.*")
# As base-runner has them, but for what the runtime of an older clang does not know.
SANITIZERS = {
    "ASAN_OPTIONS": "alloc_dealloc_mismatch=0:allocator_may_return_null=1:"
                    "allocator_release_to_os_interval_ms=500:check_malloc_usable_size=0:"
                    "detect_container_overflow=1:detect_odr_violation=0:detect_leaks=1:"
                    "detect_stack_use_after_return=1:fast_unwind_on_fatal=0:handle_abort=1:"
                    "handle_segv=1:handle_sigill=1:max_uar_stack_size_log=16:print_scariness=1:"
                    "quarantine_size_mb=10:strict_memcmp=1:symbolize=1:use_sigaltstack=1:"
                    "dedup_token_length=3",
    "MSAN_OPTIONS": "print_stats=1:symbolize=1:dedup_token_length=3",
    "UBSAN_OPTIONS": "print_stacktrace=1:print_summary=1:silence_unsigned_overflow=1:symbolize=1:"
                     "dedup_token_length=3",
}
AFL = {"AFL_NO_UI": "1", "AFL_FORKSRV_INIT_TMOUT": "30000", "AFL_TRY_AFFINITY": "1",
       "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_SKIP_CPUFREQ": "1",
       "AFL_FAST_CAL": "1", "AFL_IGNORE_PROBLEMS": "1", "AFL_IGNORE_UNKNOWN_ENVS": "1"}
TELLING = re.compile(r"property broken|runtime error:|^==\d+==\s*(ERROR|WARNING)|Test unit written")
CONTROL = "#include <stddef.h>\n#include <stdint.h>\n" \
          "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);\n" \
          "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n" \
          "    return data == NULL && size != 0;\n}\n"
CONTROL_MAIN = "int main(void) {\n    return LLVMFuzzerTestOneInput(NULL, 0);\n}\n"


# ---- running ------------------------------------------------------------------

def variables(engine):
    """The environment of the image that targets run in."""
    found = {"PATH": ossfuzz_build.SYSTEM_PATH, "HOME": "/nonexistent", **SANITIZERS}
    if engine == "afl":
        found["ASAN_OPTIONS"] += ":abort_on_error=1:symbolize=0"
        found["MSAN_OPTIONS"] += ":exit_code=86:symbolize=0"
        found["UBSAN_OPTIONS"] += ":symbolize=0"
        found.update(AFL)
    return found


def run(command, engine, seconds, more=None):
    """(exit status or None for too long, output) of a command, far from the build."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, cwd=folder, check=False, timeout=seconds,
                                  env={**variables(engine), **(more or {})},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode("utf-8", "replace")
    return done.returncode, done.stdout.decode("utf-8", "replace")


def tail(output):
    """What a program that failed said: the lines that tell why, or else its last ones."""
    lines = [line.strip() for line in output.strip().split("\n") if line.strip()]
    telling = [line for line in lines if TELLING.search(line)]
    return " | ".join(telling[:3] or lines[-3:])[-400:]


# ---- what is a target ---------------------------------------------------------

def find(out):
    """The targets as ClusterFuzz finds them: programs without an ending that have
    the entry point of a target by name."""
    found = []
    for name in sorted(os.listdir(out)):
        path = os.path.join(out, name)
        if not os.path.isfile(path) or not os.access(path, os.X_OK) or "." in name:
            continue
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(b"\x7fELF") and b"LLVMFuzzerTestOneInput" in data:
            found.append(path)
    return found


# ---- libraries ----------------------------------------------------------------

def needed(path):
    said = subprocess.run(["objdump", "-p", path], check=True, capture_output=True,
                          text=True).stdout
    return set(re.findall(r"^\s*NEEDED\s+(\S+)$", said, re.MULTILINE))


def engine_needs(built, folder):
    """What a target of two lines needs in the same build: the engine's own libraries, and
    the compiler's."""
    source, target = os.path.join(folder, "control.c"), os.path.join(folder, "control")
    none = built["FUZZING_ENGINE"] == "none"
    with open(source, "w", encoding="utf-8") as file:
        file.write(CONTROL + (CONTROL_MAIN if none else ""))
    engine = [] if none else built["LIB_FUZZING_ENGINE"].split()
    commands = [built["CC"].split() + built["CFLAGS"].split() + ["-c", source, "-o", source + ".o"],
                built["CXX"].split() + built["CXXFLAGS"].split()
                + [source + ".o", "-o", target] + engine]
    for command in commands:
        subprocess.run(command, env=built, check=True, capture_output=True)
    return needed(target)


def bad_libraries(target, allowed):
    for name in sorted(needed(target) - allowed):
        if not SYSTEM.fullmatch(name):
            yield f"needs {name}, which is not where it runs"


# ---- instrumentation ----------------------------------------------------------

def calls(target):
    """How often a target calls into each sanitizer's runtime."""
    count = dict.fromkeys(CALLS_MAX, 0)
    call = re.compile(r"\scallq?\s+[0-9a-f]+ <__(asan|dfsan|msan|ubsan)")
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", target], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as dump:
        for line in dump.stdout:
            match = call.search(line)
            if match:
                count[match[1]] += 1
    if dump.returncode != 0:
        raise OSError(f"objdump could not read {target}")
    return count


def bad_sanitizer(target, engine, sanitizer, found):
    if sanitizer not in CALLS_MIN or (sanitizer == "undefined" and engine != "libfuzzer"):
        return
    own, least = CALLS_MIN[sanitizer]
    if found[own] < least:
        yield f"{found[own]} calls of {own}, fewer than {least}: not instrumented"
    for other, most in CALLS_MAX.items():
        if other != own and found[other] > most:
            yield f"{found[other]} calls of {other} in a build with {own}"


# ---- libFuzzer ----------------------------------------------------------------

def libfuzzer_options(target):
    """The options of ClusterFuzz; what breaks is kept in `found`, beside the targets' folder."""
    found = os.path.join(os.path.dirname(os.path.dirname(target)), "found")
    os.makedirs(found, exist_ok=True)
    return MEMORY + [f"-artifact_prefix={found}/{os.path.basename(target)}-"] \
        + [f"-{key}={value}" for key, value in ossfuzz_packed.options(target).items()
           if key != "dict"]


def bad_start(target, sanitizer, told):
    """Four runs from nothing: OSS-Fuzz's own first test."""
    status, said = run([target, "-seed=1337", f"-runs={RUNS}"] + libfuzzer_options(target),
                       "libfuzzer", START_MAX)
    if status is None:
        yield f"does not start within {START_MAX:.0f} seconds"
    elif status != 0 or f"Done {RUNS} runs" not in said:
        yield f"does not start: {tail(said)}"
    if sanitizer == "introspector":
        return
    edges = re.search(r"INFO: Loaded \d+ modules?.*?\((?:inline 8-bit counters|guards|PC"
                      r"[^)]*)\):\s+(\d+)|\((\d+) inline 8-bit counters\)", said)
    told["edges"] = int(edges[1] or edges[2]) if edges else 0
    if "no interesting inputs were found" in said or told["edges"] < EDGES_MIN:
        yield f"{told['edges']} edges: no coverage, or only of a part"


def bad_libfuzzer(target, sanitizer, folder, told):
    if sanitizer != "coverage":  # which libFuzzer does not see, and so would not start from
        yield from bad_start(target, sanitizer, told)
    empty = os.path.join(folder, "empty")
    with open(empty, "wb"):
        pass
    status, said = run([target] + libfuzzer_options(target) + [empty], "libfuzzer", 30)
    if status != 0:
        yield f"fails on the empty input: {tail(said)}"
    seeds = ossfuzz_packed.unpack(target, os.path.join(folder, "seeds"))
    status, said = run([target, "-runs=0"] + libfuzzer_options(target) + [seeds], "libfuzzer",
                       SEEDS_MAX)
    if status != 0:
        yield f"fails on its seeds: {tail(said)}"
        return
    yield from bad_fuzzing(target, sanitizer, seeds, told)


def bad_fuzzing(target, sanitizer, seeds, told):
    """A little fuzzing, with all that lies beside the target."""
    if sanitizer in ("coverage", "introspector"):
        return
    words = [f"-dict={target}.dict"] if os.path.isfile(target + ".dict") else []
    chosen = sorted(os.listdir(seeds))[:FUZZ_SEEDS]
    words.append("-seed_inputs=" + ",".join(os.path.join(seeds, name) for name in chosen))
    status, said = run([target, f"-runs={FUZZ_RUNS}", f"-max_total_time={FUZZ_SECONDS}",
                        "-seed=1"] + words + libfuzzer_options(target), "libfuzzer", SEEDS_MAX)
    done = re.search(r"^Done (\d+) runs in \d+ second", said, re.MULTILINE)
    if status != 0 or not done:
        yield f"breaks within {FUZZ_RUNS} runs: {tail(said)}"
        return
    if "-dict=" in words[0] and not re.search(r"Dictionary: [1-9]\d* entries", said):
        yield "libFuzzer takes no word from its dictionary"
    told["runs"] = int(done[1]) - len(chosen)  # libFuzzer counts the seeds
    told["covered"] = int(re.findall(r"cov: (\d+)", said)[-1])
    if told["runs"] < RUNS:
        yield f"does not come beyond its seeds in {FUZZ_SECONDS} seconds"


# ---- AFL++, honggfuzz, none ---------------------------------------------------

def bad_afl(target, folder, _told):
    with open(target, "rb") as file:
        data = file.read()
    for mark in (b"##SIG_AFL_PERSISTENT##", b"##SIG_AFL_DEFER_FORKSRV##"):
        if mark not in data:
            yield f"has not the mark {mark.decode()}"
    start = os.path.join(folder, "start")
    os.mkdir(start)
    with open(os.path.join(start, "input"), "wb") as file:
        file.write(b"input\n")
    words = ["-x", target + ".dict"] if os.path.isfile(target + ".dict") else []
    status, said = run(["afl-fuzz", "-m", "none", "-t", "5000+", "-V", AFL_SECONDS, "-i", start,
                        "-o", os.path.join(folder, "found")] + words + ["--", target], "afl", 60)
    if status is None or "All set and ready to roll" not in said:
        yield f"afl-fuzz does not run it: {tail(said)}"
    if re.search(r"target binary (crashed|terminated)", said):
        yield f"does not start: {tail(said)}"
    yield from bad_replay(target, folder)


def bad_replay(target, folder):
    """Seeds as files, as ClusterFuzz reproduces: enough of them to show that this works."""
    seeds = ossfuzz_packed.unpack(target, os.path.join(folder, "seeds"))
    paths = [os.path.join(seeds, name) for name in sorted(os.listdir(seeds))]
    status, said = run([target] + paths[:REPLAYED], "none", SEEDS_MAX)
    if status != 0:
        yield f"fails on its seeds: {tail(said)}"


def bad_honggfuzz(target, folder, _told):
    seeds = ossfuzz_packed.unpack(target, os.path.join(folder, "seeds"))
    _, said = run(["honggfuzz", "-n", "1", "--exit_upon_crash", "-v", "-z", "-P", "--run_time", "5",
                   "-W", folder, "-f", seeds, "--", target], "honggfuzz", 60)
    if not re.search(r"^Sz:\d+ Tm:\d+", said, re.MULTILINE):
        yield f"honggfuzz does not run it: {tail(said)}"


def check(target, engine, sanitizer, allowed):
    """(what is wrong, figures) of a target."""
    told = {"calls": calls(target)}
    found = list(bad_libraries(target, allowed))
    found += bad_sanitizer(target, engine, sanitizer, told["calls"])
    with tempfile.TemporaryDirectory() as folder:
        if engine == "libfuzzer":
            found += bad_libfuzzer(target, sanitizer, folder, told)
        elif engine == "none":
            found += bad_replay(target, folder)
        else:
            found += {"afl": bad_afl, "honggfuzz": bad_honggfuzz}[engine](target, folder, told)
    return found, told
