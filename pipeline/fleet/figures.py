"""The figures of a fleet: its workspaces by their state, what is due and what waits, and the workers."""

from datetime import datetime
from typing import Any

from psycopg import Connection
from psycopg.rows import TupleRow

from schemas.reports.fleet import FleetFigures, FleetSpending, FleetTrouble

TROUBLES = 200
"""Troubled workspaces that are listed at most."""
SPENDING = 20
"""Workspaces with the most tokens that are listed at most."""

_COUNT = """
SELECT count(*) FILTER (WHERE state = 'ready'), count(*) FILTER (WHERE state = 'parked'),
  count(*) FILTER (WHERE failure <> ''), count(*) FILTER (WHERE state = 'ready' AND next_due <= %(now)s),
  min(next_due) FILTER (WHERE state = 'ready' AND next_due <= %(now)s),
  (SELECT count(*) FROM act WHERE state = 'waiting'),
  (SELECT min(asked) FROM act WHERE state = 'waiting'),
  (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'),
  (SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing'),
  (SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '1 minute'),
  (SELECT coalesce(sum(size), 0) FROM generation JOIN workspace AS newest ON workspace_id = id
    WHERE number = newest.generation),
  coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint
FROM workspace
"""
_TROUBLED = """
SELECT name, state, deaths, failure, next_due FROM workspace WHERE state = 'parked' OR failure <> ''
ORDER BY state, name LIMIT %s
"""
_PARKED = "SELECT name FROM workspace WHERE state = 'parked' ORDER BY name LIMIT %s"
_SPENDING = """
SELECT name, input_tokens, output_tokens FROM workspace WHERE input_tokens + output_tokens > 0
ORDER BY input_tokens + output_tokens DESC, name LIMIT %s
"""


def read_figures(connection: Connection[TupleRow], now: datetime) -> FleetFigures:
    """The figures of a fleet now, with the workspaces that are parked, then those whose work ended with an error."""
    (counted,) = connection.execute(_COUNT, {"now": now}).fetchall()
    troubled = tuple(FleetTrouble(*row) for row in connection.execute(_TROUBLED, [TROUBLES]))
    spending = tuple(FleetSpending(*row) for row in connection.execute(_SPENDING, [SPENDING]))
    values: list[Any] = [*counted, troubled, spending]
    return FleetFigures(*values)


def read_parked(connection: Connection[TupleRow]) -> list[str]:
    """The names of the workspaces that are parked, up to a number."""
    return [name for (name,) in connection.execute(_PARKED, [TROUBLES])]
