"""What was done lately, in few lines: a back-fill is one, and runs that had nothing to write are counted."""

from dataclasses import dataclass
from datetime import timedelta

from pipeline.engine.context import Engine
from pipeline.errors.corrections import UnknownBackfillRuns
from pipeline.ledger.runs import BackfillTotals
from pipeline.reports.run_subjects import NamedRun, named_runs

_BACKFILLS = 3
_SILENT_FOR = timedelta(days=1)


@dataclass(frozen=True)
class DoneLately:
    """The newest back-fills and runs; `silent` is how many runs of the last day had nothing to write."""

    backfills: tuple[BackfillTotals, ...]
    runs: tuple[NamedRun, ...]
    silent: int


def done_lately(engine: Engine, most: int) -> DoneLately:
    """The newest runs of no back-fill, so many at most, and the rest in sums."""
    runs = engine.ledger.runs
    return DoneLately(
        backfills=tuple(runs.backfill_totals(limit=_BACKFILLS)),
        runs=tuple(named_runs(engine, runs.telling("", most))),
        silent=runs.silent_since(engine.clock.now() - _SILENT_FOR),
    )


def backfill_named(engine: Engine, backfill: str) -> BackfillTotals:
    """The totals of a back-fill.

    Raises:
        UnknownBackfillRuns: no run is known that carries the id.
    """
    for totals in engine.ledger.runs.backfill_totals(backfill) if backfill else ():
        return totals
    raise UnknownBackfillRuns(backfill, engine.ledger.runs.backfills()[:_BACKFILLS], "")
