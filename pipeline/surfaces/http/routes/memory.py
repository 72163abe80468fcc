"""The routes of the memory: search, recall, entries, entities."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from pipeline.app.graph import GraphReader, memory_graph
from pipeline.reports.entities import list_entities, show_entity
from pipeline.reports.entries import listed_entry, story_of_entry, wanted_entries
from pipeline.reports.facts import explained_fact
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
from schemas.hit import Answer
from schemas.reports.entities import EntityReport, ShownEntity
from schemas.reports.entries import ListedEntry
from schemas.reports.graph import GraphRequest, MemoryGraph
from schemas.reports.recall import Recalled
from schemas.requests import EntryFilter, RecallRequest, SearchRequest

router = APIRouter(tags=["memory"], responses=PROBLEMS)
_FACT = "f-"


@router.get("/search", responses=gives(Answer))
def search(state: StateThere, caller: CallerThere, wanted: Annotated[SearchRequest, Query()]) -> Response:
    """Hits in the memory, as `memory search --json`; an agent gets none of what is another agent's own."""
    return answer(state.answers.memory.search(wanted.model_copy(update=reader_field(caller))).model_dump(mode="json"))


@router.get("/recall", responses=gives(Recalled))
def recall(state: StateThere, caller: CallerThere, wanted: Annotated[RecallRequest, Query()]) -> Response:
    """Facts, as `memory recall --json`."""
    return answer(state.answers.memory.recall(wanted.model_copy(update=reader_field(caller))).model_dump(mode="json"))


@router.get("/entries", responses=gives(list[ListedEntry]))
def entries(state: StateThere, engine: Reading, wanted: Annotated[EntryFilter, Query()]) -> Response:
    """The entries by day, as `memory show entries --json`."""
    return answer([listed_entry(place) for place in wanted_entries(engine, state.books, wanted)])


@router.get("/entries/{entry_id}", responses=gives(dict[str, Any]))
def entry(state: StateThere, engine: Reading, access: AccessThere, entry_id: str) -> Response:
    """The whole story of an entry or of a fact, as `memory show story --json`."""
    fact = explained_fact(engine, entry_id) if entry_id.startswith(_FACT) else None
    return answer(fact or story_of_entry(engine, entry_id, state.books, access))


@router.get("/entities", responses=gives(list[EntityReport]))
def entities(engine: Reading) -> Response:
    """The entities that facts name, as `memory show entities --json`."""
    return answer(list_entities(engine))


@router.get("/entities/{name}", responses=gives(ShownEntity))
def entity(engine: Reading, name: str) -> Response:
    """One of them with its facts, as `memory show entities NAME --json`."""
    return answer(show_entity(engine, name))


@router.get("/graph", responses=gives(MemoryGraph))
def graph(
    engine: Reading,
    state: StateThere,
    caller: CallerThere,
    wanted: Annotated[GraphRequest, Query()],
) -> Response:
    """The memory as nodes and edges, at most 200; of details and conversations those the caller may read."""
    asker = GraphReader(requester_of(caller, wanted.user_id), reader_of(caller, wanted.user_id or None))
    return answer(memory_graph(engine, state.store, asker, wanted, state.graph_of_entries(engine)))
