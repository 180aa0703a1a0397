"""Processes of the engines: without a shell, with limits, in a process group of their own,
which timeout(1) ends as a whole when the time is over.
"""

import dataclasses
import os
import resource
import signal
import subprocess

FILE_LIMIT = 512 << 20  # bytes that one file of a process may get
GRACE = 8  # seconds between SIGTERM and SIGKILL
OVERRAN = (124, 128 + signal.SIGKILL, -signal.SIGKILL)  # what timeout(1) ends with then


@dataclasses.dataclass
class Command:
    """What to run, where, and for how many seconds at most."""

    argv: list
    folder: str
    log: str
    seconds: float
    environment: dict = dataclasses.field(default_factory=dict)


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))


def run(command):
    """Run a command to its end. Returns (exit status, whether it was ended)."""
    with open(command.log, "ab") as log:
        with subprocess.Popen(
                ["timeout", f"--kill-after={GRACE}", str(command.seconds), *command.argv],
                cwd=command.folder, stdin=subprocess.DEVNULL, stdout=log, preexec_fn=limit,
                stderr=subprocess.STDOUT, env={**os.environ, **command.environment}) as child:
            try:
                status = child.wait()
            except BaseException:
                child.terminate()  # which timeout(1) hands on
                raise
    return status, status in OVERRAN
