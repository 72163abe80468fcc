"""Runs that stand in a ledger as if they had been."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.ledger import open_ledger
from schemas.outcome import Ending, Outcome
from schemas.window import PartitionKey, Window

WINDOW = Window(start=datetime(2026, 2, 3, 9, tzinfo=UTC), end=datetime(2026, 2, 3, 12, tzinfo=UTC))
"""Whose runs they are, of `micro_sync` in a workspace of UTC."""
KEY = "2026-02-03T09:00+00:00/2026-02-03T12:00+00:00"
BEGAN = WINDOW.end + timedelta(minutes=2)
ENDED = WINDOW.end + timedelta(minutes=3)


def note_run(root: Path, run_id: str, ended: Outcome | None, window: Window = WINDOW, key: str = KEY) -> None:
    """Put a run of `micro_sync` into the ledger of a workspace; without an outcome it goes on."""
    ledger = open_ledger(root / ".memory" / "state.db")
    ledger.runs.begin(run_id, "micro_sync", PartitionKey(key=key, window=window), BEGAN)
    if ended:
        ledger.runs.end(ended, ENDED)
    ledger.store.close()


def run_outcome(ending: Ending, **fields: object) -> Outcome:
    """How a run of the window ended; `fields` are any others of `Outcome`."""
    given = {"job": "micro_sync", "key": KEY, "window": WINDOW, "ending": ending, "run_id": "r-1"}
    return Outcome.model_validate(given | fields)
