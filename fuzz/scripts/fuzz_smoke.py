"""scripts/fuzz smoke: every target for the executions that its row says, from its corpus,
under ASan and UBSan; and AFL++ on one target, so that its wiring is seen to work.
With a fixed seed, and however long they take: a machine that is faster finds no more, and a
failure is one of what was changed. The last line says what was run.
"""

import os
import shutil
import subprocess
import tempfile

import fuzz_build
import fuzz_engine
import fuzz_process
import fuzz_project
import fuzz_roles
import fuzz_triage

SEED, AFL_RUNS = 1, 50_000
SECONDS = 300  # for a target, on the slowest machine
INPUTS = 250  # that a target starts from


def possible():
    """Whether there is a clang that has libFuzzer and ASan."""
    probe = ["clang", "-fsanitize=fuzzer,address", "-x", "c", "-", "-o", os.devnull]
    return shutil.which("clang") is not None and subprocess.run(
        probe, input=b"int LLVMFuzzerTestOneInput(void) { return 0; }", check=False,
        capture_output=True).returncode == 0


def prepare(out, name, target):
    """A fresh folder for what runs a target: its corpus, and where new things go."""
    place = os.path.join(out, "smoke", name)
    shutil.rmtree(place, ignore_errors=True)
    for name in ("corpus", "new", "artifacts"):
        os.makedirs(os.path.join(place, name))
    said = fuzz_project.seeds(target, os.path.join(place, "corpus"))
    thin_out(os.path.join(place, "corpus"))
    return place, said


def thin_out(folder):
    """Leave some of the inputs, evenly: engines run all of them first, and the replay
    of all of them is a test of its own."""
    names = sorted(os.listdir(folder))
    kept = set(names[::max(1, -(-len(names) // INPUTS))])
    for name in names:
        if name not in kept:
            os.remove(os.path.join(folder, name))


def run_target(out, target, place):
    """libFuzzer for the executions of the row: (figures, exit status, text)."""
    log = os.path.join(place, "log")
    command = fuzz_engine.libfuzzer(out, target, "asan", SECONDS, place,
                                    [os.path.join(place, "new"), os.path.join(place, "corpus")],
                                    SEED, log)
    command.argv.insert(1, f"-runs={target.smoke}")
    status, overran = fuzz_process.run(command)
    text = fuzz_engine.text_of(log)
    return fuzz_engine.figures_of(text), 1 if overran and not status else status, text


def smoke_target(out, target, say):
    """One target: (executions, findings, skipped)."""
    if fuzz_build.binary(out, "libfuzzer-asan", target) is None:
        say(f"{target.name:10} skipped: there is no binary")
        return 0, 0, 1
    place, said = prepare(out, target.name, target)
    numbers, status, text = run_target(out, target, place)
    say(f"{target.name:10} {numbers.executions:8} executions, {numbers.edges} edges, "
        f"exit {status} ({'; '.join(said)})")
    if status == 0:
        return numbers.executions, 0, 0
    verdict = fuzz_triage.judge(text, status)
    artifacts = fuzz_project.files_under(os.path.join(place, "artifacts"))
    say(f"  {verdict.kind or 'failed'}: {verdict.what} {' < '.join(verdict.stack)}".rstrip())
    for line in fuzz_triage.said(text)[1:]:  # the first names the property
        say(f"  {line}")
    for path in artifacts or [os.path.join(place, "log")]:
        say(f"  {path}")
    return numbers.executions, 1, 0


def smoke_afl(out, target, say):
    """AFL++ on one target: it must run, and crash nowhere."""
    reason = fuzz_build.lacking(fuzz_roles.BUILDS["afl"])
    if reason or fuzz_build.binary(out, "afl", target) is None:
        say(f"{'AFL++':10} skipped: {reason or 'there is no binary of ' + target.name}")
        return 0, 0, 1
    place, _ = prepare(out, "afl", target)  # what the target has found stays
    with tempfile.TemporaryDirectory(prefix="fuzz-afl-") as scratch:
        corpus, log = os.path.join(place, "corpus"), os.path.join(place, "log-afl")
        output = os.path.join(place, "afl")
        command = fuzz_engine.afl(out, target, "afl-main", SECONDS, scratch,
                                  (output, corpus, corpus), log, SEED)
        command.argv[1:1] = ["-E", str(AFL_RUNS)]
        status, _ = fuzz_process.run(command)
    numbers = fuzz_engine.afl_figures(os.path.join(output, fuzz_engine.afl_instance("afl-main")))
    failed = status != 0 or numbers.crashes or not numbers.executions
    say(f"{'AFL++':10} {numbers.executions:8} executions of {target.name}, "
        f"{numbers.edges} edges, {numbers.crashes} crashes, exit {status}")
    if failed:
        crashes = os.path.join(output, fuzz_engine.afl_instance("afl-main"), "crashes")
        for path in fuzz_project.files_under(crashes)[:1] or [log]:
            say(f"  {path}")
    return numbers.executions, int(bool(failed)), 0


def smoke(chosen, targets, say):
    """All targets, then AFL++ on the first; 1 if anything was found."""
    out = os.path.abspath(chosen.out)
    rows = [smoke_target(out, target, say) for target in targets]
    rows.append(smoke_afl(out, targets[0], say))
    executions, findings, skipped = (sum(column) for column in zip(*rows))
    say(f"smoke: {len(targets)} targets, {executions} executions, {findings} findings, "
        f"{skipped} skipped")
    return 1 if findings or not executions else 0
