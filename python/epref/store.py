"""Stores of models as tables: batches of Arrow, and `epref scan`, which keeps a Parquet dataset of
a store up to date. Needs pyarrow: pip install epref[arrow].

    python -m epref scan models --into=models.dataset
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import fcntl
import fnmatch
import functools
import glob
import itertools
import multiprocessing
import os
import signal
import sys
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from ._arrow import name_text, schema, to_arrow
from ._inspect import in_order, inspect
from ._options import Limits

__all__ = ["Summary", "inspect_batch", "scan", "schema", "to_arrow"]

FINGERPRINT = pa.field("fingerprint", pa.string(), metadata={
    "description": "size and modification time, or ETag: a file of the same is not read again"})
SCHEMA = schema.append(FINGERPRINT)  # of a dataset
ROWS = 256  # of a batch, which is a file of the dataset
STATUSES = {"valid": 0, "compiled": 0, "invalid": 1, "not judged": 4}  # 3: not opened
DRAFT = ".epref-"  # what readers of datasets pass over


def inspect_batch(paths: Iterable[str], data: bool = True, limits: Limits | None = None
                  ) -> pa.RecordBatch:
    """The files as a batch of `schema`, a row each, in their order. It has no effect, and pickle
    takes it: any engine can map it over partitions of paths."""
    return to_arrow(inspect(path, data=data, limits=limits) for path in paths)


# ---- what is in a store


class Found(NamedTuple):
    """A file of a store."""

    path: str
    fingerprint: str


def found(path: str) -> Found:
    try:
        told = os.stat(path)
        return Found(path, f"{told.st_size} {told.st_mtime_ns}")
    except OSError:  # inspect says why
        return Found(path, "")


def refuse(error: OSError) -> None:
    raise error  # what cannot be listed must not count as gone


def mark(told: dict[str, Any]) -> Any:
    """What tells one state of a file from another; None: nothing does."""
    found = next((told[key] for key in
                  ("ETag", "etag", "md5Hash", "LastModified", "mtime", "created") if told.get(key)),
                 None)
    return found.timestamp() if isinstance(found, datetime.datetime) else found


def remote(source: str) -> Iterator[Found]:
    """Files of a URL: itself, those of a pattern, or those called *.pt2 below it."""
    import fsspec
    system, path = fsspec.core.url_to_fs(source)
    system.invalidate_cache()
    pattern = path if glob.has_magic(path) else path.rstrip("/") + "/**/*.pt2"
    listed = system.glob(pattern, detail=True) or {path: system.info(path)}
    for name, told in sorted(listed.items()):
        if told["type"] == "file":
            # What a list does not tell, the file may; and what neither does, is always read again.
            changed = mark(told) or mark(told := system.info(name)) or uuid.uuid4().hex
            yield Found(system.unstrip_protocol(name), f"{told.get('size')} {changed}")


def files(source: str) -> Iterator[Found]:
    """Files of a source: a file, the files of a pattern, or those called *.pt2 below a folder."""
    if "://" in source:
        yield from remote(source)
    elif os.path.isdir(source):
        for folder, folders, names in os.walk(source, onerror=refuse):
            folders.sort()
            yield from (found(os.path.join(folder, name))
                        for name in sorted(names) if name.endswith(".pt2"))
    elif glob.has_magic(source) and not os.path.exists(source):
        yield from (found(path) for path in glob.iglob(source, recursive=True)
                    if os.path.isfile(path))
    else:
        yield found(source)


def whole_name(source: str) -> str:
    """A source as the names of its files begin."""
    if "://" not in source:
        return os.path.abspath(source)
    import fsspec
    system, path = fsspec.core.url_to_fs(source)
    name: str = system.unstrip_protocol(path)
    return name


def listed(sources: Sequence[str]) -> Iterator[Found]:
    for source in sources:
        some = files(source)
        first = next(some, None)
        if first is None:
            raise FileNotFoundError(f"{source}: no file that is called *.pt2, or of the pattern")
        yield first
        yield from some


def covers(sources: Sequence[str], path: str) -> bool:
    return any(path == source or path.startswith(source.rstrip("/") + "/") or
               fnmatch.fnmatchcase(path, source) for source in sources)


# ---- the dataset


def parts(dataset: str) -> list[str]:
    return sorted(glob.glob(os.path.join(glob.escape(dataset), "*.parquet")))


def put(table: pa.Table, path: str) -> None:
    """Writes a part, which is there whole or not at all."""
    draft = os.path.join(os.path.dirname(path), f"{DRAFT}{uuid.uuid4().hex}")
    pq.write_table(table, draft, compression="zstd")
    os.replace(draft, path)


def rows(part: str, *names: str) -> Iterator[tuple[Any, ...]]:
    """Some columns of a part, row by row."""
    table = pq.read_table(part, columns=list(names))
    return zip(*(table[name].to_pylist() for name in names))


def key_of(path: str, fingerprint: str) -> int:
    """What a row is known by: a hash of 64 bits."""
    return hash((name_text(path), fingerprint))


def known_keys(dataset: str, data: bool) -> set[int]:
    """Of the rows that need not be made again."""
    known: set[int] = set()
    for part in parts(dataset):
        if not pq.read_schema(part).equals(SCHEMA):
            raise ValueError(f"{part}: columns of another version; scan into a new dataset")
        known.update(key_of(*file) for verdict, code, data_read, *file in
                     rows(part, "verdict", "error_code", "data_read", "file", "fingerprint")
                     if (verdict != "not judged" or code) and data_read >= data)
    return known


def put_batch(dataset: str, data: bool, batch: list[Found]) -> int:
    """In a worker: inspects files, and writes their part."""
    rows = inspect_batch([each.path for each in batch], data)
    table = pa.Table.from_batches([rows]).append_column(
        FINGERPRINT, pa.array([each.fingerprint for each in batch], pa.string()))
    put(table, os.path.join(dataset, f"{uuid.uuid4().hex}.parquet"))
    return len(batch)


def drop(dataset: str, sources: Sequence[str], present: set[int]) -> int:
    """Drops rows of files that changed or went, and the older of two rows of one file."""
    dropped = 0
    kept: set[int] = set()
    for part in sorted(parts(dataset), key=os.path.getmtime, reverse=True):
        keep = []
        for path, fingerprint in rows(part, "file", "fingerprint"):
            key = key_of(path, fingerprint)
            keep.append(key not in kept and (key in present or not covers(sources, path)))
            kept.add(key)
        dropped += keep.count(False)
        if not any(keep):
            os.unlink(part)
        elif not all(keep):
            put(pq.read_table(part).filter(pa.array(keep)), part)
    return dropped


class Summary(NamedTuple):
    """What is in a dataset, and what a scan did to it."""

    read: int  # files that were inspected now
    dropped: int  # rows of files that changed or went
    verdicts: dict[str, int]
    releases: dict[str, int]  # what programs state, else their schema version
    duplicates: int  # valid programs whose digest an earlier row has
    grave: int  # files with findings of high severity
    status: int  # as of the command: the worst of the files

    def __str__(self) -> str:
        def counted(counts: dict[str, int]) -> str:
            return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
        return (f"files: {counted(self.verdicts)}; {self.read:,} read now, {self.dropped:,} rows "
                f"dropped\nsaved by: {counted(self.releases)}\n"
                f"duplicates by digest: {self.duplicates:,}\n"
                f"with findings of high severity: {self.grave:,}")


def summary(dataset: str, read: int, dropped: int) -> Summary:
    verdicts: Counter[str] = Counter()
    releases: Counter[str] = Counter()
    digests: set[int] = set()
    programs = grave = status = 0
    for part in parts(dataset):
        for verdict, code, torch, version, digest, high in rows(
                part, "verdict", "error_code", "torch_version", "schema_version", "digest",
                "audit_high"):
            verdicts[verdict] += 1
            status = max(status, 3 if verdict == "not judged" and not code else STATUSES[verdict])
            if version:
                releases[torch or f"schema {version}"] += 1
            if digest:
                programs += 1
                digests.add(hash(digest))
            grave += bool(high)
    return Summary(read, dropped, dict(verdicts.most_common()), dict(releases.most_common()),
                   programs - len(digests), grave, status)


# ---- scan


def follow_parent() -> None:
    """In a worker: ends with the process that started it, also when that is killed, and not by
    an interrupt from the terminal, which is for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def made(jobs: int, make: Callable[[list[Found]], int], batches: Iterator[list[Found]]
         ) -> Iterator[int]:
    """Makes batches in processes; for one job in this one."""
    if jobs == 1:
        yield from map(make, batches)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), follow_parent) as pool:
        yield from in_order(pool, make, batches, 2 * jobs)


@contextlib.contextmanager
def locked(dataset: str) -> Iterator[None]:
    """One scan writes to a dataset; drafts of one that was killed are removed."""
    os.makedirs(dataset, exist_ok=True)
    descriptor = os.open(os.path.join(dataset, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for draft in glob.glob(os.path.join(glob.escape(dataset), DRAFT + "*")):
            os.unlink(draft)
        yield
    finally:
        os.close(descriptor)


def scan(sources: Iterable[str], into: str, *, jobs: int | None = None, data: bool = True,
         progress: Callable[[int], object] = int) -> Summary:
    """Brings a dataset up to date with a store: inspects the files of the sources that are not in
    it or have changed, and drops the rows of those that are gone.

    sources: files, folders (of which *.pt2), patterns, or URLs of these (with fsspec). into: a
    local folder of Parquet files. A scan that ends early, however it ends, leaves whole rows, and
    the next one goes on from there. jobs: processes (as many as processors); from two on they
    import the main module of the caller anew, as multiprocessing has it. progress: is told how
    many files have been read.
    """
    jobs = os.cpu_count() or 1 if jobs is None else jobs
    places = list(map(whole_name, sources))
    present: set[int] = set()
    with locked(into):
        known = known_keys(into, data)

        def wanted() -> Iterator[Found]:
            for each in listed(places):
                key = key_of(*each)
                if key not in present:
                    present.add(key)
                    if key not in known:
                        yield each

        todo = wanted()
        batches = iter(lambda: list(itertools.islice(todo, ROWS)), [])
        read = 0
        for count in made(jobs, functools.partial(put_batch, into, data), batches):
            read += count
            progress(read)
        return summary(into, read, drop(into, places, present))


def show_progress(start: float, read: int) -> None:
    rate = read / (time.monotonic() - start)
    print(f"\r{read:,} files, {rate:,.0f} a second", end="", file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """`epref scan`; the exit status is that of `epref inspect` of all files of the dataset."""
    parser = argparse.ArgumentParser("epref scan", description=(
        "Keep a Parquet dataset of what epref inspect says of the files of a store."))
    parser.add_argument("source", nargs="+", help="file, folder, pattern or URL")
    parser.add_argument("--into", required=True, metavar="DATASET", help="folder of Parquet files")
    parser.add_argument("-j", "--jobs", type=int, help="processes; as many as processors")
    parser.add_argument("--no-data", action="store_true", help="do not compare checksums")
    options = parser.parse_args(words)
    if options.jobs is not None and options.jobs < 1:
        parser.error("less than one job")
    shown = sys.stderr.isatty()
    try:
        told = scan(options.source, options.into, jobs=options.jobs, data=not options.no_data,
                    progress=functools.partial(show_progress, time.monotonic()) if shown else int)
    except (OSError, ValueError, BrokenProcessPool) as error:
        print(f"epref: error: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    finally:
        print("\n" * shown, end="", file=sys.stderr)
    print(told)
    return told.status
