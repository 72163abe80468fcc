"""A workspace as it is at one moment, in pieces, while jobs and the service go on.

Every change of a file by a job is noted in the ledger before it is made. So while the ledger takes no note, no job
begins a change, and one that is under way looks as after a kill, which the next run mends. Most of the work is done
before that moment: within it only files are read that have changed since.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from pipeline.backup.manifest import SavedFile
from pipeline.backup.pieces import PieceSink
from pipeline.errors import WriteFailed
from pipeline.ledger import open_ledger
from pipeline.ledger.store import copy_store
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.store.opening import FILE as STORE_FILE
from pipeline.store.opening import FOLDER as STORE_FOLDER
from pipeline.transcripts.kept_talk import FOLDER as KEPT_TALK
from pipeline.workspace.files import STATE_FOLDER, Workspace
from pipeline.workspace.layout import LEDGER_FILE
from pipeline.workspace.listing import (
    LEADS_OUT,
    NOT_UTF_8,
    is_within,
    list_files,
    printable_path,
    real_path,
    roots_of,
)
from pipeline.workspace.regular_files import FileStamp, file_stamp, open_regular
from schemas.index_settings import IndexSettings

LEDGER = f"{STATE_FOLDER}/{LEDGER_FILE}"
STORE = f"{STORE_FOLDER}/{STORE_FILE}"
DATABASES = (LEDGER, STORE)
SAID = f"{STATE_FOLDER}/{KEPT_TALK}"
_OWN_FILES = (SETTINGS_FILE, "checks.toml")
_COPY = "backup.db"
_BESIDE = ("", "-wal", "-shm", "-journal")
_ATTEMPTS = 5  # to read files that other programs keep writing to


@dataclass
class StateSnapshot:
    """The files of a workspace, with their pieces in `pieces`.

    `before` are those of the generation before: what has not changed since is not read again. Paths that are not
    `is_taken` are left out. `unreadable` are the files that the system refuses, and the links that are not followed,
    each with the reason.
    """

    workspace: Workspace
    index: IndexSettings
    pieces: PieceSink
    before: Mapping[str, SavedFile]
    is_taken: Callable[[str], bool] = lambda _: True
    files: dict[str, SavedFile] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)

    def take(self) -> list[SavedFile]:
        """Read all files and databases, as they are together at one moment; sorted by path."""
        self._read_changed_files()
        databases = dict[str, SavedFile]()
        with self._without_changes() as ledger:
            for _ in range(_ATTEMPTS):
                if not self._read_changed_files():
                    break
            if self.is_taken(LEDGER) and ledger.exists():
                with self._room_for_copy() as copy:
                    copy_store(ledger, copy)
                    databases[LEDGER] = self._save_database(LEDGER, copy)
        # The store may be newer than the ledger: what was said meanwhile is read by a later run.
        if self.is_taken(STORE) and (store := self.workspace.root / STORE).exists():
            from pipeline.store.database import copy_file  # noqa: PLC0415 - it loads SQLAlchemy

            with self._room_for_copy() as copy:
                copy_file(store, copy)
                databases[STORE] = self._save_database(STORE, copy)
        return sorted([*self.files.values(), *databases.values()], key=lambda file: file.path)

    @contextmanager
    def _without_changes(self) -> Iterator[Path]:
        """The file of the ledger, which takes no note meanwhile; where there is none, no job has run."""
        file = self.workspace.root / LEDGER
        with ExitStack() as stack:
            if file.exists():
                store = open_ledger(file).store
                stack.callback(store.close)
                stack.enter_context(store.transaction())
            yield file

    def _read_changed_files(self) -> bool:
        """Read the files that are new or changed, and leave out those that are gone; whether there were any."""
        roots, changed = roots_of(self.workspace, self.index), False
        every = files_of(self.workspace, self.index, roots)
        listed = {path: file for path, file in every if self.is_taken(path)}
        self.unreadable = {}
        for path, file in [*listed.items()]:
            if why := _reason_to_leave_out(path, file, roots):
                self.unreadable[printable_path(path)] = why
                del listed[path]
        for path in self.files.keys() - listed.keys():
            del self.files[path]
            changed = True
        for path, file in listed.items():
            known = self.files.get(path) or self.before.get(path)
            try:
                status = file.stat()
                if known and stamp_of(known) == file_stamp(status) and self.pieces.there.issuperset(known.pieces):
                    self.files[path] = known
                else:
                    self.files[path] = self._save_file(path, file)
                    changed = True
            except FileNotFoundError:
                changed = self.files.pop(path, None) is not None or changed
            except OSError as error:
                self.unreadable[path] = error.strerror or str(error)
                self.files.pop(path, None)
        return changed

    def _save_file(self, path: str, file: Path) -> SavedFile:
        with open(file, "rb", opener=open_regular) as stream:
            return saved_file(path, stream, self.pieces.add_all)

    def _save_database(self, path: str, copy: Path) -> SavedFile:
        """A database by its copy. Equal contents are equal files: times and inodes say nothing."""
        saved = self._save_file(path, copy)
        return saved.model_copy(update={"mtime_ns": 0, "ctime_ns": 0, "inode": 0})

    @contextmanager
    def _room_for_copy(self) -> Iterator[Path]:
        """The place for a copy of a database, for the owner alone; it is removed afterwards.

        It is in the workspace: in the folder of the back-up another user could put a file of this name first.
        """
        copy = self.workspace.state_folder / _COPY
        try:
            remove_database(copy)
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            try:
                yield copy
            finally:
                remove_database(copy)
        except OSError as error:
            raise WriteFailed(str(copy), error.strerror or str(error)) from error


def remove_database(file: Path) -> None:
    """Remove a copy of a database, which nothing has open, with what SQLite has put beside it."""
    for suffix in _BESIDE:
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def saved_file(path: str, stream: BinaryIO, cut: Callable[[BinaryIO], tuple[str, ...]]) -> SavedFile:
    """A file as it is read now, which `cut` cuts into pieces.

    The stamp is from before the first byte, so that a later look sees a change meanwhile; the size is that of what was
    read: another program may append to the file.
    """
    status = os.fstat(stream.fileno())
    pieces = cut(stream)
    return SavedFile(
        path=path,
        size=stream.tell(),
        mode=status.st_mode & 0o777,
        mtime_ns=status.st_mtime_ns,
        ctime_ns=status.st_ctime_ns,
        inode=status.st_ino,
        pieces=pieces,
    )


def stamp_of(file: SavedFile) -> FileStamp:
    """The size, times and inode of a file when it was saved."""
    return file.size, file.mtime_ns, file.ctime_ns, file.inode


def files_of(workspace: Workspace, index: IndexSettings, roots: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """The files that make up a workspace, but for its databases: all in the places of its layout that is not hidden.

    To these come the settings, a person's questions, texts that `index.include` names, and kept messages. Links that
    lead out of the `roots` are among them, and not followed.
    """
    layout, root = workspace.layout, workspace.root
    tops = dict.fromkeys([*_OWN_FILES, *(name for pattern in layout.files for name in workspace.select(pattern))])
    tops.update(dict.fromkeys([*layout.folders, SAID]))
    yield from _files_in({name: root / name for name in tops if os.path.lexists(root / name)}, roots)
    if index.include:
        for listed in list_files(workspace, index, extra=False, searched=False).files:
            yield listed.path, listed.file


def _files_in(tops: Mapping[str, Path], roots: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """The files at paths and below.

    Each real folder is read once, because links in links multiply; links last, because it has a path of its own.
    """
    waiting, read = deque(sorted(tops.items(), key=lambda top: top[1].is_symlink())), set[Path]()
    while waiting:
        path, file = waiting.popleft()
        try:
            inside = sorted(file.iterdir()) if file.is_dir() and not _leads_out(path, file, roots) else None
        except OSError:  # who opens it gets the reason
            inside = None
        if inside is None:
            yield path, file
        elif (real := real_path(file)) not in read:
            read.add(real)
            for below in (below for below in inside if not below.name.startswith(".")):
                add = waiting.append if below.is_symlink() else waiting.appendleft
                add((f"{path}/{below.name}", below))


def _reason_to_leave_out(path: str, file: Path, roots: Sequence[Path]) -> str:
    """The reason to leave out a file; empty without one. A list of files holds no name that is not UTF-8."""
    if _leads_out(path, file, roots):
        return LEADS_OUT
    return "" if path == printable_path(path) else NOT_UTF_8


def _leads_out(path: str, file: Path, roots: Sequence[Path]) -> bool:
    """Whether a link leads out of what is indexed; files and folders that the layout names may be links."""
    return "/" in path and file.is_symlink() and not is_within(real_path(file), roots)
