"""Today: what is new since the last visit, what waits, the year at a glance, and what needs a person."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Literal

from fastapi import Response

from pipeline.app.sources_check import sources_now, tables_to_begin
from pipeline.clock import day_start, local_day
from pipeline.doctor.workspace import silent_sources
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.entries.project_names import short_names
from pipeline.ledger.runs import RunRecord
from pipeline.reports.agents import AgentFolder
from pipeline.reports.news import (
    FreshEntry,
    figures_by_day,
    last_wrap_up,
    last_written,
    map_of_year,
    off_page_since,
    written_since,
)
from pipeline.reports.run_subjects import SessionWords
from pipeline.reports.service import ServiceView, service_report, service_view
from pipeline.reports.status import troubled_runs
from pipeline.reports.suggestions import rank_suggestions
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.surfaces.http.page.forms import InQuery, QueryForm
from pipeline.surfaces.http.page.rendering import Page, PageThere, page_router
from pipeline.surfaces.http.page.routes.hot_page import read_hot_page
from pipeline.surfaces.http.page.routes.inbox import kind_in_words, seen_of
from pipeline.surfaces.http.security.rules import cookie_name
from pipeline.surfaces.http.state import HttpState, Reading, StateThere
from schemas.hot_page import LINES, PATH
from schemas.outcome import Ending
from schemas.reports.status import SourceReport

router = page_router()
_VISIT = timedelta(minutes=30)
"""The longest time between two looks of one visit."""
_KEPT = timedelta(days=400)
_NEW, _LATEST, _SESSIONS, _SUGGESTIONS, _DAYS = 30, 5, 8, 2, 30
_OWN = ("source", "job ")  # how the checks begin that have sentences of their own here
_EVER = datetime.min.replace(tzinfo=UTC)
Troubled = Mapping[str, Sequence[RunRecord]]
"""The runs of each job that need a person, the newest first."""


class TodayQuery(QueryForm):
    """The time of which the news are shown: since the last visit, or since so many days."""

    since: Literal["visit", "day", "week", "month"] = "visit"


class NowQuery(QueryForm):
    """The state of the part that renews itself, as it was shown: whether a job was at work."""

    busy: bool = False


@router.get("/")
def today(page: PageThere, state: StateThere, engine: Reading, wanted: InQuery[TodayQuery]) -> Response:
    """The first document. What was seen is a cookie: looking writes nothing."""
    now, book = engine.clock.now(), state.books.of(engine)
    cookie = visits_cookie(state.root)
    before, visits = _visits_of(page.request.cookies.get(cookie, ""), now)
    since = _begin_of(engine, wanted.since, before)
    written, sources = written_since(engine, book, since), sources_now(engine)
    figures, service = figures_by_day(engine, _DAYS), service_view(engine.workspace, now, engine.zone)
    # Some stand below their successors; of thousands of new entries no more are looked at.
    newest = [FreshEntry.of(place, book) for place in written[: 2 * _NEW]]
    shown_below = {earlier.entry.id for fresh in newest for earlier in fresh.replaced}
    last_message = max((source.last for source in sources if source.last), default=None)
    undecided, troubled = rank_suggestions(waiting(engine)), troubled_runs(engine)
    begun = bool(engine.ledger.runs.latest("", 1))
    values = {
        "day": local_day(now, engine.zone),
        "wanted": wanted,
        "since": since,
        "first_visit": before is None,
        "news": _group_entries(
            state, engine, [fresh for fresh in newest if fresh.place.entry.id not in shown_below][:_NEW]
        ),
        "more": max(0, len(written) - _NEW),
        "gone": off_page_since(engine, since),
        "why": "" if written else _why_nothing(service, sources, since, troubled, begun=begun),
        "latest": []
        if written
        else [FreshEntry.of(place, book) for place in written_since(engine, book, _EVER, _LATEST)],
        "wrap_up": last_wrap_up(engine),
        "waiting": len(undecided),
        "first": [
            (suggestion, kind_in_words(page, suggestion.about.form, suggestion.shown.kind), seen_of(suggestion))
            for suggestion in undecided[:_SUGGESTIONS]
        ],
        "projects": short_names(suggestion.project for suggestion in undecided),
        "weeks": map_of_year(engine, book),
        "figures": figures,
        "bars": list(_bars(engine)),
        "entries": len(book.texts),
        "days": len(book.days(engine.zone)),
        "troubles": list(_troubles(page, state, engine, sources, troubled)),
        "last_message": last_message,
        "silent_seconds": (now - last_message).total_seconds() if last_message else 0,
        "named": bool(engine.settings.transcript_sources),
        "begun": begun,
        "sources": sources,
        "tables": "" if engine.settings.transcript_sources else tables_to_begin(state.context.environment),
        "settings_file": str(engine.workspace.root / SETTINGS_FILE),
    }
    answer = page.show("today.html", values | _now(state, service))
    seconds = int(_KEPT.total_seconds())
    answer.set_cookie(cookie, visits, max_age=seconds, httponly=True, samesite="strict")
    return answer


@router.get("/today/now")
def now(page: PageThere, state: StateThere, engine: Reading, before: InQuery[NowQuery]) -> Response:
    """The state of the service, and the work under way: the part of the first document that renews itself.

    When what was at work has ended the whole document is loaded again, with what was written.
    """
    standing = _now(state, service_view(engine.workspace, engine.clock.now(), engine.zone))
    answer = page.show("today_now.html", standing)
    if page.is_part and before.busy and not standing["busy"]:
        answer.headers["HX-Refresh"] = "true"
    return answer


def visits_cookie(root: Path) -> str:
    """The name of the cookie of the visits to the page of a workspace.

    It holds the begin of the visit before this one and the last look of this one, in seconds: `1764400000.1764410000`.
    """
    return f"{cookie_name(root)}_visits"


def _visits_of(cookie: str, now: datetime) -> tuple[datetime | None, str]:
    """The end of the visit before this one, if there was one, and the cookie to keep.

    A person may have changed the cookie: then it says nothing.
    """
    before, _, last = cookie.partition(".")
    stamp = int(now.timestamp())
    try:
        known = (int(before or 0), int(last))
    except ValueError:
        known = (0, 0)
    if not 0 <= known[0] <= known[1] <= stamp or not known[1]:
        return None, f"0.{stamp}"
    begin = known[0] if stamp - known[1] < _VISIT.total_seconds() else known[1]
    return datetime.fromtimestamp(begin, UTC) if begin > 0 else None, f"{begin}.{stamp}"


def _begin_of(engine: Engine, since: str, before: datetime | None) -> datetime:
    """The begin of the time of which news are shown; on a first visit the last day with anything new."""
    now = engine.clock.now()
    days = {"day": 1, "week": 7, "month": 30}.get(since)
    if days:
        return now - timedelta(days=days)
    return before or day_start(local_day(last_written(engine) or now, engine.zone), engine.zone)


def _group_entries(
    state: HttpState, engine: Engine, written: Sequence[FreshEntry]
) -> list[tuple[str, list[tuple[str, list[FreshEntry]]]]]:
    """New entries by project, then by the words of their session, empty where these are not known; the last first."""
    names, words = short_names(fresh.place.project for fresh in written), SessionWords(engine, state.words)
    order = {project: at for at, project in reversed(list(enumerate(fresh.place.project for fresh in written)))}
    by_project = sorted(written, key=lambda fresh: order[fresh.place.project])
    left, groups = _SESSIONS, []
    for project, some in groupby(by_project, key=lambda fresh: fresh.place.project):
        sessions = []
        for session, entries in groupby(some, key=lambda fresh: fresh.place.entry.source.session_id):
            left -= 1
            sessions.append((words.of(session) if left >= 0 else "", list(entries)))
        groups.append((names.get(project, ""), sessions))
    return groups


def _why_nothing(
    service: ServiceView, sources: Sequence[SourceReport], since: datetime, troubled: Troubled, *, begun: bool
) -> str:
    """The reason why nothing is new, as the name of a text."""
    ends = {records[0].outcome.ending for records in troubled.values() if records and records[0].outcome}
    last = max((source.last for source in sources if source.last), default=None)
    reasons = {
        "no_source": not sources,
        "unreadable": any(source.unreadable for source in sources),
        "no_service": service.state != "running" and not begun,
        "no_messages": last is None or last < since,
        "model": bool(ends & {Ending.WAITING, Ending.OVER_BUDGET}),
        "stopped": service.state != "running",
    }
    return next((name for name, holds in reasons.items() if holds), "unsettled")


def _bars(engine: Engine) -> Iterator[tuple[str, str, int, int]]:
    """The fill of `MEMORY.md` and of each agent's brain: a name, a path, how much there is, and how much may be."""
    yield PATH, "/memory", len(read_hot_page(engine).splitlines()), LINES
    for name, agent in sorted(engine.settings.agents.by_name.items()):
        folder = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, name)
        yield name, f"/agents/{name}", folder.tokens_in_mind(), agent.brain_tokens


def _now(state: HttpState, view: ServiceView) -> dict[str, object]:
    work_id, child = state.work.going_on(), service_report(view).child
    return {
        "service": view.state,
        "child": child,
        "work": state.work.state(work_id) if work_id else None,
        "busy": bool(work_id or child),
        "next_look": min((job.next_look for job in view.jobs.values() if job.next_look), default=None),
    }


def _troubles(
    page: Page, state: HttpState, engine: Engine, sources: Sequence[SourceReport], troubled: Troubled
) -> Iterator[tuple[str, str, str]]:
    """The troubles that need a person: a sentence, the path of a document, and a language that is not the reader's."""
    for job, records in troubled.items():
        for record in records[:1]:
            ending = page.word("page.endings", record.outcome.ending if record.outcome else "unfinished")
            name = page.word("jobs.names", job)
            yield page.text("today.run_ended", job=name, ending=ending), f"/runs/{record.run_id}", ""
    for source in sources:
        if source.unreadable:
            since = source.unreadable.since.date().isoformat()
            yield page.text("today.unreadable", source=source.source, day=since), "/health", ""
        yield from (_trouble_of(page, source.source, alarm.sentence) for alarm in source.alarms)
    for name, silence in silent_sources(engine).items():
        yield page.text("today.silent", source=name, day=silence.since, days=silence.days), "/health", ""
    kept = state.findings.latest()
    for report in kept.wrong if kept else ():
        if not report.check.startswith(_OWN):
            yield _trouble_of(page, page.in_words(report.check), report.told)


def _trouble_of(page: Page, name: str, english: str) -> tuple[str, str, str]:
    """The trouble of a source or a check, in the reader's language where that is known."""
    words = page.translate(f"{english}.")
    return f"{name}: {words or english + '.'}", "/health", "" if words else "en"
