"""A front: the newest generation of a workspace, acts in place of changes, and nothing of another owner."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Semaphore
from uuid import UUID

import pytest

from pipeline.fleet.cache import CacheLimits
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.front import Front
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import remove_workspace
from pipeline.process.context import ProcessContext
from tests.fleet.conftest import NOON
from tests.fleet.fronts import ServedFleet, served_front, served_machine
from tests.fleet.working import WORDS, drain, new_workspace
from tests.support.ports.clock import FixedClock
from tests.support.processes.waiting import soon


@pytest.fixture
def front(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> Iterator[ServedFleet]:
    """A front."""
    with served_front(database, tmp_path / "front", clock) as served:
        yield served


def test_a_front_shows_the_newest_generation(
    front: ServedFleet, new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path
) -> None:
    """An act is waiting, then it has an answer, and what it changed is found."""
    new_workspace(database, "anna", tmp_path, NOON)
    worker = new_machine()
    anna = front.owner("anna")
    assert [] == anna.ask("/api/v1/entries").value
    drain(worker)
    entries = anna.ask("/api/v1/entries").value
    assert len(WORDS) == len(entries)
    assert "sauna" in anna.ask("/api/v1/search?query=sauna").value["hits"][0]["snippet"]
    wrong = next(entry for entry in entries if "sauna" in str(entry))
    asked = anna.ask("/api/v1/corrections", "POST", {"id": wrong["id"], "words": "The sauna is closed in june."})
    assert (202, "waiting", 1) == (asked.status, asked.value["state"], asked.value["act"])
    assert "/w/anna/api/v1/acts/1" == asked.headers["location"]
    drain(worker)
    answer = anna.ask("/api/v1/acts/1").value
    assert ("done", wrong["id"]) == (answer["state"], answer["answer"]["corrects"])
    assert "june" in anna.ask("/api/v1/search?query=sauna").value["hits"][0]["snippet"]


def test_what_was_forgotten_goes_from_the_cache(
    new_machine: Callable[[], Machine], database: FleetDatabase, clock: FixedClock, tmp_path: Path
) -> None:
    """From its files and its index, and with a workspace that is taken out all of it, though nobody asks any more."""
    owner = new_workspace(database, "anna", tmp_path, NOON)
    worker = new_machine()
    drain(worker)
    with served_front(database, tmp_path / "front", clock, look_seconds=0.05) as front:
        anna = front.owner("anna")
        assert "sauna" in anna.ask("/api/v1/search?query=sauna").value["hits"][0]["snippet"]
        assert files_with(anna.root, b"sauna")
        wrong = next(entry["id"] for entry in anna.ask("/api/v1/entries").value if "sauna" in str(entry))
        assert 202 == anna.ask("/api/v1/forget", "POST", {"id": wrong}).status
        drain(worker)
        assert soon(lambda: not files_with(anna.root, b"sauna"))
        with database.transaction() as connection:
            remove_workspace(connection, owner.id)
        assert soon(lambda: not anna.root.exists())


def test_folders_that_are_too_many(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """Those asked longest ago leave the cache, and are fetched again when somebody asks."""
    machine = Machine(database, tmp_path / "front", ProcessContext({}, clock), CacheLimits(2))
    names = ("anna", "ben", "eve")
    for name in names:
        new_workspace(database, name, tmp_path, NOON)
    with served_machine(machine) as front:
        owners = [front.owner(name) for name in names]
        assert [200] * 3 == [owner.ask("/api/v1/entries").status for owner in owners]
        assert [False, True, True] == [owner.root.exists() for owner in owners]
        assert 200 == owners[0].ask("/api/v1/entries").status
        assert [True, False, True] == [owner.root.exists() for owner in owners]


class PausedFront(Front):
    """A front that has read the newest generations, and goes on with them only when it is let go."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.reads, self.turns = Semaphore(0), Semaphore(0)

    def find_newest_generations(self, workspaces: Sequence[UUID]) -> dict[UUID, int]:
        """Read them, and wait."""
        newest = super().find_newest_generations(workspaces)
        self.reads.release()
        self.turns.acquire()
        return newest


def test_a_workspace_that_is_opened_during_the_look(
    new_machine: Callable[[], Machine], database: FleetDatabase, tmp_path: Path
) -> None:
    """It is not taken for one that is gone."""
    for name in ("anna", "ben"):
        new_workspace(database, name, tmp_path, NOON)
    paused = PausedFront(machine := new_machine())
    with served_machine(machine, 0.05, paused) as front:
        anna, ben = front.owner("anna"), front.owner("ben")
        assert 200 == anna.ask("/api/v1/entries").status
        assert paused.reads.acquire()  # perhaps before she asked
        paused.turns.release()
        assert paused.reads.acquire()
        assert 200 == ben.ask("/api/v1/entries").status
        paused.turns.release()
        assert paused.reads.acquire()
        assert ben.root.exists()
        paused.turns.release(1_000)


def test_many_cold_workspaces_keep_nobody_waiting(front: ServedFleet, database: FleetDatabase, tmp_path: Path) -> None:
    """Filling their folders leaves connections for the tokens of others."""
    for number in range(10):
        new_workspace(database, f"owner-{number}", tmp_path, NOON)
    owners = [front.owner(f"owner-{number}") for number in range(10)]
    with ThreadPoolExecutor(len(owners)) as pool, database.transaction() as connection:
        connection.execute("LOCK TABLE piece IN ACCESS EXCLUSIVE MODE")  # whoever fills a folder waits for it
        answers = [pool.submit(owner.ask, "/api/v1/entries") for owner in owners]
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'piece'::regclass"
        assert soon(lambda: connection.execute(waiting).fetchone() == (3,))
        assert 401 == owners[0].ask("/api/v1/entries", authorization="Bearer mem_x").status
    assert [200] * len(owners) == [answer.result().status for answer in answers]


def test_connections_of_many_workspaces(database: FleetDatabase, clock: FixedClock, tmp_path: Path) -> None:
    """All that are open at a front share those of its two pools."""
    owners = [f"owner-{number}" for number in range(12)]
    for name in owners:
        new_workspace(database, name, tmp_path, NOON)
    with (
        FleetDatabase(f"{database.url}&application_name=front") as own,
        served_front(own, tmp_path / "front", clock) as front,
    ):
        for name in owners:
            assert 200 == front.owner(name).ask("/api/v1/sessions").status
        with database.transaction() as connection:
            count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'front'"
            ((held,),) = connection.execute(count).fetchall()
    assert held < len(owners)


def files_with(root: Path, words: bytes) -> list[str]:
    """The files below a folder that have the words, whatever their case; one that goes meanwhile has none."""
    having = list[str]()
    for folder, _, names in os.walk(root):
        for file in (Path(folder, name) for name in names):
            with suppress(FileNotFoundError):
                having += [file.relative_to(root).as_posix()] if words in file.read_bytes().lower() else []
    return having
