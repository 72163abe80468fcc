"""What runs cost, by model."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.ledger import Ledger, open_ledger
from schemas.outcome import Usage
from schemas.window import PartitionKey, Window

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ONE = Usage(asked=1, input_tokens=100, output_tokens=10, cached_tokens=60)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A new ledger."""
    opened = open_ledger(tmp_path / "state.db")
    yield opened
    opened.store.close()


def begin(ledger: Ledger, run_id: str, began: datetime) -> None:
    """Note a run."""
    window = Window(start=NOON - timedelta(hours=3), end=NOON)
    ledger.runs.begin(run_id, "note", PartitionKey(key=run_id, window=window), began)


def test_usage_is_added_up_by_model(ledger: Ledger) -> None:
    """Noted twice it counts twice, each model for itself; the tokens of a run are those of all."""
    begin(ledger, "r-1", NOON)
    ledger.spending.note("r-1", {"large": ONE, "small": ONE})
    ledger.spending.note("r-1", {"small": ONE})
    assert {"large": ONE, "small": ONE + ONE} == ledger.spending.of_run("r-1")
    assert 330 == ledger.runs.tokens_since(NOON) == ledger.runs.tokens_since()


def test_a_span_has_the_runs_that_began_in_it(ledger: Ledger) -> None:
    """From the first moment, which is inside, to the last, which is not."""
    for number in range(4):
        begin(ledger, f"r-{number}", NOON + timedelta(hours=number))
        ledger.spending.note(f"r-{number}", {"large": ONE})
    spent = ledger.spending.since(NOON + timedelta(hours=1), NOON + timedelta(hours=3))
    assert ["r-1", "r-2"] == [one.run_id for one in spent]
    assert ("note", "large", ONE, NOON + timedelta(hours=1)) == (
        spent[0].job,
        spent[0].model,
        spent[0].usage,
        spent[0].began,
    )


def test_nothing_used_is_nothing_noted(ledger: Ledger) -> None:
    """A run that asked nothing has no line."""
    begin(ledger, "r-1", NOON)
    ledger.spending.note("r-1", {})
    assert {} == ledger.spending.of_run("r-1")
