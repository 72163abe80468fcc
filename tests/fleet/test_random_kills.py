"""Workers and the server are killed at random, again and again: the pages are those of an undisturbed run."""

import hashlib
import os
import signal
from collections.abc import Callable
from datetime import datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest

from pipeline.fleet.check import check_generations, check_pieces
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from schemas.fleet_act import CorrectAct, ForgetAct
from tests.fleet.conftest import NOON
from tests.fleet.working import (
    asked,
    drain,
    drain_alone,
    entries,
    new_workspace,
    published_files,
    rows,
    say,
    time_passes,
    without_salts,
)
from tests.support.marks import examples
from tests.support.ports.clock import FixedClock
from tests.support.processes.kills import killed_in, signal_at
from tests.support.servers.postgresql import PostgresServer

DAYS = 3
KILLS = examples(7)
"""How often something is killed: 210 times in `make soak`."""
_STEPS = 250
"""Changes of files that a worker makes at most in a day."""
THINGS = ("the boat lies at the mill", "the kiln is fired on mondays", "the stall costs ten euros")
_DUE = "UPDATE workspace SET next_due = CASE WHEN name LIKE 'calm%%' = %s THEN added END, deaths = 0, state = 'ready'"


class Dice:
    """Numbers that look drawn, and are the same each time."""

    def __init__(self) -> None:
        self._drawn = 0

    def below(self, limit: int) -> int:
        """The next number, from 0."""
        self._drawn += 1
        return int(hashlib.sha256(b"%d" % self._drawn).hexdigest(), 16) % limit


def drain_stopping(step: int, url: str, cache: Path, moment: datetime) -> None:
    """Work in a process of its own, which stands still at a step until somebody lets it go on."""
    signal_at(step, signal.SIGSTOP)
    drain_alone(url, cache, moment)


def restart_meanwhile(server: PostgresServer, step: int, *arguments: object) -> None:
    """Let a process work, and crash the server while it stands still at a step; how it ends then does not matter."""
    worker = get_context("spawn").Process(target=drain_stopping, args=(step, *arguments))
    worker.start()
    assert worker.pid
    _, status = os.waitpid(worker.pid, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        server.stop()
        server.start()
        os.kill(worker.pid, signal.SIGCONT)
        os.waitpid(worker.pid, 0)


@pytest.mark.soak
def test_pages_after_random_kills(
    new_machine: Callable[[], Machine],
    database: FleetDatabase,
    tmp_path: Path,
    postgres: PostgresServer,
    clock: FixedClock,
) -> None:
    """Byte for byte, also with acts in between; every piece is there, and every act was carried out once."""
    dice = Dice()
    killed, calm = (new_workspace(database, name, tmp_path, NOON) for name in ("killed", "calm"))
    caches = [tmp_path / "first", tmp_path / "second"]
    for day in range(DAYS):
        clock.moment = NOON + timedelta(days=day)
        for workspace in (killed, calm):
            say(database, workspace, [f"{thing} since day {day}" for thing in THINGS], day=day)
        for _ in range(KILLS // DAYS + 1):
            make_due(database, calm=False)
            step, work = dice.below(_STEPS), (database.url, caches[dice.below(2)], clock.moment)
            if dice.below(10) < 7:
                killed_in(step, drain_alone, *work)
            else:
                restart_meanwhile(postgres, step, *work)
            time_passes(database)
        for is_calm, workspace in ((False, killed), (True, calm)):
            make_due(database, calm=is_calm)
            drain(new_machine())
            first, second, *_ = entries(database, workspace)
            machine = new_machine()
            asked(machine, workspace, CorrectAct(id=first, title=f"of day {day}"), ForgetAct(id=second))
        killed_in(dice.below(_STEPS), drain_alone, database.url, caches[0], clock.moment)
        time_passes(database)
        drain(new_machine())
    assert without_salts(published_files(database, calm)) == without_salts(published_files(database, killed))
    assert [("done",)] == rows(database, "SELECT DISTINCT state FROM act")
    with database.snapshot() as connection:
        _, damaged = check_pieces(connection)
        assert [] == [*damaged, *check_generations(connection)]


def make_due(database: FleetDatabase, *, calm: bool) -> None:
    """The calm workspace is due now, or the others alone; an operator has let go what was parked."""
    with database.transaction() as connection:
        connection.execute(_DUE, [calm])
