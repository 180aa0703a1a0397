"""The command epref, which the package installs beside Python's own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from typing import Iterator, Sequence

from ._errors import CommandError


def candidates() -> Iterator[str]:
    from importlib import metadata
    try:
        for path in metadata.files("epref") or ():
            if path.name == "epref" and path.parent.name in ("bin", "Scripts"):
                yield str(path.locate())
    except metadata.PackageNotFoundError:
        pass
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(above, "bin", "epref")  # of pip install --target
    yield os.path.join(sysconfig.get_path("scripts"), "epref")
    yield os.path.join(os.path.dirname(sys.executable), "epref")


def find() -> str:
    """The path of the command that belongs to this package."""
    for path in candidates():
        if os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the command epref is not installed beside this package")


def run(arguments: Sequence[str], data: bytes | None) -> None:
    done = subprocess.run([find(), *arguments], input=data,
                          stdin=subprocess.DEVNULL if data is None else None,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise CommandError(done.returncode, done.stderr.decode("utf-8", "replace").strip())
