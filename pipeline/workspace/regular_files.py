"""Opening regular files, and no other kind of file.

Opening a named pipe may wait for ever, and a device has no end. So a file is opened without waiting, and its descriptor
is checked before anything is read or written: the path could change between a check and an opening. Any other kind of
file raises an `OSError` whose `strerror` names the kind and the remedy.
"""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read as a whole; a larger one is refused."""

_AT_ONCE = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_PIECE = 64 * 1024
_SORTS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISLNK, "a link that leads nowhere"),
)
_IN_A_CIRCLE = "it is a link that leads in a circle; take it away, or put the file back"
_NOT_OPENED = frozenset({errno.EISDIR, errno.ENXIO, errno.ENODEV})
"""The errors of the system for folders, sockets and pipes that it does not open at once."""


LATEST_CHANGE = (1 << 63) - 1  # in nanoseconds since 1970: databases hold no later time, and broken dates are later

FileStamp = tuple[int, int, int, int]
"""The size, times and inode of a file: with another content it has another stamp, whatever time it was given."""


def file_stamp(status: os.stat_result) -> FileStamp:
    """The stamp of a file, by its `stat`."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def open_regular(file: str | os.PathLike[str], flags: int, mode: int = 0o600) -> int:
    """The descriptor of a regular file, or of one that a link leads to; may be the `opener` of `open`.

    Args:
        file: where it is.
        flags: as of `os.open`.
        mode: of a file that is made, less the process's umask.

    Raises:
        OSError: the system refuses, or something else stands there.
    """
    try:
        descriptor = os.open(file, flags | _AT_ONCE, mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, _IN_A_CIRCLE, os.fspath(file)) from error
        if error.errno in _NOT_OPENED and (why := why_unsuitable(file)):
            raise OSError(error.errno, why, os.fspath(file)) from error
        raise
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EISDIR if stat.S_ISDIR(kind) else errno.EINVAL, _description(kind), os.fspath(file))


def read_regular(file: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: the system refuses, something else stands there, or it has more than `largest` bytes.
    """
    with open(file, "rb", buffering=0, opener=open_regular) as stream:
        size, pieces, done = os.fstat(stream.fileno()).st_size, list[bytes](), 0
        while max(size, done) <= largest:
            piece = stream.read(min(largest + 1 - done, max(size + 1, _PIECE)))
            if piece is None:
                raise OSError(errno.EAGAIN, "it has nothing to be read now; take it away", os.fspath(file))
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
            done += len(piece)
    raise OSError(errno.EFBIG, _too_large(max(size, done), largest), os.fspath(file))


def write_regular(file: Path, data: bytes) -> None:
    """Overwrite or make a file of ours; a new file is open to no more people than its folder.

    Raises:
        OSError: the system refuses, or something else stands there.
    """
    descriptor = open_regular(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, file_mode(file.parent))
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)


def replace_private(file: Path, data: bytes, *, lasting: bool = False) -> None:
    """Replace a file at once; only the owner may read it.

    It is written beside it, with `.new` in its name. What a crash has left there, or somebody put there, is removed;
    no link is followed. One process at a time may write. A `lasting` file is on the disk then.

    Raises:
        OSError: the system refuses.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sibling = file.with_name(f"{file.name}.new")
    sibling.unlink(missing_ok=True)
    with os.fdopen(open_regular(sibling, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(data)
        if lasting:
            stream.flush()
            os.fsync(stream.fileno())
    sibling.replace(file)


def why_unsuitable(file: str | os.PathLike[str], largest: int | None = LARGEST) -> str:
    """The reason why an existing file cannot be used; empty if it can, or is missing. Nothing is opened.

    Args:
        file: its path.
        largest: the most bytes that are read of it; `None` for one that is not read as a whole.

    Raises:
        OSError: the system does not even report its kind.
    """
    try:
        status = os.stat(file)  # noqa: PTH116 - also of a text
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _IN_A_CIRCLE
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            raise
        return _description(stat.S_IFLNK) if os.path.islink(file) else ""  # noqa: PTH114 - as above
    if not stat.S_ISREG(status.st_mode):
        return _description(status.st_mode)
    return _too_large(status.st_size, largest) if largest is not None and status.st_size > largest else ""


def file_mode(folder: str | os.PathLike[str]) -> int:
    """The mode of a new file: the owner's to read and write, the group's as its folder is; others only read.

    Raises:
        OSError: there is no such folder.
    """
    return 0o600 | (os.stat(folder).st_mode & 0o064)  # noqa: PTH116 - also of a text


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, each open to no more people than its parent.

    Raises:
        OSError: the system refuses, or something else stands there.
    """
    if folder.is_dir():
        return
    if not folder.parent.is_dir():
        make_folder(folder.parent)
    folder.mkdir(0o700 | (folder.parent.stat().st_mode & 0o075), exist_ok=True)


def _description(mode: int) -> str:
    """The kind of the file, and the remedy."""
    sort = next((name for is_so, name in _SORTS if is_so(mode)), "a device")
    return f"it is {sort} and no regular file; take it away, or put the file back"


def _too_large(size: int, largest: int) -> str:
    return (
        f"it has {size // 1_000_000:,} MB, and a file of more than {largest // 1_000_000} MB is not read; "
        "divide it, or take it away"
    )
