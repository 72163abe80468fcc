"""Open a back-up, and restore a generation of it into a new folder.

The signatures and every piece are checked before anything is written. The folder is made beside its place, and moved
there when it is whole.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.backup.key import OwnerKey
from pipeline.backup.manifest import Generations, Manifest, SavedFile, read_list
from pipeline.backup.note import KnownBackup, read_note, write_note
from pipeline.backup.pieces import FOLDER as PIECES
from pipeline.backup.pieces import PieceStore
from pipeline.backup.snapshot import DATABASES
from pipeline.errors import WriteFailed
from pipeline.errors.backup import BackupDamaged, BackupRolledBack, NoBackup, RestoreInTheWay
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Locks
from pipeline.workspace.regular_files import make_folder

_MODES = 0o755  # nobody else may write to what is restored


@dataclass(frozen=True)
class OpenBackup:
    """A back-up whose generations fit together; they are `signed` where the owner's key was there to see."""

    folder: Path
    chain: Sequence[Manifest]
    signed: bool
    pieces: PieceStore

    def files(self, manifest: Manifest) -> dict[str, SavedFile]:
        """The files of a generation, by path, each of whose pieces is as it was written.

        Raises:
            BackupDamaged: one is not.
        """
        files = read_list(self.pieces, manifest)
        for file in files.values():
            if sum(len(self.pieces.read(name)) for name in file.pieces) != file.size:
                raise BackupDamaged(str(self.folder), f"has another size of {file.path} than it says", str(self.folder))
        return files

    def content(self, file: SavedFile | None) -> bytes | None:
        """The bytes of a file; `None` without one."""
        return b"".join(map(self.pieces.read, file.pieces)) if file else None

    def write(self, file: SavedFile, target: Path) -> None:
        """Write a file where none is.

        Raises:
            OSError: the system refuses.
        """
        make_folder(target.parent)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            for name in file.pieces:
                stream.write(self.pieces.read(name))
            stream.flush()
            os.fsync(stream.fileno())
        target.chmod(file.mode & _MODES | 0o600)
        if file.mtime_ns:
            os.utime(target, ns=(file.mtime_ns, file.mtime_ns))


def signer_of(folder: Path) -> str:
    """The name of the key that has signed the newest generation in a folder, as that says.

    Raises:
        BackupError: there is no generation, or it cannot be read.
    """
    generations = Generations(folder)
    if not generations.numbers:
        raise NoBackup(str(folder))
    return generations.read(generations.numbers[-1], None).key


def open_backup(folder: Path, key: OwnerKey | None, seen: Callable[[str], int] = lambda _: 0) -> OpenBackup:
    """Open the back-up in a folder; `seen` gives the newest generation of it that this home has seen.

    Raises:
        BackupError: there is none; it is not as it was written; this home has seen a newer state of it.
    """
    chain = Generations(folder).chain(key)
    if not chain:
        raise NoBackup(str(folder))
    newest, known = chain[-1], seen(chain[-1].chain)
    if newest.number < known:
        raise BackupRolledBack(str(folder), newest.number, known)
    return OpenBackup(folder, chain, signed=key is not None, pieces=PieceStore(folder / PIECES))


def require_room_for(target: Path) -> None:
    """Refuse a place for a new folder in which anything is.

    Raises:
        RestoreInTheWay: it is no folder, or not empty.
        WriteFailed: the system refuses.
    """
    try:
        if target.is_dir() and any(target.iterdir()):
            raise RestoreInTheWay(str(target), "not empty")
        if os.path.lexists(target) and not target.is_dir():
            raise RestoreInTheWay(str(target), "no folder")
    except OSError as error:
        raise WriteFailed(str(target), error.strerror or str(error)) from error


def restore_new(
    backup: OpenBackup, manifest: Manifest, target: Path, settle: Callable[[Path], int]
) -> tuple[list[str], int]:
    """Restore a generation into a folder that is empty or not there; the paths, and what `settle` gives.

    It is called with the folder before that has its name.

    Raises:
        BackupError: something is there; a piece is missing, or is not as it was written.
        WriteFailed: the system refuses.
    """
    require_room_for(target)
    files = backup.files(manifest)
    staging = target.with_name(f".{target.name}.restoring")
    try:
        make_folder(target.parent)
        shutil.rmtree(staging, ignore_errors=True)  # of a process that was killed
        staging.mkdir(0o700)
        try:
            for path, file in files.items():
                backup.write(file, staging / path)
            for folder in {Path(path).parts[0] for path in files if path in DATABASES}:
                (staging / folder / ".gitignore").write_bytes(b"*\n")
            settled = settle(staging)
            workspace = Workspace(staging)
            Locks(workspace.lock_folder).take_over()
            note_restored(workspace, backup, manifest)
            staging.rename(target)
        finally:  # nothing is there any more when it has its name
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise WriteFailed(str(error.filename or target), error.strerror or str(error)) from error
    return sorted(files), settled


def note_restored(workspace: Workspace, backup: OpenBackup, manifest: Manifest) -> None:
    """Note the generation as the last state that the workspace shares with the back-up."""
    note = read_note(workspace)
    before = note.backups.get(manifest.chain)
    known = KnownBackup(
        folder=str(backup.folder),
        number=manifest.number,
        digest=manifest.digest,
        at=before.at if before else manifest.made,
        every=before.every if before else 0,
    )
    write_note(workspace, note.having(manifest.workspace, manifest.chain, known))
