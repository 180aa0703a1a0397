"""Where the bytes of a file come from."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
from typing import TYPE_CHECKING, Any, Iterator, Union

from ._errors import Error

if TYPE_CHECKING:
    from ._ranges import Ranges

PathLike = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]
Buffer = Any  # bytes, bytearray, memoryview, mmap, array: what memoryview takes; or a file object
Readable = Union[PathLike, Buffer]
BYTES = 1 << 30  # the library's limit of an input (SPEC 1.4.1)
PIECE = 1 << 20
MAGIC = b"PK\3\4"  # SPEC 8.1
ACCESS_LIST = "system.posix_acl_access"


class Descriptor:
    """An open file, which is closed when nobody has it any more."""

    __slots__ = ("number",)

    def __init__(self, path: PathLike) -> None:
        self.number = -1
        self.number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        if self.number >= 0:
            os.close(self.number)


def is_url(text: str) -> bool:
    """What begins as a URL does, and is no file that is there."""
    scheme, mark, _ = text.partition("://")
    return mark != "" and len(scheme) > 1 and scheme[0].isalpha() and \
        scheme.isascii() and "/" not in scheme and not os.path.lexists(text)


def drained(stream: Any, most: int) -> Any:
    """What a stream has, and of one that goes on past the limit a byte more: enough for the reader
    to refuse it."""
    parts: list[Any] = []
    left = most + 1
    while left > 0:
        part = stream.read(min(left, PIECE))
        if isinstance(part, str):
            return part
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


class Source:
    """An open file, or bytes. A path is a str or os.PathLike; a str that is no file may be a URL.
    A file object that can seek is read by ranges, and so is what a URL names; a buffer other than
    bytes is copied; of other things with read(), all is read, but not much more than `most` bytes."""

    __slots__ = ("name", "file", "ranges", "size", "data", "most", "is_cut", "given")

    def __init__(self, source: Readable, most: int = 0) -> None:
        self.name = ""
        self.most = most or BYTES
        self.is_cut = False  # a stream had more than the limit allows
        self.file: Descriptor | None = None
        self.ranges: Ranges | None = None
        self.data: bytes | None = None
        self.given = source
        if isinstance(source, str) and is_url(source):
            from ._ranges import open_url
            self.name = source
            self._take(open_url(source, self.most))
        elif isinstance(source, (str, os.PathLike)):
            self.name = os.fsdecode(source)
            self._open(source)
        elif hasattr(source, "read") or hasattr(source, "fs"):
            from ._ranges import open_ranges
            self._take(open_ranges(source, self.most))
        else:
            self._take(source)

    def _open(self, path: PathLike) -> None:
        self.file = Descriptor(path)
        told = os.fstat(self.file.number)
        self.size = told.st_size
        if stat.S_ISDIR(told.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.name)
        if not stat.S_ISREG(told.st_mode):
            self._take(io.FileIO(self.file.number, closefd=False))
            self.file = None

    def _take(self, source: Any) -> None:
        if hasattr(source, "settle"):  # Ranges
            self.name, self.size, self.ranges = source.name, source.size, source
            if source.read(0, min(self.size, len(MAGIC))) == MAGIC:
                return
            self.is_cut = self.size > self.most
            ranges, source = source, self.read()
            ranges.close()
            self.ranges = None
        if hasattr(source, "read") and not hasattr(source, "madvise"):  # no mmap
            source = drained(source, self.most)
            self.is_cut = len(source) > self.most
        if isinstance(source, str):
            raise TypeError("a file that is open for text; open it with 'rb'")
        self.data = source if type(source) is bytes else bytes(memoryview(source))
        self.size = len(self.data)

    @property
    def is_archive(self) -> bool:
        if self.file is not None:
            return os.pread(self.file.number, len(MAGIC), 0) == MAGIC
        return self.ranges is not None or self.read()[:len(MAGIC)] == MAGIC

    def read(self) -> bytes:
        """All of it, or a byte more than the limit allows."""
        if self.data is not None:
            return self.data
        if self.ranges is not None:
            return self.ranges.read(0, min(self.size, self.most + 1))
        assert self.file is not None
        return bytes(drained(io.FileIO(self.file.number, closefd=False), self.most))

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """For what reads all of an archive, or much of it: in large pieces, and the file must not
        have changed by the end, as the library sees to with files of its own."""
        ranges = self.ranges  # which another thread may close
        if ranges is None:
            yield
            return
        ranges.whole = True
        try:
            yield
        except Error:
            ranges.settle()
            raise
        finally:
            ranges.whole = False
        ranges.settle()

    def close(self) -> None:
        if self.ranges is not None:
            self.ranges.close()
        self.file = self.ranges = self.data = None


def access_list(descriptor: int) -> bytes | None:
    """Whom a file lets in beside its mode (POSIX access lists); b"": nobody, None: not known."""
    try:
        return os.getxattr(descriptor, ACCESS_LIST)
    except AttributeError:  # not Linux
        return b""
    except OSError as error:
        return b"" if error.errno in (errno.ENODATA, errno.EOPNOTSUPP) else None


def permit(descriptor: int, mode: int) -> None:
    """A file system without permissions may refuse some."""
    with contextlib.suppress(PermissionError):
        os.fchmod(descriptor, mode)


def keep_access_list(old: int, new: int, same_group: bool) -> bool:
    """Whether only the mode lets somebody into the new file who was not let into the old one."""
    listed = access_list(old)
    try:
        if listed and same_group:
            os.setxattr(new, ACCESS_LIST, listed)
            return True
        if access_list(new):
            os.removexattr(new, ACCESS_LIST)
    except OSError:
        return False
    return listed == b""


def dress(new: int, old: int) -> None:
    """Gives the new file the owner, the group and the mode of the old one, as far as the user may;
    for nobody more than the old one let them do."""
    before = os.fstat(old)
    for owner in (before.st_uid, -1):
        with contextlib.suppress(OSError):
            os.fchown(new, owner, before.st_gid)
            break
    now = os.fstat(new)
    mode = stat.S_IMODE(before.st_mode)
    if now.st_uid != before.st_uid:
        mode &= ~stat.S_ISUID
    same_group = now.st_gid == before.st_gid
    if not same_group:  # its members are among the others now, and some of these in the group
        both = mode >> 3 & mode & 0o7
        mode = mode & ~(stat.S_ISGID | 0o77) | both << 3 | both
    if not keep_access_list(old, new, same_group):
        mode &= ~0o77
    permit(new, mode)


def creation_mode() -> int:
    """What the umask leaves of 0666; there is no other way to ask for it."""
    mask = os.umask(0o77)
    os.umask(mask)
    return 0o666 & ~mask


def open_old(target: str) -> int | None:
    """The file that is to be replaced, which the user must be allowed to write to; None: there is
    none. A link has been followed by now."""
    try:
        return os.open(target, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None


def publish(draft: int, temporary: str, target: str) -> None:
    """The draft takes the name of the target, with the permissions of what is there."""
    old = open_old(target)
    try:
        if old is None:
            permit(draft, creation_mode())
        else:
            dress(draft, old)
    finally:
        if old is not None:
            os.close(old)
    os.replace(temporary, target)


@contextlib.contextmanager
def written(path: PathLike) -> Iterator[int]:
    """The descriptor of a new file, which takes the place of `path` when it is whole; after a
    failure there is nothing of it, and `path` is as it was. The new file has the permissions of
    the old one, and one that the user may not write to is not replaced; a link is followed, but
    not to nothing. What is there and no regular file, a pipe say, is written into."""
    name = os.fsdecode(path)
    is_file = not os.path.lexists(name) or stat.S_ISREG(os.stat(name).st_mode)
    target = os.path.realpath(name) if is_file else name
    temporary = os.path.join(os.path.dirname(target), f".epref-{os.getpid()}-{os.urandom(8).hex()}"
                             ) if is_file else target
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW if is_file else os.O_NOCTTY
    if is_file:
        old = open_old(target)  # before anything is made for it
        if old is not None:
            os.close(old)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CLOEXEC | flags, 0o600)
    try:
        try:
            yield descriptor
            if is_file:
                os.fsync(descriptor)
                publish(descriptor, temporary, target)
        finally:
            os.close(descriptor)
    except BaseException:
        if is_file:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
        raise
