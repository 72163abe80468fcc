"""The folder that belongs to the people: reading it, and the lease through which alone it is written."""

import fnmatch
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pipeline.errors import ChangedMeanwhile, PathRefused, ReadFailed
from pipeline.lease import Lease

STATE_FOLDER = ".memory"


class Workspace:
    """A workspace folder. Paths are relative to it, in POSIX form."""

    def __init__(self, root: Path) -> None:
        """`root` need not exist yet."""
        self.root = root.resolve()

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
        """The files that match a pattern such as `memory/*.md`, sorted; `*` stays within one folder."""
        folder = PurePosixPath(pattern).parent
        try:
            names = [entry.name for entry in (self.root / folder).iterdir() if entry.is_file()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ReadFailed(str(folder), error.strerror or str(error)) from error
        wanted = PurePosixPath(pattern).name
        hits = [name for name in names if fnmatch.fnmatchcase(name, wanted)]
        return [str(folder / name) for name in sorted(hits)]

    def put(self, path: str, read: bytes | None, data: bytes | None) -> bool:
        """Put `data` in place of what was `read`, `None` being no file; `False` when something else stands there now.

        The caller holds the lock of the file's only writer.

        Raises:
            WriteFailed: the system refuses.
        """
        with self.lease(path) as lease:
            try:
                if read is None:
                    return lease.create(data or b"")
                lease.remove(read) if data is None else lease.replace(read, data)
            except ChangedMeanwhile:
                return False
        return True

    @contextmanager
    def lease(self, path: str) -> Iterator[Lease]:
        """The right to write one file. The caller holds the lock of the file's only writer."""
        yield Lease(path, self.locate(path))
