"""Writes of workers in conversations, of workers that are killed or frozen, as real processes."""

import os
import signal
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import FleetWorkspace
from schemas.fleet_act import ForgetAct
from tests.fleet.conftest import NOON
from tests.fleet.working import WORDS, asked, drain, drain_alone, drain_frozen, entries, rows, said, time_passes
from tests.support.marks import at_length
from tests.support.processes.kills import killed_in

LAST_STEP = 65
STEPS = [LAST_STEP, *at_length(*range(0, 200, 7))]
"""Changes of files after which a worker is killed that forgets: between the store and the publication."""


@pytest.fixture
def machine(new_machine: Callable[[], Machine]) -> Machine:
    """A machine of the fleet."""
    return new_machine()


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_worker_has_forgotten_all_or_nothing(
    machine: Machine, database: FleetDatabase, spoken: FleetWorkspace, step: int
) -> None:
    """The words are there as long as the act waits; the next worker carries it out."""
    drain(machine)
    asked(machine, spoken, ForgetAct(id=entries(database, spoken)[1]))
    assert killed_in(step, drain_alone, database.url, machine.cache, NOON) or step > LAST_STEP
    ((state,),) = rows(database, "SELECT state FROM act")
    assert (state == "waiting") == (WORDS[1] in said(database))
    time_passes(database)
    drain(machine)
    assert [("done",)] == rows(database, "SELECT state FROM act")
    assert WORDS[1] not in said(database)


def test_a_frozen_worker_keeps_nobody_waiting(
    machine: Machine, database: FleetDatabase, spoken: FleetWorkspace, tmp_path: Path
) -> None:
    """It has masked words, and not published: who takes the workspace undoes that, and it writes nothing any more."""
    drain(machine)
    asked(machine, spoken, ForgetAct(id=entries(database, spoken)[1]))
    frozen = get_context("spawn").Process(target=drain_frozen, args=(database.url, tmp_path / "frozen", NOON))
    frozen.start()
    assert frozen.pid
    _, status = os.waitpid(frozen.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    time_passes(database)
    drain(machine)
    forgotten = said(database)
    assert WORDS[1] not in forgotten
    os.kill(frozen.pid, signal.SIGCONT)
    frozen.join()
    assert (0, forgotten) == (frozen.exitcode, said(database))
    assert [("done",)] == rows(database, "SELECT state FROM act")
