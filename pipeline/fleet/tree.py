"""A workspace on the disk of a machine of the fleet: the files of a generation, and beside them only the index.

The folder is a cache. What of it still is as it was left is known by the stamps of its files, which are kept in memory:
a process that starts anew reads all of them once, so neither a crash nor another program can make a wrong one count.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.backup.manifest import SavedFile
from pipeline.backup.pieces import SIZE, PieceSink, piece_names
from pipeline.backup.snapshot import StateSnapshot, saved_file, stamp_of
from pipeline.errors.fleet import TreeUnreadable
from pipeline.fleet.manifest import is_same
from pipeline.workspace.files import STATE_FOLDER, Workspace
from pipeline.workspace.layout import INDEX_FOLDER
from pipeline.workspace.regular_files import FileStamp, file_stamp, make_folder, open_regular
from schemas.index_settings import IndexSettings

_DERIVED = f"{STATE_FOLDER}/{INDEX_FOLDER}"
_NEW = ".arriving"
_MODES = 0o755  # nobody else may write to what is checked out

FetchPieces = Callable[[Sequence[str]], Generator[bytes]]
"""Gives the bytes of pieces in the order of their names."""


@dataclass
class WorkspaceTree:
    """The files of one workspace below `root`. One thread of one process works with it."""

    root: Path
    _known: dict[str, SavedFile] = field(default_factory=dict)

    def look(self, paths: Iterable[str]) -> None:
        """Read the files at these paths that have changed since the last time, so that `match` need not."""
        for path in paths:
            known = self._known.get(path)
            if known is None or stamp_of(known) != self._stamp(path):
                with suppress(OSError), open(self.root / path, "rb", opener=open_regular) as stream:
                    self._known[path] = saved_file(path, stream, piece_names)

    def match(self, files: Mapping[str, SavedFile], fetch: FetchPieces) -> int:
        """Make the folder have exactly these files, and the index; only pieces that it lacks are fetched: how many.

        Raises:
            ValueError: a piece is missing, or is not what its name says.
            OSError: the system refuses.
        """
        make_folder(self.root)
        self._remove_others(files)
        self.look(files)
        differing = [file for path, file in files.items() if not self._has(path, file)]
        places = {file.path: self._pieces_at(file.path) for file in differing}
        lacking = [name for file in differing for name in file.pieces if name not in places[file.path]]
        with closing(fetch(lacking)) as fetched:
            for file in differing:
                self._write(file, places[file.path], fetched)
        self._known = {path: self._as_it_stands(file) for path, file in files.items()}
        return len(lacking)

    def take(
        self,
        workspace: Workspace,
        index: IndexSettings,
        sink: PieceSink,
        is_taken: Callable[[str], bool] = lambda _: True,
    ) -> list[SavedFile]:
        """All files as they are now, or those of the paths that are taken, with their pieces in the sink."""
        snapshot = StateSnapshot(workspace, index, sink, self._known, is_taken)
        files = snapshot.take()
        if snapshot.unreadable:
            raise TreeUnreadable([f"{path} ({why})" for path, why in sorted(snapshot.unreadable.items())])
        return files

    def note(self, files: Mapping[str, SavedFile]) -> None:
        """Note that the folder has these files, which were taken from it and published."""
        self._known = {path: self._as_it_stands(file) for path, file in files.items()}

    def _has(self, path: str, file: SavedFile) -> bool:
        """Whether a file is as it is to be, by its stamp alone."""
        known = self._known.get(path)
        return known is not None and is_same(known, file) and stamp_of(known) == self._stamp(path)

    def _stamp(self, path: str) -> FileStamp | None:
        try:
            return file_stamp((self.root / path).stat(follow_symlinks=False))
        except OSError:
            return None

    def _as_it_stands(self, file: SavedFile) -> SavedFile:
        """A file with the stamp that it has here."""
        status = (self.root / file.path).stat(follow_symlinks=False)
        own = {"mtime_ns": status.st_mtime_ns, "ctime_ns": status.st_ctime_ns, "inode": status.st_ino}
        return file.model_copy(update=own)

    def _remove_others(self, files: Mapping[str, SavedFile]) -> None:
        """Remove all that is neither one of the files nor of the index, for example the log of a killed process."""
        for folder, folders, names in os.walk(self.root, topdown=False):
            path = Path(folder)
            inside = path.relative_to(self.root).as_posix()
            if inside == _DERIVED or inside.startswith(f"{_DERIVED}/"):
                continue
            links = (name for name in folders if (path / name).is_symlink())
            for name in [*names, *links]:
                if (name if inside == "." else f"{inside}/{name}") not in files:
                    (path / name).unlink()
            if path != self.root and not any(path.iterdir()):
                path.rmdir()

    def _pieces_at(self, path: str) -> dict[str, int]:
        """The places, in bytes, of the pieces that the file at a path has now."""
        known = self._known.get(path)
        if known is None or stamp_of(known) != self._stamp(path):
            return {}
        return {name: place * SIZE for place, name in enumerate(known.pieces)}

    def _write(self, file: SavedFile, places: Mapping[str, int], fetched: Iterator[bytes]) -> None:
        """Write a file at once, of the pieces that it has here and of those that are fetched."""
        target = self.root / file.path
        make_folder(target.parent)
        arriving = target.with_name(f"{target.name}{_NEW}")
        with os.fdopen(os.open(arriving, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as stream:
            for name in file.pieces:
                stream.write(self._read_piece(target, places[name]) if name in places else next(fetched))
        arriving.chmod(file.mode & _MODES | 0o600)
        if file.mtime_ns:
            os.utime(arriving, ns=(file.mtime_ns, file.mtime_ns))
        arriving.replace(target)

    def _read_piece(self, target: Path, place: int) -> bytes:
        with open(target, "rb", opener=open_regular) as stream:
            stream.seek(place)
            return stream.read(SIZE)
