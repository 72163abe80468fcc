"""A back-fill: its runs, and what can be done with it."""

from collections.abc import Sequence

from fastapi import Response

from pipeline.backfill.orders import OrdersFolder
from pipeline.corrections.undo import DaysAgain, days_again
from pipeline.engine.context import Engine
from pipeline.ledger.runs import BackfillTotals
from pipeline.reports.run_subjects import NamedRun, backfill_named, named_runs
from pipeline.surfaces.http.page.forms import AskedPart
from pipeline.surfaces.http.page.paging import fetch_part
from pipeline.surfaces.http.page.rendering import PageThere, page_router
from pipeline.surfaces.http.state import Reading

router = page_router()


@router.get("/backfills/{backfill}")
def show_backfill(page: PageThere, engine: Reading, backfill: str, number: AskedPart = 1) -> Response:
    """A back-fill: the number of its runs, those that wrote, and what can be done with it."""
    totals = backfill_named(engine, backfill)

    def fetch(offset: int, most: int) -> tuple[Sequence[NamedRun], int]:
        return named_runs(engine, engine.ledger.runs.telling(backfill, most, offset)), totals.runs - totals.empty

    stopped = any(orders.id == backfill for orders in OrdersFolder(engine.workspace.state_folder).stopped())
    values = {"stopped": stopped, "again": _days_to_run_again(engine, totals), "part": fetch_part(fetch, number)}
    return page.show("backfill.html", values | {"totals": totals})


def _days_to_run_again(engine: Engine, totals: BackfillTotals) -> DaysAgain | None:
    """The days to run again of an undone back-fill; folds do not count."""
    records = engine.ledger.runs.of_backfill(totals.backfill) if totals.undone else []
    folds = {job.name for job in engine.jobs if job.is_fold}
    whole = all(record.undone or record.job in folds for record in records)
    return days_again(engine, [record for record in records if record.undone]) if whole else None
