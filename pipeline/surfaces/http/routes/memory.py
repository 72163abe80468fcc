"""What is remembered: search, recall, entries, entities."""

from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import ConfigDict, Field

from pipeline.app.graph import GraphReader, memory_graph
from pipeline.clock import local_day
from pipeline.entries.project_names import goes_by
from pipeline.reports.entities import list_entities, show_entity
from pipeline.reports.entries import explained, listed_entry
from pipeline.reports.facts import explained_fact
from pipeline.service.socket.handlers import RecallLine, SearchLine
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import (
    AccessThere,
    CallerThere,
    Reading,
    StateThere,
    reader_field,
    reader_of,
    requester_of,
)
from schemas.entry import Kind, Status
from schemas.hit import Answer
from schemas.reports.entities import EntityReport, ShownEntity
from schemas.reports.entries import ListedEntry
from schemas.reports.graph import GraphRequest, MemoryGraph
from schemas.reports.recall import Recalled
from schemas.search_limits import LONGEST_QUERY

router = APIRouter(tags=["memory"], responses=PROBLEMS)
_FACT = "f-"


class SearchQuery(SearchLine):
    """The request of a search in an address."""

    model_config = ConfigDict(defer_build=False)

    query: str = Field(max_length=LONGEST_QUERY)


class RecallQuery(RecallLine):
    """The request to recall facts in an address."""

    model_config = ConfigDict(defer_build=False)

    query: str = Field(default="", max_length=LONGEST_QUERY)


class GraphQuery(GraphRequest):
    """A request for a part of the graph, in an address."""

    model_config = ConfigDict(defer_build=False)


@router.get("/search", responses=gives(Answer))
def search(state: StateThere, caller: CallerThere, wanted: Annotated[SearchQuery, Query()]) -> Response:
    """Hits in the memory, as `memory search --json`; an agent gets none of what is another agent's own."""
    return answer(state.questions["search"]({**_given(wanted), **reader_field(caller)}))


@router.get("/recall", responses=gives(Recalled))
def recall(state: StateThere, caller: CallerThere, wanted: Annotated[RecallQuery, Query()]) -> Response:
    """Facts, as `memory recall --json`."""
    return answer(state.questions["recall"]({**_given(wanted), **reader_field(caller)}))


@router.get("/entries", responses=gives(list[ListedEntry]))
def entries(  # noqa: PLR0913 - a parameter for each filter
    state: StateThere,
    engine: Reading,
    *,
    kind: Kind | None = None,
    status: Status | None = None,
    since: date | None = None,
    until: date | None = None,
    project: str = "",
) -> Response:
    """The entries by day, as `memory entries --json`."""
    places = (
        place
        for place in state.books.of(engine).texts
        if (kind is None or place.entry.kind is kind)
        and (status is None or place.status is status)
        and goes_by(place.project, engine.catalog.project_named(project))
        and (since is None or local_day(place.entry.date, engine.zone) >= since)
        and (until is None or local_day(place.entry.date, engine.zone) <= until)
    )
    return answer([listed_entry(place) for place in places])


@router.get("/entries/{entry_id}", responses=gives(dict[str, Any]))
def entry(state: StateThere, engine: Reading, access: AccessThere, entry_id: str) -> Response:
    """The whole story of an entry or of a fact, as `memory explain --json`."""
    fact = explained_fact(engine, entry_id) if entry_id.startswith(_FACT) else None
    return answer(fact or explained(engine, entry_id, state.books, access))


@router.get("/entities", responses=gives(list[EntityReport]))
def entities(engine: Reading) -> Response:
    """Who and what is known, as `memory entities --json`."""
    return answer(list_entities(engine))


@router.get("/entities/{name}", responses=gives(ShownEntity))
def entity(engine: Reading, name: str) -> Response:
    """One of them with its facts, as `memory entities NAME --json`."""
    return answer(show_entity(engine, name))


@router.get("/graph", responses=gives(MemoryGraph))
def graph(
    engine: Reading,
    state: StateThere,
    caller: CallerThere,
    wanted: Annotated[GraphQuery, Query()],
) -> Response:
    """What is remembered as nodes and edges, at most 200; of details and conversations those the caller may read."""
    asker = GraphReader(requester_of(caller, wanted.user_id), reader_of(caller, wanted.user_id or None))
    return answer(memory_graph(engine, state.store, asker, wanted, state.graph_of_entries(engine)))


def _given(line: SearchLine | RecallLine) -> dict[str, Any]:
    return line.model_dump(mode="json", exclude_unset=True)
