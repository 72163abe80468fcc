"""A workspace with a fold that is due, and a clock that goes on while a program looks at it, as real ones do."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline.drafts import Draft
from pipeline.errors import WriteFailed
from pipeline.job import Run
from tests.support.builders.cadence_jobs import FOLD
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.workbench import Workbench

PAGE = "bank/apples.md"
NOON = datetime(2026, 3, 4, 11, tzinfo=UTC)


class TickingClock(FixedClock):
    """A clock on which every look is a millisecond later than the one before."""

    def now(self) -> datetime:
        """A moment that no earlier look has seen."""
        self.move(timedelta(milliseconds=1))
        return self.moment


def fold_bench(new_bench: Callable[..., Workbench], *, fails: bool = False) -> Workbench:
    """A bench with one note for its only job, the fold; with `fails` the fold cannot write."""
    job = replace(FOLD, run=_full) if fails else FOLD
    bench = new_bench(jobs=(job,), clock=TickingClock(NOON))
    notes = bench.root / "second-brain" / "notes"
    notes.mkdir(parents=True)
    (notes / "a.md").write_text("apples are red\n")
    return bench


def _full(run: Run) -> list[Draft]:
    raise WriteFailed(PAGE, f"no room for {run.key}")
