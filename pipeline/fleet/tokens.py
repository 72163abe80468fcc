"""The tokens with which callers come to a front: those of a workspace, and those of the operator of a fleet.

The database has the hash of a token alone. Each request asks anew whose it is, so that a revoked one opens nothing.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.errors.fleet import UnknownFleetToken, WorkspaceTakenOut
from pipeline.errors.service import TokenNameTaken
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.workspace.tokens import hash_token, new_token
from schemas.caller import Caller, CallerKind
from schemas.reports.fleet import FleetTokenReport

_ADD = """
INSERT INTO token (hash, workspace_id, name, kind, agent, added, expires) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
_HOLD_OWNER = "SELECT FROM workspace WHERE id = %s FOR KEY SHARE"
_DROP_EXPIRED = "DELETE FROM token WHERE workspace_id IS NOT DISTINCT FROM %s AND expires <= %s"
_DROP_BROWSERS = """
DELETE FROM token WHERE hash IN (
  SELECT hash FROM token WHERE workspace_id IS NOT DISTINCT FROM %s AND name LIKE %s
  ORDER BY added DESC, name OFFSET %s
)
"""
_REVOKE = "DELETE FROM token WHERE workspace_id IS NOT DISTINCT FROM %s AND name = %s"
_NAMES = "SELECT name FROM token WHERE workspace_id IS NOT DISTINCT FROM %s ORDER BY name"
_LIST = """
SELECT token.name, workspace.name, coalesce(kind, 'operator'), agent, token.added, expires
FROM token LEFT JOIN workspace ON id = workspace_id ORDER BY workspace.name NULLS FIRST, token.name
"""
_FIND = """
SELECT id, workspace.name, generation, token.name, kind, agent FROM token JOIN workspace ON id = workspace_id
WHERE hash = %s AND workspace.name = %s AND (expires IS NULL OR expires > %s)
"""
_FIND_OPERATOR = "SELECT name FROM token WHERE hash = %s AND workspace_id IS NULL AND (expires IS NULL OR expires > %s)"
_AGENTS = "SELECT DISTINCT agent FROM token WHERE workspace_id = %s AND kind = 'agent' ORDER BY agent"


OF_BROWSER = "page-"
"""The beginning of the names of tokens that browsers have."""
BROWSERS = 10
"""Browsers that are signed in to a workspace at most."""


@dataclass(frozen=True)
class FleetCaller:
    """A caller, and the workspace that its token opens."""

    workspace: FleetWorkspace
    caller: Caller


@dataclass(frozen=True)
class NewToken:
    """A token that is to be made: of a person, an `agent` or a `laptop`, for good or for the time `lasting`."""

    name: str
    agent: str = ""
    laptop: bool = False
    lasting: timedelta | None = None

    @property
    def kind(self) -> CallerKind:
        """The kind of its caller, where it is a token of a workspace."""
        return CallerKind.AGENT if self.agent else CallerKind.LAPTOP if self.laptop else CallerKind.PERSON


def add_token(connection: Connection[TupleRow], workspace: FleetWorkspace | None, new: NewToken, now: datetime) -> str:
    """Make a token of a workspace, or of the operator without one. It is returned this once; expired ones are removed.

    Raises:
        TokenNameTaken: there is one of this name.
        WorkspaceTakenOut: the workspace was taken out of the fleet.
    """
    owner = _hold_owner(connection, workspace)
    connection.execute(_DROP_EXPIRED, [owner, now])
    kind = new.kind.value if workspace else None
    token, expires = new_token(), now + new.lasting if new.lasting else None
    if not connection.execute(_ADD, [_hash(token), owner, new.name, kind, new.agent, now, expires]).rowcount:
        raise TokenNameTaken(new.name)
    return token


def drop_browser_tokens(connection: Connection[TupleRow], workspace: FleetWorkspace | None) -> None:
    """Leave room for a browser's token of a workspace, or of the operator without one: the oldest go."""
    owner = _hold_owner(connection, workspace)
    connection.execute(_DROP_BROWSERS, [owner, f"{OF_BROWSER}%", BROWSERS - 1])


def revoke_token(connection: Connection[TupleRow], workspace: FleetWorkspace | None, name: str) -> None:
    """Revoke a token of a workspace, or of the operator without one.

    Raises:
        UnknownFleetToken: there is none of this name.
    """
    owner = workspace.id if workspace else None
    if not connection.execute(_REVOKE, [owner, name]).rowcount:
        raise UnknownFleetToken(name, [known for (known,) in connection.execute(_NAMES, [owner])])


def list_tokens(connection: Connection[TupleRow]) -> list[FleetTokenReport]:
    """All tokens: those of the operator, then those of workspaces by their names."""
    return [FleetTokenReport(*row) for row in connection.execute(_LIST)]


def find_caller(connection: Connection[TupleRow], token: str, workspace: str, now: datetime) -> FleetCaller | None:
    """The caller with a token of the workspace of this name; `None` whether the token or the name opens nothing."""
    row = connection.execute(_FIND, [_hash(token), workspace, now]).fetchone()
    if row is None:
        return None
    owner, name, generation, of_token, kind, agent = row
    return FleetCaller(FleetWorkspace(owner, name, generation), Caller(kind=kind, name=of_token, agent=agent))


def find_operator(connection: Connection[TupleRow], token: str, now: datetime) -> str:
    """The name of a token of the operator; empty for any other."""
    row = connection.execute(_FIND_OPERATOR, [_hash(token), now]).fetchone()
    return str(row[0]) if row else ""


def agents_with_tokens(connection: Connection[TupleRow], workspace: FleetWorkspace) -> list[str]:
    """The agents that have a token of a workspace."""
    return [agent for (agent,) in connection.execute(_AGENTS, [workspace.id])]


def _hold_owner(connection: Connection[TupleRow], workspace: FleetWorkspace | None) -> UUID | None:
    """The id of the owner of tokens, whose row is locked before them, as a removal of the workspace does."""
    if workspace is None:
        return None
    if not connection.execute(_HOLD_OWNER, [workspace.id]).rowcount:
        raise WorkspaceTakenOut(workspace.name)
    return workspace.id


def _hash(token: str) -> bytes:
    return bytes.fromhex(hash_token(token))
