"""The workspaces of a fleet: added, listed, taken out.

A name that is given again is another workspace, with another id.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.errors.fleet import FleetNameInvalid, FleetNameTaken, UnknownFleetWorkspace
from pipeline.fleet.checkout import NOTED_AGAIN, end_store_transaction
from pipeline.workspace.layout import FORGOTTEN
from schemas.reports.fleet import FleetWorkspaceReport

HEARD_AFTER = timedelta(minutes=10)
"""From words that arrive to the slice that reads them, at most; others come meanwhile."""
_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ADD = "INSERT INTO workspace (id, name, added, next_due) VALUES (%s, %s, %s, %s) ON CONFLICT (name) DO NOTHING"
_FIND = "SELECT id, name, generation FROM workspace WHERE name = %s"
_FIND_READY = "SELECT id, name, generation FROM workspace WHERE id = %s AND state = 'ready'"
_EXISTING = "SELECT id FROM workspace WHERE id = ANY(%s::uuid[])"
_NEWEST = "SELECT id, generation FROM workspace WHERE id = ANY(%s::uuid[])"
_FORGOTTEN = """
SELECT workspace_id, since FROM manifest WHERE workspace_id = ANY(%s::uuid[]) AND path = %s AND until IS NULL
"""
_RESUME = "UPDATE workspace SET state = 'ready', deaths = 0, next_due = least(next_due, %s) WHERE id = %s"
_TRY_ACTS = """
UPDATE act SET state = 'waiting', failures = 0, failure = '' WHERE workspace_id = %s AND state = 'aside'
"""
_NOTE_WORDS = """
UPDATE workspace SET heard = %(now)s, next_due = least(next_due, %(due)s)
WHERE id = %(workspace)s AND (heard IS NULL OR heard <= %(before)s)
"""
_REPORT = """
SELECT name, id::text, state, workspace.generation, made, coalesce(files, 0), coalesce(size, 0), coalesce(pieces, 0),
  coalesce(written, 0), deaths, next_due, failure, asked_again, input_tokens, output_tokens
FROM workspace LEFT JOIN generation ON workspace_id = id AND number = workspace.generation
WHERE %(name)s::text IS NULL OR name = %(name)s ORDER BY name
"""
_REMOVE_STORE = (
    "DELETE FROM conversations WHERE workspace = %s",
    # In the orders in which others lock several of them.
    "SELECT FROM user_preferences WHERE workspace = %s ORDER BY user_id, agent_id FOR UPDATE",
    "DELETE FROM user_preferences WHERE workspace = %s",
    "SELECT FROM agent_memories WHERE workspace = %s ORDER BY id FOR UPDATE",
    "DELETE FROM agent_memories WHERE workspace = %s",
)
WAIT_FOR_REMOVAL = "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 1))"
"""Said of a workspace before its store is written in: a removal locks its row first, then those of its store."""
_HOLD_OFF_STORE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))"
# A publication, a push or a conversation under way ends before.
_LOCK = "SELECT FROM workspace WHERE id = %s FOR UPDATE"
# A piece goes after the files that name it.
_REMOVE = (
    "DELETE FROM manifest WHERE workspace_id = %s",
    "DELETE FROM piece WHERE workspace_id = %s",
    "DELETE FROM workspace WHERE id = %s",
)


@dataclass(frozen=True)
class FleetWorkspace:
    """A workspace of a fleet, and its newest `generation`: 0 before the first."""

    id: UUID
    name: str
    generation: int


def add_workspace(connection: Connection[TupleRow], name: str, now: datetime, due: datetime | None) -> UUID:
    """Add an empty workspace, and when it is due; its id. Its name stands in the addresses of the fronts."""
    if not _NAME.fullmatch(name):
        raise FleetNameInvalid(name)
    workspace = uuid4()
    if not connection.execute(_ADD, [workspace, name, now, due]).rowcount:
        raise FleetNameTaken(name)
    return workspace


def list_workspaces(connection: Connection[TupleRow], name: str | None = None) -> list[FleetWorkspaceReport]:
    """All workspaces, by their names, or that of one name."""
    return [FleetWorkspaceReport(*row) for row in connection.execute(_REPORT, {"name": name})]


def find_workspace(connection: Connection[TupleRow], name: str) -> FleetWorkspace:
    """The workspace of this name.

    Raises:
        UnknownFleetWorkspace: there is none.
    """
    if row := connection.execute(_FIND, [name]).fetchone():
        return FleetWorkspace(*row)
    raise UnknownFleetWorkspace(name)


def find_existing_workspaces(connection: Connection[TupleRow], workspaces: Sequence[UUID]) -> set[UUID]:
    """The workspaces, of these, that have not been taken out."""
    return {workspace for (workspace,) in connection.execute(_EXISTING, [workspaces])}


def find_newest_generations(connection: Connection[TupleRow], workspaces: Sequence[UUID]) -> dict[UUID, int]:
    """The newest generations of those of some workspaces that have not been taken out."""
    return dict[UUID, int](connection.execute(_NEWEST, [workspaces]).fetchall())


def find_generations_of_forgetting(connection: Connection[TupleRow], workspaces: Sequence[UUID]) -> dict[UUID, int]:
    """The generations in which something was forgotten last, of those of some workspaces where anything was."""
    return dict[UUID, int](connection.execute(_FORGOTTEN, [workspaces, FORGOTTEN]).fetchall())


def resume_workspace(connection: Connection[TupleRow], workspace: UUID, now: datetime) -> None:
    """Let workers try a workspace again that is parked, and its acts that were set aside; it is due at once."""
    connection.execute(_RESUME, [now, workspace])
    try_acts_again(connection, workspace)


def try_acts_again(connection: Connection[TupleRow], workspace: UUID) -> bool:
    """Let the acts of a workspace that were set aside wait for a worker again; whether there were any."""
    return connection.execute(_TRY_ACTS, [workspace]).rowcount > 0


def note_words(connection: Connection[TupleRow], workspace: UUID, now: datetime) -> None:
    """Note that words arrive which jobs read: the workspace is due soon, if it is not before."""
    values = {"workspace": workspace, "now": now, "due": now + HEARD_AFTER, "before": now - NOTED_AGAIN}
    connection.execute(_NOTE_WORDS, values)


def find_ready(connection: Connection[TupleRow], workspace: UUID) -> FleetWorkspace | None:
    """The workspace of this id, if it is there and not parked."""
    row = connection.execute(_FIND_READY, [workspace]).fetchone()
    return FleetWorkspace(*row) if row else None


def remove_workspace(connection: Connection[TupleRow], workspace: UUID) -> None:
    """Take a workspace out, with all that was published and said. Checkouts of it can publish nothing any more."""
    end_store_transaction(connection, workspace)
    connection.execute(_HOLD_OFF_STORE, [str(workspace)])
    connection.execute(_LOCK, [workspace])
    for statement in _REMOVE_STORE:
        connection.execute(statement, [str(workspace)])
    for statement in _REMOVE:
        connection.execute(statement, [workspace])
