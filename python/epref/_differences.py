"""Where two programs part, and what loading one does."""

from __future__ import annotations

from typing import Iterator, Literal, NamedTuple, Sequence, Union, overload

from . import _epref
from ._errors import safe

Severity = Literal["none", "info", "low", "medium", "high"]
SEVERITIES: tuple[Severity, ...] = ("none", "info", "low", "medium", "high")


class Finding(NamedTuple):
    """One thing that loading does."""

    id: str  # "AUDIT_GUARD"
    severity: Severity
    clause: str  # of SPEC.md, part 9
    title: str
    why: str  # what the loader does
    text: str  # what it is about
    offset: int
    line: int  # 0: there is no place
    column: int
    pointer: str
    more: int  # not 0: so many more of the id were not told
    member: str  # of an archive: the program that it is in, or the member that it is about

    def __str__(self) -> str:
        member = f"{self.member}: " if self.member else ""
        if self.more:
            return safe(f"{member}{self.severity}: {self.title}: {self.more} more [{self.id}]")
        place = f"{self.line}:{self.column}: " if self.line else ""
        text = f": {self.text!r}" if self.text else ""
        pointer = f" at {self.pointer}" if self.pointer else ""
        return safe(f"{member}{place}{self.severity}: {self.title}: {self.why}{text} "
                    f"[{self.id}, SPEC {self.clause}]{pointer}")


class Side(NamedTuple):
    """One program's side of a difference."""

    there: bool  # False: the program has no such thing
    offset: int
    line: int  # 0: it is not known where
    column: int
    pointer: str
    text: str  # what stands there, in the program's own file
    cut_before: bool  # it begins further ahead
    cut_behind: bool  # it goes on
    enumerator: str  # of an enumerator its name; else ""


class Difference(NamedTuple):
    """A place where two programs part."""

    group: str  # "node", "argument", "value", "signature", ...
    type: str  # of what parts, or of the struct that has it: "Node" ...
    member: str  # ... and "target"; "": the whole
    target: str  # of the node that it is about
    argument: str  # the name of the argument that it is about
    a: Side
    b: Side

    def __str__(self) -> str:
        about = ": ".join(part for part in (self.target, self.argument) if part)
        what = ".".join(part for part in (self.type, self.member) if part)
        return safe(f"{self.group}: {about + ': ' if about else ''}{what}: "
                    f"{self.a.text or '(nothing)'} | {self.b.text or '(nothing)'}")


class Differences(Sequence[Difference]):
    """The first places where two programs part; `total` says how many there are. False when
    the two are one program."""

    __slots__ = ("total", "_told")

    def __init__(self, total: int, told: Sequence[Difference]) -> None:
        self.total = total
        self._told = tuple(told)

    @overload
    def __getitem__(self, i: int) -> Difference: ...

    @overload
    def __getitem__(self, i: slice) -> Sequence[Difference]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Difference, Sequence[Difference]]:
        return self._told[i]

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self._told)

    def __bool__(self) -> bool:
        return self.total > 0

    def __str__(self) -> str:
        more = self.total - len(self)
        return "\n".join([*map(str, self), *([f"and {more} more"] if more else [])])

    def __repr__(self) -> str:
        return f"<epref.Differences: {self.total}>"


def diff(a: _epref.ProgramHandle, b: _epref.ProgramHandle, limit: int,
         provenance: bool) -> Differences:
    if limit < 0:
        raise ValueError("a limit below zero")
    total, told = _epref.program_diff(a, b, limit, provenance)
    return Differences(total, [difference_of(each) for each in told])


def difference_of(told: _epref.DifferenceTuple) -> Difference:
    group, kind, member, target, argument, a, b = told
    return Difference(group, kind or "", member or "", target, argument, side_of(a), side_of(b))


def side_of(told: _epref.SideTuple) -> Side:
    there, place, text, cut_before, cut_behind, enumerator = told
    return Side(there, *place[5:9], text, cut_before, cut_behind, enumerator or "")


def audit(program: _epref.ProgramHandle) -> list[Finding]:
    return [finding_of(told) for told in _epref.program_audit(program)]


def finding_of(told: _epref.FindingTuple) -> Finding:
    name, clause, title, severity, why, text, place, more, member = told
    return Finding(name, SEVERITIES[severity], clause, title, why or "", text, *place[5:9], more,
                   member)
