"""The folders of people: a workspace goes from a folder into the fleet, and from the fleet into a folder.

With its files go the conversations, stored texts and preferences: in a folder they are a file, in a fleet rows.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from pydantic import SecretStr

from pipeline.app.redaction import open_redactor
from pipeline.app.store_transfer import StoreImport, export_store
from pipeline.backup.restore import require_room_for
from pipeline.backup.snapshot import STORE
from pipeline.errors import WriteFailed
from pipeline.errors.fleet import FolderLeadsOut, GenerationDamaged
from pipeline.fleet.checkout import Checkout, publish
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.manifest import read_manifest
from pipeline.fleet.pieces import read_pieces
from pipeline.fleet.slice_store import keep_open
from pipeline.fleet.tree import WorkspaceTree
from pipeline.fleet.workspaces import FleetWorkspace, add_workspace, find_workspace
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.leading_out import Location, leading_out
from pipeline.settings.load import load_settings, sift_settings
from pipeline.store.database import Database, share_server
from pipeline.store.opening import WorkspaceStore
from pipeline.workspace.files import STATE_FOLDER, Workspace
from pipeline.workspace.layout import Layout
from pipeline.workspace.regular_files import make_folder, replace_private, write_regular
from schemas.base import Moment, Value
from schemas.detail import ALL_DETAILS
from schemas.reports.fleet import FleetWorkspacePulled
from schemas.settings import Settings
from schemas.store_settings import StoreSettings

LEASED_FOR = timedelta(days=30)
"""How long the generation of a pull is kept, so that a push can be merged against it."""
NOTE = f"{STATE_FOLDER}/fleet.json"

SET_BY_FLEET: Mapping[Location, str] = dict.fromkeys(
    (("store", "url"), ("model", "base_url"), ("embedder", "base_url")), ""
)
"""The settings that a fleet sets for all workspaces, so that those of an owner lead nowhere."""
_LEASE = """
INSERT INTO lease (workspace_id, holder, generation, until) VALUES (%s, %s, %s, %s)
ON CONFLICT (workspace_id, holder) DO UPDATE SET generation = excluded.generation, until = excluded.until
"""


class PullNote(Value):
    """The note in a folder: the generation of a workspace that it got, which is kept `until` a moment."""

    workspace: UUID
    name: str
    generation: int
    until: Moment


def add_folder(database: FleetDatabase, name: str, root: Path, context: ProcessContext) -> None:
    """Add a workspace to a fleet with the files of a folder as its first generation; jobs may run there meanwhile.

    It is one transaction, so who is killed has added nothing, or all.

    Raises:
        FleetError: there is a workspace of this name; a file cannot be read; the database cannot be used.
        SettingsInvalid: the settings of the workspace cannot be used.
        StoreError: its store cannot be read.
    """
    settings, now = load_settings(root, context.environment), context.clock.now()
    refuse_leading_out(root, settings)
    workspace = Workspace(root, Layout(discover(), settings.agents.root))
    with (
        closing(WorkspaceStore(root, settings.store)) as own,
        _export_rows(own) as exported,
        closing(share_server(database.url).in_one_transaction(keep_open)) as rows,
        database.with_fleet_errors(),
    ):
        with rows.writing():
            connection = rows.connection
        first = Checkout(add_workspace(connection, name, now, now), name, 0, 0, {})
        take = partial(WorkspaceTree(root).take, workspace, settings.index, is_taken=lambda path: path != STORE)
        publish(connection, first, take, now)
        if exported:
            target = _OpenStore(Path(), StoreSettings(workspace=str(first.workspace)), opened=rows)
            StoreImport(target, open_redactor(settings), exported).done()
        connection.commit()


@dataclass
class _OpenStore(WorkspaceStore):
    """The store of a workspace in a database that is open already."""

    opened: Database = field(kw_only=True)

    def open(self) -> Database:
        """The database."""
        return self.opened


@contextmanager
def _export_rows(store: WorkspaceStore) -> Iterator[Path | None]:
    """A folder with all that is in a store, if there is anything."""
    if not store.exists:
        yield None
        return
    with TemporaryDirectory(prefix="memory-store-") as room:
        folder = Path(room) / "store"
        copied = export_store(store, folder, ALL_DETAILS)
        yield folder if copied.keys or copied.conversations or copied.preferences else None


def refuse_leading_out(root: Path, settings: Settings) -> None:
    """Refuse a folder with links, or settings, that lead out of it: it is an owner's, and what is there is not."""
    if names := leading_out(root, settings, SET_BY_FLEET):
        raise FolderLeadsOut(str(root), names)


def pull_folder(database: FleetDatabase, name: str, target: Path, holder: str, now: datetime) -> FleetWorkspacePulled:
    """Pull the newest generation of a workspace into a folder that is empty or not there; `holder` gets the lease.

    Raises:
        FleetError: there is no such workspace; a piece is missing; the database cannot be used.
        RestoreInTheWay: something is there.
        WriteFailed: the system refuses.
    """
    require_room_for(target)
    until, staging = now + LEASED_FOR, target.with_name(f".{target.name}.pulled")
    try:
        make_folder(target.parent)
        shutil.rmtree(staging, ignore_errors=True)  # of a process that was killed
        try:
            workspace, files = _fill_leased(database, name, staging, holder, until)
            note = PullNote(workspace=workspace.id, name=name, generation=workspace.generation, until=until)
            replace_private(staging / NOTE, note.model_dump_json().encode(), lasting=True)
            write_regular(staging / STATE_FOLDER / ".gitignore", b"*\n")
            settings, _ = sift_settings(staging, {})  # also those of a newer program, to be looked at
            there = StoreSettings(url=SecretStr(database.url), workspace=str(workspace.id))
            with closing(WorkspaceStore(Path(), there)) as rows, _export_rows(rows) as exported:
                own = StoreSettings(workspace=settings.store.workspace)
                if exported:
                    with closing(WorkspaceStore(staging, own)) as kept:
                        StoreImport(kept, open_redactor(settings), exported).done()
            staging.chmod(0o700)
            staging.rename(target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise WriteFailed(str(error.filename or target), error.strerror or str(error)) from error
    return FleetWorkspacePulled(name, workspace.generation, str(target), files, until)


def _fill_leased(
    database: FleetDatabase, name: str, folder: Path, holder: str, until: datetime
) -> tuple[FleetWorkspace, int]:
    """Fill a folder with the newest generation of a workspace, which is leased before it is read; how many files."""
    while True:
        with database.transaction() as connection:
            leased = find_workspace(connection, name)
            connection.execute(_LEASE, [leased.id, holder, leased.generation, until])
        with database.snapshot() as connection:
            if find_workspace(connection, name) != leased:
                continue  # another was published between the two
            files = read_manifest(connection, leased.id, leased.generation)
            try:
                WorkspaceTree(folder).match(files, partial(read_pieces, connection, leased.id))
            except ValueError as error:
                raise GenerationDamaged(name, leased.generation) from error
        return leased, len(files)
