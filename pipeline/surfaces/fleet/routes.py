"""The routes of a workspace at a front: those that read, those of its store, and acts in place of those that write.

A route that writes into the folder of a workspace is left out: the folder is a cache.
"""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.routing import APIRoute

from pipeline.fleet.front import Front
from pipeline.fleet.workspaces import FleetWorkspace
from pipeline.reports.runs import run_named
from pipeline.surfaces.fleet import signing_in
from pipeline.surfaces.fleet.place import FrontThere, WorkspaceThere
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.application import API, merge_routers
from pipeline.surfaces.http.page.rendering import PageThere, page_router
from pipeline.surfaces.http.page.routes import agents as agent_pages
from pipeline.surfaces.http.page.routes import (
    appearance,
    clearing,
    entities,
    entries,
    files,
    forgetting,
    graph,
    hot_page,
    inbox,
    interface,
    runs,
    search,
    undoing,
)
from pipeline.surfaces.http.page.routes import conversations as conversation_pages
from pipeline.surfaces.http.page.routes import details as detail_pages
from pipeline.surfaces.http.routes import agents, conversations, corrections, details, memory, transcripts, work
from pipeline.surfaces.http.routes.agents import MemoryRequest, wanted_change
from pipeline.surfaces.http.routes.corrections import Choice, CorrectionOfEntry, DecisionRequest, ForgetRequest
from pipeline.surfaces.http.state import CallerThere, PersonThere, Reading
from schemas.correction import UndoSort
from schemas.fleet_act import (
    AcceptAct,
    ActNumber,
    BackfillAct,
    CorrectAct,
    DeclineAct,
    FleetAct,
    ForgetAct,
    PastDays,
    ThingId,
    UndoAct,
)
from schemas.json_line import json_line
from schemas.reports.fleet import FleetActReport

_READING = {"GET", "HEAD"}
_READ_PAGES = (files, graph, interface, runs, search)
_ACT_PAGES = (agent_pages, entities, entries, forgetting, hot_page, inbox, undoing)
"""Pages whose forms ask for acts."""
_OF_MACHINE = "/grid"
"""The document with the work of a service, and the forms that begin it."""
_ACCEPTED: dict[int | str, dict[str, Any]] = {202: {"model": FleetActReport}, **PROBLEMS}

router = APIRouter(tags=["acts"], responses=PROBLEMS)


@router.post("/suggestions/{suggestion_id}", status_code=HTTPStatus.ACCEPTED, responses=_ACCEPTED)
def decide(
    _person: PersonThere, front: FrontThere, workspace: WorkspaceThere, suggestion_id: ThingId, wanted: DecisionRequest
) -> Response:
    """Ask to accept a suggestion, or to decline it."""
    if wanted.decision is Choice.ACCEPT:
        return _ask_act(front, workspace, AcceptAct(id=suggestion_id, text=wanted.text))
    return _ask_act(front, workspace, DeclineAct(id=suggestion_id))


@router.post("/corrections", status_code=HTTPStatus.ACCEPTED, responses=_ACCEPTED)
def correct_entry(
    _person: PersonThere, front: FrontThere, workspace: WorkspaceThere, wanted: CorrectionOfEntry
) -> Response:
    """Ask to give an entry other words, which hold everywhere."""
    return _ask_act(front, workspace, CorrectAct(id=wanted.id, words=wanted.words, title=wanted.title))


@router.post("/forget", status_code=HTTPStatus.ACCEPTED, responses=_ACCEPTED)
def forget_entry(_person: PersonThere, front: FrontThere, workspace: WorkspaceThere, wanted: ForgetRequest) -> Response:
    """Ask to remove an entry, a fact or a line of an agent's memory everywhere, for good."""
    return _ask_act(front, workspace, ForgetAct(id=wanted.id))


@router.post("/runs/{run_id}/undo", status_code=HTTPStatus.ACCEPTED, responses=_ACCEPTED)
def take_back(
    _person: PersonThere, front: FrontThere, workspace: WorkspaceThere, engine: Reading, run_id: str
) -> Response:
    """Ask to take back what a run wrote."""
    return _ask_act(front, workspace, UndoAct(sort=UndoSort.RUN, name=run_named(engine, run_id).run_id))


@router.post("/backfills", status_code=HTTPStatus.ACCEPTED, responses=_ACCEPTED)
def backfill(_person: PersonThere, front: FrontThere, workspace: WorkspaceThere, wanted: PastDays) -> Response:
    """Ask to run jobs over past days."""
    return _ask_act(front, workspace, BackfillAct(jobs=wanted.jobs, first=wanted.first, last=wanted.last))


@router.post("/requests", status_code=HTTPStatus.ACCEPTED, responses=_ACCEPTED)
def change_memory(
    caller: CallerThere, front: FrontThere, workspace: WorkspaceThere, engine: Reading, wanted: MemoryRequest
) -> Response:
    """Ask for a change of the memory of an agent. The gate decides about it when a worker carries it out."""
    return _ask_act(front, workspace, wanted_change(engine, caller, wanted))


@router.get("/acts/{number}", responses=gives(FleetActReport))
def act(caller: CallerThere, front: FrontThere, workspace: WorkspaceThere, number: ActNumber) -> Response:
    """An act, with its answer once a worker has carried it out. An agent reads those that it asked for."""
    return answer(front.read_act(workspace, number, None if caller.is_person else caller.agent))


def _ask_act(front: Front, workspace: FleetWorkspace, act: FleetAct) -> Response:
    """Ask for an act; the answer names it, and the address of its answer."""
    (number,) = front.ask(workspace, act)
    headers = {"Location": f"{API}/acts/{number}"}
    body = json_line(front.read_act(workspace, number))
    return Response(body, HTTPStatus.ACCEPTED, headers, media_type="application/json")


def show_act(page: PageThere, front: FrontThere, workspace: WorkspaceThere, number: ActNumber) -> Response:
    """An act: whether it waits, is done or was refused."""
    return page.show("act.html", {"act": front.read_act(workspace, number)})


_DOCUMENTS = page_router()
_DOCUMENTS.add_api_route("/acts/{number}", show_act)


def _select_reading(router: APIRouter, without: str = "") -> APIRouter:
    """The routes of a router that only read, `without` that at a path."""
    part = APIRouter()
    own = (route for route in router.routes if isinstance(route, APIRoute))
    reading = (route for route in own if (route.methods or _READING) <= _READING)
    part.routes.extend(route for route in reading if route.path != without)
    return part


def _note_words(request: Request, front: FrontThere, workspace: WorkspaceThere) -> None:
    """Note that words arrive, before they are there: no worker may miss them."""
    if request.method not in _READING:
        front.note_words(workspace)


_SAID = APIRouter(dependencies=[Depends(_note_words)])
for said in (conversations.router, transcripts.router):
    _SAID.include_router(said)
_OF_STORE = (details.router, _SAID)
_PAGES_OF_STORE = (clearing.router, conversation_pages.router, detail_pages.router)
"""What they write is in the database, under the uuid of the workspace."""


ROUTES = merge_routers(
    (*map(_select_reading, (memory.router, work.router, agents.router, corrections.router)), router, *_OF_STORE),
    (
        *(_select_reading(page.router, _OF_MACHINE) for page in _READ_PAGES),
        *(page.router for page in _ACT_PAGES),
        *_PAGES_OF_STORE,
        _DOCUMENTS,
        appearance.router,
        signing_in.router,
    ),
)
"""The routes of each workspace of a fleet."""
