"""Entries: the list by day, the whole story of an entry or of a fact, and the correction of an entry."""

from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import urlencode

from fastapi import Response
from pydantic import Field

from pipeline.corrections.correct import correct, corrected_report, correction, entry_in_force
from pipeline.entries.project_names import goes_by, short_names
from pipeline.errors import PipelineError, UnknownEntry
from pipeline.reports.entries import listed_entry, story_of_entry, taken_back, wanted_entries
from pipeline.reports.entry_book import chain_of, entry_titles, fact_titles, titles_named
from pipeline.reports.facts import explained_fact, fact_book, is_fact
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.surfaces.http.page.errors import error_document
from pipeline.surfaces.http.page.forms import Form, InBody, InQuery, ListQuery, digest_of
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.rendering import PageThere, act_asked, page_router, seen_other
from pipeline.surfaces.http.problems import problem_for
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.fleet_act import CorrectAct
from schemas.reports.entries import EntryHistory, GoneEntry, Traced
from schemas.requests import EntryFilter

router = page_router()
_LONGEST = 20_000  # characters of words that are to hold
_CHAIN = 8  # entries that replaced one another
_WORDS = {"kind": "kinds", "status": "statuses", "trust": "trusts"}
"""The facets whose values are ours, and the groups of their words."""
_VALUES = 12


class EntryForm(EntryFilter, ListQuery):
    """The filter of listed entries, as the form sends it."""


class CorrectForm(Form):
    """The words that are to hold."""

    text: str = Field(default="", max_length=_LONGEST)


@router.get("/entries")
def entries(page: PageThere, state: StateThere, engine: Reading, wanted: InQuery[EntryForm]) -> Response:
    """The entries, the newest first, and for each facet how many there are of a value."""
    nowhere = wanted.model_copy(update={"kind": None, "status": None, "trust": None, "project": ""})
    let_through = wanted_entries(engine, state.books, nowhere)
    shown, counts = _count(let_through, wanted, engine.catalog.project_named(wanted.project))
    part, short = part_of(shown[::-1], wanted.page), short_names({place.project for place in let_through})

    def value_of(facet: str, value: str, number: int) -> tuple[str, int, str, bool]:
        """The words of a value, the number of entries, the address that picks or drops it, and whether it is chosen."""
        chosen = str(getattr(wanted, facet) or "") in {value, short.get(value, value)}
        fields = {name: given for name, given in wanted.fields.items() if name != facet} | (
            {} if chosen else {facet: value}
        )
        words = short.get(value, value) if facet == "project" else page.word(f"page.{_WORDS[facet]}", value)
        return words, number, f"/entries?{urlencode(fields)}" if fields else "/entries", chosen

    values = {
        "part": part,
        "entries": [listed_entry(place) for place in part.items],
        "wanted": wanted,
        "any": bool(let_through or state.books.of(engine).texts),
        "facets": {
            facet: [
                value_of(facet, value, number)
                for value, number in sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))[:_VALUES]
            ]
            for facet, numbers in counts.items()
            if len(numbers) > 1 or getattr(wanted, facet)
        },
    }
    return page.show("entries.html", values)


def _count(
    places: Sequence[PlacedEntry], wanted: EntryForm, project: str
) -> tuple[list[PlacedEntry], dict[str, Counter[str]]]:
    """The entries that all facets let through, and of each facet the values of those that the others let through."""
    # Few combinations of values are there, among thousands of entries.
    has = [(place.entry.kind, place.status, place.entry.trust, place.project) for place in places]
    passing, counts = set[tuple[str, ...]](), {facet: Counter[str]() for facet in (*_WORDS, "project")}
    for values, number in Counter(has).items():
        ours = zip(_WORDS, values, strict=False)
        out = [facet for facet, value in ours if getattr(wanted, facet) not in {None, value}]
        out += [] if goes_by(values[-1], project) else ["project"]
        if not out:
            passing.add(values)
        for facet, value in zip(counts, values, strict=True):
            if value and out in ([], [facet]):
                counts[facet][str(value)] += number
    return [place for place, values in zip(places, has, strict=True) if values in passing], counts


@router.get("/entries/{entry_id}")
def entry(page: PageThere, state: StateThere, engine: Reading, entry_id: str) -> Response:
    """The whole story of an entry with the words that it rests on, or of a fact with the sum of its confidence."""
    if is_fact(entry_id) and (fact := explained_fact(engine, entry_id, book := fact_book(engine))):
        return page.show("fact.html", {"fact": fact, "titles": fact_titles(book, [fact])})
    try:
        story = story_of_entry(engine, entry_id, state.books)
    except UnknownEntry:
        if undone := taken_back(engine, entry_id):
            gone = {"story": {"id": entry_id}, "whole": False, "traced": False, "undone": undone}
            return page.show("entry.html", gone, HTTPStatus.GONE)
        raise
    known = state.books.of(engine)
    reasons = [verdict.reason for verdict in story.verdicts] if isinstance(story, Traced) else []
    values = {
        "story": story,
        "whole": isinstance(story, EntryHistory),
        "traced": isinstance(story, Traced),
        "titles": entry_titles(known, _linked_ids(story), engine.zone),
        "named": titles_named(known, reasons, engine.zone),
        "chain": chain_of(known, story.id, _CHAIN),
        "run": engine.ledger.runs.find(story.run_id) if isinstance(story, EntryHistory) and story.run_id else None,
        "undone": taken_back(engine, story.id) if isinstance(story, GoneEntry) else None,
    }
    return page.show("entry.html", values)


@router.get("/correct/{entry_id}")
def ask_words(page: PageThere, engine: Reading, entry_id: str) -> Response:
    """The entry as it holds."""
    entry = entry_in_force(engine, entry_id)
    return page.show("correct.html", {"entry": entry, "seen": digest_of(entry)})


@router.post("/correct/{entry_id}")
def correct_entry(page: PageThere, state: StateThere, entry_id: str, form: InBody[CorrectForm]) -> Response:
    """Correct it, if it still is what the person saw; then its story."""
    try:
        with state.running() as engine:
            form.require_same(entry_in_force(engine, entry_id))
            wanted = correction(engine, entry_id, form.text)
            if state.acts:
                return act_asked(state.acts, CorrectAct(id=wanted.entry.id, words=form.text))
            report = corrected_report(wanted, correct(engine, wanted))
    except PipelineError as error:
        return error_document(page.request, problem_for(page.request, error), form.text)
    return seen_other(f"/entries/{report.id or report.corrects}?notice={'kept' if report.left else 'corrected'}")


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
