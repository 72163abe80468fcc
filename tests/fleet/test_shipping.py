"""Transcripts that laptops ship to a fleet: through any front, and each into the workspace of its token."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors.shipping import OtherMemory, ShippingForbidden
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import HEARD_AFTER, find_workspace
from tests.fleet.conftest import NOON
from tests.fleet.fronts import served_front
from tests.fleet.working import DAY, MORNING, drain, new_workspace, published_files
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.shipping import Laptop, run_jobs

SESSIONS = "/api/v1/sessions"
QUOTE = "the boat key hangs with Anna"


def said_on(laptop: Laptop, *texts: str) -> None:
    """A session of the laptop in the morning, before the window that has closed by noon."""
    lines = ClaudeLines("8f1c2d", timestamp=f"{MORNING:%Y-%m-%dT%H:%M:%SZ}")
    for text in texts:
        lines.user(text)
    lines.write(laptop.sessions / "shop" / "8f1c2d.jsonl")


def test_a_laptop_ships_to_a_fleet(
    database: FleetDatabase, new_machine: Callable[[], Machine], clock: FixedClock, tmp_path: Path
) -> None:
    """A worker writes the day that the laptop itself would write, and another owner gets nothing of it."""
    for name in ("anna", "bob"):
        new_workspace(database, name, tmp_path, NOON, words=())
    clock.move(HEARD_AFTER)
    drain(new_machine())  # the window of the morning is over
    laptop = Laptop(tmp_path / "laptop")
    said_on(laptop, f"Remember that {QUOTE}.")
    with served_front(database, tmp_path / "front", clock) as front:
        anna, bob = front.owner("anna"), front.owner("bob")
        with pytest.raises(ShippingForbidden):
            laptop.ship_to(anna.address, bob.person)
        assert 1 == laptop.ship(anna).messages
        said_on(laptop, f"Remember that {QUOTE}.", "The sauna is closed in May.")
        with pytest.raises(OtherMemory):
            laptop.ship(bob)
        shipped = [[one["messages"] for one in owner.ask(SESSIONS).value] for owner in (anna, bob)]
        assert [[1], []] == [[number for number in numbers if number] for numbers in shipped]
        assert 1 == laptop.ship(anna).messages
    clock.move(HEARD_AFTER)
    drain(new_machine())
    with database.transaction() as connection:
        workspace = find_workspace(connection, "anna")
    assert QUOTE in (page := published_files(database, workspace)[DAY])
    assert page.encode() == run_jobs(laptop.root, NOON.date(), NOON.date())[DAY]
