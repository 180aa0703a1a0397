"""What is wrong with a file, as a value (Diagnostic) and as an exception (Error)."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Iterator, Literal, NamedTuple

if TYPE_CHECKING:
    from ._epref import Place

# What is not seen, or changes how other text is seen; as the command has it (safe_text).
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
                     "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
LEVELS = ("none", "wire", "schema", "strings", "program", "archive")


def spelled(found: re.Match[str]) -> str:
    number = ord(found[0])
    return NAMED.get(found[0]) or (f"\\U{number:08x}" if number > 0xFFFF else f"\\u{number:04x}")


def safe(text: str) -> str:
    """Text of a file as it may be shown: what is no visible character becomes an escape."""
    return HARMFUL.sub(spelled, text)


class Diagnostic(NamedTuple):
    """One thing that was said of a file: an error, for which it is refused, or a note."""

    severity: Literal["error", "warning", "note"]
    code: str  # "EP_TYPE"; "" of the note that a file is a package of compiled models
    clause: str  # of SPEC.md; "" for limits and the like
    message: str
    detail: str  # what was expected or found; may be ""
    level: str  # "wire", "schema", "strings", "program", "archive"; "none" for limits
    offset: int  # of the first wrong byte, from 0
    line: int  # from 1; 0: there is no place
    column: int  # from 1, in bytes
    pointer: str  # a JSON pointer; "" is the root
    member: str  # of an archive, or the name of a tensor; "" is the file

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        member = f"{self.member}: " if self.member else ""
        detail = f": {self.detail}" if self.detail else ""
        clause = f", SPEC {self.clause}" if self.clause else ""
        pointer = f" at {self.pointer}" if self.pointer else ""
        code = f" [{self.code}{clause}]" if self.code else ""
        said = f"{self.severity}: {self.message}{detail}{code}"
        return safe(f"{member}{place}{said}{pointer}")


# Of a package of compiled models: it has no code, as it is neither valid nor invalid.
PACKAGE = Diagnostic("note", "", "8.9.3", "a package of compiled models of AOTInductor, without a "
                     "program: it is whole", "", "archive", 0, 0, 0, "", "")


class Error(Exception):
    """A refusal. The file is not valid, or a limit does not allow it.

    It has the attributes of its diagnostic: code, clause, offset, line, column, pointer, ...
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic
        self.path = ""  # of the file, or its URL; "": it was given as bytes

    def __str__(self) -> str:
        path = safe(f"{self.path}: ") if self.path else ""
        return path + str(self.diagnostic).replace("error: ", "", 1)

    @property
    def code(self) -> str:
        return self.diagnostic.code

    @property
    def clause(self) -> str:
        return self.diagnostic.clause

    @property
    def message(self) -> str:
        return self.diagnostic.message

    @property
    def detail(self) -> str:
        return self.diagnostic.detail

    @property
    def level(self) -> str:
        return self.diagnostic.level

    @property
    def offset(self) -> int:
        return self.diagnostic.offset

    @property
    def line(self) -> int:
        return self.diagnostic.line

    @property
    def column(self) -> int:
        return self.diagnostic.column

    @property
    def pointer(self) -> str:
        return self.diagnostic.pointer

    @property
    def member(self) -> str:
        return self.diagnostic.member


def refusal(code: str, detail: str = "", member: str = "") -> Error:
    """The error of a code that the package itself raises."""
    from ._tables import codes
    known = next(each for each in codes() if each.name == code)
    made = Diagnostic("error", known.name, known.clause, known.message, detail, known.level, 0, 0, 0,
                      "", member)
    return OutOfMemoryError(made) if code == "EP_MEMORY" else Error(made)


class OutOfMemoryError(Error, MemoryError):
    """There was no memory, or the limit of it was reached."""


class RemoteError(OSError):
    """A URL or a file object did not give what it was asked for."""


class NoRangesError(RemoteError):
    """A server does not answer ranges of a file, and an archive is not read without."""


class ChangedError(RemoteError):
    """A file changed while it was read."""


class RemoteTimeoutError(RemoteError, TimeoutError):
    """A server did not answer in time."""


@contextlib.contextmanager
def about(path: str) -> Iterator[None]:
    """What is refused is this file."""
    try:
        yield
    except Error as error:
        error.path = path
        raise


class CommandError(RuntimeError):
    """The command failed; its text is what it said."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(status, said)
        self.status = status  # 1 invalid, 2 usage, 3 input or output, 4 a limit or memory
        self.said = said

    def __str__(self) -> str:
        return self.said or f"epref ended with status {self.status}"


def diagnostic_of(place: Place, severity: Literal["error", "warning", "note"]) -> Diagnostic:
    code, clause, message, level, detail, offset, line, column, pointer, about = place
    return Diagnostic(severity, code or "", clause or "", message or "", detail, LEVELS[level],
                      offset, line, column, pointer, about)


def error_of(place: Place) -> Error:
    """What the extension module raises."""
    diagnostic = diagnostic_of(place, "error")
    return OutOfMemoryError(diagnostic) if diagnostic.code == "EP_MEMORY" else Error(diagnostic)
