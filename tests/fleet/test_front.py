"""A front: the newest generation of a workspace, acts in place of changes, and nothing of another owner."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from tests.fleet.conftest import NOON
from tests.fleet.fronts import ServedFleet, served_front
from tests.fleet.working import WORDS, drain, new_workspace
from tests.support.ports.clock import FixedClock


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
