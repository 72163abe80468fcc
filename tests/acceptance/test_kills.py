"""`kill -9` at any moment, then one undisturbed pass: the same Markdown, byte for byte."""

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from tests.support.marks import at_length
from tests.support.processes.command_line import end_of
from tests.support.processes.commands import unlike, worker_of
from tests.support.workspaces.four_days import House, build_house

KILLS_A_HOUSE = 5
GONE_SECONDS = 30  # for whoever is not killed to notice that the other half is gone, and to stop
VICTIMS = ("worker", "supervisor", "both")


@dataclass(frozen=True)
class Pace:
    """How long an undisturbed run takes here, in seconds from its start; `working` is when it begins to work."""

    working: float
    whole: float


@pytest.fixture(scope="session")
def pace(tmp_path_factory: pytest.TempPathFactory, first_day: date) -> Pace:
    """Only to aim by: what a test finds does not depend on it."""
    house = build_house(tmp_path_factory.mktemp("pace"), first_day)
    began = monotonic()
    process = house.memory.start("run")
    assert process.stderr is not None
    process.stderr.readline()
    working = monotonic() - began
    process.communicate()
    return Pace(working, monotonic() - began)


def kill_at_random(house: House, pace: Pace, dice: Random) -> None:
    """Start a run or a back-fill and kill it, or a part of it, at some moment.

    Every other kill is aimed at the stretch in which it works, because most of a short run is its start.
    """
    words = dice.choice([("run",), house.backfill])
    moment = dice.uniform(dice.choice([0.0, pace.working]), pace.whole)
    victim = dice.choice(VICTIMS)
    process = house.memory.start(*words)
    with suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    worker = worker_of(process)
    if victim != "worker" or worker is None:
        process.kill()
    if victim != "supervisor" and worker is not None:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    end_of(process, GONE_SECONDS)  # fails when anybody of them still holds the output open


def assert_mended(house: House, undisturbed: dict[str, bytes]) -> None:
    """One clean pass gives what would have come of it without the kills."""
    ended = house.memory.memory(*house.backfill)
    assert ended.code == 0, ended.told
    assert unlike(undisturbed, house.memory.pages()) == []
    assert {entry["verified"] for entry in house.memory.entries()} == {True}
    again = house.memory.memory("run")
    assert (again.code, unlike(undisturbed, house.memory.pages())) == (0, [])


@pytest.mark.parametrize("seed", [0, *at_length(1, 2, 3)])
def test_ten_kills(seed: int, tmp_path: Path, first_day: date, undisturbed: dict[str, bytes], pace: Pace) -> None:
    """Five on each of two houses; nothing is lost, doubled, torn or left running."""
    house, dice = build_house(tmp_path, first_day), Random(seed)  # noqa: S311 - the same dice every time
    for _ in range(KILLS_A_HOUSE):
        kill_at_random(house, pace, dice)
    assert_mended(house, undisturbed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_five_hundred_kills(
    seed: int, tmp_path: Path, first_day: date, undisturbed: dict[str, bytes], pace: Pace
) -> None:
    """Five on each of a hundred houses."""
    test_ten_kills(seed, tmp_path, first_day, undisturbed, pace)
