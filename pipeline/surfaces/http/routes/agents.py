"""Agents: their settings, what they get first, and their requests to change what they know."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from pipeline.app.agent_questions import StartPageRequest, WakeRequest
from pipeline.app.agents import agent_meant, change_memory, change_request, memory_act
from pipeline.engine.context import Engine
from pipeline.reports.agent_list import agent_report
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import CallerThere, Reading, StateThere
from schemas.base import RequestValue
from schemas.caller import Caller
from schemas.fleet_act import MemoryAct
from schemas.hot_page import PAGE_BUDGET, WAKE_BUDGET
from schemas.memory_change import ChangeWord, Operation, ProposedWords
from schemas.reports.agents import AgentReport, ChangeAnswer, WakeUp

router = APIRouter(tags=["agents"], responses=PROBLEMS)
_OVER = "http"


class MemoryRequest(RequestValue):
    """A request to change what an agent knows; without `agent` it is the caller's own, or the only one there is.

    `line` is the id of the line that is replaced or removed. With `kind` and `quote`, the owner's words, the text is
    proposed as an entry of the workspace besides, which waits until its session is read.
    """

    operation: Literal["CORE", "PREFERENCE", "DECISION", "PROJECT", "UPDATE", "DELETE"]
    text: str = ""
    line: str = ""
    agent: str = ""
    kind: Literal["", "decision", "rule", "architecture", "remember"] = ""
    quote: str = ""


@router.get("/agents", responses=gives(list[AgentReport]))
def agents(engine: Reading) -> Response:
    """The agents with a memory of their own, as `memory agents --json`."""
    return answer([agent_report(engine, name) for name in sorted(engine.settings.agents.by_name)])


@router.get("/wake/{agent}", responses=gives(WakeUp))
def wake(
    state: StateThere,
    caller: CallerThere,
    agent: str,
    budget: Annotated[int, Query(ge=1, le=100_000)] = WAKE_BUDGET,
    project: str | None = None,
) -> Response:
    """The text that an agent gets first, as `memory wake --json`. An agent reads its own, or what it may read.

    With `project`, a name or a folder, it has what `MEMORY.md` says for a session there too.
    """
    reader = "" if caller.is_person else caller.agent
    page = {"with_memory": project is not None, "project": project}
    return answer(state.answers.agents.wake(WakeRequest(agent=agent, reader=reader, budget=budget, **page)))


@router.get("/wake", responses=gives(WakeUp))
def start_page(
    state: StateThere, project: str = "", budget: Annotated[int, Query(ge=1, le=100_000)] = PAGE_BUDGET
) -> Response:
    """The text that any agent gets first: of `MEMORY.md` what holds everywhere, and what is about a project."""
    return answer(state.answers.agents.start_page(StartPageRequest(project=project, budget=budget)))


@router.post("/requests", responses=gives(ChangeAnswer))
def ask(state: StateThere, caller: CallerThere, wanted: MemoryRequest) -> Response:
    """Ask for a change. What becomes of it is the gate's decision: it is written, suggested or refused."""
    with state.running(looking=False) as engine:
        return answer(change_memory(engine, wanted_change(engine, caller, wanted)))


def wanted_change(engine: Engine, caller: Caller, wanted: MemoryRequest) -> MemoryAct:
    """The change that a caller asks for, as it can be carried out."""
    name = agent_meant(engine, wanted.agent or caller.agent)
    fields = {"line": wanted.line, "over": _OVER, **_word_of(caller, name)}
    change = change_request(engine.settings, Operation(wanted.operation), wanted.text, **fields)
    return memory_act(engine, name, change, ProposedWords(wanted.kind, wanted.quote, over=_OVER), caller.agent)


def _word_of(caller: Caller, agent: str) -> dict[str, object]:
    """The word that a request rests on. With an agent's token it is the agent's."""
    if caller.is_person:
        return {"word": ChangeWord.PERSON, "asked_by": "owner", "importance": 5}
    return {"asked_by": caller.agent or agent}
