"""The limits of tokens: of a run, of a day, of the workspace."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline.app.engine import TokenBudget
from pipeline.errors import BudgetSpent
from pipeline.ledger import Ledger, open_ledger
from schemas.outcome import Usage
from schemas.settings import ModelSettings
from schemas.window import PartitionKey, Window
from tests.support.ports.clock import FixedClock

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A new ledger."""
    opened = open_ledger(tmp_path / "state.db")
    yield opened
    opened.store.close()


@pytest.fixture
def booked(ledger: Ledger) -> Ledger:
    """A ledger in which 100 tokens were used yesterday, and 10 today."""
    window = Window(start=NOW - timedelta(hours=3), end=NOW)
    for run_id, began, tokens in (("r-0", NOW - timedelta(days=1), 100), ("r-1", NOW - timedelta(hours=1), 10)):
        ledger.runs.begin(run_id, "note", PartitionKey(key=run_id, window=window), began)
        ledger.spending.note(run_id, {"m": Usage(input_tokens=tokens)})
    return ledger


def budget(ledger: Ledger, **limits: Any) -> TokenBudget:  # noqa: ANN401 - settings
    """A budget of these limits."""
    return TokenBudget(ledger.runs, ModelSettings(**limits), FixedClock(NOW), "UTC")


@pytest.mark.parametrize(
    ("limit", "spent", "ahead", "sentence"),
    [
        ({"tokens_per_run": 5}, 5, 0, r"5 of 5 tokens of this run \(model.tokens_per_run\)"),
        ({"tokens_per_day": 15}, 3, 2, r"15 of 15 tokens today \(model.tokens_per_day\)"),
        ({"tokens_in_total": 115}, 3, 2, r"115 of 115 tokens of this workspace \(model.tokens_in_total\)"),
    ],
)
def test_a_limit_that_is_reached_refuses(
    booked: Ledger, limit: dict[str, int], spent: int, ahead: int, sentence: str
) -> None:
    """With the name of the setting; a token less is let through."""
    with pytest.raises(BudgetSpent, match=sentence):
        budget(booked, **limit).check(spent, ahead)
    budget(booked, **limit).check(spent - 1, ahead)


def test_answers_for_later_runs_are_not_this_runs(booked: Ledger) -> None:
    """They count for the day and the workspace alone."""
    budget(booked, tokens_per_run=5).check(0, 1000)


def test_no_limit_refuses_nothing(booked: Ledger) -> None:
    """0 is no limit."""
    budget(booked).check(10**9, 10**9)
