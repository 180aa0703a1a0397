"""Files that are read by ranges: file objects that can seek, and URLs by way of fsspec.

The end of a file is read first, as the directory of an archive is there; then the headers of its
members, those together that lie close to each other. Everything else is read when it is asked for,
up to the end of the member, and the last piece is kept.
"""

from __future__ import annotations

import contextlib
import threading
from bisect import bisect_right
from typing import Any, Iterator, Sequence

from ._errors import ChangedError, NoRangesError, RemoteError, RemoteTimeoutError
from ._source import MAGIC, drained

TAIL = 65578  # what the library looks at for end records (SPEC 8.1.1)
PIECE = 4 << 20  # read at a time
BEFORE, HEADER = 24, 128  # the descriptor of the last member; a local header without its name
GAP = 1 << 12  # bytes between two headers that are read along with them
FEW = 1 << 12  # read at least, where nothing is known of members
CONNECTIONS = 16
# What tells one state of a file from another, as file systems call it.
MARKS = ("size", "ETag", "etag", "Last-Modified", "LastModified", "last_modified", "mtime",
         "created", "updated", "generation", "Content-MD5", "blob_id", "ino")


class View:
    """The file as zipfile reads a directory, up to a size that no directory needs."""

    def __init__(self, ranges: Ranges) -> None:
        self._ranges = ranges
        self._at = 0

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._ranges.size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = self._ranges.size - self._at
        size = min(size, left) if size >= 0 else left
        if size > PIECE or self._at < 0:
            raise ValueError("no directory of an archive")
        self._at += size
        return self._ranges.read(self._at - size, size)


class Ranges:
    """A file that is read by ranges: from where a file object is, which it stays at between calls,
    to its end. fs: the file system of fsspec that has the file, its path and its information."""

    def __init__(self, file: Any, name: str, fs: Any = None, path: str = "",
                 info: dict[str, Any] | None = None) -> None:
        self.name = name
        self.whole = False  # all of it is going to be read: pieces go over the ends of members
        self._file = file
        self._fs = fs
        self._path = path
        self._info = info or {}
        self._lock = threading.Lock()
        self._base = 0 if fs else file.tell()
        self.size = self._info["size"] if fs else self._size()
        self._headers: list[int] = []  # where they are
        self._last = 0, b""  # the last piece, and where it is
        self._tail = max(0, self.size - TAIL)
        self._starts, self._kept = [self._tail], [b""]
        self._kept[0] = self._fetch(self._tail, self.size)
        if self._tail:
            self._find_headers()

    # ---- reading

    def read(self, place: int, size: int) -> bytes:
        parts = []
        while size > 0:
            parts.append(self._some(place, size))
            place += len(parts[-1])
            size -= len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _some(self, place: int, size: int) -> bytes:
        """The first bytes of a range, as many as one piece has."""
        i = max(0, bisect_right(self._starts, place) - 1)
        for start, data in ((self._starts[i], self._kept[i]), self._last):
            if 0 <= place - start < len(data):
                return data[place - start:place - start + size]
        end = self._end(place, size)
        self._last = place, b""  # its memory is for the next one
        self._last = place, self._fetch(place, end)
        return self._last[1][:size]

    def _end(self, place: int, size: int) -> int:
        """Where the piece ends that is read from a place on."""
        skipped = place - self._last[0] - len(self._last[1])
        i = bisect_right(self._headers, place)
        end = self._headers[i] if i < len(self._headers) else place + max(size, FEW)
        if self.whole and 0 <= skipped <= GAP:
            end = self.size
        return min(end, place + PIECE, self._tail if place < self._tail else self.size)

    def _fetch(self, start: int, end: int) -> bytes:
        parts: list[bytes] = []
        with self._lock, self._told():
            self._file.seek(self._base + start)
            while start < end:
                part = self._file.read(end - start)
                if isinstance(part, str):
                    raise TypeError("a file that is open for text; open it with 'rb'")
                parts.append(bytes(part or b""))
                start += len(parts[-1])
                if not part:
                    break
            self._file.seek(self._base)
        self._complete(end - start)
        return b"".join(parts)

    def _complete(self, missing: int) -> None:
        if missing < 0:
            raise NoRangesError(f"{self}: the answer is longer than the range asked for")
        if missing > 0:
            self.settle()
            raise RemoteError(f"{self}: the answer is {missing} bytes shorter than the range asked "
                              "for")

    # ---- headers

    def _find_headers(self) -> None:
        """Reads the headers of members, if this is an archive: which it is for the library to
        say, and for what there is no header here it asks again."""
        import zipfile
        view: Any = View(self)
        try:
            with zipfile.ZipFile(view) as archive:
                found = sorted(archive.infolist(), key=lambda each: each.header_offset)
        except OSError:
            raise
        except Exception:  # whatever zipfile says of no archive
            return
        self._headers = [each.header_offset for each in found]
        runs: list[list[int]] = []
        most = PIECE
        for each in found:
            start = max(0, each.header_offset - BEFORE)
            end = min(each.header_offset + HEADER + len(each.filename), self._tail)
            joined = bool(runs) and start <= runs[-1][1] + GAP
            most -= end - (runs[-1][1] if joined else start)
            if most < 0 or not 0 <= each.header_offset < self._tail:
                break
            if joined:
                runs[-1][1] = end
            else:
                runs.append([start, end])
        self._kept[:0] = self._fetch_all(runs)
        self._starts[:0] = [start for start, _ in runs]

    def _fetch_all(self, runs: Sequence[Sequence[int]]) -> list[bytes]:
        """Several ranges; at a time, where the file system can."""
        fetch = getattr(self._file, "_fetch_range", None)
        if fetch is None or len(runs) < 2 or not getattr(self._fs, "async_impl", False):
            return [self._fetch(start, end) for start, end in runs]
        from concurrent.futures import ThreadPoolExecutor
        with self._told(), ThreadPoolExecutor(min(len(runs), CONNECTIONS)) as pool:
            parts = [bytes(part) for part in pool.map(fetch, *zip(*runs))]
        for (start, end), part in zip(runs, parts):
            self._complete(end - start - len(part))
        return parts

    # ---- the file

    def _size(self) -> int:
        end: int = self._file.seek(0, 2)
        self._file.seek(self._base)
        return end - self._base

    def settle(self) -> None:
        """Raises ChangedError if the file is not what it was when it was opened."""
        with self._told():
            if self._fs is None:
                with self._lock:
                    changed = self._size() != self.size
            else:
                self._fs.invalidate_cache(self._path)
                changed = marks(self._fs.info(self._path)) != marks(self._info)
        if changed:
            raise ChangedError(f"{self}: the file changed while it was read")

    def close(self) -> None:
        if self._fs is not None:
            self._file.close()

    def __str__(self) -> str:
        return self.name or "a file object"

    def _told(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext() if self._fs is None else remote(self.name)


def marks(info: dict[str, Any]) -> list[Any]:
    return [info.get(mark) for mark in MARKS]


@contextlib.contextmanager
def remote(name: str) -> Iterator[None]:
    """What file systems raise, as one of our errors, unless it is an OSError."""
    import asyncio
    try:
        yield
    except (asyncio.TimeoutError, TimeoutError) as error:
        raise RemoteTimeoutError(f"{name}: no answer in time") from error
    except (OSError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, ValueError) and "range request" in str(error):
            raise NoRangesError(f"{name}: the server does not answer ranges") from error
        raise RemoteError(f"{name}: {str(error) or type(error).__name__}") from error


def open_remote(fs: Any, path: str, name: str, most: int) -> Any:
    """The Ranges of a file; or where it has none its bytes, if it is no archive."""
    info = fs.info(path)
    if info.get("size") == 0:
        return b""
    if "size" in info and info.get("partial", True):
        # HTTP asks for the size again, unless it is given.
        known = {"size": info["size"]} if "http" in fs.protocol else {}
        with contextlib.suppress(NoRangesError):
            return Ranges(fs.open(path, "rb", cache_type="none", **known), name, fs, path, info)
    with fs.open(path, "rb", block_size=0) as stream:
        first = stream.read(len(MAGIC))
        if first == MAGIC:
            raise NoRangesError(f"{name}: the server does not answer ranges; an archive there has "
                                "to be fetched first")
        return first + drained(stream, most)


def open_url(url: str, most: int) -> Any:
    """The same as open_remote."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ImportError(f"{url}: URLs are read by fsspec: pip install 'epref[remote]'") from None
    fs, path = url_to_fs(url)
    with remote(url):
        return open_remote(fs, path, url, most)


def open_ranges(source: Any, most: int) -> Any:
    """The Ranges of a file object; a stream, which is to be read to its end; or the source."""
    fs: Any = getattr(source, "fs", None)
    if hasattr(fs, "cat_file"):
        if not hasattr(source, "read") and source.compression:
            source = source.open()
        elif not hasattr(source, "tell") or source.tell() == 0:
            name = fs.unstrip_protocol(source.path)
            with remote(name):
                return open_remote(fs, source.path, name, most)
    if hasattr(source, "madvise") or not getattr(source, "seekable", bool)():
        return source
    try:
        at = source.tell()
        end = source.seek(0, 2)
        source.seek(at)
    except (OSError, ValueError):
        return source
    name = getattr(source, "name", "")  # of some it is a number
    return Ranges(source, name if isinstance(name, str) else "") if end > at else source
