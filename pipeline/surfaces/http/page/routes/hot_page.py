"""MEMORY.md: the page that an agent reads first, and what became of it week by week."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Response

from pipeline.corrections.page_room import full_page, page_job
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.ledger.runs import RunRecord
from pipeline.reports.runs import difference
from pipeline.surfaces.http.page.paging import paged
from pipeline.surfaces.http.page.reading import page_lines, without_comments
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading
from schemas.hot_page import CHARACTERS, LINES, PATH

router = APIRouter(include_in_schema=False)
_RUNS, _WEEKS = 200, 5
_PLANS = "memory/archive/weekly-*.md"


@dataclass(frozen=True)
class PageChange:
    """A run that changed the page, and how."""

    run: RunRecord
    lines: list[str]


@router.get("/memory")
def hot_page(
    page: PageThere, engine: Reading, number: Annotated[int, Query(alias="page", ge=1, le=1_000)] = 1
) -> Response:
    """The page as it is, and its history."""
    text = _text(engine, PATH)
    weeks = paged(sorted(engine.workspace.select(_PLANS), reverse=True), number, _WEEKS)
    values = {
        "content": list(page_lines(text)),
        "lines": len(text.splitlines()),
        "characters": len(text),
        "most_lines": LINES,
        "most_characters": CHARACTERS,
        "full": full_page(engine),
        "changes": paged(_changes(engine), number, _WEEKS),
        "weeks": weeks,
        "plans": [(path, without_comments(_text(engine, path))) for path in weeks.items],
    }
    return page.show("hot_page.html", values)


def _text(engine: Engine, path: str) -> str:
    try:
        return (engine.workspace.read(path) or b"").decode(errors="replace")
    except ReadFailed:  # the doctor says more
        return ""


def _changes(engine: Engine) -> list[PageChange]:
    """The runs that changed the page, the newest first."""
    job = page_job(engine)
    records = engine.ledger.runs.latest(job.name, _RUNS) if job else []
    return [
        PageChange(record, list(difference(change)))
        for record in records
        for change in engine.ledger.changes.of_run(record.run_id)
        if change.path == PATH
    ]
