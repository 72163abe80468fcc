"""Work that a person begins: what is due of a job, or a back-fill with its estimate; watched while it goes on."""

import secrets
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Response
from fastapi import Form as FormData
from pydantic import ConfigDict, Field, model_validator

from pipeline.app.runs import estimate_backfill
from pipeline.reports.work import work_report
from pipeline.scheduling.registry import named
from pipeline.surfaces.http.page.rendering import PageThere, seen_other
from pipeline.surfaces.http.state import HttpState, StateThere
from schemas.base import EARLIEST, LATEST, Value
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest

router = APIRouter(include_in_schema=False)
_JOB = r"^[a-z0-9_]*$"
_BACKFILL = r"^\d{8}-[0-9a-f]+$"
_Day = Annotated[date, Field(ge=EARLIEST.date(), le=LATEST.date())]


class RunForm(Value):
    """A person has what is due of a job run; of all jobs without one."""

    model_config = ConfigDict(defer_build=False)

    job: str = Field(default="", max_length=100, pattern=_JOB)


class RangeForm(Value):
    """Days that are to be read, by a job or by all."""

    model_config = ConfigDict(defer_build=False)

    job: str = Field(default="", max_length=100, pattern=_JOB)
    first: _Day
    last: _Day

    @model_validator(mode="after")
    def _in_order(self) -> "RangeForm":
        if self.first > self.last:
            message = "the first day is later than the last one"
            raise ValueError(message)
        return self

    @property
    def words(self) -> list[str]:
        """The command that reads them."""
        days = ["--from", str(self.first), "--to", str(self.last)]
        return ["backfill", *([self.job] if self.job else ["--all"]), *days]


class ResumeForm(Value):
    """A back-fill that was stopped is to go on."""

    model_config = ConfigDict(defer_build=False)

    backfill: str = Field(max_length=40, pattern=_BACKFILL)


@router.post("/work/run")
def run_now(_page: PageThere, state: StateThere, form: Annotated[RunForm, FormData()]) -> Response:
    """Begin to run what is due."""
    _require_job(state, form.job)
    words = ["run", *([form.job] if form.job else [])]
    return _begun(state, f"run_{form.job}" if form.job else "run", words)


@router.post("/work/estimate")
def estimate(page: PageThere, state: StateThere, form: Annotated[RangeForm, FormData()]) -> Response:
    """What a back-fill would take, before it is begun."""
    jobs = _require_job(state, form.job)
    backfill = f"{state.context.clock.now():%Y%m%d}-{secrets.token_hex(3)}"
    request = BackfillRequest(id=backfill, jobs=jobs, first=form.first, last=form.last)
    estimated = estimate_backfill(state.root, state.context, RunOptions(), request)
    return page.show("estimate.html", {"estimated": estimated, "form": form, "command": " ".join(form.words)})


@router.post("/work/backfill")
def backfill(_page: PageThere, state: StateThere, form: Annotated[RangeForm, FormData()]) -> Response:
    """Begin a back-fill."""
    _require_job(state, form.job)
    return _begun(state, "backfill", [*form.words, "--yes"])


@router.post("/work/resume")
def resume(_page: PageThere, state: StateThere, form: Annotated[ResumeForm, FormData()]) -> Response:
    """Go on with a back-fill that was stopped."""
    return _begun(state, "backfill", ["backfill", "--resume", form.backfill, "--yes"])


@router.get("/work/{work_id}")
def watch(page: PageThere, state: StateThere, work_id: str) -> Response:
    """A piece of work: how far it is, and what became of it."""
    return page.show("work.html", _standing(state, work_id))


@router.get("/work/{work_id}/now")
def now(page: PageThere, state: StateThere, work_id: str) -> Response:
    """The part that changes."""
    return page.show("work_now.html", _standing(state, work_id))


@router.post("/work/{work_id}/stop")
def stop(_page: PageThere, state: StateThere, work_id: str) -> Response:
    """Ask it to stop at its next safe point."""
    state.work.stop(state.work.state(work_id).id)
    return seen_other(f"/work/{work_id}?notice=stopping")


def _require_job(state: HttpState, job: str) -> tuple[str, ...]:
    """The job by its name, none for all of them.

    Raises:
        UnknownJob: there is none of this name.
    """
    with state.reading() as engine:
        named([job] if job else [], engine.jobs)
    return (job,) if job else ()


def _begun(state: HttpState, name: str, words: list[str]) -> Response:
    return seen_other(f"/work/{state.work.begin(name, words)}")


def _standing(state: HttpState, work_id: str) -> dict[str, object]:
    standing = state.work.state(work_id)
    report = work_report(standing.log)
    resumed = dict(zip(report.resume, report.resume[1:], strict=False)).get("--resume", "")
    return {"work": standing, "report": report, "backfill": resumed}
