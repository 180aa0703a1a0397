"""Processes of the engines: each in a process group of its own, without a shell, with
limits, ended as a whole when its time is over, and dead when the script is.
"""

import ctypes
import dataclasses
import os
import resource
import signal
import subprocess
import time

PR_SET_PDEATHSIG = 1
FILE_LIMIT = 512 << 20  # bytes that one file of a process may get
GRACE = 8.0  # seconds between SIGTERM and SIGKILL
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


class Process:
    """A command that is running."""

    def __init__(self, command):
        self.command, self.overran = command, False
        self.ending = time.monotonic() + command.seconds
        with open(command.log, "ab") as log:
            self.child = subprocess.Popen(  # pylint: disable=consider-using-with
                command.argv, cwd=command.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=in_child,
                env={**os.environ, **command.environment})

    def send(self, number):
        try:
            os.killpg(self.child.pid, number)
        except ProcessLookupError:
            pass

    def poll(self):
        """The exit status, or None while it runs. Ends what runs too long."""
        status = self.child.poll()
        if status is not None:
            self.send(signal.SIGKILL)  # what it may have left behind
        elif time.monotonic() > self.ending:
            self.send(signal.SIGKILL if self.overran else signal.SIGTERM)
            self.overran, self.ending = True, time.monotonic() + GRACE
        return status

    def kill(self):
        self.send(signal.SIGKILL)
        self.child.wait()


def run(command):
    """Run a command to its end. Returns (exit status, whether it was ended)."""
    process = Process(command)
    try:
        while process.poll() is None:
            time.sleep(0.05)
    except BaseException:
        process.kill()
        raise
    return process.child.returncode, process.overran
