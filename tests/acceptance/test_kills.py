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
from tests.support.workspaces.four_days import FourDays, build_four_days

KILLS_OF_ONE_RUN = 5
GONE_SECONDS = 60  # for whoever is not killed to notice that the other half is gone, and to stop
VICTIMS = ("worker", "supervisor", "both")


@dataclass(frozen=True)
class Pace:
    """How long an undisturbed run takes here, in seconds from its start; `working` is when it begins to work."""

    working: float
    whole: float


@pytest.fixture(scope="session")
def pace(tmp_path_factory: pytest.TempPathFactory, first_day: date) -> Pace:
    """Only to aim by: what a test finds does not depend on it."""
    four_days = build_four_days(tmp_path_factory.mktemp("pace"), first_day)
    began = monotonic()
    process = four_days.memory.start("run")
    assert process.stderr is not None
    process.stderr.readline()
    working = monotonic() - began
    process.communicate()
    return Pace(working, monotonic() - began)


def kill_at_random(four_days: FourDays, pace: Pace, dice: Random) -> None:
    """Start a run or a back-fill and kill it, or a part of it, at some moment.

    Every other kill is aimed at the stretch in which it works, because most of a short run is its start.
    """
    words = dice.choice([("run",), four_days.backfill])
    moment = dice.uniform(dice.choice([0.0, pace.working]), pace.whole)
    victim = dice.choice(VICTIMS)
    process = four_days.memory.start(*words)
    with suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    worker = worker_of(process)
    if victim != "worker" or worker is None:
        process.kill()
    if victim != "supervisor" and worker is not None:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    end_of(process, GONE_SECONDS)  # fails when anybody of them still holds the output open


def assert_mended(four_days: FourDays, undisturbed: dict[str, bytes]) -> None:
    """One clean pass gives what would have come of it without the kills."""
    ended = four_days.memory.memory(*four_days.backfill)
    assert ended.code == 0, ended.shown
    assert unlike(undisturbed, four_days.memory.pages()) == []
    assert {entry["verified"] for entry in four_days.memory.entries()} == {True}
    again = four_days.memory.memory("run")
    assert (again.code, unlike(undisturbed, four_days.memory.pages())) == (0, [])


@pytest.mark.parametrize("seed", [0, *at_length(1, 2, 3)])
def test_ten_kills(seed: int, tmp_path: Path, first_day: date, undisturbed: dict[str, bytes], pace: Pace) -> None:
    """Five on each of two houses; nothing is lost, doubled, torn or left running."""
    four_days, dice = build_four_days(tmp_path, first_day), Random(seed)  # noqa: S311 - the same dice every time
    for _ in range(KILLS_OF_ONE_RUN):
        kill_at_random(four_days, pace, dice)
    assert_mended(four_days, undisturbed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_five_hundred_kills(
    seed: int, tmp_path: Path, first_day: date, undisturbed: dict[str, bytes], pace: Pace
) -> None:
    """Five on each of a hundred houses."""
    test_ten_kills(seed, tmp_path, first_day, undisturbed, pace)
