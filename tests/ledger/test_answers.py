"""The table of answers."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.ledger import open_ledger
from pipeline.ports.engine import Reply
from tests.support.ports.clock import FixedClock

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_an_answer_is_as_old_as_the_ledgers_clock_says(tmp_path: Path) -> None:
    """The same clock tells when it was given and when it is too old: one clock for the whole ledger."""
    clock = FixedClock(NOON)
    ledger = open_ledger(tmp_path / "state.db", clock)
    ledger.answers.put_answer("first", "m", Reply("yes", 1, 1))
    clock.move(timedelta(days=2))
    ledger.answers.put_answer("second", "m", Reply("no", 1, 1))

    with ledger.store.transaction():
        dropped = ledger.answers.drop_before(NOON + timedelta(days=1))

    assert (1, None, "no") == (dropped, ledger.answers.get("first"), ledger.answers.get("second"))
    ledger.store.close()
