"""The folder that belongs to the people: reading it, and the lease through which alone it is written."""

import errno
import fnmatch
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pipeline.errors import ChangedMeanwhile, PathRefused, ReadFailed
from pipeline.layout import Layout
from pipeline.lease import Lease

STATE_FOLDER = ".memory"
_NO_FILE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Why a name in a folder is that of no file: it has just gone, or is a link to nowhere or in a circle."""


class Workspace:
    """A workspace folder. Paths are relative to it, in POSIX form."""

    def __init__(self, root: Path, layout: Layout | None = None) -> None:
        """`root` need not exist yet. `layout` is the table with the jobs' families; the table alone when left out."""
        self.root = root.resolve()
        self.layout = layout or Layout()

    @property
    def state_folder(self) -> Path:
        """The folder of all that is derived."""
        return self.root / STATE_FOLDER

    @property
    def lock_folder(self) -> Path:
        """The folder of the lock files."""
        return self.root / "memory" / ".locks"

    def locate(self, path: str) -> Path:
        """The file that `path` names.

        Raises:
            PathRefused: the path is absolute, climbs out, or points into what is derived.
        """
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or not pure.parts:
            raise PathRefused(path, "is not a path inside the workspace")
        if pure.parts[0] == STATE_FOLDER:
            raise PathRefused(path, "lies in the folder of what is derived")
        return self.root / pure

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; `None` when there is none.

        Raises:
            ReadFailed: the system refuses.
        """
        try:
            return self.locate(path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error

    def select(self, pattern: str) -> list[str]:
        """The files that match a pattern such as `memory/*.md`, sorted; `*` stays within one folder.

        Raises:
            ReadFailed: the system refuses.
        """
        return list(self.look(pattern))

    def look(self, pattern: str) -> dict[str, os.stat_result]:
        """The same files, each with what the system tells of it.

        Raises:
            ReadFailed: the system refuses.
        """
        folder, _, wanted = pattern.rpartition("/")
        try:
            with os.scandir(self.root / folder) as entries:
                hits = [entry for entry in entries if fnmatch.fnmatchcase(entry.name, wanted)]
            told = [(entry.name, status) for entry in hits if (status := _status(entry))]
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise ReadFailed(folder or ".", error.strerror or str(error)) from error
        return {f"{folder}/{name}" if folder else name: status for name, status in sorted(told)}

    def put(self, path: str, read: bytes | None, data: bytes | None) -> bool:
        """Put `data` in place of what was `read`, `None` being no file; `False` when something else stands there now.

        The caller holds the lock of the file's only writer.

        Raises:
            WriteFailed: the system refuses.
        """
        with self.lease(path) as lease:
            try:
                if read is None:
                    return lease.create(data or b"") is not None
                lease.remove(read) if data is None else lease.replace(read, data)
            except ChangedMeanwhile:
                return False
        return True

    @contextmanager
    def lease(self, path: str) -> Iterator[Lease]:
        """The right to write one file. The caller holds the lock of the file's only writer."""
        yield Lease(path, self.locate(path))


def _status(entry: "os.DirEntry[str]") -> os.stat_result | None:
    """What the system tells of a file, or of the one that a link leads to; `None` when it is none."""
    try:
        status = entry.stat()
    except OSError as error:
        if error.errno in _NO_FILE:
            return None
        raise
    return status if stat.S_ISREG(status.st_mode) else None
