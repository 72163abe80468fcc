"""Agents with a memory of their own: what each always knows, works on, and gets first; pinning; their sessions."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData
from pydantic import Field

from pipeline.app.agents import change_request, request_change, standing_line
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.reports.agent_list import agent_report
from pipeline.reports.agents import AgentFolder
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.paging import paged
from pipeline.surfaces.http.page.reading import without_comments
from pipeline.surfaces.http.page.rendering import PageThere, seen_other
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.memory_change import ChangeWord, Operation
from schemas.wake_budget import WAKE_BUDGET

router = APIRouter(include_in_schema=False)
_FILES = {"sessions": "memory/sessions/*.md", "summaries": "memory/summaries/*/*.md"}
_SHOWN = 10  # files of a document
_LONGEST = 50_000  # characters of one that are shown


class PinForm(Form):
    """A person pins a line of an agent's memory, or unpins it; `seen` is the digest of its text."""

    line: str = Field(max_length=100)
    operation: Literal["PIN", "UNPIN"]


@router.get("/agents")
def agents(page: PageThere, engine: Reading) -> Response:
    """The agents with a memory of their own."""
    names = sorted(engine.settings.agents.named)
    return page.show("agents.html", {"agents": [agent_report(engine, name) for name in names]})


@router.get("/agents/{name}")
def agent(
    page: PageThere, engine: Reading, name: str, number: Annotated[int, Query(alias="page", ge=1, le=10_000)] = 1
) -> Response:
    """One of them: what it gets first, its lines with whose word each is, and what was written of its sessions."""
    folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, name)
    waking, lines = folder.wake(WAKE_BUDGET), folder.know()
    values = {
        "agent": agent_report(engine, name),
        "waking": waking,
        "budget": WAKE_BUDGET,
        "brain": next((part.tokens for part in waking.parts if part.name == "brain"), 0),
        "most": engine.settings.agents.named[name].brain_tokens,
        "lines": [(line, digest_of(line.text)) for line in lines],
        "number": number,
        **{sort: _files(engine, folder, pattern, number) for sort, pattern in _FILES.items()},
    }
    return page.show("agent.html", values)


@router.post("/agents/{name}/pin")
def pin(_page: PageThere, state: StateThere, name: str, form: Annotated[PinForm, FormData()]) -> Response:
    """Pin a line, or unpin it, as the owner's word."""
    with state.running() as engine:
        whose, text = standing_line(engine, form.line)
        form.require_same(text)
        owner = {"word": ChangeWord.PERSON, "asked_by": "owner", "over": "page"}
        change = change_request(engine, Operation(form.operation), "", line=form.line, **owner)
        result = request_change(engine, whose, change)
    done = "line_pinned" if form.operation == "PIN" else "line_unpinned"
    return seen_other(f"/agents/{name}?notice={'kept' if result.result == 'kept' else done}")


def _files(engine: Engine, folder: AgentFolder, pattern: str, number: int) -> object:
    """The newest files of a sort, with their text."""
    known = engine.workspace.select(f"{folder.path()}/{pattern}")
    part = paged(sorted(known, reverse=True), number, _SHOWN)
    return {"part": part, "texts": [(path, _text(engine, path)) for path in part.items]}


def _text(engine: Engine, path: str) -> str:
    try:
        return without_comments((engine.workspace.read(path) or b"").decode(errors="replace"))[:_LONGEST]
    except ReadFailed as error:
        return str(error)
