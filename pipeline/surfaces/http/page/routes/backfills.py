"""One back-fill: what its runs wrote."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response

from pipeline.reports.done_lately import backfill_named
from pipeline.reports.runs import listed_run
from pipeline.surfaces.http.page.paging import fetched
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading
from schemas.reports.runs import ListedRun

router = APIRouter(include_in_schema=False)
Number = Annotated[int, Query(alias="page", ge=1, le=1_000_000)]


@router.get("/backfills/{backfill}")
def show_backfill(page: PageThere, engine: Reading, backfill: str, number: Number = 1) -> Response:
    """How many runs it had, and those that wrote."""
    totals = backfill_named(engine, backfill)

    def fetch(offset: int, most: int) -> tuple[Sequence[ListedRun], int]:
        return list(map(listed_run, engine.ledger.runs.telling(backfill, most, offset))), totals.runs - totals.empty

    return page.show("backfill.html", {"totals": totals, "part": fetched(fetch, number)})
