"""Workers that are killed or frozen, as real processes: the pages are those of an undisturbed run, byte for byte."""

import os
import signal
from collections.abc import Callable
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
    drain_frozen,
    entries,
    new_workspace,
    published_files,
    reported,
    rows,
    time_passes,
    without_salts,
)
from tests.support.marks import at_length
from tests.support.processes.kills import killed_in

LAST_WINDOW, LAST_ACT = 25, 130
STEPS = [(12, 60), (LAST_WINDOW, LAST_ACT), *at_length(*((step, step) for step in range(0, 400, 13)))]
"""Changes of files after which a worker is killed: one that runs windows, then one that carries out acts.

Up to the last ones there is a worker to kill: at the checkout, in the runs, and with their last pages.
"""


@pytest.mark.parametrize("steps", STEPS)
def test_a_killed_worker_leaves_no_trace(
    new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path, steps: tuple[int, int]
) -> None:
    """Another one takes its work over, in its folder or in another, and acts are carried out once."""
    killed, calm = (new_workspace(database, name, tmp_path, NOON) for name in ("anna", "ben"))
    machine = new_machine()
    with database.transaction() as connection:
        connection.execute("UPDATE workspace SET next_due = NULL WHERE name = 'ben'")
    assert killed_in(steps[0], drain_alone, database.url, machine.cache, NOON) or steps[0] > LAST_WINDOW
    time_passes(database)
    with database.transaction() as connection:
        connection.execute("UPDATE workspace SET next_due = added")
    drain(machine)
    assert published_files(database, calm) == published_files(database, killed)
    for workspace in (killed, calm):
        first, second, _ = entries(database, workspace)
        asked(machine, workspace, CorrectAct(id=first, words="the truck comes on fridays"), ForgetAct(id=second))
    assert killed_in(steps[1], drain_alone, database.url, machine.cache, NOON) or steps[1] > LAST_ACT
    time_passes(database)
    drain(new_machine())
    assert without_salts(published_files(database, calm)) == without_salts(published_files(database, killed))
    assert [("done",)] == rows(database, "SELECT DISTINCT state FROM act")
    assert ("ready", 0) == (reported(database, "anna").state, reported(database, "anna").deaths)
    with database.snapshot() as connection:
        _, damaged = check_pieces(connection)
        assert [] == [*damaged, *check_generations(connection)]


def test_a_frozen_worker_that_goes_on_publishes_nothing(
    new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path
) -> None:
    """It stood still before it published, and another has done its work meanwhile. It ends as any worker."""
    anna = new_workspace(database, "anna", tmp_path, NOON)
    frozen = get_context("spawn").Process(target=drain_frozen, args=(database.url, tmp_path / "frozen", NOON))
    frozen.start()
    assert frozen.pid
    _, status = os.waitpid(frozen.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    time_passes(database)
    drain(new_machine())
    published, generation = published_files(database, anna), reported(database, "anna").generation
    os.kill(frozen.pid, signal.SIGCONT)
    frozen.join()
    assert (0, 2, generation) == (frozen.exitcode, generation, reported(database, "anna").generation)
    assert published == published_files(database, anna)
