"""Forms of the page at a front: they ask for acts, and lead to a document that tells what became of one."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Request, Response

from pipeline.corrections.correct import correction, entry_in_force
from pipeline.corrections.forget import forgetting_traces
from pipeline.errors import PipelineError
from pipeline.surfaces.fleet.place import FrontThere, WorkspaceThere, front_of, workspace_of
from pipeline.surfaces.http.page.errors import error_document
from pipeline.surfaces.http.page.forms import InBody, digest_of
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.page.routes.entries import CorrectForm
from pipeline.surfaces.http.page.routes.forgetting import ForgetForm
from pipeline.surfaces.http.problems import problem_at_front
from pipeline.surfaces.http.state import Reading
from schemas.fleet_act import CorrectAct, FleetAct, ForgetAct

ActNumber = Annotated[int, Path(ge=1, le=2**62)]
router = page_router()


def _ask_of(request: Request) -> Callable[[FleetAct], int]:
    """Ask for an act on the workspace of a request; its number."""
    return partial(front_of(request).ask, workspace_of(request))


AskThere = Annotated[Callable[[FleetAct], int], Depends(_ask_of)]


@router.post("/correct/{entry_id}")
def correct_entry(
    page: PageThere, ask: AskThere, engine: Reading, entry_id: str, form: InBody[CorrectForm]
) -> Response:
    """Ask for a correction, if the entry still is what the person saw; an answer that says no keeps the words."""
    try:
        form.require_same(entry_in_force(engine, entry_id))
        meant = correction(engine, entry_id, form.text)
        number = ask(CorrectAct(id=meant.entry.id, words=form.text))
    except PipelineError as error:
        return error_document(page.request, problem_at_front(error, str(engine.workspace.root)), form.text)
    return seen_other(f"/acts/{number}")


@router.get("/forget/{entry_id}")
def ask_to_forget(page: PageThere, engine: Reading, entry_id: str) -> Response:
    """The traces that forgetting takes away, and the place to type the word."""
    traces = forgetting_traces(engine, entry_id)
    of_topics = {"is_words": False, "is_topic": False, "cases": {}, "ticked": (), "standing": {}}
    return page.show("forget.html", {"id": entry_id, "traces": traces, "seen": digest_of(traces), **of_topics})


@router.post("/forget/{entry_id}")
def forget_entry(ask: AskThere, engine: Reading, entry_id: str, form: InBody[ForgetForm]) -> Response:
    """Ask to forget an entry."""
    traces = forgetting_traces(engine, entry_id)
    form.require_same(traces)
    return seen_other(f"/acts/{ask(ForgetAct(id=traces.id))}")


@router.get("/acts/{number}")
def act(page: PageThere, front: FrontThere, workspace: WorkspaceThere, number: ActNumber) -> Response:
    """An act: whether it waits, is done or was refused."""
    return page.show("act.html", {"act": front.read_act(workspace, number)})
