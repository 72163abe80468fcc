"""The bytes that a run publishes follow what it changed, and not the size of the workspace."""

from collections.abc import Callable
from datetime import date

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.runner import Runner
from pipeline.fleet.checkout import Checkout
from pipeline.fleet.machine import Machine
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.scheduling.registry import jobs_named
from tests.fleet.conftest import check_out
from tests.fleet.working import SETTINGS, say
from tests.support.marks import at_length
from tests.support.workspaces.many_entries import many_entries

TODAY = date(2026, 3, 4)
MEBIBYTE = 1 << 20


@pytest.mark.parametrize("number", [1_000, *at_length(10_000)])
def test_an_entry_among_many(new_machine: Callable[[], Machine], anna: FleetWorkspace, number: int) -> None:
    """At most 1 MiB, the ledger's pages with it; a run that finds nothing more publishes nothing."""
    machine = new_machine()
    checkout = check_out(machine, anna)
    root = many_entries(machine.root_of(checkout), number)
    (root / "memory.toml").write_text(SETTINGS)
    run(machine, checkout)
    assert machine.publish(checkout)
    say(machine.database, anna, ["the septic truck comes every second tuesday"])
    checkout = check_out(machine, anna)
    assert 1 == run(machine, checkout)
    published = machine.publish(checkout)
    assert published
    assert 0 < published.written <= MEBIBYTE
    run(machine, published.checkout)
    assert machine.publish(published.checkout) is None


def run(machine: Machine, checkout: Checkout) -> int:
    """Run the day once; the number of runs that wrote entries."""
    engine = open_engine(machine.root_of(checkout), machine.context_of(checkout))
    try:
        prepare(engine)
        plan = in_days(engine, jobs_named(["micro_sync"], engine.jobs), TODAY, TODAY)
        runs = [one for one in work_through(Runner(engine), plan, again=True) if one.job == "micro_sync"]
        return sum(bool(one.written) for one in runs)
    finally:
        engine.ledger.store.close()
        if engine.store is not None:
            engine.store.close()
