"""The due workspaces of a fleet, by `next_due`: the oldest first, as many as the queue can take."""

from datetime import datetime
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.fleet.queue import offer_work

MOST_DEATHS = 3
"""After so many workers that died with a workspace nobody tries it again by itself."""
DUE_AT_ONCE = 8
"""Jobs for what is due that wait for a worker at most."""

_PARK = """
UPDATE workspace SET state = 'parked' WHERE state = 'ready' AND deaths >= %s AND NOT EXISTS (
  SELECT FROM procrastinate_jobs WHERE lock = workspace.id::text AND status = 'doing'
) RETURNING name
"""
_WAITING = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo' AND priority = 0"
_DUE = """
SELECT id FROM workspace WHERE state = 'ready' AND next_due <= %s
AND NOT EXISTS (SELECT FROM procrastinate_jobs WHERE queueing_lock = workspace.id::text AND status = 'todo')
AND NOT EXISTS (SELECT FROM procrastinate_jobs WHERE lock = workspace.id::text AND status = 'doing')
ORDER BY next_due LIMIT %s FOR UPDATE SKIP LOCKED
"""


def park_dying(connection: Connection[TupleRow]) -> list[str]:
    """Park the workspaces with which workers have died again and again; their names."""
    return [name for (name,) in connection.execute(_PARK, [MOST_DEATHS])]


def offer_due(connection: Connection[TupleRow], now: datetime) -> list[UUID]:
    """Offer work on what is due, the oldest first, as far as the queue is not full; the workspaces."""
    (waiting,) = connection.execute(_WAITING).fetchone() or (0,)
    due = [workspace for (workspace,) in connection.execute(_DUE, [now, max(0, DUE_AT_ONCE - waiting)])]
    return [workspace for workspace in due if offer_work(connection, workspace)]
