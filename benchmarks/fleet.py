"""The work of PostgreSQL for a fleet of many workspaces, beside their publications: to find work, and to hand it out.

`python -m benchmarks.fleet [--workspaces N] [--acts N]`. One in a hundred workspaces has so many acts that wait. The
statements are those of the product, on a server of the measurement's own; no worker runs.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import psycopg
from psycopg import Connection
from psycopg.rows import TupleRow

from benchmarks.measuring import head, row
from pipeline.fleet.acts import read_waiting_acts
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.queue import FOR_A_PERSON, offer_work
from pipeline.fleet.slices import offer_due, park_dying
from tests.support.servers.postgresql import running

WORKSPACES, ACTS, ROUNDS, AT_WORK = 100_000, 1_000, 400, 8
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=3)
_FILL = """
INSERT INTO workspace (id, name, added, next_due, acts)
SELECT gen_random_uuid(), 'w-' || n, %s, %s - n * interval '1 second', CASE WHEN n %% 100 = 0 THEN %s ELSE 0 END
FROM generate_series(1, %s) n
"""
_ASK = """
INSERT INTO act (workspace_id, seq, kind, body, asked)
SELECT id, seq, 'forget', '{"kind": "forget", "id": "nothing"}', added FROM workspace, generate_series(1, acts) seq
"""
_FETCH = "SELECT id, lock FROM procrastinate_fetch_job_v2(NULL, %s)"
_FINISH = "SELECT procrastinate_finish_job_v1(%s, 'succeeded', true)"


class Times:
    """The times of each sort of work, in seconds."""

    def __init__(self) -> None:
        self._seconds: dict[str, list[float]] = {}

    @contextmanager
    def of(self, sort: str, database: FleetDatabase) -> Iterator[Connection[TupleRow]]:
        """A transaction whose statements are timed; to begin and to commit are not."""
        with database.transaction() as connection:
            begun = time.perf_counter()
            yield connection
            self._seconds.setdefault(sort, []).append(time.perf_counter() - begun)

    def show(self) -> None:
        """Print the median and the 99th percentile of each sort."""
        for sort, seconds in self._seconds.items():
            ordered = sorted(seconds)
            middle, last = (1_000 * ordered[int(len(ordered) * part)] for part in (0.5, 0.99))
            row(sort, f"{len(ordered)} times", [f"p50 {middle:.2f} ms", f"p99 {last:.2f} ms"])


def fleet(workspaces: int, acts: int) -> None:
    """Fill a fleet, and have its workers' statements run."""
    with (
        TemporaryDirectory(prefix="pg-", dir="/tmp") as folder,
        running(Path(folder)) as server,
        FleetDatabase(server.url) as database,
    ):
        database.migrate()
        offered = _fill(database, workspaces, acts)
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("ANALYZE")
        _work(database, offered)


def _fill(database: FleetDatabase, workspaces: int, acts: int) -> list[UUID]:
    """Make the workspaces, all of them due, and offer work on those with acts, which are given."""
    with database.transaction() as connection:
        connection.execute(_FILL, [NOW, NOW, acts, workspaces])
        connection.execute(_ASK)
        asked = [workspace for (workspace,) in connection.execute("SELECT id FROM workspace WHERE acts > 0")]
        for workspace in asked:
            offer_work(connection, workspace, FOR_A_PERSON)
    return asked


def _work(database: FleetDatabase, offered: list[UUID]) -> None:
    times, at_work = Times(), list[tuple[int, str]]()
    with database.transaction() as connection:
        (worker,) = connection.execute("SELECT procrastinate_register_worker_v1()").fetchone() or (0,)
    for number in range(ROUNDS):
        with times.of("park what kills workers", database) as connection:
            park_dying(connection)
        with times.of("offer what is due", database) as connection:
            offer_due(connection, NOW)
        with times.of("offer an act", database) as connection:
            offer_work(connection, offered[number % len(offered)], FOR_A_PERSON)
        with times.of("fetch a job", database) as connection:
            job, workspace = connection.execute(_FETCH, [worker]).fetchone() or (0, "")
        at_work.append((job, workspace))
        with times.of("read the acts that wait", database) as connection:
            read_waiting_acts(connection, UUID(workspace))
        if len(at_work) > AT_WORK:
            job, workspace = at_work.pop(0)
            with times.of("finish a job", database) as connection:
                connection.execute("UPDATE workspace SET next_due = %s WHERE id = %s", [LATER, workspace])
                connection.execute(_FINISH, [job])
    times.show()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspaces", type=int, default=WORKSPACES)
    parser.add_argument("--acts", type=int, default=ACTS)
    given = parser.parse_args()
    head()
    fleet(given.workspaces, given.acts)
