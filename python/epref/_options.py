"""What a reader takes at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._epref import Options


class Limits(NamedTuple):
    """What a reader takes at most; 0 is the default of the library, for memory no limit."""

    bytes: int = 0  # of the input: 1 GiB
    depth: int = 0  # of nested arrays and objects: 1000
    values: int = 0  # JSON values: 500 million
    string: int = 0  # bytes between two quotes: 256 MiB
    memory: int = 0  # bytes that a program and a step of work on it may hold, or a result; and so
    # an archive with its directory, configs and pickles

    def words(self) -> list[str]:
        """The same as options of the command."""
        return [f"--max-{name}={most}" for name, most in self._asdict().items() if most]


def options_of(schema: str | None, forward: bool, limits: Limits | None) -> Options:
    limits = limits or Limits()
    if min(limits) < 0:
        raise ValueError("a limit below zero")
    return (schema, forward, limits.bytes, limits.depth, limits.values, limits.string,
            limits.memory)
