"""Entities and beliefs: who and what is known, how sure it is, what changed, and which names are one."""

from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData
from pydantic import Field

from pipeline.corrections.entities import EntitiesNamed, merge, split
from pipeline.engine.context import Engine
from pipeline.markdown.blocks import without_marks
from pipeline.reports.entities import list_entities, show_entity
from pipeline.reports.entry_book import fact_titles
from pipeline.reports.facts import beliefs, fact_book
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.rendering import Page, PageThere
from pipeline.surfaces.http.state import Reading
from schemas.fact import FactKind
from schemas.reports.entities import EntityReport, FactReport, ShownEntity

router = APIRouter(include_in_schema=False)
_T = TypeVar("_T")
_MOST = 50
_Number = Annotated[int, Query(alias="page", ge=1, le=1_000_000)]
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
    number: _Number = 1,
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
    number: _Number = 1,
) -> Response:
    """The opinions and preferences of people, and the sum behind each confidence."""
    book = fact_book(engine)
    known = [belief for belief in beliefs(book) if _has_words(words, belief.text, *belief.entities)]
    shown, last = _part(known, number)
    values = {"beliefs": shown, "titles": fact_titles(book, _linked_ids(shown)), "words": words}
    return page.show("beliefs.html", values | {"number": min(number, last), "last": last})


@router.get("/entities/{name:path}")
def entity(page: PageThere, engine: Reading, name: str, number: _Number = 1) -> Response:
    """An entity, by any of its names."""
    shown = show_entity(engine, name)
    holding, last = _part([fact for fact in reversed(shown.facts) if not fact.replaced_by], number)
    values = {
        "entity": shown.entity,
        "seen": digest_of(shown.entity),
        "groups": {kind: some for kind in _KINDS if (some := [fact for fact in holding if fact.kind == kind])},
        "changes": _replaced_facts(shown)[:_MOST],
        "titles": fact_titles(fact_book(engine), _linked_ids(shown.facts)),
        "text": without_marks(shown.page).strip(),
        "number": min(number, last),
        "last": last,
    }
    return page.show("entity.html", values)


@router.post("/entities/merge")
def put_together(page: PageThere, engine: Reading, form: Annotated[NamingForm, FormData()]) -> Response:
    """Make a name one more of an entity's."""
    return _change_name(page, engine, form, lambda: merge(engine, form.name, form.other))


@router.post("/entities/split")
def take_apart(page: PageThere, engine: Reading, form: Annotated[NamingForm, FormData()]) -> Response:
    """Make a name an entity of its own again."""
    return _change_name(page, engine, form, lambda: split(engine, form.name, form.other))


def _change_name(page: Page, engine: Engine, form: NamingForm, work: Callable[[], EntitiesNamed]) -> Response:
    form.require_same(_report(engine, form.name))
    done = work().report(form.name, form.other)
    return page.show("entity_named.html", {"done": done})


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


def _part(values: Sequence[_T], number: int) -> tuple[Sequence[_T], int]:
    """The values of a page, and the number of the last one."""
    last = max(1, -(-len(values) // _MOST))
    start = (min(number, last) - 1) * _MOST
    return values[start : start + _MOST], last
