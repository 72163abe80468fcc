"""The bytes that a run publishes follow what it changed, and not the size of the workspace."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.runner import Runner
from pipeline.fleet.checkout import Checkout
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.scheduling.registry import named
from tests.fleet.conftest import check_out
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.marks import at_length
from tests.support.workspaces.commanded import SETTINGS
from tests.support.workspaces.many_entries import many_entries

DAY = date(2026, 2, 2)
MEBIBYTE = 1 << 20


@pytest.mark.parametrize("number", [1_000, *at_length(10_000)])
def test_an_entry_among_many(new_machine: Callable[[], Machine], anna: FleetWorkspace, number: int) -> None:
    """At most 1 MiB, the ledger's pages with it; a run that finds nothing more publishes nothing."""
    machine = new_machine()
    checkout = check_out(machine, anna)
    root = many_entries(machine.root_of(checkout), number)
    sessions = root.parent / "sessions"
    (root / "memory.toml").write_text(
        SETTINGS.format(start="2026-03-01T00:00:00+00:00").replace('"sessions"', f'"{sessions}"')
    )
    run(machine, checkout)
    published = machine.publish(checkout)
    assert published
    lines = OpenClawLines("s-one", start=datetime(2026, 2, 2, 9, tzinfo=UTC))
    lines.user("remember that the septic truck comes every second tuesday")
    lines.write(sessions / "s-one.jsonl")
    checkout = check_out(machine, anna)
    assert 1 == run(machine, checkout)
    published = machine.publish(checkout)
    assert published
    assert 0 < published.written <= MEBIBYTE
    run(machine, published.checkout)
    assert machine.publish(published.checkout) is None


def run(machine: Machine, checkout: Checkout) -> int:
    """Run the day once; the number of runs that wrote entries."""
    engine = open_engine(machine.root_of(checkout), machine.context)
    try:
        prepare(engine)
        plan = in_days(engine, named(["micro_sync"], engine.jobs), DAY, DAY)
        return sum(
            bool(one.written) for one in work_through(Runner(engine), plan, again=True) if one.job == "micro_sync"
        )
    finally:
        engine.ledger.store.close()
