"""The workspace folder: its reads, and the lease for every write."""

import errno
import fnmatch
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path, PurePosixPath

from pipeline.errors import ChangedMeanwhile, PathRefused, ReadFailed
from pipeline.workspace.atomic import FileWriter
from pipeline.workspace.copies import CopiesOfOurs
from pipeline.workspace.layout import Layout
from pipeline.workspace.regular_files import read_regular, why_unsuitable
from schemas.index_settings import DERIVED

STATE_FOLDER = DERIVED
_NO_FILE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""The errors of a name without a file: it has just gone, or is a link to nowhere or in a circle."""


class Workspace:
    """A workspace folder. Paths are relative to it, in POSIX form."""

    def __init__(self, root: Path, layout: Layout | None = None) -> None:
        """`root` need not exist yet. `layout` is the table with the jobs' families; the table alone when left out."""
        self.root = Path(os.path.realpath(root))  # which, unlike `resolve`, takes links in a circle
        self.layout = layout or Layout()
        self.copies = CopiesOfOurs(self.root, self.layout)
        """The copies of our files beside them, which `select` and `look` pass over."""
        self._check: Callable[[], None] = lambda: None

    def checked_by(self, check: Callable[[], None]) -> "Workspace":
        """The same folder with a `check` before each write, which raises to refuse it."""
        checked = Workspace(self.root, self.layout)
        checked._check, checked.copies = check, self.copies
        return checked

    @property
    def state_folder(self) -> Path:
        """The folder of all that is derived.

        Raises:
            PathRefused: a link stands in its place, and leads to what somebody else may own.
        """
        folder = self.root / STATE_FOLDER
        if folder.is_symlink():
            raise PathRefused(str(folder), "is a link; take it away")
        return folder

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
        """The bytes of a file; `None` if it is missing.

        Raises:
            ReadFailed: the system refuses, it is no regular file, or it is larger than any file that is read.
        """
        try:
            return read_regular(self.locate(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error

    def has_path(self, path: str) -> bool:
        """Whether anything exists at a path, a file or not."""
        return os.path.lexists(self.locate(path))

    def select(self, pattern: str, *, whole: bool = False) -> list[str]:
        """The files that match a pattern such as `memory/*.md` or `agents/*/*.md`, sorted; `*` stays within one folder.

        Raises:
            ReadFailed: as of `look`.
        """
        return list(self.look(pattern, whole=whole))

    def look(self, pattern: str, *, whole: bool = False) -> dict[str, os.stat_result]:
        """The files that match a pattern, each with its `stat`.

        Copies of our files, folders and other things with such a name are passed over. With `whole` the others are
        refused, because a file that is not seen would count as deleted; hidden names are no files then.

        Raises:
            ReadFailed: the system refuses, or `whole` cannot be had.
        """
        folder, _, wanted = pattern.rpartition("/")
        files = dict[str, os.stat_result]()
        for path in self._matching_folders(folder):
            files |= self._look(path, wanted, whole=whole)
        return files

    def _matching_folders(self, folder: str) -> list[str]:
        """The folders that match a pattern of folders, sorted; without `*` the folder itself."""
        if "*" not in folder:
            return [folder]
        there = (path.relative_to(self.root) for path in self.root.glob(folder) if path.is_dir())
        wanted = folder.split("/")
        return sorted(path.as_posix() for path in there if not any(map(_is_unasked_hidden, path.parts, wanted)))

    def _look(self, folder: str, wanted: str, *, whole: bool) -> dict[str, os.stat_result]:
        try:
            with _open_folder(self.root / folder) as descriptor, os.scandir(descriptor) as entries:
                matches = _matcher(wanted)
                hits = [entry for entry in entries if matches(entry.name)]
                statuses = {entry.name: status for entry in hits if (status := _status_of(entry))}
            unseen = [entry.name for entry in hits if entry.name not in statuses and not entry.name.startswith(".")]
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise ReadFailed(folder or ".", error.strerror or str(error)) from error
        for path in sorted(_path(folder, name) for name in unseen) if whole else ():
            self._refuse_unsuitable(path)
        begin, original = _path(folder, ""), self.copies.original
        return {path: statuses[name] for name in sorted(statuses) if not original(path := begin + name)}

    def _refuse_unsuitable(self, path: str) -> None:
        try:
            why = why_unsuitable(self.locate(path))
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error
        if why:
            raise ReadFailed(path, why)

    def put_file(self, path: str, read: bytes | None, data: bytes | None) -> bool:
        """Replace the content `read` by `data`; `None` is no file. Returns `False` if the file has changed since.

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
    def lease(self, path: str) -> Iterator[FileWriter]:
        """The right to write one file. The caller holds the lock of the file's only writer.

        Raises:
            LockGone: it does so no more.
        """
        self._check()
        yield FileWriter(path, self.locate(path))


@lru_cache(maxsize=1024)
def _matcher(pattern: str) -> Callable[[str], object]:
    """The match of a name with a pattern, as `fnmatchcase` makes it, for folders of thousands of files."""
    return re.compile(fnmatch.translate(pattern)).match


def _is_unasked_hidden(part: str, wanted: str) -> bool:
    """Whether a part of a path is hidden, without a dot in the pattern."""
    return part.startswith(".") and not wanted.startswith(".")


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


@contextmanager
def _open_folder(folder: Path) -> Iterator[int]:
    """The descriptor of a folder: the system finds a file in it sooner than by its whole path."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _status_of(entry: "os.DirEntry[str]") -> os.stat_result | None:
    """The `stat` of a file, or of the target of a link; `None` if it is no regular file."""
    try:
        status = entry.stat()
    except OSError as error:
        if error.errno in _NO_FILE:
            return None
        raise
    return status if stat.S_ISREG(status.st_mode) else None
