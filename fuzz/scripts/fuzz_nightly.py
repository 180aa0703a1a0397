"""scripts/fuzz nightly: rounds of engines on targets, several at once, until the time is
over; then every corpus is merged, every finding triaged and made smaller, and the page
written (fuzz_report.py). The engines do the work: libFuzzer in fork mode, its -merge and
-minimize_crash, AFL++ with -M, -S and -F.

The work folder has corpus/TARGET, afl/TARGET, findings/, report/, and state.json with a row
for each round that has ended. A night that was stopped or cut off loses its running rounds
only; --resume goes on with the rest of its time.
"""

import concurrent.futures
import contextlib
import fcntl
import glob
import json
import os
import shutil
import signal
import threading
import time

import fuzz_build
import fuzz_engine
import fuzz_logs
import fuzz_process
import fuzz_project
import fuzz_report
import fuzz_roles
import fuzz_triage
from fuzz_project import Trouble

SHORTEST, LONGEST = 15, 300  # seconds of a round
MERGING = 900  # seconds, at most, of a merge
FRESH = {"night": 0, "hours": 0, "active": 0.0, "started": 0, "finished": True, "commit": "",
         "rounds": []}


class Night:
    """A night: its targets, its work folder, and its state."""

    def __init__(self, chosen, targets, say):
        self.chosen, self.targets, self.say = chosen, targets, say
        self.out, self.work = os.path.abspath(chosen.out), os.path.abspath(chosen.work)
        self.lock, self.signals, self.began = threading.Lock(), 0, time.monotonic()
        for name in ("corpus", "afl", "findings", "report", "logs"):
            os.makedirs(self.at(name), exist_ok=True)
        self.state = dict(FRESH, **self.read_state())
        self.before = 0.0

    def at(self, *names):
        return os.path.join(self.work, *names)

    def read_state(self):
        try:
            with open(self.at("state.json"), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}
        except ValueError as trouble:
            raise Trouble(f"{self.at('state.json')}: {trouble}") from trouble

    def save(self):
        self.state["active"] = self.before + time.monotonic() - self.began
        fuzz_project.write_atomically(self.at("state.json"), json.dumps(self.state, indent=1))

    def stopping(self):
        return self.signals > 0

    def left(self):
        return self.state["hours"] * 3600 - self.before - (time.monotonic() - self.began)

    def watch_signals(self):
        """SIGINT and SIGTERM end the rounds; a second one ends the script."""
        def handle(number, _frame):
            self.signals += 1
            if self.signals > 1:
                raise SystemExit(128 + number)
            self.say("stopping: the rounds that run are ended and kept")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, handle)

    def begin(self):
        """A new night, or with --resume the rest of one that did not end."""
        if self.chosen.resume and not self.state["finished"]:
            self.before = self.state["active"]
            self.say(f"resumed: night {self.state['night']}, {self.before / 60:.1f} minutes done")
        else:
            self.state.update(night=self.state["night"] + 1, hours=self.chosen.hours, rounds=[],
                              started=int(time.time()), finished=False,
                              commit=fuzz_project.commit())
        for target in self.targets:
            said = fuzz_project.seeds(target, self.at("corpus", target.name), self.chosen.seeds)
            self.say(f"{target.name:10} starts from {self.count(target)} inputs ({'; '.join(said)})")
        self.save()

    def count(self, target):
        return len(os.listdir(self.at("corpus", target.name)))

    # ---- rounds -----------------------------------------------------------------

    def pairs(self):
        """(target, role, weight) of all that can run, and what cannot is said."""
        found = []
        for name in fuzz_roles.known(self.chosen.roles, fuzz_roles.ROLES, "role"):
            row, missing = fuzz_roles.ROLES[name], []
            for target in self.targets:
                builds = [each for each in (row.build, *row.needs) if fuzz_roles.fits(each, target)]
                if not fuzz_roles.answers(target, name) or len(builds) <= len(row.needs):
                    continue
                if all(fuzz_build.binary(self.out, build, target) for build in builds):
                    found.append((target, name, row.weight * target.weight))
                else:
                    missing.append(target.name)
            if missing:
                self.say(f"skipped, there is no binary: {name} on {' '.join(missing)}")
        if not found:
            raise Trouble("nothing to run: no role has a binary; see scripts/fuzz build")
        return found

    def choose(self, pairs, running):
        """The pair that has had least of its share, of those whose target is free."""
        spent = {}
        for row in self.state["rounds"]:
            key = row["target"], row["role"]
            spent[key] = spent.get(key, 0) + row["seconds"]
        free = [pair for pair in pairs if pair[0].name not in running]
        return min(free, default=None,
                   key=lambda pair: spent.get((pair[0].name, pair[1]), 0) / pair[2])

    def run(self):
        """Keep all jobs busy until the time is over."""
        pairs, running = self.pairs(), {}
        seconds = self.chosen.round or min(LONGEST, max(SHORTEST, int(
            self.state["hours"] * 3600 * self.chosen.jobs / len(pairs))))
        self.say(f"{len(pairs)} pairs of target and role, rounds of {seconds} s")
        with concurrent.futures.ThreadPoolExecutor(self.chosen.jobs) as pool:
            while True:
                while len(running) < self.chosen.jobs and self.left() > 1 and not self.stopping():
                    pair = self.choose(pairs, [each[0].name for each in running.values()])
                    if pair is None:
                        break
                    length = min(seconds, self.left())
                    running[pool.submit(self.round, *pair[:2], length)] = pair
                if not running:
                    return
                done, _ = concurrent.futures.wait(running, 1, concurrent.futures.FIRST_COMPLETED)
                for each in done:
                    del running[each]
                    each.result()

    def round(self, target, role, seconds):
        """One engine on one target; its findings are triaged, its figures kept."""
        place = self.at("rounds", target.name)
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(os.path.join(place, "artifacts"))
        log, began = os.path.join(place, "log"), time.monotonic()
        engine = self.afl if fuzz_roles.ROLES[role].afl else self.libfuzzer
        numbers, broken = engine(target, role, seconds, place, log)
        shutil.copyfile(log, self.at("logs", f"{target.name}-{role}.log"))
        row = {"target": target.name, "role": role, "executions": numbers.executions,
               "seconds": round(time.monotonic() - began, 1), "edges": numbers.edges,
               "files": self.count(target), "crashes": len(broken)}
        with self.lock:
            fuzz_triage.triage(self, target, role, broken)
            self.state["rounds"].append(row)
            self.save()
            fuzz_report.write(self)
            self.say(f"{target.name:10} {role:14} {row['executions']:10} runs "
                     f"{row['executions'] / max(0.1, row['seconds']):8.0f}/s {row['edges']:6} edges "
                     f"{row['crashes']:4} crashes")
        shutil.rmtree(place, ignore_errors=True)

    def seed(self):
        return self.chosen.seed + len(self.state["rounds"])

    def libfuzzer(self, target, role, seconds, place, log):
        corpus = self.at("corpus", target.name)
        fuzz_process.run(fuzz_engine.forking(fuzz_engine.libfuzzer(
            self.out, target, role, seconds, place, [corpus], self.seed(), log)), self.stopping)
        return (fuzz_logs.libfuzzer(fuzz_logs.text_of(log)),
                glob.glob(os.path.join(place, "artifacts", "[cltor]*-*")))

    def afl(self, target, role, seconds, place, log):
        """AFL++ goes on with its own queue; what is new in it is merged into the corpus."""
        corpus, output = self.at("corpus", target.name), self.at("afl", target.name)
        instance = os.path.join(output, fuzz_engine.afl_instance(role))
        before = fuzz_logs.afl(fuzz_logs.text_of(os.path.join(instance, "fuzzer_stats")))
        fuzz_process.run(fuzz_engine.afl(self.out, target, role, seconds, place,
                                         (output, corpus, corpus), log, self.seed()), self.stopping)
        numbers = fuzz_logs.afl(fuzz_logs.text_of(os.path.join(instance, "fuzzer_stats")))
        numbers.executions -= before.executions if before.executions <= numbers.executions else 0
        if os.path.isdir(os.path.join(instance, "queue")):
            fuzz_process.run(fuzz_engine.merge(self.out, target, corpus,
                                               [os.path.join(instance, "queue")], place, log))
        broken = [path for kind in ("crashes", "hangs")
                  for path in glob.glob(os.path.join(instance, kind, "id:*"))]
        return numbers, broken

    # ---- the end ----------------------------------------------------------------

    def close(self):
        """Merge, look at every finding again, and write the page; 1 if one is open."""
        if not self.stopping():
            for target in self.targets:
                self.merge(target)
            fuzz_triage.finish(self, self.chosen.minimize)
        self.save()
        summary = fuzz_report.write(self)
        fuzz_report.add_to_trend(self.at("trend.jsonl"), summary)
        self.say(fuzz_report.text(summary))
        self.say(f"page: {self.at('report', 'index.html')}")
        return 1 if summary["findings"] else 0

    def merge(self, target):
        """Merge a corpus into a fresh one, which takes its place."""
        folder, before = self.at("corpus", target.name), self.count(target)
        if fuzz_build.merger(self.out, target) is None:
            return
        fresh, place = folder + ".fresh", self.at("rounds")
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        os.makedirs(place, exist_ok=True)
        status, _ = fuzz_process.run(fuzz_engine.merge(
            self.out, target, fresh, [folder], place, self.at("logs", target.name + "-merge.log"),
            MERGING), self.stopping)
        if status == 0 and os.listdir(fresh):
            shutil.rmtree(folder)
            os.rename(fresh, folder)
            self.say(f"{target.name:10} merged: {before} inputs to {self.count(target)}")
        else:
            shutil.rmtree(fresh)
            self.say(f"{target.name:10} the merge did not end: the corpus is as it was")


def nightly(chosen, targets, say):
    """A whole night."""
    night = Night(chosen, targets, say)
    night.watch_signals()
    night.begin()
    night.run()
    night.state["finished"] = not night.stopping()
    return night.close()


@contextlib.contextmanager
def only_one(work):
    """Two campaigns in one folder would spoil each other's state."""
    os.makedirs(work, exist_ok=True)
    with open(os.path.join(work, "lock"), "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Trouble(f"{work}: another campaign runs here") from error
        yield
