"""scripts/fuzz nightly: each role on each target for its share of the time, several at
once; then every corpus is merged, and every finding triaged and made smaller. The engines do the work: libFuzzer in fork mode, its -merge and -minimize_crash,
AFL++ with -M, -S and -F, which resumes by itself.

The work folder has corpus/TARGET, afl/TARGET, findings/, and
state.json with a row for each round that has ended. A night that is cut off loses its
running rounds only; --resume runs those that have no row.
"""

import concurrent.futures
import contextlib
import fcntl
import glob
import json
import os
import shutil
import threading
import time

import fuzz_build
import fuzz_engine
import fuzz_process
import fuzz_project
import fuzz_roles
import fuzz_triage
from fuzz_project import Trouble

SHORTEST = 5  # seconds of a round
MERGING = 900  # seconds, at most, of a merge


class Night:
    """A night: its targets, its work folder, and its state."""

    def __init__(self, chosen, targets, say):
        self.chosen, self.targets, self.say = chosen, targets, say
        self.out, self.work = os.path.abspath(chosen.out), os.path.abspath(chosen.work)
        self.lock = threading.Lock()
        for name in ("corpus", "afl", "findings", "logs"):
            os.makedirs(self.at(name), exist_ok=True)
        self.state = self.begin()

    def at(self, *names):
        return os.path.join(self.work, *names)

    def begin(self):
        """A new night, or with --resume the rest of one that did not end."""
        state = {"night": 0, "finished": True}
        if os.path.exists(self.at("state.json")):
            state = json.loads(fuzz_project.read(self.at("state.json")))
        if self.chosen.resume and not state["finished"]:
            self.say(f"resumed: night {state['night']}, {len(state['rounds'])} rounds done")
            return state
        return {"night": state["night"] + 1, "hours": self.chosen.hours, "finished": False,
                "started": int(time.time()), "commit": fuzz_project.commit(), "rounds": []}

    def save(self):
        fuzz_project.write_atomically(self.at("state.json"), json.dumps(self.state, indent=1))

    def count(self, target):
        return len(os.listdir(self.at("corpus", target.name)))

    # ---- rounds -----------------------------------------------------------------

    def pairs(self):
        """{(target's name, role): (target, weight)} of all that can run."""
        found = {}
        for name in fuzz_roles.known(self.chosen.roles, fuzz_roles.ROLES, "role"):
            row = fuzz_roles.ROLES[name]
            for target in self.targets:
                builds = (row.build, *row.needs)
                if not fuzz_roles.answers(target, name) or not fuzz_roles.fits(row.build, target):
                    continue
                if all(fuzz_build.binary(self.out, build, target) for build in builds):
                    found[target.name, name] = target, row.weight
                else:
                    self.say(f"skipped, there is no binary: {name} on {target.name}")
        if not found:
            raise Trouble("nothing to run: no role has a binary; see scripts/fuzz build")
        return found

    def run(self):
        """All rounds that have no row, so many at once."""
        for target in self.targets:
            said = fuzz_project.seeds(target, self.at("corpus", target.name), self.chosen.seeds)
            self.say(f"{target.name:10} starts from {self.count(target)} inputs ({'; '.join(said)})")
        self.save()
        pairs = self.pairs()
        second = self.state["hours"] * 3600 * self.chosen.jobs / sum(
            weight for _, weight in pairs.values())
        done = {(row["target"], row["role"]) for row in self.state["rounds"]}
        with concurrent.futures.ThreadPoolExecutor(self.chosen.jobs) as pool:
            rounds = [pool.submit(self.round, target, role, max(SHORTEST, second * weight))
                      for (name, role), (target, weight) in pairs.items()
                      if (name, role) not in done]
            for each in rounds:
                each.result()

    def round(self, target, role, seconds):
        """One engine on one target; its findings are triaged, its figures kept."""
        place = self.at("rounds", f"{target.name}-{role}")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(os.path.join(place, "artifacts"))
        log, began = self.at("logs", f"{target.name}-{role}.log"), time.monotonic()
        engine = self.afl if fuzz_roles.ROLES[role].afl else self.libfuzzer
        (executions, edges, _), broken = engine(target, role, seconds, place, log)
        row = {"target": target.name, "role": role, "executions": executions, "edges": edges,
               "seconds": round(time.monotonic() - began, 1), "crashes": len(broken)}
        with self.lock:
            fuzz_triage.triage(self, target, role, broken)
            self.state["rounds"].append(row)
            self.save()
            self.say(f"{target.name:10} {role:14} {executions:10} runs {edges:6} edges "
                     f"{len(broken):4} crashes")
        shutil.rmtree(place, ignore_errors=True)

    def libfuzzer(self, target, role, seconds, place, log):
        fuzz_process.run(fuzz_engine.forking(fuzz_engine.libfuzzer(
            self.out, target, role, seconds, place, [self.at("corpus", target.name)],
            self.chosen.seed, log)))
        return (fuzz_engine.figures(log),
                glob.glob(os.path.join(place, "artifacts", "[cltor]*-*")))

    def afl(self, target, role, seconds, place, log):
        """AFL++ goes on with its own queue; what is new in it is merged into the corpus."""
        corpus, output = self.at("corpus", target.name), self.at("afl", target.name)
        instance = os.path.join(output, fuzz_engine.afl_instance(role))
        fuzz_process.run(fuzz_engine.afl(self.out, target, role, seconds, place,
                                         (output, corpus, corpus), log, self.chosen.seed))
        queue = os.path.join(instance, "queue")
        if os.path.isdir(queue):
            fuzz_process.run(fuzz_engine.merge(self.out, target, corpus, [queue], place, log))
        broken = [path for kind in ("crashes", "hangs")
                  for path in glob.glob(os.path.join(instance, kind, "id:*"))]
        return fuzz_engine.afl_figures(instance), broken

    # ---- the end ----------------------------------------------------------------

    def merge(self, target):
        """Merge a corpus into a fresh one, which takes its place."""
        folder, before = self.at("corpus", target.name), self.count(target)
        fresh = folder + ".fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        status = 1
        if fuzz_build.merger(self.out, target) is not None:
            status, _ = fuzz_process.run(fuzz_engine.merge(
                self.out, target, fresh, [folder], fresh + ".place",
                self.at("logs", target.name + "-merge.log"), MERGING))
        if status == 0 and os.listdir(fresh):
            shutil.rmtree(folder)
            os.rename(fresh, folder)
            self.say(f"{target.name:10} merged: {before} inputs to {self.count(target)}")
        else:
            shutil.rmtree(fresh)
            self.say(f"{target.name:10} the merge did not end: the corpus is as it was")

    def close(self):
        """Merge, and look at every finding again; 1 if one is open."""
        for target in self.targets:
            self.merge(target)
        fuzz_triage.finish(self, self.chosen.minimize)
        self.state["finished"] = True
        self.save()
        found = fuzz_triage.findings(self.at("findings"))
        rows = [self.figures(target, found) for target in self.targets]
        self.tell(rows, found)
        return 1 if any(note["standing"] == "open" for note in found) else 0

    def figures(self, target, found):
        """(name, executions, a second, edges, inputs, findings)"""
        rounds = [row for row in self.state["rounds"] if row["target"] == target.name]
        executions = sum(row["executions"] for row in rounds)
        return (target.name, executions,
                round(executions / (sum(row["seconds"] for row in rounds) or 1)),
                max((row["edges"] for row in rounds), default=0), self.count(target),
                sum(note["target"] == target.name for note in found))

    def tell(self, rows, found):
        """The figures of targets, and the findings."""
        for row in rows:
            self.say("{:10} {:12} executions {:8}/s {:7} edges {:6} inputs {:3} findings".format(*row))
        for note in found:
            self.say(f"{note['standing']}: {note['key']}: {note['what']}")
        opened = [note for note in found if note["standing"] == "open"]
        self.say(f"{sum(row[1] for row in rows)} executions, {len(opened)} open findings in "
                 f"{self.at('findings')}")


def nightly(chosen, targets, say):
    night = Night(chosen, targets, say)
    night.run()
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
