"""Pushes: the pages of a folder that was pulled are merged with those of the fleet, against what both had.

A push brings pages, and never a database: the ledger, the store and what is kept of messages are those of the fleet. A
block that the pull did not have is no deletion, and a change of the same line on both sides is shown and not guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from psycopg import Connection
from psycopg.errors import ForeignKeyViolation
from psycopg.rows import TupleRow
from pydantic import ValidationError

from pipeline.app.engine import setting_problems
from pipeline.backup.manifest import SavedFile
from pipeline.backup.merge import merge_file
from pipeline.backup.merge_state import describe_conflict
from pipeline.backup.snapshot import DATABASES, SAID
from pipeline.corrections.erasure import all_held
from pipeline.engine.context import Engine
from pipeline.errors import ChangedMeanwhile, SettingsInvalid
from pipeline.errors.fleet import NotPulled, PushConflicts, PushOutdated, PushUnusable
from pipeline.fleet.acts import ask
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.folders import NOTE, SET_BY_FLEET, PullNote, refuse_leading_out
from pipeline.fleet.manifest import note_files, read_manifest
from pipeline.fleet.pieces import PieceWriter, read_pieces
from pipeline.fleet.queue import FOR_A_PERSON, offer_work
from pipeline.fleet.tree import WorkspaceTree
from pipeline.fleet.workspaces import find_workspace
from pipeline.markdown.encoding import closing_fault
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.leading_out import leading_out
from pipeline.settings.load import load_settings, parse_settings, toml_values
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from pipeline.workspace.regular_files import read_regular
from schemas.fleet_act import PushAct

_PAGE = ".md"
_NOTE_PUSH = """
INSERT INTO generation (workspace_id, number, made, files, size, pieces, written) VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
_KEPT = "SELECT number FROM generation WHERE workspace_id = %s AND number IN (%s, %s)"


def push_folder(database: FleetDatabase, root: Path, context: ProcessContext) -> tuple[str, int]:
    """Push the files of a folder; the name of the workspace, and the number of the act that merges them.

    Raises:
        FleetError: the folder was not pulled; its generation is not kept any more; the database cannot be used.
        SettingsInvalid: the settings of the workspace cannot be used.
    """
    try:
        note = PullNote.model_validate_json(read_regular(root / NOTE))
    except (OSError, ValidationError) as error:
        raise NotPulled(str(root)) from error
    settings, now = load_settings(root, context.environment), context.clock.now()
    refuse_leading_out(root, settings)
    workspace = Workspace(root, Layout(discover(), settings.agents.root))
    with database.transaction() as connection:
        if find_workspace(connection, note.name).id != note.workspace:
            raise NotPulled(str(root))
        base = read_manifest(connection, note.workspace, note.generation)
        writer = PieceWriter(connection, note.workspace, {name for file in base.values() for name in file.pieces})
        files = WorkspaceTree(workspace.root).take(workspace, settings.index, writer, is_taken=is_page)
        writer.flush()
        seq = ask(connection, note.workspace, note.name, PushAct(base=note.generation), now)
        # From here on nothing is forgotten before the push is there, and goes with what is forgotten.
        if not connection.execute(_KEPT, [note.workspace, note.generation, note.generation]).rowcount:
            raise PushOutdated(note.generation)
        size = sum(file.size for file in files)
        values = [note.workspace, -seq, now, len(files), size, len(writer.added), sum(writer.added)]
        connection.execute(_NOTE_PUSH, values)
        try:
            note_files(connection, note.workspace, -seq, files, 1 - seq)
        except ForeignKeyViolation as error:  # a piece has gone that was there when the folder was read
            raise PushOutdated(note.generation) from error
        offer_work(connection, note.workspace, FOR_A_PERSON)
    return note.name, seq


def is_page(path: str) -> bool:
    """Whether a file is pushed: all but the databases and what is kept of messages."""
    return path not in DATABASES and not path.startswith(f"{SAID}/")


@dataclass(frozen=True)
class PushedFiles:
    """The files of a push, and those of the generation that it began with."""

    database: FleetDatabase
    workspace: UUID
    base: int
    seq: int

    def merge_into(self, engine: Engine) -> list[str]:
        """Merge them into the workspace of an engine; the paths that changed.

        Where another program changes a file meanwhile, the act waits: the next slice merges all again.
        """
        with self.database.snapshot() as connection:
            kept = {number for (number,) in connection.execute(_KEPT, [self.workspace, self.base, -self.seq])}
            if kept != {self.base, -self.seq}:
                raise PushOutdated(self.base)
            before, pushed = (read_manifest(connection, self.workspace, one) for one in (self.base, -self.seq))
            changed = self._changes(connection, engine, before, pushed)
        with all_held(engine):
            for path, (here, data) in changed.items():
                if not engine.workspace.put_file(path, here, data):
                    raise ChangedMeanwhile(path)
        return [*changed]

    def _changes(
        self,
        connection: Connection[TupleRow],
        engine: Engine,
        before: Mapping[str, SavedFile],
        pushed: Mapping[str, SavedFile],
    ) -> dict[str, tuple[bytes | None, bytes]]:
        """The files that change, each with its content here and the merged one."""

        def content(file: SavedFile | None) -> bytes | None:
            return b"".join(read_pieces(connection, self.workspace, file.pieces)) if file else None

        changed, conflicts = dict[str, tuple[bytes | None, bytes]](), list[str]()
        for path, file in pushed.items():
            if path in before and before[path].pieces == file.pieces:
                continue
            here = engine.workspace.read(path)
            merged = merge_file(content(before.get(path)), here, content(file))
            conflicts += (describe_conflict(path, conflict, "pushed ") for conflict in merged.conflicts)
            if merged.data != here:
                changed[path] = here, merged.data
        if conflicts:
            raise PushConflicts(conflicts)
        _refuse_unusable(engine, {path: data for path, (_, data) in changed.items()})
        return changed


def _refuse_unusable(engine: Engine, changed: Mapping[str, bytes]) -> None:
    """Refuse files with which no worker could open the workspace any more, so that nobody could mend them."""
    for path, data in changed.items():
        if path.endswith(_PAGE) and (fault := closing_fault(data)):
            raise PushUnusable(path, fault.what)
    if SETTINGS_FILE in changed:
        settings = parse_settings(toml_values(changed[SETTINGS_FILE], SETTINGS_FILE), SETTINGS_FILE)
        problems = [*setting_problems(settings, discover(), {})]
        outside = leading_out(engine.workspace.root, settings, SET_BY_FLEET)
        problems += (f"{name}: it leads out of the workspace" for name in outside)
        if settings.agents.root != engine.settings.agents.root:
            problems.append("agents.root: a push cannot change it, for the pages of agents would stay behind")
        if problems:
            raise SettingsInvalid(SETTINGS_FILE, problems)
