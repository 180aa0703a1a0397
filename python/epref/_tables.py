"""What is known without any file."""

from __future__ import annotations

from typing import NamedTuple

from . import _epref
from ._errors import LEVELS


class Version(NamedTuple):
    """A schema version."""

    name: str  # "8.20"
    releases: tuple[str, ...]  # of PyTorch
    note: str


class Code(NamedTuple):
    """A code of an error."""

    number: int
    name: str
    clause: str
    message: str
    level: str


def version_of(told: _epref.VersionTuple) -> Version:
    name, _, _, releases, note = told
    return Version(name, tuple((releases or "").split()), note or "")


def versions() -> list[Version]:
    """All schema versions, the oldest first."""
    return [version_of(told) for told in _epref.versions()]


def find_version(name: str) -> Version:
    """The version of a name ("8.20", "torch-2.4", "latest"); ValueError: there is none."""
    return version_of(_epref.find_version(name))


def codes() -> list[Code]:
    """All codes of errors, in rising order."""
    return [Code(number, name, clause or "", message, LEVELS[level])
            for number, name, clause, message, level in _epref.codes()]
