"""The workspaces of a fleet: added, listed, taken out. A name that is given again is another workspace, with another id."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from psycopg import Connection
from psycopg.rows import TupleRow, class_row

from pipeline.errors.fleet import FleetNameTaken, UnknownFleetWorkspace

_ADD = "INSERT INTO workspace (id, name, added) VALUES (%s, %s, %s) ON CONFLICT (name) DO NOTHING"
_COLUMNS = "id, name, state, epoch, generation, next_due, deaths, added"
_LIST = f"SELECT {_COLUMNS} FROM workspace ORDER BY name"
_FIND = f"SELECT {_COLUMNS} FROM workspace WHERE name = %s"
# A piece goes after the files that name it.
_REMOVE = (
    "DELETE FROM manifest WHERE workspace_id = %s",
    "DELETE FROM piece WHERE workspace_id = %s",
    "DELETE FROM workspace WHERE id = %s",
)


@dataclass(frozen=True)
class FleetWorkspace:
    """A workspace of a fleet: the `epoch` of its last checkout, and its newest `generation`, 0 before the first.

    It is `ready`, or `parked` after so many `deaths` of workers that nobody tries it again by itself. It is to be
    worked on at `next_due`.
    """

    id: UUID
    name: str
    state: str
    epoch: int
    generation: int
    next_due: datetime | None
    deaths: int
    added: datetime


def add_workspace(connection: Connection[TupleRow], name: str, now: datetime) -> UUID:
    """Add an empty workspace; its id.

    Raises:
        FleetNameTaken: there is one of this name.
    """
    workspace = uuid4()
    if not connection.execute(_ADD, [workspace, name, now]).rowcount:
        raise FleetNameTaken(name)
    return workspace


def list_workspaces(connection: Connection[TupleRow]) -> list[FleetWorkspace]:
    """All workspaces, by their names."""
    with connection.cursor(row_factory=class_row(FleetWorkspace)) as cursor:
        return cursor.execute(_LIST).fetchall()


def find_workspace(connection: Connection[TupleRow], name: str) -> FleetWorkspace:
    """The workspace of this name.

    Raises:
        UnknownFleetWorkspace: there is none.
    """
    with connection.cursor(row_factory=class_row(FleetWorkspace)) as cursor:
        found = cursor.execute(_FIND, [name]).fetchone()
    if found is None:
        raise UnknownFleetWorkspace(name, [one.name for one in list_workspaces(connection)])
    return found


def remove_workspace(connection: Connection[TupleRow], workspace: UUID) -> None:
    """Take a workspace out, with all that was published of it. Checkouts of it can publish nothing any more."""
    for statement in _REMOVE:
        connection.execute(statement, [workspace])
