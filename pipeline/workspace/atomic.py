"""Atomic writes of a file of the workspace while other programs, which ignore our locks, may append to it.

An append is one `O_APPEND` write: no other appender's bytes are lost or split. A rewrite is a sibling, renamed over the
file; bytes that another program appended to the old file meanwhile are carried over, as soon as nobody has it open to
write. A program that holds it open for longer than a writer waits may lose what it appends after that; see
docs/explanation/writing.md.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.clock import stopwatch
from pipeline.errors import ChangedMeanwhile, WriteFailed
from pipeline.workspace.regular_files import file_mode, make_folder, open_regular

_GET_VERSION = 0x80087601  # Linux: the generation of an inode, whose number alone is soon given to another file
_GENERATION_BYTES = 8
_MOMENT_SECONDS = 0.003  # between two looks whether a file is still open elsewhere
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)


@dataclass(frozen=True)
class Landing:
    """The place and the time of a write.

    `file` distinguishes the file from a later one of the same name. `moment` is in nanoseconds, by the clock of the
    file system.
    """

    file: str
    moment: int


@dataclass(frozen=True)
class FileWriter:
    """The right to write one file.

    `path` is its name for people, `file` where it is, `patience` how many seconds a rewrite waits at most for a program
    that has the old file open to write.
    """

    path: str
    file: Path
    patience: float = field(default=0.5, kw_only=True)

    def append(self, data: bytes) -> Landing:
        """Append `data` to a file that exists, whole or not at all, and wait until it is on the disk; its landing.

        Raises:
            WriteFailed: the system refuses; a partial write is taken back, unless others have written behind it.
        """
        with self._translate_errors(), _open_file(self.file, os.O_WRONLY | os.O_APPEND) as descriptor:
            _write_whole(descriptor, data)
            os.fsync(descriptor)
            return _landing(descriptor)

    def create(self, data: bytes) -> Landing | None:
        """Make the file with `data` in it, at once; its landing, or `None` when the file exists meanwhile.

        Raises:
            WriteFailed: the system refuses.
        """
        with self._translate_errors():
            make_folder(self.file.parent)
            target = self._target()
            sibling = _write_sibling(target, data, None)
            try:
                landing = landing_of(sibling)
                os.link(sibling, target)
            except FileExistsError:
                return None
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                return _create_in_place(target, data)
            finally:
                sibling.unlink()
            _sync_folder(target.parent)
        return landing

    def replace(self, read: bytes, data: bytes) -> None:
        """Replace the content `read` by `data`; bytes that others have appended since are kept behind it.

        Raises:
            WorkspaceError: the file has another content by now, so read and decide again; the system refuses.
        """
        with self._translate_errors():
            target = self._target()
            with self._standing(target) as old:
                sibling = _write_sibling(target, data, old)
                # The tail began a line of its own; it shall still do so when our last line end went with our block.
                lead = b"\n" if read.endswith(b"\n") and data and not data.endswith(b"\n") else b""
                try:
                    now = os.pread(old, os.fstat(old).st_size, 0)
                    if not now.startswith(read):
                        raise ChangedMeanwhile(self.path)
                    if tail := now[len(read) :]:
                        with sibling.open("ab") as file:
                            file.write(lead + tail)
                    sibling.rename(target)
                finally:
                    sibling.unlink(missing_ok=True)
                if tail:  # all else was on the disk before
                    with _open_file(target, os.O_RDONLY) as descriptor:
                        os.fsync(descriptor)
                _sync_folder(target.parent)
                self._carry_over(old, len(now), b"" if tail else lead)

    def remove(self, read: bytes) -> None:
        """Remove the file if its content is `read`; bytes appended meanwhile survive in a new file.

        Raises:
            WorkspaceError: the file has another content by now; the system refuses.
        """
        with self._translate_errors():
            target = self._target()
            with self._standing(target) as old:
                if os.pread(old, os.fstat(old).st_size, 0) != read:
                    raise ChangedMeanwhile(self.path)
                target.unlink()
                _sync_folder(target.parent)
                self._carry_over(old, len(read))

    @contextmanager
    def _standing(self, target: Path) -> Iterator[int]:
        try:
            opened = open_regular(target, os.O_RDONLY)
        except FileNotFoundError as error:
            raise ChangedMeanwhile(self.path) from error
        try:
            yield opened
        finally:
            os.close(opened)

    def _carry_over(self, old: int, length: int, lead: bytes = b"") -> None:
        end = stopwatch() + self.patience
        while _is_written(old) and stopwatch() < end:
            time.sleep(_MOMENT_SECONDS)
        if tail := os.pread(old, max(os.fstat(old).st_size - length, 0), length):
            mode = stat.S_IMODE(os.fstat(old).st_mode)
            with _open_file(self._target(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode) as descriptor:
                _write_whole(descriptor, lead + tail)
                os.fsync(descriptor)

    def _target(self) -> Path:
        """The real path of the file; of links in a circle it is a link that cannot be opened."""
        return Path(os.path.realpath(self.file))

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WriteFailed(self.path, error.strerror or str(error)) from error


def _is_written(old: int) -> bool:
    """Whether a program has a file open to write that has no name left, under which others could open it.

    The kernel gives a lease of reading only when none has. Where it gives none at all, nobody is known of.
    """
    if os.fstat(old).st_nlink or not hasattr(fcntl, "F_SETLEASE"):  # Linux alone has leases
        return False
    try:
        fcntl.fcntl(old, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:  # not every file system has them, and the file may be another user's
        return False
    fcntl.fcntl(old, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def landing_of(file: Path) -> Landing:
    """The identity of a file, and the time of its last write.

    Raises:
        OSError: it is not there, or the system refuses.
    """
    with _open_file(file, os.O_RDONLY) as descriptor:
        return _landing(descriptor)


def _landing(descriptor: int) -> Landing:
    status = os.fstat(descriptor)
    try:
        generation = fcntl.ioctl(descriptor, _GET_VERSION, bytes(_GENERATION_BYTES)).hex()
    except OSError:  # not every file system supports it
        generation = ""
    return Landing(f"{status.st_ino}:{generation}", status.st_mtime_ns)


@contextmanager
def _open_file(file: Path, flags: int, mode: int = 0o600) -> Iterator[int]:
    descriptor = open_regular(file, flags, mode)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _create_in_place(target: Path, data: bytes) -> Landing | None:
    """Make a file where there are no hard links (FAT, some network folders): others may see it empty for a moment."""
    try:
        mode = file_mode(target.parent)
        with _open_file(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, mode) as descriptor:
            _write_whole(descriptor, data)
            os.fsync(descriptor)
            landing = _landing(descriptor)
    except FileExistsError:
        return None
    _sync_folder(target.parent)
    return landing


def _write_whole(descriptor: int, data: bytes) -> None:
    """Write all of `data` in one call, or take back the part that was written.

    The rest is not written in a second call: another process may have appended between the two.
    """
    written = os.write(descriptor, data)
    if written < len(data):
        end = os.lseek(descriptor, 0, os.SEEK_CUR)
        # Only while our part is the tail: bytes behind it belong to another program. A part that must stay is completed
        # or removed by the next run, which knows it from the ledger.
        if os.fstat(descriptor).st_size == end:
            os.ftruncate(descriptor, end - written)
        raise OSError(errno.ENOSPC, "no room for the whole write")


def _write_sibling(target: Path, data: bytes, old: int | None) -> Path:
    """Write `data` to a temporary file beside `target`, with the rights of the `old` file, or of a new file."""
    sibling = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        sibling.unlink(missing_ok=True)  # of a killed process that had our number
        mode = 0o600 if old is not None else file_mode(target.parent)
        descriptor = open_regular(sibling, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            if old is not None:
                _copy_owner_and_mode(descriptor, os.fstat(old))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            sibling.unlink(missing_ok=True)
        raise
    return sibling


def _copy_owner_and_mode(descriptor: int, old: os.stat_result) -> None:
    """Give a file the owner and the mode of the file that it replaces; only root may change owners."""
    if (os.geteuid(), os.getegid()) != (old.st_uid, old.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def sweep(folder: Path) -> None:
    """Remove the siblings that killed processes left; those of a living process stay."""
    with suppress(OSError), os.scandir(folder) as entries:  # the folder need not exist
        # By hand, for each run looks at the names of hundreds of files.
        names = [name for entry in entries if (name := entry.name)[0] == "." and name.endswith(".tmp")]
        makers = {name: name.split(".")[-2] for name in names if ".md." in name}
        for name, maker in makers.items():
            if maker.isdecimal() and not is_alive(int(maker)):
                with suppress(OSError):
                    (folder / name).unlink()


def is_alive(process: int) -> bool:
    """Whether a process of this machine is alive, of any user."""
    if process <= 0:
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):  # a number that no process has
        return False
    except PermissionError:
        return True
    return True


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
