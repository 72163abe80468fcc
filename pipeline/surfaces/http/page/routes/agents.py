"""Agents with a memory of their own: what each always knows, works on, and gets first; pinning; their sessions."""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

from fastapi import Response
from pydantic import Field

from pipeline.app.agents import change_memory, change_request, memory_act
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.errors.agents import UnknownLine
from pipeline.errors.service import NothingWritten
from pipeline.reports.agent_list import agent_report, replaced_lines
from pipeline.reports.agents import AgentFolder
from pipeline.reports.entry_book import entry_titles
from pipeline.surfaces.http.page.forms import AskedPart, Form, InBody, digest_of
from pipeline.surfaces.http.page.paging import Paged, part_of
from pipeline.surfaces.http.page.reading import without_comments
from pipeline.surfaces.http.page.rendering import PageThere, act_asked, page_router, seen_other
from pipeline.surfaces.http.page.routes.connecting import known_connections
from pipeline.surfaces.http.page.routes.settings import choices_of
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.hot_page import WAKE_BUDGET
from schemas.memory_change import ChangeWord, Operation
from schemas.reports.agents import KnownLine

router = page_router()
_NEWEST, _SHOWN = 3, 10  # files, beside the lines of an agent, and in a document of their own
_LONGEST = 50_000  # characters of one that are shown
FileSort = Literal["sessions", "summaries"]
"""The kinds of files about sessions: about a single session, and about several."""
_PATTERNS: Mapping[FileSort, str] = {"sessions": "memory/sessions/*.md", "summaries": "memory/summaries/*/*.md"}
"""In the folder of an agent."""


class LineForm(Form):
    """A person pins a line of an agent's memory, or unpins it; `seen` is the digest of the line as it is shown."""

    line: str = Field(max_length=100)
    operation: Literal["PIN", "UNPIN"]


@router.get("/agents")
def agents(page: PageThere, state: StateThere, engine: Reading) -> Response:
    """The agents with a memory of their own."""
    named, choices = engine.settings.agents.by_name, choices_of(state, engine).agents
    taken = {source for agent in named.values() for source in agent.sources}
    values = {
        "agents": [agent_report(engine, name) for name in sorted(named)],
        "free": [source for source in choices if source not in taken],
        "connections": [] if state.acts else list(known_connections(state, engine)),  # they are of the owner's machine
    }
    return page.show("agents.html", values)


@router.get("/agents/{name}")
def agent(page: PageThere, state: StateThere, engine: Reading, name: str, number: AskedPart = 1) -> Response:
    """An agent: the text that it gets first, its lines with their trust, and the newest files about its sessions."""
    folder = _agent_folder(engine, name)
    known, book = folder.know(), state.books.of(engine)
    part, replaced = part_of(known, number), replaced_lines(known, book)
    values = {
        "agent": agent_report(engine, name),
        "waking": folder.wake(WAKE_BUDGET),
        "budget": WAKE_BUDGET,
        "brain": folder.tokens_in_mind(),
        "most": engine.settings.agents.by_name[name].brain_tokens,
        "part": part,
        "lines": [(line, digest_of(_seen_fields(name, line))) for line in part.items],
        "replaced": replaced,
        "disagreeing": [line for line in known if line.in_mind and line.id in replaced],
        "titles": entry_titles(book, replaced.values(), engine.zone),
        "sorts": {sort: _newest_files(engine, folder, sort, 1, _NEWEST) for sort in _PATTERNS},
    }
    return page.show("agent.html", values)


@router.get("/agents/{name}/{sort}")
def files(page: PageThere, engine: Reading, name: str, sort: FileSort, number: AskedPart = 1) -> Response:
    """The files about the sessions of an agent, the newest first."""
    part = _newest_files(engine, _agent_folder(engine, name), sort, number, _SHOWN)
    return page.show("agent_files.html", {"agent": name, "sort": sort, "part": part})


@router.post("/agents/{name}/pin")
def pin(state: StateThere, name: str, form: InBody[LineForm]) -> Response:
    """Pin a line, or unpin it, as the owner's word."""
    with state.running(looking=False) as engine:
        known = {line.id: line for line in _agent_folder(engine, name).know() if line.id}
        if form.line not in known:
            raise UnknownLine(form.line)
        form.require_same(_seen_fields(name, known[form.line]))
        owner = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "page"}
        change = change_request(engine.settings, Operation(form.operation), "", line=form.line, **owner)
        wanted = memory_act(engine, name, change)
        if state.acts:
            return act_asked(state.acts, wanted)
        result = change_memory(engine, wanted)
    if result.result not in {"written", "kept"}:
        raise NothingWritten([result.message])
    done = "line_pinned" if form.operation == "PIN" else "line_unpinned"
    notice = "later" if result.result == "kept" else done
    return seen_other(f"/agents/{quote(name, safe='')}?notice={notice}")


def _agent_folder(engine: Engine, name: str) -> AgentFolder:
    return AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, name)


def _seen_fields(name: str, line: KnownLine) -> list[object]:
    """The fields of a line that a person sees and decides about."""
    return [name, line.id, line.text, line.word, line.pinned]


def _newest_files(
    engine: Engine, folder: AgentFolder, sort: FileSort, number: int, size: int
) -> Paged[tuple[str, str]]:
    """The newest files of a sort, by their paths, with their text."""
    known = part_of(sorted(engine.workspace.select(f"{folder.path()}/{_PATTERNS[sort]}"), reverse=True), number, size)
    return Paged([(path, _read_text(engine, path)) for path in known.items], known.number, known.last, known.total)


def _read_text(engine: Engine, path: str) -> str:
    try:
        return without_comments((engine.workspace.read(path) or b"").decode(errors="replace"))[:_LONGEST]
    except ReadFailed as error:
        return str(error)
