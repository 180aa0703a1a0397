"""The command epref, which the package installs beside Python's own, and what it does for the
package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Sequence

from ._errors import CommandError
from ._options import Limits

if TYPE_CHECKING:
    from ._source import PathLike


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


def run(arguments: Sequence[str], data: bytes | None = None, ends: Sequence[int] = (0,)
        ) -> tuple[bytes, str]:
    """What the command writes on its outputs. Raises CommandError unless it ends as expected."""
    done = subprocess.run([find(), *arguments], input=data,
                          stdin=subprocess.DEVNULL if data is None else None,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in ends:
        raise CommandError(done.returncode, said)
    return done.stdout, said


def report(arguments: Sequence[str], data: bytes | None, output: PathLike, limits: Limits
           ) -> list[dict[str, Any]]:
    """The lines of JSON that a command says of the file that it writes."""
    try:
        _, said = run([*arguments, "--format=json", *limits.words(),
                       f"--output={os.path.abspath(os.fsdecode(output))}"], data)
    except CommandError as error:
        status, said = error.args
        told = [each["message"] for each in map(json.loads, said.splitlines())] \
            if said.startswith("{") else [said]
        raise CommandError(status, "; ".join(told)) from None
    return [json.loads(line) for line in said.splitlines()]


class Loading(NamedTuple):
    """Whether a release of PyTorch loads a file."""

    release: str
    loads: bool
    reason: str | None  # why not
    clause: str | None  # of SPEC.md, or a deviation of its appendix C
    pointer: str | None


def loads_in(path: PathLike, release: str, *, model: str | None = None,
             limits: Limits | None = None) -> Loading:
    """Whether a release, "2.8", loads a valid file: by its schema versions and layouts, and the
    fields, tags and operators that it has. Nothing is loaded. Raises CommandError for a file that
    is not valid, or cannot be read."""
    out, _ = run(["loads", "--format=json", f"--in={release}", *(limits or Limits()).words(),
                  *([f"--model={model}"] if model is not None else []),
                  os.path.abspath(os.fsdecode(path))], ends=(0, 1))
    said = json.loads(out)
    if said["error"]:
        raise CommandError(1, said["error"]["message"])
    return Loading(*(said[field] for field in Loading._fields))


class CallArgument(NamedTuple):
    """What a caller passes."""

    name: str | None
    keyword: bool  # else by its position
    class_: str | None  # of a container; None: a leaf
    form: str  # "x", or of a container "(x, [y, z])"


class Call(NamedTuple):
    """How a program is called."""

    arguments: tuple[CallArgument, ...]
    class_: str | None  # of what it returns
    returns: str  # its form


def call_of(text: bytes) -> Call | None:
    """What the command shows of a program's root; None: the program does not say."""
    out, _ = run(["show", "--format=json"], text)
    said = json.loads(out)["call"]
    return said and Call(tuple(CallArgument(*each.values()) for each in said["arguments"]),
                         *said["returns"].values())


def repair(path: PathLike, output: PathLike, *, limits: Limits | None = None) -> list[str]:
    """Writes a file without what its writer is known to have broken, where it can be mended without
    guessing; says what was done. Raises CommandError for what is refused for something else."""
    return [said["message"] for said in
            report(["repair", os.path.abspath(os.fsdecode(path))], None, output, limits or Limits())]
