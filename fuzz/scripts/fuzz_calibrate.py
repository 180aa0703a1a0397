"""scripts/fuzz calibrate: put planted faults (fuzz/faults) into a copy of the project,
one at a time, and see whether the targets find them within a bounded effort.

For each fault the targets are built from the copy, those that ought to see it
first. The corpora are replayed on all of them, which finds what is "found by
replay"; then libFuzzer runs, with the mutator of fuzz/, until the first finding.
An input counts when it breaks nothing without the fault. Results are kept, a line
of JSON each: with --resume a run that was broken off goes on where it was.

Exit status: 0 at least nine of ten were found; 1 fewer, or with --check a patch
that does not apply or compile; 2 it could not be done.
"""

import argparse
import json
import os
import shutil
import time

import fuzz_build
import fuzz_engine
import fuzz_faults
import fuzz_process
import fuzz_project
import fuzz_roles
import fuzz_triage

WANTED = 0.9        # of the faults
UNREADY = {"pytorch"}  # needs an installed PyTorch, and is slow
POLL = 0.05
AGAIN = 2           # times that a target is started again after what is no finding
SIFTED_MAX = 50     # inputs of a corpus that may break a target as it is
REPLAY_FACTOR = 20  # times --seconds, for the whole corpus


def say(text):
    """A line at once, so that a log can be followed."""
    print(text, flush=True)


# ------------------------------------------------------------------------- building


class Bench:
    """The copy, a build folder for each way of compiling, and binaries without a
    fault to confirm with."""

    def __init__(self, work, jobs):
        self.work, self.jobs = work, jobs
        self.tree = fuzz_faults.Tree(os.path.join(work, "tree"))
        self.clean = os.path.join(work, "clean")
        self.configured, self.ready = {}, set()

    def folder(self, build):
        return os.path.join(self.work, build)

    def ninja(self, build, target):
        """Whether a target builds."""
        status, text = fuzz_faults.run(["ninja", "-C", self.folder(build), f"-j{self.jobs}",
                                        target.binary], self.work, 3600)
        if status != 0:
            say(f"  {build}: {target.binary}: {text[-2000:]}")
        return status == 0

    def configure(self, build, targets):
        """Configure a folder; the targets that CMake has and that can be compiled so."""
        reason = fuzz_build.lacking(fuzz_roles.BUILDS[build])
        if reason:
            raise fuzz_project.Trouble(f"{build}: {reason}")
        command = [self.tree.folder if word == fuzz_project.ROOT else word for word in
                   fuzz_build.configuration(fuzz_roles.BUILDS[build], self.folder(build))]
        status, text = fuzz_faults.run(command, self.work, 600)
        if status != 0:
            raise fuzz_project.Trouble(f"cmake failed:\n{text[-2000:]}")
        have = fuzz_build.goals(self.folder(build), build, targets)
        return [each for each in targets
                if each.binary in have and fuzz_roles.fits(build, each)]

    def targets_of(self, build, targets):
        """The targets of a way of compiling."""
        if build not in self.configured:
            self.configured[build] = self.configure(build, targets)
        return self.configured[build]

    def prepare(self, build, target, chosen):
        """A target without a fault, and its corpus; once."""
        if (build, target.name) in self.ready:
            return
        if not self.ninja(build, target):
            raise fuzz_project.Trouble(f"{target.binary} does not build")
        place = os.path.join(self.clean, build, "bin")
        os.makedirs(place, exist_ok=True)
        shutil.copy2(os.path.join(self.folder(build), "bin", target.binary), place)
        self.sift(build, target, chosen)
        self.ready.add((build, target.name))

    def sift(self, build, target, chosen):
        """Take inputs out of a corpus that break the target without a fault: they
        would end every replay."""
        corpus = os.path.join(self.work, "corpora", target.name)
        place = os.path.join(self.work, "sift")
        for _ in range(SIFTED_MAX):
            shutil.rmtree(place, ignore_errors=True)
            process = fuzz_process.Process(replay(self.clean, build, target, corpus, place, chosen))
            while process.poll() is None:
                time.sleep(POLL)
            bad = fuzz_project.files_under(os.path.join(place, "artifacts"))
            if not bad:
                return
            name = fuzz_project.digest(fuzz_project.read(bad[0]))
            say(f"  {build}: {target.name}: {name} is left out: it breaks the target as it is")
            os.unlink(os.path.join(corpus, name))


# -------------------------------------------------------------------------- running


def libfuzzer(out, build, target, place, budget):
    """libFuzzer in a folder of its own; the corpora and options are still to come."""
    for name in ("new", "artifacts"):
        os.makedirs(os.path.join(place, name), exist_ok=True)
    argv = [fuzz_build.binary(out, build, target), *fuzz_engine.limits(target, build),
            f"-max_total_time={int(budget)}", f"-artifact_prefix={place}/artifacts/"]
    return fuzz_process.Command(argv, place, os.path.join(place, "log"), budget + 60,
                                {**fuzz_engine.SANITIZERS, "TMPDIR": place})


def replay(out, build, target, corpus, place, chosen):
    """All of a corpus, once."""
    command = libfuzzer(out, build, target, place, REPLAY_FACTOR * chosen.seconds)
    command.argv += ["-runs=0", corpus]
    return command


class Hunt:
    """One fault: processes of its targets until one has found something."""

    def __init__(self, bench, chosen, fault, place):
        self.bench, self.chosen, self.fault, self.place = bench, chosen, fault, place
        self.executions, self.rejected = {}, []

    def command(self, target, stage, attempt):
        """A replay of the corpus, or a run of libFuzzer with it."""
        build, out = self.fault.build, self.bench.work
        place = os.path.join(self.place, f"{stage}-{target.name}-{attempt}")
        corpus = os.path.join(out, "corpora", target.name)
        if stage == "replay":
            return replay(out, build, target, corpus, place, self.chosen)
        command = libfuzzer(out, build, target, place, self.chosen.seconds)
        command.argv += [*fuzz_engine.dictionary(target), f"-seed={self.chosen.seed + attempt}",
                         f"-runs={self.chosen.runs}", os.path.join(place, "new"), corpus]
        return command

    def verdict(self, target, process, stage):
        """What a run that ended has found, once it is confirmed; None for nothing."""
        place = process.command.folder
        with open(process.command.log, "rb") as file:
            text = file.read(4 << 20).decode("utf-8", "replace")
        counted = fuzz_engine.figures_of(text).executions
        self.executions[target.name] = self.executions.get(target.name, 0) + counted
        found = fuzz_triage.judge(text, process.child.returncode)
        artifacts = fuzz_project.files_under(os.path.join(place, "artifacts"))
        if process.child.returncode == 0 or not artifacts:
            if process.child.returncode not in (0, -15):
                self.rejected.append(f"{target.name}: exit {process.child.returncode}, no input")
            return None
        clean, _ = fuzz_triage.run_input(self.bench.clean, self.fault.build, target, artifacts[0])
        if clean.kind:
            self.rejected.append(f"{target.name}: {clean.what}, without the fault too")
            return None
        return {"target": target.name, "stage": stage, "class": found.kind, "what": found.what,
                "stack": list(found.stack), "executions": counted, "size": os.path.getsize(
                    artifacts[0]), "input": os.path.relpath(artifacts[0], self.bench.work)}

    def start(self, target, stage, attempt):
        """A process of a target, or None where it cannot be built with the fault."""
        if not self.bench.ninja(self.fault.build, target):
            self.rejected.append(f"{target.name}: it does not build")
            return None
        return fuzz_process.Process(self.command(target, stage, attempt))

    def stage(self, targets, stage):
        """Run all targets, so many at once; the first confirmed finding, or None. What
        is found without the fault too is passed over, and libFuzzer started again."""
        waiting, running = [(target, 0) for target in targets], []
        try:
            while waiting or running:
                while waiting and len(running) < self.chosen.jobs:
                    target, attempt = waiting.pop(0)
                    process = self.start(target, stage, attempt)
                    running += [(target, attempt, process)] if process else []
                for row in [each for each in running if each[2].poll() is not None]:
                    running.remove(row)
                    before = len(self.rejected)
                    found = self.verdict(row[0], row[2], stage)
                    if found:
                        return found
                    if len(self.rejected) > before and stage == "fuzz" and row[1] < AGAIN:
                        waiting.append((row[0], row[1] + 1))
                time.sleep(POLL)
        finally:
            for _, _, process in running:
                process.kill()
        return None

    def order(self, targets):
        """The targets that ought to see it, and then the others."""
        first = [each for name in self.fault.targets for each in targets if each.name == name]
        return first + [each for each in targets if each not in first and not self.chosen.own]


def hunt(bench, chosen, fault, targets):
    """One fault from beginning to end; its result."""
    started = time.monotonic()
    place = os.path.join(bench.work, "runs", fault.id)
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    search = Hunt(bench, chosen, fault, place)
    order = search.order(bench.targets_of(fault.build, targets))
    for target in order:
        bench.prepare(fault.build, target, chosen)
    bench.tree.plant(fault)
    try:
        found = search.stage(order, "replay") or search.stage(order, "fuzz")
    finally:
        bench.tree.clear()
    return {"id": fault.id, "build": fault.build, "found": found is not None,
            "as_wanted": found is not None and found["target"] in fault.targets,
            "finding": found, "executions": search.executions,
            "rejected": search.rejected, "seconds": round(time.monotonic() - started, 1)}


# -------------------------------------------------------------------------- results


def line_of(fault, result):
    """A row of the table."""
    finding = result["finding"]
    total = sum(result["executions"].values())
    if finding is None:
        words = f"MISSED  {total:9} {result['seconds']:7.1f}  {fault.kind}"
    else:
        how = "replay" if finding["stage"] == "replay" else str(finding["executions"])
        words = (f"{finding['target']:9} {how:>8} {result['seconds']:7.1f}  "
                 f"{finding['class']}: {finding['what']}")
        words += "" if result["as_wanted"] else f"  (wanted: {', '.join(fault.targets)})"
    return f"{fault.id:32} {words}"


def read_results(path):
    """What an earlier run has written; a line that was cut off is none."""
    results = {}
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                results[row["id"]] = row
    return results


def summary(faults, results):
    """The figures of all that have a result."""
    rows = [results[each.id] for each in faults if each.id in results]
    found = [row for row in rows if row["found"]]
    return {"faults": len(rows), "found": len(found),
            "by_replay": sum(row["finding"]["stage"] == "replay" for row in found),
            "as_wanted": sum(row["as_wanted"] for row in found),
            "missed": [row["id"] for row in rows if not row["found"]],
            "rejected": {row["id"]: row["rejected"] for row in rows if row["rejected"]},
            "executions": sum(sum(row["executions"].values()) for row in rows),
            "seconds": round(sum(row["seconds"] for row in rows), 1)}


def tell(faults, results):
    """The table and the figures."""
    total = summary(faults, results)
    say("")
    for fault in faults:
        if fault.id in results:
            say(line_of(fault, results[fault.id]))
    for name, reasons in total["rejected"].items():
        say(f"not counted: {name}: {'; '.join(reasons)}")
    say(f"{total['found']} of {total['faults']} found, {total['by_replay']} of them by replay, "
        f"{total['as_wanted']} by a target that ought to; {total['executions']} executions, "
        f"{total['seconds']:.0f} seconds")
    return total


# -------------------------------------------------------------------------- command


def put_corpora(bench, chosen, targets):
    """What the targets start from, in the work folder."""
    for target in targets:
        folder = os.path.join(bench.work, "corpora", target.name)
        shutil.rmtree(folder, ignore_errors=True)
        said = fuzz_project.seeds(target, folder, chosen.corpora)
        say(f"{target.name:10} {len(fuzz_project.files_under(folder)):6} inputs "
            f"({'; '.join(said)})")


def calibrate(chosen, faults, targets):
    """All faults that have no result yet."""
    bench = Bench(os.path.abspath(chosen.work), chosen.jobs)
    os.makedirs(bench.work, exist_ok=True)
    path = os.path.join(bench.work, "results.jsonl")
    results = read_results(path) if chosen.resume else {}
    bench.tree.refresh()
    put_corpora(bench, chosen, targets)
    with open(path, "a" if chosen.resume else "w", encoding="utf-8") as file:
        for fault in faults:
            if fault.id in results:
                continue
            results[fault.id] = hunt(bench, chosen, fault, targets)
            file.write(json.dumps(results[fault.id]) + "\n")
            file.flush()
            say(line_of(fault, results[fault.id]))
    total = tell(faults, results)
    if chosen.json:
        rows = [results[each.id] for each in faults if each.id in results]
        fuzz_project.write_atomically(chosen.json, json.dumps({**total, "results": rows},
                                                              indent=1) + "\n")
    return 0 if total["found"] >= WANTED * total["faults"] else 1


def command(chosen):
    faults = fuzz_faults.choose(fuzz_faults.load(), chosen.faults)
    if chosen.list:
        for fault in faults:
            say(f"{fault.id:32} {', '.join(fault.targets):24} {fault.kind}")
        return 0
    if chosen.check:
        tree = fuzz_faults.Tree(os.path.join(os.path.abspath(chosen.work), "tree"))
        return 1 if fuzz_faults.check(faults, tree, say) else 0
    every = fuzz_project.load_targets(chosen.table)
    targets = fuzz_project.choose(every, chosen.targets)
    if not chosen.targets:
        targets = [each for each in targets if each.name not in UNREADY]
    return calibrate(chosen, faults, targets)


def add_options(parser):
    add = parser.add_argument
    add("--faults", metavar="LIST", help="names or their beginnings, with commas (default: all)")
    add("--targets", metavar="LIST", help="names with commas (default: all but pytorch)")
    add("--work", metavar="DIR", default=os.path.join(fuzz_project.ROOT, "build-fuzz",
                                                      "calibrate"),
        help="the copy, its builds and the results (build-fuzz/calibrate)")
    add("--corpora", metavar="DIR", action="append", default=[],
        help="further corpora, a folder or tar file a target")
    add("--table", metavar="FILE", default=fuzz_project.TABLE,
        help="the table of targets (fuzz/targets.json)")
    add("--runs", metavar="N", type=int, default=10000000,
        help="executions of a target (10000000)")
    add("--seconds", metavar="S", type=int, default=60, help="of a target (60)")
    add("--jobs", metavar="N", type=int, default=2, help="processes at once (2)")
    add("--seed", metavar="N", type=int, default=1, help="for libFuzzer (1)")
    add("--json", metavar="FILE", help="write the results to a file too")
    add("--own", action="store_true", help="run only the targets that ought to see a fault")
    add("--resume", action="store_true", help="keep the results that there are")
    add("--check", action="store_true", help="only see that all apply and compile")
    add("--list", action="store_true", help="only name them")
    parser.set_defaults(run=command)


def add_parser(commands):
    """The command for scripts/fuzz."""
    add_options(commands.add_parser("calibrate", help="find faults that were planted",
                                    description=__doc__.split("\n\n", 1)[1],
                                    formatter_class=argparse.RawDescriptionHelpFormatter))
