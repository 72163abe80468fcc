"""The routes of work: runs, and the grid of jobs and days."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Response

from pipeline.clock import local_day
from pipeline.reports.grid import grid, grid_report
from pipeline.reports.runs import latest_runs, listed_run, report_run, run_to_see
from pipeline.scheduling.registry import jobs_named
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import AccessThere, Reading
from schemas.base import EARLIEST, LATEST
from schemas.reports.runs import ListedRun, ShownRun
from schemas.reports.status import GridReport

router = APIRouter(tags=["work"], responses=PROBLEMS)
_Day = Annotated[date, Query(ge=EARLIEST.date(), le=LATEST.date())]


@router.get("/runs", responses=gives(list[ListedRun]))
def runs(
    engine: Reading, access: AccessThere, job: str = "", limit: Annotated[int, Query(ge=1, le=1000)] = 50
) -> Response:
    """The newest runs, as `memory show runs --json`; an agent gets none of other agents' memory."""
    name = jobs_named([job], engine.jobs)[0].name if job else ""
    return answer([listed_run(record, access) for record in latest_runs(engine, name, limit, access)])


@router.get("/runs/{run_id}", responses=gives(ShownRun))
def run(engine: Reading, access: AccessThere, run_id: str) -> Response:
    """One of them with what it changed, as `memory show run --json`; an agent gets no change of others' files."""
    return answer(report_run(engine, run_to_see(engine, run_id, access), access))


@router.get("/grid", responses=gives(list[GridReport]))
def days(engine: Reading, days: Annotated[int, Query(ge=1, le=366)] = 31, to: _Day | None = None) -> Response:
    """The state of each job on each day, as `memory status --grid --json`."""
    last = to or local_day(engine.clock.now(), engine.zone)
    return answer([grid_report(row) for row in grid(engine, days, last)])
