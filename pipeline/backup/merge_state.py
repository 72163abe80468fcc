"""Merge a generation into the workspace that is there, against the last state that both had.

It is decided as a whole before anything is written, and written file by file; done again after a kill, it comes to the
same end. A database is taken from the side that has changed it since; changed on both sides, it cannot be merged.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Never

from pipeline.backup.manifest import Manifest, SavedFile
from pipeline.backup.merge import Conflict, Side, merge_file
from pipeline.backup.note import read_note
from pipeline.backup.pieces import piece_names
from pipeline.backup.restore import OpenBackup, note_restored
from pipeline.backup.snapshot import DATABASES, LEDGER, SAID, STORE
from pipeline.errors import ReadFailed, WriteFailed
from pipeline.errors.backup import MergeConflicts, MergeRefused
from pipeline.ledger import open_ledger
from pipeline.ledger.evidence import deeds_digest
from pipeline.ledger.store import copy_store
from pipeline.workspace.files import STATE_FOLDER, Workspace
from pipeline.workspace.regular_files import read_regular, replace_private

_SHOWN = 60  # characters of each side of a conflict


@dataclass(frozen=True)
class MergePlan:
    """The files that change, each with its content here and the merged one, and the databases to take."""

    changed: Mapping[str, tuple[bytes | None, bytes]]
    databases: Mapping[str, SavedFile]

    @property
    def paths(self) -> list[str]:
        """All paths that are written."""
        return sorted([*self.changed, *self.databases])


@dataclass(frozen=True)
class WorkspaceMerging:
    """A generation to be merged into a workspace.

    `erased` says of a path whether we took out all that we wrote there: then no missing file is brought back. `prefer`
    is the side whose words hold where both have changed the same.
    """

    backup: OpenBackup
    manifest: Manifest
    workspace: Workspace
    erased: Callable[[str], bool]
    prefer: Side | None

    def plan(self) -> MergePlan:
        """Plan the files and rows to write.

        Raises:
            BackupError: it cannot be merged; both sides changed the same lines; a piece is not as it was written.
        """
        before, there = self.backup.files(self._base()), self.backup.files(self.manifest)
        changed, conflicts = dict[str, tuple[bytes | None, bytes]](), list[str]()
        for path, file in there.items():
            if path in DATABASES or self._stays(path, before.get(path), file):
                continue
            here = self._read(path)
            content = self.backup.content
            merged = merge_file(content(before.get(path)), here, content(file), self.prefer)
            conflicts += (describe_conflict(path, conflict) for conflict in merged.conflicts)
            if merged.data != here:
                changed[path] = here, merged.data
        if conflicts:
            raise MergeConflicts(conflicts)
        databases = {path: there[path] for path in DATABASES if path in there}
        taken = {path: file for path, file in databases.items() if self._takes(path, before.get(path), file)}
        return MergePlan(changed, taken)

    def apply(self, merge: MergePlan) -> None:
        """Write what changes: the files first, and the databases last, without which they do not count.

        The caller holds the locks of all jobs, and lets nobody run jobs here until the end, also after a kill.

        Raises:
            MergeRefused: another program has changed a file meanwhile.
            WriteFailed: the system refuses.
        """
        for path, (here, data) in merge.changed.items():
            if path.startswith(f"{STATE_FOLDER}/"):
                try:
                    replace_private(self.workspace.root / path, data, lasting=True)
                except OSError as error:
                    raise WriteFailed(path, error.strerror or str(error)) from error
            elif not self.workspace.put_file(path, here, data):
                self._refuse(f"{path} was changed meanwhile; run the same command again, which goes on")
        for path, file in merge.databases.items():
            target = self.workspace.root / path
            with self._write_copy(file) as copy:
                target.parent.mkdir(mode=0o700, exist_ok=True)
                (target.parent / ".gitignore").write_bytes(b"*\n")
                _copy_database(path, copy, target)
                target.chmod(0o600)
        note_restored(self.workspace, self.backup, self.manifest)

    def _base(self) -> Manifest:
        """The last generation that the workspace and the back-up shared."""
        note, manifest = read_note(self.workspace), self.manifest
        known = note.backups.get(manifest.chain)
        if note.workspace != manifest.workspace:
            self._refuse("it is another workspace, or has lost its note on back-ups")
        if known is None:
            self._refuse("it was never backed up there, so nobody can tell what has changed since")
        if manifest.number < known.number:
            self._refuse(f"it has had the later generation {known.number} since")
        shared = (one for one in self.backup.chain if (one.number, one.digest) == (known.number, known.digest))
        return next(shared, None) or self._refuse(f"generation {known.number}, which both had, is not kept any more")

    def _refuse(self, why: str) -> Never:
        raise MergeRefused(str(self.workspace.root), self.manifest.number, why)

    def _stays(self, path: str, before: SavedFile | None, there: SavedFile) -> bool:
        """Whether a file stays as it is here, or away, without a look at its text."""
        is_here = (self.workspace.root / path).exists()
        if path.startswith(f"{SAID}/"):  # it goes with its time, or is forgotten: it is never brought back
            return is_here or before is not None
        return before is not None and before.pieces == there.pieces if is_here else self.erased(path)

    def _takes(self, path: str, before: SavedFile | None, there: SavedFile) -> bool:
        """Whether a database comes from the back-up: where it was changed there, and not here; a missing one too."""
        if not (self.workspace.root / path).exists():
            return True
        if before and before.pieces == there.pieces:
            return False
        base, here, new = self._digest_of(path, before), self._digest_here(path), self._digest_of(path, there)
        if new in (here, base):
            return False
        if here != base:
            change = "jobs have run or a person has decided" if path == LEDGER else "the store has changed"
            self._refuse(f"since both were the same, {change} here and in the back-up too")
        return True

    def _digest_of(self, path: str, file: SavedFile | None) -> str:
        """The digest of what a database of a generation says; empty without one."""
        if file is None:
            return ""
        if path == STORE:
            return repr(file.pieces)
        with self._write_copy(file) as copy:
            return _deeds_in(copy)

    def _digest_here(self, path: str) -> str:
        """The same of a database of the workspace, by a copy of it as it is at one moment."""
        with _room_in(self.workspace.state_folder) as copy:
            _copy_database(path, self.workspace.root / path, copy)
            if path != STORE:
                return _deeds_in(copy)
            with copy.open("rb") as stream:
                return repr(piece_names(stream))

    @contextmanager
    def _write_copy(self, file: SavedFile) -> Iterator[Path]:
        """A database of the back-up on the disk, for a moment."""
        with _room_in(self.workspace.state_folder) as copy:
            self.backup.write(file, copy)
            yield copy

    def _read(self, path: str) -> bytes | None:
        """The bytes of a file here, also of what is kept of messages; `None` without one."""
        try:
            return read_regular(self.workspace.root / path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error


def _deeds_in(copy: Path) -> str:
    store = open_ledger(copy).store
    try:
        return deeds_digest(store)
    finally:
        store.close()


@contextmanager
def _room_in(folder: Path) -> Iterator[Path]:
    """The place for a copy of a database, for the owner alone; it is removed afterwards."""
    try:
        with TemporaryDirectory(prefix="restore-", dir=folder) as room:
            yield Path(room) / "copy.db"
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def _copy_database(path: str, source: Path, target: Path) -> None:
    """Copy a database over another one, which other processes may have open."""
    if path == LEDGER:
        copy_store(source, target)
        return
    from pipeline.store.database import copy_file  # noqa: PLC0415 - it loads SQLAlchemy

    copy_file(source, target)


def describe_conflict(path: str, conflict: Conflict, other: str = "back-up") -> str:
    """A conflict for people: the place, and how the words of both sides begin."""
    here, there = _beginning(conflict.here, conflict.there), _beginning(conflict.there, conflict.here)
    return f"  {path}\n    here:    {here}\n    {other}: {there}"


def _beginning(side: bytes, other: bytes) -> str:
    """The first line of a side that the other does not have."""
    lines, others = (dict.fromkeys(data.decode(errors="replace").splitlines()) for data in (side, other))
    line = next((line for line in lines if line.strip() and line not in others), "(taken out)")
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
