"""Coverage of ref/src by corpora alone: they are replayed over a build of gcc that
counts, target by target, and lcov reads what was counted. Lines, functions and
branches; HTML, a tracefile a target, and lists of what nothing reaches.

Lines between lcov's marks of exclusion do not count, neither as reached nor as
unreached.
"""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import time

import fuzz_build
import fuzz_process
import fuzz_project
from fuzz_project import ROOT, Trouble

BRANCHES = ["--rc", "lcov_branch_coverage=1"]
BATCH = 400  # inputs of one process
KINDS = ("lines", "functions", "branches")


class Trace:
    """The figures of a tracefile of lcov."""

    def __init__(self):
        self.files = {}  # file to {"lines": {number: hits}, "functions", "branches"}

    @classmethod
    def parse(cls, text):
        """Read the records that we use: SF, DA, FNDA, BRDA. A file may come several
        times, as in what lcov has added up; its hits are added."""
        trace, row = cls(), None

        def add(kind, key, hits):
            row[kind][key] = row[kind].get(key, 0) + hits

        for line in text.splitlines():
            kind, _, rest = line.partition(":")
            if kind == "SF":
                row = trace.files.setdefault(rest, {key: {} for key in KINDS})
            elif kind == "DA":
                number, hits = rest.split(",")[:2]
                add("lines", int(number), int(hits))
            elif kind == "FNDA":
                hits, name = rest.split(",", 1)
                add("functions", name, int(hits))
            elif kind == "BRDA":
                number, block, branch, hits = rest.split(",")
                add("branches", (int(number), block, branch), 0 if hits == "-" else int(hits))
        return trace

    def totals(self):
        """{"lines": [hit, all], ...}"""
        return {kind: [sum(hits > 0 for row in self.files.values() for hits in row[kind].values()),
                       sum(len(row[kind]) for row in self.files.values())] for kind in KINDS}

    def missing(self, kind):
        """[(file, what)] of what was never reached."""
        return [(name, what if isinstance(what, (int, str)) else what[0])
                for name, row in sorted(self.files.items())
                for what, hits in sorted(row[kind].items()) if hits == 0]


def need(tool):
    if shutil.which(tool) is None:
        raise Trouble(f"there is no {tool}")


def call(command, seconds=600):
    """Run a tool; its output only where it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=seconds, check=False)
    if done.returncode != 0:
        raise Trouble(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def zero(folder):
    """Forget what was counted."""
    for path in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True):
        os.unlink(path)


def replay(binary, paths, folder, timeout):
    """Replay inputs in batches; a batch that breaks off is replayed one by one,
    since a process that aborts has counted nothing. How many broke off."""
    broken = 0
    for start in range(0, len(paths), BATCH):
        batch = paths[start:start + BATCH]
        if not replays(binary, batch, folder, 60 + timeout * len(batch)):
            broken += sum(not replays(binary, [path], folder, 30 + timeout) for path in batch)
    return broken


def replays(binary, paths, folder, seconds):
    status, _, overran = fuzz_process.run_text([binary, *paths], folder, seconds)
    return status == 0 and not overran


def library_objects(folder):
    """The folder of the library's object files, where its counters are."""
    found = sorted({os.path.dirname(path) for path in glob.glob(
        os.path.join(folder, "CMakeFiles", "epref_static.dir", "**", "*.gcno"), recursive=True)})
    if not found:
        raise Trouble(f"{folder}: no counters; was it built for coverage?")
    return os.path.commonpath(found)


def capture(objects, trace, name, *options):
    """What was counted since zero(), as a tracefile of ref/src."""
    raw = trace + ".raw"
    call(["lcov", *BRANCHES, "-q", "-c", *options, "-d", objects, "-b", ROOT, "-t", name,
          "-o", raw])
    call(["lcov", *BRANCHES, "-q", "-e", raw, os.path.join(ROOT, "ref", "src", "*"), "-o", trace])
    os.unlink(raw)


def read_trace(*paths):
    """Tracefiles, added up."""
    texts = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            texts.append(file.read())
    return Trace.parse("".join(texts))


def base_of(report):
    """The tracefile in which every line is there, and none was reached."""
    return os.path.join(report, "base.info")


def measure_target(out, target, inputs, report, scratch):
    """One target: replay, capture; its row."""
    binary = fuzz_build.binary(out, "coverage", target)
    folder = os.path.join(out, "coverage")
    zero(folder)
    broken = replay(binary, inputs, scratch, target.timeout)
    trace = os.path.join(report, target.name + ".info")
    counted = glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True)
    if not counted:
        return None
    capture(library_objects(folder), trace, target.name)
    return {"inputs": len(inputs), "broken": broken, "trace": trace,
            **read_trace(trace, base_of(report)).totals()}


def corpus_inputs(target, corpora, scratch):
    """The inputs of a target, from a folder or a packed corpus."""
    folder = os.path.join(scratch, "corpus", target.name)
    if os.path.realpath(corpora) == os.path.realpath(fuzz_project.CORPORA):
        fuzz_project.seeds(target, folder)
    else:
        place = os.path.join(corpora, target.name)
        if os.path.isdir(place):
            return [path for path in fuzz_project.files_under(place)
                    if fuzz_project.is_input(path)]
        for path in glob.glob(glob.escape(place) + ".tar*"):
            fuzz_project.unpack(path, folder)
    return fuzz_project.files_under(folder)


def measure(out, targets, corpora, report, say=print):
    """All targets, and all of them together. Returns the whole's figures."""
    for tool in ("lcov", "genhtml", "gcov"):
        need(tool)
    shutil.rmtree(report, ignore_errors=True)
    os.makedirs(report)
    rows, skipped = {}, []
    capture(library_objects(os.path.join(out, "coverage")), base_of(report), "base", "-i")
    with tempfile.TemporaryDirectory(prefix="fuzz-coverage-") as scratch:
        for target in targets:
            inputs = corpus_inputs(target, corpora, scratch)
            there = fuzz_build.binary(out, "coverage", target)
            row = measure_target(out, target, inputs, report, scratch) if (
                there and inputs) else None
            if row is None:
                skipped.append(target.name)
                say(f"{target.name:10} skipped: " + (
                    "nothing was counted" if there and inputs
                    else "no inputs" if there else "no binary"))
            else:
                rows[target.name] = row
    if not rows:
        raise Trouble("no target has a binary and inputs")
    return whole(rows, skipped, report)


def whole(rows, skipped, report):
    """Add the tracefiles, write HTML and the lists."""
    trace = os.path.join(report, "all.info")
    command = ["lcov", *BRANCHES, "-q", "-o", trace, "-a", base_of(report)]
    for row in rows.values():
        command += ["-a", row["trace"]]
    call(command)
    call(["genhtml", "-q", "--branch-coverage", "--legend", "-p", ROOT, "-t", "epref, by corpora",
          "-o", os.path.join(report, "html"), trace])
    both = read_trace(trace)
    short = len(ROOT) + 1
    figures = {"all": both.totals(), "targets": {
        name: {key: value for key, value in row.items() if key != "trace"}
        for name, row in rows.items()}, "skipped": skipped, "time": int(time.time())}
    for kind in KINDS:
        figures["missing_" + kind] = [[name[short:], what] for name, what in both.missing(kind)]
    fuzz_project.write_atomically(os.path.join(report, "coverage.json"),
                                  json.dumps(figures, indent=1) + "\n")
    return figures


def percent(pair):
    hit, every = pair
    return 100.0 * hit / every if every else 0.0


def line_of(name, row):
    return "%-10s %7s inputs  " % (name, row.get("inputs", "")) + "  ".join(
        "%s %5.1f%% (%d of %d)" % (kind, percent(row[kind]), *row[kind]) for kind in KINDS)


def table(figures):
    """The figures as plain text, with the functions that nothing reaches."""
    lines = [line_of(name, row) for name, row in figures["targets"].items()]
    lines.append(line_of("all", figures["all"]))
    lines += [f"never called: {name} ({place})" for place, name in figures["missing_functions"]]
    broken = sum(row["broken"] for row in figures["targets"].values())
    if broken:
        lines.append(f"{broken} inputs broke off and are not counted")
    if figures["skipped"]:
        lines.append("skipped: " + ", ".join(figures["skipped"]))
    return "\n".join(lines)


def command(chosen, targets, say):
    """scripts/fuzz coverage: a table, and a line of the trend."""
    out = os.path.abspath(chosen.out)
    corpora = chosen.corpora or fuzz_project.CORPORA
    report = chosen.report or os.path.join(out, "coverage-report")
    if chosen.work:
        corpora = os.path.join(chosen.work, "corpus")
        report = chosen.report or os.path.join(chosen.work, "report", "coverage")
    figures = measure(out, targets, os.path.abspath(corpora), os.path.abspath(report), say)
    trend = os.path.join(os.path.dirname(os.path.abspath(report)), "coverage-trend.jsonl")
    with open(trend, "a", encoding="utf-8") as file:
        file.write(json.dumps({"time": figures["time"], "commit": fuzz_project.commit(),
                               **figures["all"]}) + "\n")
    say(table(figures))
    say(f"report: {os.path.join(report, 'html', 'index.html')}, trend: {trend}")
    return 0
