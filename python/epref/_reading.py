"""load, check and check_many."""

from __future__ import annotations

from typing import Iterable, Iterator, NamedTuple, Sequence

from . import _epref
from ._archive import Archive
from ._errors import PACKAGE, Diagnostic, Error, about
from ._options import Limits, options_of
from ._program import Program, decode
from ._source import PathLike, Readable, Source


def load(source: Readable, *, model: str | None = None, schema: str | None = None,
         forward: bool = False, check: bool = True, limits: Limits | None = None) -> Program:
    """Reads a program: the JSON itself, or the one in a .pt2 archive.

    source: a path (str or os.PathLike), a URL ("s3://..."), a file object, or the bytes of the
    file. An archive behind a URL, or in a file object that can seek, is read by ranges.
    model: of an archive with several programs, the name of the one.
    schema: the schema version that is demanded, "8.20".
    forward: accept what a newer minor version added; `warnings` of the program tells of it.
    check: judge the program, too; without, it need only fit the types of its version.

    Raises Error for what is not valid, OSError for what cannot be opened. The rest of an
    archive is not judged: epref.check does.
    """
    opened = Source(source, (limits or Limits()).bytes)
    with about(opened.name):
        if opened.is_archive:
            with Archive(opened, model=model, schema=schema, forward=forward,
                         limits=limits) as archive:
                return archive.program(model, check)
        program = decode(opened.read(), options_of(schema, forward, limits))
        if check and not forward:
            program.check()
        return program


def check(source: Readable, *, model: str | None = None, schema: str | None = None,
          limits: Limits | None = None, data: bool = True) -> list[Diagnostic]:
    """Judges a program, or an archive whole: the first error, if there is one, and notes of
    what cannot be judged.

    model: of an archive, judge the program of this name alone. data: compare the checksums of
    weights, too.
    """
    try:
        return judge(Source(source, (limits or Limits()).bytes), model, schema, limits, data)
    except Error as error:
        return [error.diagnostic]


def judge(source: Source, model: str | None, schema: str | None, limits: Limits | None,
          data: bool) -> list[Diagnostic]:
    if source.is_archive:
        with Archive(source, model=model, schema=schema, limits=limits) as archive:
            return archive.check(data)
    return decode(source.read(), options_of(schema, False, limits)).check()


def check_wire(data: bytes, *, limits: Limits | None = None) -> None:
    """Judges whether bytes are strict JSON (SPEC part 2), of whatever content; raises Error."""
    most = (limits or Limits()).bytes
    _epref.check_wire(Source(data, most).read(), options_of(None, False, limits))


class Checked(NamedTuple):
    """What check_many says of a file."""

    path: PathLike
    diagnostics: list[Diagnostic]

    @property
    def is_valid(self) -> bool | None:
        """None: neither, a package of compiled models that is whole (SPEC 8.9.3)."""
        if PACKAGE in self.diagnostics:
            return None
        return not any(each.severity == "error" for each in self.diagnostics)


class Checks:
    """Files that are judged while one iterates; len() says how many there are, for tqdm."""

    def __init__(self, paths: Sequence[PathLike], jobs: int, limits: Limits | None) -> None:
        self._paths = paths
        self._jobs = jobs
        self._limits = limits

    def __len__(self) -> int:
        return len(self._paths)

    def __iter__(self) -> Iterator[Checked]:
        from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
        waiting: set[Future[Checked]] = set()
        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                for path in self._paths:
                    waiting.add(pool.submit(checked, path, self._limits))
                    if len(waiting) >= 2 * self._jobs:
                        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                        yield from (each.result() for each in done)
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (each.result() for each in done)
            finally:
                for each in waiting:
                    each.cancel()


def checked(path: PathLike, limits: Limits | None) -> Checked:
    try:
        return Checked(path, check(path, limits=limits))
    except OSError as error:
        return Checked(path, [Diagnostic("error", "EP_INPUT", "", "the file cannot be read",
                                         error.strerror or str(error), "none", 0, 0, 0, "", "")])


def check_many(paths: Iterable[PathLike], jobs: int | None = None, *,
               limits: Limits | None = None) -> Checks:
    """Judges files in as many threads as jobs says (all processors), and yields what is said of
    each as it comes. A file that cannot be opened has an error of the code EP_INPUT.

        for path, diagnostics in tqdm(epref.check_many(paths)): ...
    """
    if jobs is None:
        import os
        jobs = os.cpu_count() or 1
    if jobs < 1:
        raise ValueError("less than one job")
    options_of(None, False, limits)  # says at once what is wrong with them
    return Checks(list(paths), jobs, limits)
