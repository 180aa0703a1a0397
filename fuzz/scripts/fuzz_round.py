"""One round of a campaign: a role on a target for some seconds, and then what it
found goes into the target's corpus and its crashes aside.

What a round has done is read from its folder alone, so a round that was killed
is finished in the same way on the next start. Rounds are generators: they yield
commands, and go on when these have ended.
"""

import glob
import json
import os
import shutil
import time

import fuzz_engine
import fuzz_logs
import fuzz_project
import fuzz_roles
from fuzz_process import truncate_log

RESTARTS = 20  # after crashes, in one round
CRASHES = 400  # inputs kept aside for a target
PRIVATE = 4000  # inputs of a value profile
KINDS = ("crash-*", "oom-*", "timeout-*", "leak-*")


class Folders:
    """Where a campaign keeps what, under its work folder."""

    def __init__(self, work):
        self.work = os.path.abspath(work)

    def at(self, *names):
        return os.path.join(self.work, *names)

    def corpus(self, target):
        return self.at("corpus", target)

    def crashes(self, target):
        return self.at("crashes", target)

    def afl(self, target):
        return self.at("afl", target)

    def private(self, target):
        return self.at("private", target)

    def round(self, number):
        return self.at("rounds", f"{number:06d}")

    def log(self, target, role):
        return self.at("logs", f"{target}-{role}.log")

    def make(self, targets):
        for name in ("rounds", "logs", "findings", "report"):
            os.makedirs(self.at(name), exist_ok=True)
        for target in targets:
            for path in (self.corpus(target), self.crashes(target)):
                os.makedirs(path, exist_ok=True)


def prepare(folders, number, target, role, at):
    """The folder of a round, with what a later start must know of it."""
    place = folders.round(number)
    for name in ("new", "artifacts"):
        os.makedirs(os.path.join(place, name), exist_ok=True)
    before = afl_numbers(folders, target, role)
    fuzz_project.write_atomically(os.path.join(place, "round.json"), json.dumps(
        {"number": number, "target": target, "role": role, "at": at,
         "before": before.executions}))
    return place


def describe(place):
    """round.json of a folder; None where it was cut off before that was written."""
    try:
        with open(os.path.join(place, "round.json"), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def afl_folder(folders, target, role):
    return os.path.join(folders.afl(target), fuzz_engine.afl_instance(role))


def afl_numbers(folders, target, role):
    if not is_afl(role):
        return fuzz_logs.Numbers()
    return fuzz_logs.afl(text_of(os.path.join(afl_folder(folders, target, role),
                                              "fuzzer_stats")))


def is_afl(role):
    return role in fuzz_roles.ROLES and bool(fuzz_roles.ROLES[role].afl)


def fuzz_steps(setup, target, role, number, place, seconds):
    """Run the engine; libFuzzer again after each crash, while time is left.
    Returns the processor time that was used."""
    folders, end, seed = setup.folders, time.monotonic() + seconds, setup.seed + number
    if is_afl(role):
        os.makedirs(folders.afl(target.name), exist_ok=True)
        shared = folders.corpus(target.name)
        _, used = yield fuzz_engine.afl(setup.out, target, role, seconds, place,
                                        (folders.afl(target.name), shared, shared),
                                        os.path.join(place, "log-00"), seed)
        return used
    corpora = [folders.corpus(target.name)]
    if role == "value-profile":
        os.makedirs(folders.private(target.name), exist_ok=True)
        corpora.append(folders.private(target.name))
    total = 0.0
    for run in range(RESTARTS):
        left = end - time.monotonic()
        if left < 2 or setup.stopping():
            break
        log = os.path.join(place, f"log-{run:02d}")
        status, used = yield fuzz_engine.libfuzzer(
            setup.out, target, role, left, place, corpora, (seed * 31 + run) % (1 << 31), log)
        total += used
        if status == 0:
            break
    return total


def engine_numbers(folders, note, place):
    """Executions of a round: the sum over its runs, from what is on disk."""
    if is_afl(note["role"]):
        now = afl_numbers(folders, note["target"], note["role"])
        now.executions = fuzz_logs.since(now.executions, note["before"])
        return now
    runs = [fuzz_logs.libfuzzer(text_of(path))
            for path in sorted(glob.glob(os.path.join(place, "log-*")))]
    total = runs[-1] if runs else fuzz_logs.Numbers()
    total.executions = sum(each.executions for each in runs)
    return total


def stage_queue(folders, note, place, max_len):
    """Copy what AFL++ found itself, and not taken before, to the round's new/."""
    instance = afl_folder(folders, note["target"], note["role"])
    taken = os.path.join(instance, "taken")
    seen = set(text_of(taken).split())
    fresh = []
    for path in sorted(glob.glob(os.path.join(instance, "queue", "id:*"))):
        name = os.path.basename(path)
        if ",sync:" in name or ",orig:" in name:
            continue
        key = fuzz_project.digest(fuzz_project.read(path))
        if key not in seen:
            seen.add(key)
            fresh.append(path)
    fuzz_project.add_inputs(fresh, os.path.join(place, "new"), max_len)
    return taken, seen


def crash_files(folders, note, place):
    """What engines put aside in a round as inputs that broke something."""
    found = []
    for kind in KINDS:
        found += glob.glob(os.path.join(place, "artifacts", kind))
        found += glob.glob(os.path.join(place, "merge-" + kind))
    if is_afl(note["role"]):
        instance = afl_folder(folders, note["target"], note["role"])
        for kind in ("crashes*", "hangs*"):
            found += glob.glob(os.path.join(instance, kind, "id:*"))
    return sorted(found)


def keep_crashes(folders, note, place):
    """Copy crashes aside, each once; the paths of those that are new."""
    folder, new = folders.crashes(note["target"]), []
    os.makedirs(folder, exist_ok=True)
    room = CRASHES - len([name for name in os.listdir(folder) if "." not in name])
    for path in crash_files(folders, note, place):
        data = fuzz_project.read(path)
        kept = os.path.join(folder, fuzz_project.digest(data))
        if os.path.exists(kept) or len(new) >= room:
            continue
        row = {"target": note["target"], "role": note["role"], "round": note["number"],
               "from": os.path.basename(path), "seen": int(time.time())}
        fuzz_project.write_atomically(kept + ".json", json.dumps(row))
        fuzz_project.write_atomically(kept, data)
        new.append(kept)
    return new


def measured_seconds(place):
    """How long a round that was killed has been at it, by its files' times."""
    start = os.path.getmtime(os.path.join(place, "round.json"))
    ends = [os.path.getmtime(path) for path in glob.glob(os.path.join(place, "log-*"))]
    return max([end - start for end in ends], default=0.0)


def count_inputs(folder):
    return len(os.listdir(folder)) if os.path.isdir(folder) else 0


def finish_steps(setup, target, note, place, seconds):
    """Take in what a round has left, merge, and return its row of figures."""
    folders = setup.folders
    numbers, taken = engine_numbers(folders, note, place), None
    if is_afl(note["role"]) and os.path.isdir(afl_folder(folders, target.name, note["role"])):
        taken, seen = stage_queue(folders, note, place, target.max_len)
    new, log = os.path.join(place, "new"), os.path.join(place, "merge.log")
    merged = fuzz_logs.Merge()
    if os.path.isdir(new) and os.listdir(new):
        yield fuzz_engine.merge(setup.out, target, folders.corpus(target.name), [new], place, log)
        merged = fuzz_logs.merge(text_of(log))
        if not merged.whole:  # better too many than lost
            fuzz_project.add_inputs(fuzz_project.files_under(new),
                                    folders.corpus(target.name), target.max_len)
        keep_private(folders, note, new)
    if taken:
        fuzz_project.write_atomically(taken, "\n".join(sorted(seen)) + "\n")
    crashes = keep_crashes(folders, note, place)
    return {"target": target.name, "role": note["role"], "at": round(setup.active(), 1),
            "seconds": round(seconds, 1), "executions": numbers.executions,
            "new_edges": merged.new_edges, "new_files": merged.files, "edges": merged.edges,
            "engine_edges": numbers.edges, "rss": numbers.rss, "crashes": len(crashes),
            "files": count_inputs(folders.corpus(target.name)), "found": crashes}


def keep_private(folders, note, new):
    """A value profile lives on inputs that a merge by edges would drop."""
    if note["role"] != "value-profile":
        return
    folder = folders.private(note["target"])
    if count_inputs(folder) > PRIVATE:
        shutil.rmtree(folder)
    fuzz_project.add_inputs(fuzz_project.files_under(new), folder, 1 << 30)


def clear(folders, note, place):
    """Keep the end of the log of a finished round; its folder goes."""
    text = "".join(text_of(path) for path in sorted(glob.glob(os.path.join(place, "*log*"))))
    log = folders.log(note["target"], note["role"])
    fuzz_project.write_atomically(log, text)
    truncate_log(log)
    shutil.rmtree(place, ignore_errors=True)
