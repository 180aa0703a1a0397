"""Processes of a campaign: each in a process group of its own, without a shell,
with limits, killed as a whole, and dead when the script that started it is.
"""

import ctypes
import dataclasses
import os
import resource
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
FILE_LIMIT = 512 << 20  # bytes that one file of a process may get
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclasses.dataclass
class Command:
    """What to run, where, and for how many seconds at most."""

    argv: list
    folder: str
    log: str
    seconds: float
    environment: dict = dataclasses.field(default_factory=dict)


def in_child():
    """Between fork and exec: limits, and the end with the parent."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def send(group, number):
    """A signal to a group; whether there was one."""
    try:
        os.killpg(group, number)
        return True
    except (ProcessLookupError, PermissionError):
        return False


class Process:
    """A command that is running. It is ended in steps: SIGTERM, then SIGKILL."""

    GRACE = 8.0

    def __init__(self, command):
        self.command, self.started = command, time.monotonic()
        self.ending, self.overran, self.cpu = None, False, 0.0
        with open(command.log, "ab") as log:
            try:
                self.child = self.spawn(command.argv, log)
            except OSError as error:  # as while somebody links it anew: one round is lost
                log.write(f"cannot be run: {error}\n".encode())
                self.child = self.spawn([sys.executable, "-c", "raise SystemExit(126)"], log)

    def spawn(self, argv, log):
        return subprocess.Popen(
            argv, cwd=self.command.folder, stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=in_child,
            env={**os.environ, **self.command.environment})

    @property
    def group(self):
        return self.child.pid

    def seconds(self):
        return time.monotonic() - self.started

    def reap(self):
        """The exit status as Popen.poll gives it, and the processor time that the
        process and what it has waited for have used."""
        if self.child.returncode is None:
            ended, status, usage = os.wait4(self.child.pid, os.WNOHANG)
            if ended:
                self.child.returncode = os.waitstatus_to_exitcode(status)
                self.cpu = usage.ru_utime + usage.ru_stime
        return self.child.returncode

    def poll(self):
        """The exit status, or None while it runs. Ends what runs too long."""
        status = self.reap()
        if status is not None:
            send(self.group, signal.SIGKILL)  # what it may have left behind
            return status
        if self.ending is None and self.seconds() > self.command.seconds:
            self.overran = True
            self.stop()
        elif self.ending is not None and time.monotonic() > self.ending:
            send(self.group, signal.SIGKILL)
        return None

    def stop(self):
        """Ask it to end; poll() kills it after a while."""
        if self.ending is None:
            self.ending = time.monotonic() + self.GRACE
            send(self.group, signal.SIGTERM)

    def kill(self):
        send(self.group, signal.SIGKILL)
        self.child.wait()


def run(command):
    """Run a command to its end. Returns (exit status, overran)."""
    process = Process(command)
    try:
        while process.poll() is None:
            time.sleep(0.02)
    except BaseException:
        process.kill()
        raise
    return process.child.returncode, process.overran


def run_text(argv, folder, seconds, environment=None, limit=1 << 20):
    """Run a command, both outputs as text; (exit status, text, overran)."""
    log = os.path.join(folder, f".run-{os.getpid()}.log")
    open(log, "wb").close()
    status, overran = run(Command(argv, folder, log, seconds, environment or {}))
    with open(log, "rb") as file:
        text = file.read(limit).decode("utf-8", "replace")
    os.unlink(log)
    return status, text, overran


def group_members(group):
    """The processes of a group, from /proc; none where there is no /proc."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            if int(fields[2]) == group:
                found.append(int(name))
        except (OSError, ValueError, IndexError):
            continue
    return found


def is_under(process, folder):
    """Whether a process works in a folder: the proof that it is ours."""
    try:
        place = os.readlink(f"/proc/{process}/cwd")
    except OSError:
        return False
    return os.path.commonpath([place, os.path.realpath(folder)]) == os.path.realpath(folder)


def end_leftovers(group, folder):
    """Kill what is left of a group that an earlier run of the script started;
    only processes that work in that folder. How many there were."""
    members = [each for each in group_members(group) if is_under(each, folder)]
    for process in members:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return len(members)


def truncate_log(path, most=64 << 10):
    """Keep the head and the tail of a log that is too long."""
    size = os.path.getsize(path)
    if size <= most:
        return
    with open(path, "rb") as file:
        head = file.read(most // 2)
        file.seek(size - most // 2)
        rest = file.read()
    with open(path, "wb") as file:
        file.write(head + b"\n... %d bytes left out ...\n" % (size - most) + rest)
