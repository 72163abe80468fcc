"""Work that a person begins: what is due of a job, or a back-fill with its estimate; watched while it goes on."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, takewhile
from typing import Annotated

from fastapi import Response
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from pipeline.app.runs import estimate_backfill
from pipeline.backfill.orders import OrdersFolder, first_words, new_backfill_id, resume_words
from pipeline.backfill.series import Estimate
from pipeline.scheduling.registry import jobs_named
from pipeline.service.processes.work import BY_SERVICE, WorkState
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of, require_seen
from pipeline.surfaces.http.page.rendering import Page, PageThere, page_router, seen_other
from pipeline.surfaces.http.state import HttpState, StateThere
from pipeline.workspace.files import Workspace
from schemas import exit_codes
from schemas.base import EARLIEST, LATEST, RequestValue
from schemas.requests import ORDER
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest

_DAYS = {"--from": "first", "--to": "last"}


@dataclass(frozen=True)
class WorkAnew:
    """The path of the form that begins work anew, and its fields."""

    path: str
    fields: tuple[tuple[str, str], ...]


def work_anew(words: Sequence[str], stopped: Collection[str]) -> WorkAnew | None:
    """The form for the words of a command, of which `memory` is the first; `None` for one that no form begins.

    `stopped` are the ids of the back-fills that can go on.
    """
    command, rest = tuple(words[1:2]), [word for word in words[2:] if word != "--all"]
    named = tuple(("job", word) for word in takewhile(lambda word: not word.startswith("--"), rest))
    if command == ("run",):
        return WorkAnew("/work/run", named)
    if command != ("backfill",):
        return None
    given = dict(pairwise(rest))
    if "--resume" in given:
        backfill = given["--resume"]
        return WorkAnew("/work/resume", (("backfill", backfill),)) if backfill in stopped else None
    days = tuple((field, given[name]) for name, field in _DAYS.items() if name in given)
    return WorkAnew("/work/estimate", (*named, *days)) if len(days) == len(_DAYS) else None


router = page_router()
_Job = Annotated[str, Field(max_length=100, pattern=r"^[a-z0-9_]*$")]
_Day = Annotated[date, Field(ge=EARLIEST.date(), le=LATEST.date())]

_RESULTS = {
    exit_codes.WELL: "done",
    exit_codes.UNUSABLE: "refused",
    exit_codes.PARTIAL: "partial",
    exit_codes.WAITING: "waiting",
    exit_codes.OVER_BUDGET: "over_budget",
    exit_codes.HELD: "locked",
    exit_codes.OVERDUE: "timed_out",
}
"""By the exit code of the command."""


class RunForm(RequestValue):
    """A person has what is due of a job run; of all jobs without one."""

    job: _Job = ""


class RangeForm(RequestValue):
    """Days that are to be read, by some jobs or by all."""

    job: list[_Job] = Field(default_factory=list, max_length=100)
    first: _Day
    last: _Day

    @model_validator(mode="after")
    def _in_order(self) -> "RangeForm":
        if self.first > self.last:
            raise PydanticCustomError(ORDER, "the first day is later than the last one")
        return self


class BackfillForm(RangeForm, Form):
    """A back-fill whose estimate a person has seen."""


class ResumeForm(RequestValue):
    """A back-fill that was stopped is to go on; `seen` is the digest of its estimate, empty before it was shown."""

    backfill: str = Field(max_length=40, pattern=r"^\d{8}-[0-9a-f]+$")
    seen: str = Field(default="", max_length=64)


@router.post("/work/run")
def run_now(state: StateThere, form: InBody[RunForm]) -> Response:
    """Begin to run what is due."""
    jobs = _known_jobs(state, [form.job])
    return _begin_work(state, "_".join(["run", *jobs]), ["run", *jobs])


@router.post("/work/estimate")
def estimate(page: PageThere, state: StateThere, form: InBody[RangeForm]) -> Response:
    """The estimate of a back-fill before it is begun."""
    return _show_estimate(page, state, _new_orders(state, form), resumed=False)


@router.post("/work/backfill")
def backfill(state: StateThere, form: InBody[BackfillForm]) -> Response:
    """Begin a back-fill that would take what a person has seen."""
    orders = _new_orders(state, form)
    form.require_same(_estimate(state, orders))
    return _begin_work(state, "backfill", [*first_words(orders)[1:], "--yes"])


@router.get("/work/resume/{name}")
def ask_to_resume(page: PageThere, state: StateThere, name: str) -> Response:
    """The estimate of what is left of a back-fill that was stopped, and the button that goes on."""
    return _show_estimate(page, state, _orders_folder(state).find(name), resumed=True)


@router.post("/work/resume")
def resume(state: StateThere, form: InBody[ResumeForm]) -> Response:
    """Go on with a back-fill that was stopped, once its estimate has been seen."""
    if not form.seen:
        return seen_other(f"/work/resume/{form.backfill}")
    orders = _orders_folder(state).find(form.backfill)
    require_seen(form.seen, _estimate(state, orders))
    return _begin_work(state, "backfill", ["backfill", "--resume", orders.id, "--yes"])


@router.get("/work/{work_id}")
def watch(page: PageThere, state: StateThere, work_id: str) -> Response:
    """A piece of work: its progress, and its result."""
    return page.show_part(
        "work_now.html", _work_values(state, work_id), "work.title", ("/grid", page.text("runs.back"))
    )


@router.get("/work/{work_id}/now")
def now(page: PageThere, state: StateThere, work_id: str) -> Response:
    """The part of the document that changes."""
    return page.show("work_now.html", _work_values(state, work_id))


@router.post("/work/{work_id}/stop")
def stop(state: StateThere, work_id: str) -> Response:
    """Ask a piece of work to stop at its next safe point."""
    state.work.stop(state.work.state(work_id).id)
    return seen_other(f"/work/{work_id}")


def _known_jobs(state: HttpState, names: Sequence[str]) -> tuple[str, ...]:
    """The jobs that are named, none for all of them; refuse names of no job."""
    jobs = tuple(filter(None, names))
    with state.reading() as engine:
        jobs_named(jobs, engine.jobs)
    return jobs


def _new_orders(state: HttpState, form: RangeForm) -> BackfillRequest:
    """The orders of a back-fill of these days."""
    backfill_id = new_backfill_id(state.context.clock.now())
    return BackfillRequest(id=backfill_id, jobs=_known_jobs(state, form.job), first=form.first, last=form.last)


def _orders_folder(state: HttpState) -> OrdersFolder:
    return OrdersFolder(Workspace(state.root).state_folder)


def _show_estimate(page: Page, state: HttpState, orders: BackfillRequest, *, resumed: bool) -> Response:
    estimated = _estimate(state, orders)
    values = {"orders": orders, "resumed": resumed, "sum": estimated, "seen": digest_of(estimated)}
    words = resume_words(orders) if resumed else first_words(orders)
    return page.show("estimate.html", values | {"command": " ".join(words)})


def _estimate(state: HttpState, orders: BackfillRequest) -> Estimate | None:
    """The estimate of what is left of a back-fill; `None` where nothing is."""
    estimated = estimate_backfill(state.root, state.context, RunOptions(), orders)
    return estimated.estimate if estimated else None


def _begin_work(state: HttpState, name: str, words: list[str]) -> Response:
    return seen_other(f"/work/{state.work.begin(name, words)}")


def stopped_early(state: HttpState) -> str:
    """The id of the last work where it is a back-fill that was stopped before it had done anything; else empty."""
    work_id = state.work.latest()
    work = state.work.state(work_id) if work_id else None
    return work_id if work and _is_early(work) and work.report.words[1:2] == ("backfill",) else ""


def _work_values(state: HttpState, work_id: str) -> dict[str, object]:
    work = state.work.state(work_id)
    stopped = {orders.id for orders in _orders_folder(state).stopped_requests()}
    anew = work_anew(work.report.words, stopped) if _is_early(work) else None
    if not work.running and work.report.backfill in stopped:
        anew = WorkAnew("/work/resume", (("backfill", work.report.backfill),))
    return {"work": work, "report": work.report, "result": _result(work), "anew": anew}


def _is_early(work: WorkState) -> bool:
    """Whether the work was stopped before it had done anything."""
    return _result(work) in {"stopped", "cut_short"} and not work.report.latest


def _result(work: WorkState) -> str:
    """The state of the work, or its ending, in a word."""
    code, by = work.report.code, work.report.by
    if work.running:
        return "running"
    if code is None or (code and by == BY_SERVICE):
        return "cut_short"
    return _RESULTS.get(code, "stopped" if code > exit_codes.SIGNALLED else "failed")
