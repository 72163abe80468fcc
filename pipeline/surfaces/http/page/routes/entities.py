"""Entities and beliefs: who and what is known, how sure it is, what changed, and which names are one."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from http import HTTPStatus
from typing import Annotated, NamedTuple
from urllib.parse import quote

from fastapi import Query, Response
from pydantic import Field

from pipeline.corrections.entities import change_names
from pipeline.engine.context import Engine
from pipeline.errors.corrections import UnknownEntity
from pipeline.reports.entities import list_entities, show_entity
from pipeline.reports.entry_book import fact_titles
from pipeline.reports.facts import beliefs, fact_book
from pipeline.surfaces.http.page.forms import AskedPart, Form, InBody, InQuery, ListQuery, digest_of
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.rendering import PageThere, act_asked, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, Reading, StateThere
from schemas.fact import FactKind
from schemas.fleet_act import NamesAct
from schemas.reports.entities import FactReport

router = page_router()
_CHANGES, _FACTS, _NAMES = 50, 20, 500
_ROWS, _WIDE, _THIN = 12, 720, 4
"""The rows of a timeline, its width, and that of its thinnest bar, in pixels."""
_KINDS = tuple(kind.term for kind in (FactKind.WORLD, FactKind.OPINION, FactKind.EXPERIENCE, FactKind.OBSERVATION))


class EntitiesQuery(ListQuery):
    """The filter of entities or of beliefs: words that they have, in any order."""

    words: str = Field(default="", max_length=1_000)

    def fits(self, *texts: str) -> bool:
        """Whether all of the words stand in one of the texts, whatever the case."""
        whole = " ".join(texts).casefold()
        return all(word in whole for word in self.words.casefold().split())


class NamingForm(Form):
    """Two names that are to be put together, or to be taken apart; `seen` is the entity as it was shown."""

    name: str = Field(min_length=1, max_length=1_000)
    other: str = Field(min_length=1, max_length=1_000)


@router.get("/entities")
def entities(page: PageThere, engine: Reading, wanted: InQuery[EntitiesQuery]) -> Response:
    """The entities that facts name."""
    known = [entity for entity in list_entities(engine) if wanted.fits(entity.name, *entity.aliases, entity.kind)]
    return page.show("entities.html", {"part": part_of(known, wanted.page), "words": wanted.words})


@router.get("/beliefs")
def opinions(page: PageThere, engine: Reading, wanted: InQuery[EntitiesQuery]) -> Response:
    """The opinions and preferences of people, and the sum behind each confidence."""
    book = fact_book(engine)
    known = [belief for belief in beliefs(book) if wanted.fits(belief.text, *belief.entities)]
    part = part_of(known, wanted.page)
    return page.show("beliefs.html", {"part": part, "titles": fact_titles(book, part.items), "words": wanted.words})


@router.get("/entities/{name:path}")
def entity(page: PageThere, engine: Reading, name: str, number: AskedPart = 1) -> Response:
    """An entity, by any of its names."""
    shown = show_entity(engine, name)
    replaced = [fact for fact in shown.facts if fact.replaced_by]
    part = part_of([fact for fact in reversed(shown.facts) if not fact.replaced_by], number, _FACTS)
    values = {
        "entity": shown.entity,
        "seen": digest_of(shown.entity),
        "groups": {kind: some for kind in _KINDS if (some := [fact for fact in part.items if fact.kind == kind])},
        "over_time": timeline_of(shown.facts, engine.local_now().date()),
        "changes": sorted(replaced, key=lambda fact: fact.until or "", reverse=True)[:_CHANGES],
        "titles": fact_titles(fact_book(engine), shown.facts),
        "has_page": bool(shown.page.strip()),
        "others": [report.name for report in list_entities(engine)][:_NAMES],
        "part": part,
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
def put_together(state: StateThere, engine: Reading, form: InBody[NamingForm]) -> Response:
    """Make a name one more of an entity's."""
    shown = [show_entity(engine, name).entity for name in (form.name, form.other)]
    form.require_same(shown)
    return _change_names(state, engine, NamesAct(kind="merge", name=form.name, other=form.other))


@router.post("/entities/split")
def take_apart(state: StateThere, engine: Reading, form: InBody[NamingForm]) -> Response:
    """Make a name an entity of its own again."""
    form.require_same(show_entity(engine, form.name).entity)
    return _change_names(state, engine, NamesAct(kind="split", name=form.name, other=form.other))


def _change_names(state: HttpState, engine: Engine, wanted: NamesAct) -> Response:
    """Change the names, and show the run, which can be taken back."""
    if state.acts:
        return act_asked(state.acts, wanted)
    report = change_names(engine, wanted.kind, wanted.name, wanted.other)
    return seen_other(f"/runs/{quote(report.run_id)}?notice=named")


class Bar(NamedTuple):
    """A fact in a timeline, from its `first` day to its `last`, in pixels; `holds` is whether nothing replaced it."""

    words: str
    first: str
    last: str
    x: int
    width: int
    holds: bool


def timeline_of(facts: Sequence[FactReport], today: date) -> tuple[list[list[Bar]], str, str] | None:
    """The rows of a timeline, each of facts that took each other's place, and its ends; `None` for a single day."""
    dated = {fact.id: fact for fact in facts if fact.id and fact.day}
    first = min((fact.day or "" for fact in dated.values()), default="")
    days = (today - date.fromisoformat(first)).days if first else 0
    if days < 1 or len({fact.day for fact in dated.values()}) <= 1:
        return None
    chains = sorted(_chains(dated), key=lambda chain: (-len(chain), chain[-1].day or ""))[:_ROWS]

    def place_of(day: str) -> int:
        return round(min((date.fromisoformat(day) - date.fromisoformat(first)).days / days, 1) * _WIDE)

    def bar_of(fact: FactReport) -> Bar:
        start, end = fact.day or first, fact.until or today.isoformat()
        x = min(place_of(start), _WIDE - _THIN)
        return Bar(fact.text, start, fact.until or "…", x, max(place_of(end) - x - 1, _THIN), not fact.replaced_by)

    return [[bar_of(fact) for fact in chain] for chain in chains], first, today.isoformat()


def _chains(facts: Mapping[str, FactReport]) -> Iterator[list[FactReport]]:
    """The facts, each with those that it replaced in turn, the oldest first."""
    before = {fact.replaced_by: fact for fact in facts.values() if fact.replaced_by in facts}
    for fact in facts.values():
        if fact.replaced_by not in facts:
            chain = [fact]
            while (earlier := before.get(chain[0].id)) and earlier not in chain:
                chain.insert(0, earlier)
            yield chain
