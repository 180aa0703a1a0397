"""Where the bytes of a file come from."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from typing import Any, Iterator, Union

PathLike = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]
Buffer = Any  # bytes, bytearray, memoryview, mmap, array: what memoryview takes
Readable = Union[PathLike, Buffer]
MAGIC = b"PK\3\4"  # SPEC 8.1


class Descriptor:
    """An open file, which is closed when nobody has it any more."""

    __slots__ = ("number",)

    def __init__(self, path: PathLike) -> None:
        self.number = -1
        self.number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        if self.number >= 0:
            os.close(self.number)


class Source:
    """An open file, or bytes. A path is a str or os.PathLike; a buffer other than bytes is
    copied; of what has read(), all is read."""

    __slots__ = ("name", "file", "size", "data", "start")

    def __init__(self, source: Readable) -> None:
        self.name = ""
        self.file: Descriptor | None = None
        self.data: bytes | None = None
        if isinstance(source, (str, os.PathLike)):
            self.name = os.fsdecode(source)
            self._open(source)
        else:
            self._take(source)
        self.start = self.data[:4] if self.data is not None else self._first()

    def _open(self, path: PathLike) -> None:
        self.file = Descriptor(path)
        told = os.fstat(self.file.number)
        self.size = told.st_size
        if not stat.S_ISREG(told.st_mode):
            self._take(io.FileIO(self.file.number, closefd=False))
            self.file = None

    def _take(self, source: Any) -> None:
        if hasattr(source, "read") and not hasattr(source, "madvise"):  # no mmap
            source = source.read()
        if isinstance(source, str):
            raise TypeError("a file that is open for text; open it with 'rb'")
        self.data = source if type(source) is bytes else bytes(memoryview(source))
        self.size = len(self.data)

    def _first(self) -> bytes:
        assert self.file is not None
        return os.pread(self.file.number, 4, 0)

    @property
    def is_archive(self) -> bool:
        return self.start == MAGIC

    def read(self) -> bytes:
        """All of it."""
        if self.data is not None:
            return self.data
        assert self.file is not None
        return io.FileIO(self.file.number, closefd=False).readall()


@contextlib.contextmanager
def written(path: PathLike) -> Iterator[int]:
    """The descriptor of a new file, which takes the place of `path` when it is whole; after a
    failure there is nothing of it, and `path` is as it was. What is there and no regular file, a
    pipe say, is written into."""
    name = os.fsdecode(path)
    try:
        is_file = stat.S_ISREG(os.stat(name).st_mode)
    except FileNotFoundError:
        is_file = True
    target = os.path.realpath(name) if is_file else name
    temporary = f"{target}.{os.getpid()}.{os.urandom(4).hex()}" if is_file else target
    flags = os.O_CREAT | os.O_EXCL if is_file else 0
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CLOEXEC | flags, 0o666)
    try:
        try:
            yield descriptor
            if is_file:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if is_file:
            os.replace(temporary, target)
    except BaseException:
        if is_file:
            os.unlink(temporary)
        raise
