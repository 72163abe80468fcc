"""Entities and beliefs: who and what is known, how sure it is, what changed, and which names are one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Annotated, TypeVar
from urllib.parse import quote

from fastapi import Query, Response
from pydantic import Field

from pipeline.corrections.entities import EntitiesNamed, merge, split
from pipeline.engine.context import Engine
from pipeline.errors.corrections import UnknownEntity
from pipeline.reports.entities import list_entities, show_entity
from pipeline.reports.entry_book import fact_titles
from pipeline.reports.facts import beliefs, fact_book
from pipeline.surfaces.http.page.forms import AskedPart, Form, InBody, digest_of
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.state import Reading
from schemas.fact import FactKind
from schemas.reports.entities import EntityReport, FactReport, ShownEntity

router = page_router()
_T = TypeVar("_T")
_MOST, _FACTS, _NAMES = 50, 20, 500
_ROWS, _WIDE, _THIN = 12, 720, 4
"""The rows of a timeline, its width, and that of its thinnest bar, in pixels."""
_KINDS = tuple(kind.term for kind in (FactKind.WORLD, FactKind.OPINION, FactKind.EXPERIENCE, FactKind.OBSERVATION))


class NamingForm(Form):
    """Two names that are to be put together, or to be taken apart; `seen` is the entity as it was shown."""

    name: str = Field(min_length=1, max_length=1_000)
    other: str = Field(min_length=1, max_length=1_000)


@router.get("/entities")
def entities(
    page: PageThere,
    engine: Reading,
    words: Annotated[str, Query(max_length=1_000)] = "",
    number: AskedPart = 1,
) -> Response:
    """The entities that facts name."""
    known = [entity for entity in list_entities(engine) if _has_words(words, entity.name, *entity.aliases, entity.kind)]
    shown, last = _part(known, number)
    return page.show("entities.html", {"entities": shown, "words": words, "number": min(number, last), "last": last})


@router.get("/beliefs")
def opinions(
    page: PageThere,
    engine: Reading,
    words: Annotated[str, Query(max_length=1_000)] = "",
    number: AskedPart = 1,
) -> Response:
    """The opinions and preferences of people, and the sum behind each confidence."""
    book = fact_book(engine)
    known = [belief for belief in beliefs(book) if _has_words(words, belief.text, *belief.entities)]
    shown, last = _part(known, number)
    values = {"beliefs": shown, "titles": fact_titles(book, _linked_ids(shown)), "words": words}
    return page.show("beliefs.html", values | {"number": min(number, last), "last": last})


@router.get("/entities/{name:path}")
def entity(page: PageThere, engine: Reading, name: str, number: AskedPart = 1) -> Response:
    """An entity, by any of its names."""
    shown = show_entity(engine, name)
    holding, last = _part([fact for fact in reversed(shown.facts) if not fact.replaced_by], number, _FACTS)
    values = {
        "entity": shown.entity,
        "seen": digest_of(shown.entity),
        "groups": {kind: some for kind in _KINDS if (some := [fact for fact in holding if fact.kind == kind])},
        "over_time": timeline_of(shown.facts, engine.local_now().date()),
        "changes": _replaced_facts(shown)[:_MOST],
        "titles": fact_titles(fact_book(engine), _linked_ids(shown.facts)),
        "has_page": bool(shown.page.strip()),
        "others": [one.name for one in list_entities(engine)][:_NAMES],
        "number": min(number, last),
        "last": last,
    }
    return page.show("entity.html", values)


@router.get("/together")
def preview(
    page: PageThere,
    engine: Reading,
    name: Annotated[str, Query(max_length=1_000)],
    other: Annotated[str, Query(max_length=1_000)],
) -> Response:
    """The facts and names of two entities, and what becomes of them; of a name that nothing has those like it."""
    first = show_entity(engine, name)
    try:
        second = show_entity(engine, other)
    except UnknownEntity as error:
        values = {"first": first, "second": None, "other": other, "alike": error.known}
        return page.show("together.html", values, HTTPStatus.NOT_FOUND)
    seen = digest_of([first.entity, second.entity])
    return page.show("together.html", {"first": first, "second": second, "seen": seen})


@router.post("/entities/merge")
def put_together(engine: Reading, form: InBody[NamingForm]) -> Response:
    """Make a name one more of an entity's."""
    return _change_name(
        form, [_report(engine, form.name), _report(engine, form.other)], lambda: merge(engine, form.name, form.other)
    )


@router.post("/entities/split")
def take_apart(engine: Reading, form: InBody[NamingForm]) -> Response:
    """Make a name an entity of its own again."""
    return _change_name(form, _report(engine, form.name), lambda: split(engine, form.name, form.other))


def _change_name(form: NamingForm, shown: object, work: Callable[[], EntitiesNamed]) -> Response:
    """Change the names, and show the run, which can be taken back."""
    form.require_same(shown)
    return seen_other(f"/runs/{quote(work().report(form.name, form.other).run_id)}?notice=named")


@dataclass(frozen=True)
class Bar:
    """A fact in a timeline, from its `first` day to its `last`, in pixels; `holds` is whether nothing replaced it."""

    words: str
    first: str
    last: str
    x: int
    width: int
    holds: bool


@dataclass(frozen=True)
class TimelineRow:
    """Facts that took each other's place; `words` are those of the last."""

    words: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class EntityTimeline:
    """The rows of a timeline, those that changed first, and its ends, as days."""

    rows: Sequence[TimelineRow]
    first: str
    last: str


def timeline_of(facts: Sequence[FactReport], today: date) -> EntityTimeline | None:
    """The timeline of facts; `None` where all are of one day."""
    dated = {fact.id: fact for fact in facts if fact.id and fact.day}
    first = min((fact.day or "" for fact in dated.values()), default="")
    days = (today - date.fromisoformat(first)).days if first else 0
    if days < 1 or len({fact.day for fact in dated.values()}) < len(("before", "after")):
        return None
    chains = sorted(_chains(dated), key=lambda chain: (-len(chain), chain[-1].day or ""))[:_ROWS]

    def place_of(day: str) -> int:
        return round(min((date.fromisoformat(day) - date.fromisoformat(first)).days / days, 1) * _WIDE)

    def bar_of(fact: FactReport) -> Bar:
        start, end = fact.day or first, fact.until or today.isoformat()
        x = min(place_of(start), _WIDE - _THIN)
        return Bar(fact.text, start, fact.until or "…", x, max(place_of(end) - x - 1, _THIN), not fact.replaced_by)

    rows = [TimelineRow(chain[-1].text, [bar_of(fact) for fact in chain]) for chain in chains]
    return EntityTimeline(rows, first, today.isoformat())


def _chains(facts: Mapping[str, FactReport]) -> Iterator[list[FactReport]]:
    """The facts, each with those that it replaced in turn, the oldest first."""
    before = {fact.replaced_by: fact for fact in facts.values() if fact.replaced_by in facts}
    for fact in facts.values():
        if fact.replaced_by not in facts:
            chain = [fact]
            while (earlier := before.get(chain[0].id)) and earlier not in chain:
                chain.insert(0, earlier)
            yield chain


def _report(engine: Engine, name: str) -> EntityReport:
    return show_entity(engine, name).entity


def _replaced_facts(shown: ShownEntity) -> Sequence[FactReport]:
    """The facts that hold no more, the last that was replaced first."""
    return sorted((fact for fact in shown.facts if fact.replaced_by), key=lambda fact: fact.until or "", reverse=True)


def _linked_ids(facts: Sequence[FactReport]) -> set[str]:
    """The ids of facts that these facts name."""
    links = ((fact.replaced_by, *fact.replaces, *fact.supported_by, *fact.contradicted_by) for fact in facts)
    return {name for ids in links for name in ids if name}


def _has_words(words: str, *texts: str) -> bool:
    """Whether all of these words stand in one of the texts, whatever the case."""
    whole = " ".join(texts).casefold()
    return all(word in whole for word in words.casefold().split())


def _part(values: Sequence[_T], number: int, size: int = _MOST) -> tuple[Sequence[_T], int]:
    """The values of a page, and the number of the last one."""
    last = max(1, -(-len(values) // size))
    start = (min(number, last) - 1) * size
    return values[start : start + size], last
