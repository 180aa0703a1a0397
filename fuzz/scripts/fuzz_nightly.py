"""scripts/fuzz nightly: rounds of roles on targets, several at once, until the
time is over; then merge, triage, coverage and the report (fuzz_close.py).

One thread: every running process is polled a few times a second. SIGINT and
SIGTERM end the rounds, which are then finished as always; a second one kills.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import time

import fuzz_build
import fuzz_engine
import fuzz_plan
import fuzz_process
import fuzz_project
import fuzz_roles
import fuzz_round
import fuzz_triage
from fuzz_project import Trouble
from fuzz_state import State

TICK = 0.1
SAVE_EVERY = 10  # seconds between two savings of the time that has passed
CORPUS_FILES, CORPUS_BYTES = 8000, 64 << 20
HOURS = 8
TRIAGED = 8  # crashes looked at when a round ends; the rest at the end of the night


class Setup:
    """What the rounds of a campaign share."""

    def __init__(self, chosen, targets):
        self.out, self.targets = os.path.abspath(chosen.out), targets
        self.folders = fuzz_round.Folders(chosen.work)
        self.seed = chosen.seed
        self.signals = 0
        self.began, self.before = time.monotonic(), 0.0

    def active(self):
        """Seconds of this night, over all its sessions."""
        return self.before + time.monotonic() - self.began

    def stopping(self):
        return self.signals > 0

    def target(self, name):
        return next((each for each in self.targets if each.name == name), None)

    def can_run(self, target, role):
        """Whether the binaries of a role are there for a target."""
        row = fuzz_roles.ROLES[role]
        if row.afl and shutil.which("afl-fuzz") is None:
            return False
        if not fuzz_roles.answers(target, role):
            return False
        return fuzz_build.merger(self.out, target) is not None and all(
            fuzz_build.binary(self.out, build, target) for build in (row.build, *row.needs))


class Slot:
    """A generator of commands, with the process that it waits for."""

    def __init__(self, steps, pair, number, done):
        self.steps, self.pair, self.done, self.process = steps, pair, done, None
        self.number = number

    def advance(self, status=None):
        """Start the generator's next command, which gets the exit status and the
        processor time of the one before; false when it has ended."""
        try:
            command = self.steps.send(status)
        except StopIteration as end:
            self.done(end.value)
            return False
        self.process = fuzz_process.Process(command)
        return True


class Campaign:
    """A night: its state, its slots, and what happens between rounds."""

    def __init__(self, chosen, targets, say):
        self.chosen, self.say, self.slots = chosen, say, []
        self.setup = Setup(chosen, targets)
        self.folders = self.setup.folders
        self.folders.make([each.name for each in targets])
        self.state = State.load(chosen.work)
        self.saved = time.monotonic()
        self.after_round = lambda: None  # writes the page, which is true at every moment

    # ---- the start --------------------------------------------------------

    def begin(self):
        """A new night or the rest of one; then what was left lying is taken in."""
        resumes = self.chosen.resume and not self.state.rows["finished"]
        if not resumes:
            self.state.begin({"hours": self.chosen.hours or HOURS, "jobs": self.chosen.jobs,
                              "started": int(time.time()), "commit": fuzz_project.commit(),
                              "version": fuzz_project.version()})
        self.state.rows["sessions"] += 1
        self.setup.before = self.state.rows["active"]
        self.setup.began = time.monotonic()
        if self.chosen.resume and not resumes:
            self.say("nothing to resume: the last night is over, and a new one begins")
        if resumes and self.chosen.hours not in (None, self.hours):
            self.say(f"--hours={self.chosen.hours:g} is ignored: the night that goes on has "
                     f"{self.hours:g} hours")
        if resumes:
            self.say(f"resumed: night {self.state.rows['night']}, "
                     f"{self.setup.before / 60:.1f} of {self.hours * 60:.1f} minutes done, "
                     f"{len(self.state.rows['rounds'])} rounds")
        self.state.save()
        self.salvage()

    @property
    def hours(self):
        return self.state.rows["hours"]

    def salvage(self):
        """Finish the rounds of a session that was killed."""
        for number, row in list(self.state.rows["open"].items()):
            if row.get("group"):
                fuzz_process.end_leftovers(row["group"], self.folders.work)
        taken = 0
        for name in sorted(os.listdir(self.folders.at("rounds"))):
            place = self.folders.at("rounds", name)
            note = fuzz_round.describe(place)
            target = note and self.setup.target(note["target"])
            if not target or self.state.is_closed(note["number"]):
                shutil.rmtree(place, ignore_errors=True)
                continue
            result = self.drain(fuzz_round.finish_steps(
                self.setup, target, note, place, fuzz_round.measured_seconds(place)))
            self.close(note, place, result)
            taken += 1
        self.state.rows["open"] = {}
        self.state.save()
        if taken:
            self.say(f"took in {taken} rounds that were cut off")

    def drain(self, steps):
        """Run a generator's commands one after the other; what it returns."""
        status = None
        while True:
            try:
                command = steps.send(status)
            except StopIteration as end:
                return end.value
            outcome, _ = fuzz_process.run(command)
            status = outcome, 0.0

    def plant(self):
        """Every target starts from what the project holds, merged."""
        for target in self.setup.targets:
            if self.setup.stopping():
                return
            planted = target.name in self.state.rows["targets"]
            if planted or fuzz_build.merger(self.setup.out, target) is None:
                continue
            folder = self.folders.at("seeds", target.name)
            said = fuzz_project.seeds(target, folder, self.chosen.seeds)
            number = self.state.open_round(target.name, "seeds", 0)
            place = fuzz_round.prepare(self.folders, number, target.name, "seeds",
                                       self.setup.active())
            shutil.rmtree(os.path.join(place, "new"))
            os.symlink(folder, os.path.join(place, "new"))
            note = fuzz_round.describe(place)
            result = self.drain(fuzz_round.finish_steps(self.setup, target, note, place, 0.0))
            self.close(note, place, result)
            self.say(f"{target.name:10} starts from {result['files']} inputs, "
                     f"{result['edges']} edges ({'; '.join(said) or 'the work folder'})")

    # ---- rounds -----------------------------------------------------------

    def steps(self, target, role, number, seconds):
        """A round from its start to its row."""
        place = self.folders.round(number)
        note, began = fuzz_round.describe(place), time.monotonic()
        used = yield from fuzz_round.fuzz_steps(self.setup, target, role, number, place, seconds)
        spent = time.monotonic() - began
        result = yield from fuzz_round.finish_steps(self.setup, target, note, place, spent)
        result["cpu"] = round(used, 2)
        yield from self.prune(target)
        return note, place, result

    def prune(self, target):
        """Merge a corpus that has grown over its limit into a fresh one."""
        folder = self.folders.corpus(target.name)
        paths = fuzz_project.files_under(folder)
        if len(paths) < CORPUS_FILES and sum(map(os.path.getsize, paths)) < CORPUS_BYTES:
            return
        fresh = folder + ".fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        log = self.folders.log(target.name, "prune")
        status, _ = yield fuzz_engine.merge(self.setup.out, target, fresh, [folder],
                                            self.folders.work, log, 600)
        if status == 0 and os.listdir(fresh):
            exchange(folder, fresh)

    def start(self, pair, seconds):
        target, role = self.setup.target(pair[0]), pair[1]
        number = self.state.open_round(*pair, 0)
        fuzz_round.prepare(self.folders, number, *pair, self.setup.active())
        slot = Slot(self.steps(target, role, number, seconds), pair, number, self.finished)
        if slot.advance():
            self.slots.append(slot)
            self.state.set_group(number, slot.process.group)
        self.state.save()

    def finished(self, value):
        self.close(*value)

    def close(self, note, place, result):
        """Enter a round into the state; only then does its folder go."""
        found = result.pop("found")
        self.state.rows["active"] = self.setup.active()
        self.state.close_round(note["number"], result)
        self.state.save()
        fuzz_round.clear(self.folders, note, place)
        if note["role"] != "seeds":
            if not result["executions"]:
                self.state.note(f"{note['role']} ran nothing on {note['target']}; see its log")
            self.say("%8.1f min  %-10s %-14s %10d runs %8.0f/s %5d new edges %4d crashes" % (
                self.setup.active() / 60, note["target"], note["role"], result["executions"],
                result["executions"] / max(0.1, result["seconds"]), result["new_edges"],
                result["crashes"]))
        old = 0
        for path in found[:TRIAGED]:
            old += fuzz_triage.triage(self.setup, path, self.say) is None
            if old == 2:  # the same again, most likely; and the rounds are waiting
                break
        self.after_round()

    def poll(self):
        """Look after what is running."""
        for slot in list(self.slots):
            if self.setup.signals > 1:
                slot.process.kill()
            elif self.setup.stopping() and not is_merge(slot):
                slot.process.stop()
            status = slot.process.poll()
            if status is not None:
                if slot.advance((status, slot.process.cpu)):
                    self.state.set_group(slot.number, slot.process.group)
                else:
                    self.slots.remove(slot)
        if time.monotonic() - self.saved > SAVE_EVERY:
            self.saved = time.monotonic()
            self.state.rows["active"] = self.setup.active()
            self.state.save()

    def left(self):
        return self.hours * 3600 - self.setup.active()

    def run(self):
        """Keep all jobs busy until the time is over."""
        table = fuzz_plan.pairs(self.setup.targets, self.roles(), self.setup.can_run)
        if not table:
            raise Trouble("nothing to run: no role has a binary; see scripts/fuzz build")
        self.say_missing()
        seconds = self.chosen.round or fuzz_plan.round_seconds(
            self.hours, self.chosen.jobs, len(table))
        self.say(f"{len(table)} pairs of target and role, rounds of {seconds} s, "
                 f"{self.chosen.jobs} at once")
        if self.left() <= min(5, seconds) and not self.setup.stopping():
            self.say("no round is begun: the corpora have taken the time")
        while True:
            while (len(self.slots) < self.chosen.jobs and self.left() > min(5, seconds)
                   and not self.setup.stopping() and self.room()):
                running = [slot.pair for slot in self.slots]
                pair = fuzz_plan.choose(table, fuzz_plan.with_running(
                    self.state.spent(), running, seconds), running)
                if pair is None:
                    break
                self.start(pair, min(seconds, self.left()))
            if not self.slots:
                return
            self.poll()
            time.sleep(TICK)

    def say_missing(self):
        """What is not run for want of a binary, by role, as it is now."""
        self.state.rows["notes"] = [each for each in self.state.rows["notes"]
                                    if not each.startswith("skipped for")]
        for name in self.roles():
            lacks = [each.name for each in self.setup.targets
                     if not self.setup.can_run(each, name)
                     and fuzz_roles.fits(fuzz_roles.ROLES[name].build, each)]
            if lacks:
                every = len(lacks) == len(self.setup.targets)
                self.state.note(f"skipped for want of a binary, or of what answers: {name} on "
                                + ("all targets" if every else ", ".join(lacks)))
        for text in self.state.rows["notes"]:
            self.say(text)

    def roles(self):
        names = fuzz_roles.known(self.chosen.roles, fuzz_roles.ROLES, "role")
        return {name: fuzz_roles.ROLES[name] for name in names}

    def room(self):
        """Whether the work folder is within its limit, after cleaning if need be."""
        limit = self.chosen.disk * (1 << 30)
        if len(self.slots) and time.monotonic() - getattr(self, "looked", -60) < 30:
            return True
        self.looked = time.monotonic()
        if folder_size(self.folders.work) < limit:
            return True
        busy = {slot.pair[0] for slot in self.slots}
        for name in [each.name for each in self.setup.targets if each.name not in busy]:
            shutil.rmtree(self.folders.afl(name), ignore_errors=True)
            shutil.rmtree(self.folders.private(name), ignore_errors=True)
        self.state.note("queues of AFL++ and value profiles were dropped: the disk limit")
        if folder_size(self.folders.work) < limit:
            return True
        self.state.note("ended early: the disk limit")
        self.setup.signals = max(1, self.setup.signals)
        return False


def is_merge(slot):
    return any(word.startswith("-merge=") for word in slot.process.command.argv)


def exchange(folder, fresh):
    """Put a fresh corpus in the place of the old one."""
    old = folder + ".old"
    shutil.rmtree(old, ignore_errors=True)
    os.rename(folder, old)
    os.rename(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)


def folder_size(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size
    return total


@contextlib.contextmanager
def only_one(work):
    """Two campaigns in one folder would spoil each other's state."""
    os.makedirs(work, exist_ok=True)
    with open(os.path.join(work, "lock"), "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as trouble:
            raise Trouble(f"another campaign works in {work}") from trouble
        yield


def watch_signals(setup, say):
    """SIGINT and SIGTERM end the campaign clean."""
    def handle(number, _frame):
        setup.signals += 1
        say(f"signal {number}: " + ("ending the rounds" if setup.signals == 1 else "killing"))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
