"""Today: what was settled, what waits for an answer, what the service did, and what needs a person."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Annotated

from fastapi import APIRouter, Query, Response

from pipeline.app.sources_check import sources_now, tables_to_begin
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.ledger.runs import RunRecord
from pipeline.reports.entries import listed_entry
from pipeline.reports.run_subjects import done_lately
from pipeline.reports.service import ServiceView, service_report, service_view
from pipeline.reports.status import troubled_runs
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.surfaces.http.page.forms import QueryForm
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import HttpState, Reading, StateThere

router = APIRouter(include_in_schema=False)
_ENTRIES, _RUNS = 50, 10


class NowQuery(QueryForm):
    """The state of the part that renews itself, as it was shown: whether a job was at work."""

    busy: bool = False


@dataclass(frozen=True)
class Trouble:
    """A trouble that needs a person: a sentence, and the path of the document that says more."""

    sentence: str
    link: str


@router.get("/")
def today(page: PageThere, state: StateThere, engine: Reading) -> Response:
    """The first document."""
    day, texts = local_day(engine.clock.now(), engine.zone), state.books.of(engine).texts
    last = local_day(texts[-1].entry.date, engine.zone) if texts else day
    newest = takewhile(lambda place: local_day(place.entry.date, engine.zone) >= last, reversed(texts))
    entries = [listed_entry(place) for place in newest]
    settled = entries if last >= day else []
    values = {
        "day": day.isoformat(),
        "root": str(engine.workspace.root),
        "entries": settled[:_ENTRIES],
        "left_out": max(0, len(settled) - _ENTRIES),
        "earlier": entries[:_RUNS],
        "done": done_lately(engine, _RUNS),
        "waiting": len(waiting(engine)),
        "troubles": list(_troubles(engine)),
        "tables": "" if engine.settings.transcript_sources else tables_to_begin(state.context.environment),
        "settings_file": str(engine.workspace.root / SETTINGS_FILE),
    }
    return page.show("today.html", values | _now(state, engine))


@router.get("/today/now")
def now(page: PageThere, state: StateThere, engine: Reading, before: Annotated[NowQuery, Query()]) -> Response:
    """The state of the service, and the work under way: the part of the first document that renews itself.

    When what was at work has ended the whole document is loaded again, with what was written.
    """
    standing = _now(state, engine)
    answer = page.show("today_now.html", standing)
    if page.is_part and before.busy and not standing["busy"]:
        answer.headers["HX-Refresh"] = "true"
    return answer


def _now(state: HttpState, engine: Engine) -> dict[str, object]:
    view = service_view(engine.workspace, engine.clock.now(), engine.zone)
    work_id, child = state.work.going_on(), service_report(view).child
    return {
        "service": view.state,
        "child": child,
        "work": state.work.state(work_id) if work_id else None,
        "busy": bool(work_id or child),
        "next_look": _next_look(view),
    }


def _next_look(view: ServiceView) -> datetime | None:
    return min((job.next_look for job in view.jobs.values() if job.next_look), default=None)


def _troubles(engine: Engine) -> Iterator[Trouble]:
    for job, records in troubled_runs(engine).items():
        yield from (Trouble(_sentence(job, record), "/grid") for record in records[:1])
    for source in sources_now(engine):
        if source.unreadable:
            since = source.unreadable.since.date().isoformat()
            yield Trouble(f"{source.source}: {source.unreadable.sentence(since)}.", "/health")
        yield from (Trouble(f"{source.source}: {alarm.sentence}.", "/health") for alarm in source.alarms)


def _sentence(job: str, record: RunRecord) -> str:
    outcome = record.outcome
    ending = f"ended as {outcome.ending}" if outcome else "did not end"
    why = f": {outcome.warning}" if outcome and outcome.warning else ""
    return f"The last run of {job} {ending}{why}"
