"""MEMORY.md: the page that an agent reads first, and what became of it week by week."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from pipeline.corrections.adopt import full_page
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.reports.hot_page import judged_week, page_changes, plans, without_room
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.reading import inline, leads_from, page_lines
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.hot_page import CHARACTERS, LINES, PATH

router = APIRouter(include_in_schema=False)
_WEEKS = 5
_RULINGS = ("promoted", "stays", "kept", "demoted", "merged", "overridden")
"""The verdicts that have a word in the reader's language; a person may have written another."""
_QUIET = ("stays", "kept")
"""The rulings that change nothing on the page."""


@router.get("/memory")
def hot_page(
    page: PageThere,
    state: StateThere,
    engine: Reading,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000)] = 1,
) -> Response:
    """`MEMORY.md` as it is, and its history."""
    text, changes = _read_text(engine, PATH), page_changes(engine)
    weeks = part_of(list(plans(engine).items()), number, _WEEKS)
    values = {
        "content": [(line, inline(line.text, leads_from(PATH, engine.workspace.layout))) for line in page_lines(text)],
        "lines": len(text.splitlines()),
        "characters": len(text),
        "most_lines": LINES,
        "most_characters": CHARACTERS,
        "full": full_page(engine),
        "waiting": _entries_without_room(state, engine),
        "weeks": weeks,
        "judged": [judged_week(engine, week, path, changes) for week, path in weeks.items],
        "others": [change for change in changes if not change.week][:_WEEKS],
        "rulings": _RULINGS,
        "quiet": _QUIET,
    }
    return page.show("hot_page.html", values)


def _read_text(engine: Engine, path: str) -> str:
    try:
        return (engine.workspace.read(path) or b"").decode(errors="replace")
    except ReadFailed:  # the doctor says more
        return ""


def _entries_without_room(state: StateThere, engine: Engine) -> list[tuple[str, str]]:
    """The entries without room by their ids, each with its title where it still stands."""
    ids = without_room(engine)
    titles = {place.entry.id: place.entry.title for place in state.books.of(engine).places} if ids else {}
    return [(entry_id, titles.get(entry_id, entry_id)) for entry_id in ids]
