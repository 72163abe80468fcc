"""Entries: the list by day, and the whole story of one, or of a fact."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from pipeline.engine.context import Engine
from pipeline.entries.project_names import short_names
from pipeline.errors import UnknownEntry
from pipeline.ledger.runs import RunRecord
from pipeline.reports.entries import listed_entry, story_of_entry, taken_back, wanted_entries
from pipeline.reports.entry_book import entry_titles, fact_titles
from pipeline.reports.facts import explained_fact, fact_book, is_fact
from pipeline.surfaces.http.page.forms import QueryForm
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.entry import Kind, Status, Trust
from schemas.reports.entries import EntryHistory, ForgottenEntry, GoneEntry, Traced
from schemas.requests import EntryFilter

router = APIRouter(include_in_schema=False)


class EntryForm(EntryFilter, QueryForm):
    """The filter of listed entries, as the form sends it."""

    page: int = Field(default=1, ge=1, le=100_000)

    @property
    def fields(self) -> dict[str, str]:
        """The filters as fields of an address."""
        return {name: str(value) for name, value in self.model_dump(mode="json", exclude={"page"}).items() if value}


@router.get("/entries")
def entries(page: PageThere, state: StateThere, engine: Reading, wanted: Annotated[EntryForm, Query()]) -> Response:
    """The entries, the newest first."""
    known = state.books.of(engine).texts
    part = part_of(wanted_entries(engine, state.books, wanted)[::-1], wanted.page)
    values = {
        "part": part,
        "entries": [listed_entry(place) for place in part.items],
        "wanted": wanted,
        "any": bool(known),
        "kinds": list(Kind),
        "statuses": list(Status),
        "trusts": list(Trust),
        "projects": short_names(place.project for place in known),
    }
    return page.show("entries.html", values)


@router.get("/entries/{entry_id}")
def entry(page: PageThere, state: StateThere, engine: Reading, entry_id: str) -> Response:
    """The whole story of an entry with the words that it rests on, or of a fact with the sum of its confidence."""
    if is_fact(entry_id) and (fact := explained_fact(engine, entry_id, book := fact_book(engine))):
        others = (fact.replaced_by, *fact.replaces, *fact.supported_by, *fact.contradicted_by)
        return page.show("fact.html", {"fact": fact, "titles": fact_titles(book, others)})
    try:
        story = story_of_entry(engine, entry_id, state.books)
    except UnknownEntry:
        if undone := taken_back(engine, entry_id):
            return page.show("entry_undone.html", {"id": entry_id, "undone": undone}, HTTPStatus.GONE)
        raise
    titles = entry_titles(state.books.of(engine), _linked_ids(story), engine.zone)
    run = engine.ledger.runs.find(story.run_id) if isinstance(story, EntryHistory) and story.run_id else None
    values = {"titles": titles, "run": run, "undone": _undone_run(engine, story)}
    return page.show("entry.html", _story_values(story) | values)


def _undone_run(engine: Engine, story: EntryHistory | GoneEntry | ForgottenEntry) -> RunRecord | None:
    """The undone run of an entry that pages still mention."""
    return taken_back(engine, story.id) if isinstance(story, GoneEntry) else None


def _story_values(story: object) -> dict[str, object]:
    return {"story": story, "whole": isinstance(story, EntryHistory), "traced": isinstance(story, Traced)}


def _linked_ids(story: object) -> set[str]:
    """The ids of the other entries that a story names."""
    if not isinstance(story, Traced):
        return set()
    ids = {name for finding in story.findings for name in (finding.entry, finding.target)}
    if isinstance(story, EntryHistory):
        ids.update(story.supersedes, story.superseded_by, story.reinforces, story.reinforced_by)
        ids.update(story.supersedes_part, story.part_superseded_by)
        ids.update(name for link in story.rests_on for name in (link.earlier, link.later))
    return ids
