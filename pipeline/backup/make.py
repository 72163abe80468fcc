"""Make a back-up: a new generation beside those that are there, which stay good until the new one is whole."""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile

from pipeline.backup.key import OwnerKey
from pipeline.backup.manifest import FOLDER as GENERATIONS
from pipeline.backup.manifest import Generations, Manifest, SavedFile, read_list, save_list
from pipeline.backup.note import BackupNote, KnownBackup, read_note, write_note
from pipeline.backup.pieces import FOLDER as PIECES
from pipeline.backup.pieces import PieceStore
from pipeline.backup.snapshot import StateSnapshot
from pipeline.errors import Held, WriteFailed
from pipeline.errors.backup import (
    BackupDamaged,
    BackupGone,
    BackupHeld,
    BackupInside,
    BackupRolledBack,
    FolderTaken,
    OtherBackup,
    OtherKey,
)
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch
from pipeline.workspace.regular_files import make_folder
from schemas.index_settings import IndexSettings
from schemas.reports.backup import BackupReport, GenerationReport

KEPT = 5
"""Generations that are kept, unless a person wants another number."""
_LOCK = "lock"
_OURS = {_LOCK, PIECES, GENERATIONS}
_NOT_OURS_EITHER = (".", "lost+found")  # beginnings of names that a folder of ours may have as well


@dataclass(frozen=True)
class Maker:
    """The maker of a generation: the owner's key, the version of the product, the host, and the present moment.

    `seen` gives the newest generation of a chain that this home has seen.
    """

    key: OwnerKey
    version: str
    host: str
    now: datetime
    seen: Callable[[str], int]


@dataclass(frozen=True)
class BackupWishes:
    """The wishes of a person: how many generations are `kept`, in how many days the next one is due (0 says nothing).

    With `verify` all pieces are read, also those of earlier generations.
    """

    kept: int = KEPT
    every: int = 0
    verify: bool = False


def back_up(
    workspace: Workspace, index: IndexSettings, folder: Path, maker: Maker, wishes: BackupWishes
) -> BackupReport:
    """Make a generation in a folder; where nothing has changed, the newest stays the newest.

    Raises:
        BackupError: the folder cannot take it; another process is at it; what is there is not as it was written.
        StoreError: the store cannot be used.
        LedgerError: the ledger cannot be used.
        WorkspaceError: another process keeps it too long; the system refuses.
    """
    with _hold_folder(workspace, folder):
        generations, note = Generations(folder), read_note(workspace)
        chain = _chain_for(generations, note, maker)
        newest = chain[-1] if chain else None
        pieces = PieceStore(folder / PIECES)
        damaged = pieces.drop_damaged() if wishes.verify else 0
        snapshot = StateSnapshot(workspace, index, pieces, _list_of(pieces, newest) or {})
        files = snapshot.take()
        listed = save_list(pieces, files)
        for name in pieces.written:  # as they are on the disk, or in its memory, by now
            pieces.read(name)
        manifest = newest if newest and newest.files == listed else None
        if manifest is None:
            manifest = Manifest(
                version=maker.version,
                key=maker.key.name,
                chain=newest.chain if newest else uuid.uuid4().hex,
                workspace=note.workspace or uuid.uuid4().hex,
                number=newest.number + 1 if newest else 1,
                previous=newest.digest if newest else "",
                made=maker.now,
                host=maker.host,
                folder=str(workspace.root),
                files=listed,
                count=len(files),
                size=sum(file.size for file in files),
            )
            generations.write(manifest, maker.key)
            chain.append(manifest)
        generations.drop_oldest(wishes.kept)
        kept = chain[-wishes.kept :]
        reports = list(list_generations(pieces, kept, signed=True))
        named = [_named_by(pieces, generation) for generation in kept]
        # A list that cannot be read may come back, and what it names has to be there then.
        pieces.keep(pieces.there if None in named else {name for names in named if names for name in names})
        known = KnownBackup(
            folder=str(folder), number=manifest.number, digest=manifest.digest, at=maker.now, every=wishes.every
        )
        write_note(workspace, note.having(manifest.workspace, manifest.chain, known))
    return BackupReport(
        folder=str(folder),
        generation=manifest.number,
        made=manifest.made,
        changed=manifest is not newest,
        files=manifest.count,
        size=manifest.size,
        pieces=len(pieces.written),
        written=sum(pieces.written.values()),
        generations=tuple(report.generation for report in reports),
        damaged=damaged,
        incomplete=tuple(report.generation for report in reports if not report.whole),
        unreadable=tuple(f"{path}: {why}" for path, why in sorted(snapshot.unreadable.items())),
        chain=manifest.chain,
    )


def list_generations(pieces: PieceStore, chain: list[Manifest], *, signed: bool) -> Iterator[GenerationReport]:
    """The generations of a back-up, the oldest first, each with whether its list and all its pieces are there."""
    for one in chain:
        named = _named_by(pieces, one)
        whole = named is not None and pieces.there.issuperset(named)
        yield GenerationReport(one.number, one.made, one.host, one.folder, one.count, one.size, whole, signed)


@contextmanager
def _hold_folder(workspace: Workspace, folder: Path) -> Iterator[None]:
    """Hold the folder, for us alone, and the workspace's right to make back-ups."""
    root = workspace.root
    if folder.is_relative_to(root) or root.is_relative_to(folder):
        raise BackupInside(str(folder), str(root))
    _prepare(folder)
    with ExitStack() as stack:
        for latch in (Latch(workspace.state_folder / "backup.lock"), Latch(folder / _LOCK)):
            try:
                stack.enter_context(latch.hold(0))
            except Held as error:
                raise BackupHeld(str(latch.path)) from error
        yield


def _prepare(folder: Path) -> None:
    """Make the folder, open to its owner alone; one that is there holds a back-up, a part of one, or nothing.

    A link in it could lead to files of other people, or to other files of the owner.
    """
    try:
        if not folder.exists():
            make_folder(folder.parent)
            folder.mkdir(0o700)
        if not folder.is_dir():
            raise FolderTaken(str(folder), "is no folder")
        others = {file.name for file in folder.iterdir() if not file.name.startswith(_NOT_OURS_EITHER)} - _OURS
        if others:
            raise FolderTaken(str(folder), f"has other things in it, such as {min(others)}")
        places = [*(folder / name for name in sorted(_OURS)), *(folder / PIECES).glob("*")]
        if link := next((place for place in places if place.is_symlink()), None):
            raise FolderTaken(str(folder), f"has a link in it, {link.relative_to(folder)}")
        if folder.stat().st_uid == os.geteuid():
            with suppress(PermissionError):  # a disk without modes
                folder.chmod(0o700)
        if _is_open_to_others(folder):
            raise FolderTaken(str(folder), "is open to another user of this machine")
        (folder / PIECES).mkdir(0o700, exist_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def _is_open_to_others(folder: Path) -> bool:
    """Whether others could write there, on a disk that keeps owners and modes."""
    status = folder.stat()
    if status.st_uid == os.geteuid() and not status.st_mode & 0o022:
        return False
    with TemporaryFile(dir=folder) as file:
        ours = os.fstat(file.fileno())
    return ours.st_uid == os.geteuid() and not ours.st_mode & 0o077


def _chain_for(generations: Generations, note: BackupNote, maker: Maker) -> list[Manifest]:
    """The generations in a folder, which have to be of this workspace, signed with this key, and the newest seen."""
    folder = str(generations.folder)
    known = any(backup.folder == folder for backup in note.backups.values())
    if not generations.numbers:
        if known:
            raise BackupGone(folder)
        return []
    claimed = generations.read(generations.numbers[-1], None)
    if claimed.key != maker.key.name:
        raise OtherKey(folder, "your home")
    chain = generations.chain(maker.key)
    newest = chain[-1]
    if newest.workspace != note.workspace:
        raise OtherBackup(folder, newest.folder, newest.host)
    if known and newest.chain not in note.backups:
        raise BackupGone(folder)
    if newest.number < (seen := maker.seen(newest.chain)):
        raise BackupRolledBack(folder, newest.number, seen)
    return chain


def _list_of(pieces: PieceStore, manifest: Manifest | None) -> dict[str, SavedFile] | None:
    """The files of a generation; `None` without one, or where its list is damaged."""
    with suppress(BackupDamaged):
        return read_list(pieces, manifest) if manifest else None
    return None


def _named_by(pieces: PieceStore, manifest: Manifest) -> set[str] | None:
    """The pieces of a generation: of its list, and of the files in it; `None` where the list is damaged."""
    listed = _list_of(pieces, manifest)
    return None if listed is None else {*manifest.files, *(name for file in listed.values() for name in file.pieces)}
