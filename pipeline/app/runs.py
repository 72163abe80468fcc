"""Running due windows, and back-fills: use cases that yield events, for any surface.

They hold the locks of the workspace and may take hours. A surface that must be able to stop them gives them a process
of its own, see `pipeline.process.supervisor`.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from pipeline.app.engine import EngineOptions
from pipeline.app.opening import opened_to_run
from pipeline.backfill.orders import OrdersFolder
from pipeline.backfill.plan import Planned, at, due_now, in_days, refuse_future, to_run
from pipeline.backfill.series import (
    Estimated,
    Finished,
    NothingToRun,
    RunEnded,
    SeriesEvent,
)
from pipeline.clock import local_day, to_the_minute
from pipeline.corrections.full_page import FullPage, full_page
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import keep_request
from pipeline.engine.partitioning.clocked import Upcoming, upcoming
from pipeline.engine.suggestions import waiting
from pipeline.errors import Held, ModelUnavailable
from pipeline.events import Event
from pipeline.facts.sections import HEADING
from pipeline.job import Job, Period
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named, with_upstream
from pipeline.transcripts.selection import why_not_read
from pipeline.transcripts.unreadable import source_trouble
from schemas.hot_page import PATH
from schemas.outcome import Outcome
from schemas.periods import read_period
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest
from schemas.settings import Settings
from schemas.suggestion import Suggestion

_FIRST_PAGE = "first-page"


@dataclass(frozen=True)
class NothingDue:
    """No window is due.

    `why` is the sentence of a back-fill. Without one, `job` has the `coming` window, if there is any. `sources` and
    `start` say whether the settings have them. `unread` says of each source what cannot be read now: nobody knows
    whether something is due there.
    """

    why: str
    job: str
    coming: Upcoming | None
    zone: str
    sources: bool
    start: bool
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class StillOpen:
    """The number of `sessions` with messages in the window of `job` that is still open: it is left to the clock."""

    sessions: int
    job: str
    coming: Upcoming
    zone: str


@dataclass(frozen=True)
class NoRoom:
    """Entries wait for room on the page that was rendered, now or by an earlier run."""

    page: FullPage


@dataclass(frozen=True)
class Undecided:
    """The number of suggestions that are `waiting` for a person, of which `new` are those of this series."""

    waiting: int
    new: tuple[Suggestion, ...]

    @property
    def sentence(self) -> str:
        """A sentence with the number of them, and the command to type."""
        from pipeline.reports.suggestions import wait_sentence

        return wait_sentence(self.waiting)


@dataclass(frozen=True)
class Differences:
    """The changes of a dry run, as lines of a unified diff."""

    lines: tuple[str, ...]


Happening = SeriesEvent | NothingDue | StillOpen | NoRoom | Undecided | Differences


def run_due(  # noqa: PLR0913, PLR0917 - what a surface has read
    root: Path,
    context: ProcessContext,
    options: RunOptions,
    job: str = "",
    moment: datetime | None = None,
    settings: Settings | None = None,
) -> Generator[Happening]:
    """Run the due windows of all jobs, or of one and its dependencies; with `moment` only the windows of that time.

    Where nothing has run yet and nothing is due, a dry run shows the last day with messages. `settings` are those in
    force, where they were read already.

    Raises:
        RequestRefused: the moment has not come yet.
    """
    with opened_to_run(root, context, options, given=EngineOptions(settings=settings)) as opened:
        engine = replace(opened, horizon=_with_zone(opened, moment)) if moment else opened
        if not (options.dry_run or moment):
            _ask_first_page(engine)
        wanted = with_upstream(jobs_named([job] if job else [], engine.jobs), engine.jobs)
        planned = _plan_moment(engine, job, moment) if moment else due_now(engine, wanted)
        if options.dry_run and not planned and not engine.ledger.runs.latest(limit=1):
            planned = _last_day(engine, job)
        if not options.dry_run:
            _settle_batches(engine)
        series = _series_events(engine, planned, options.wait, again=moment is not None)
        reported = False
        for happening in _with_reports(engine, series):
            reported |= isinstance(happening, NoRoom)
            yield happening
        if planned and all(item.partition.key == _FIRST_PAGE for item in planned):
            yield _describe_nothing_due(engine, "", engine.jobs)
        if not reported and not job and (full := full_page(engine)) and full.waiting:
            yield NoRoom(full)
        yield from _end_events(root, engine, options)


def run_facts(
    root: Path, context: ProcessContext, options: RunOptions, since: str | None, settings: Settings | None
) -> Generator[Happening]:
    """Run what is due of the jobs that write facts and pages of them; with `since` only of this day and later ones.

    `since` has the words for a day or a period (`schemas.periods`). The folds see all facts, whatever day is given.
    `settings` are as in `run_due`.

    Raises:
        RequestRefused: the day has not come yet.
    """
    with opened_to_run(root, context, options, given=EngineOptions(settings=settings)) as engine:
        jobs = [job for job in engine.jobs if job.writes.heading == HEADING or job.reads.facts]
        first = _first_day(engine, since)
        planned = [item for item in due_now(engine, jobs) if local_day(item.window.start, engine.zone) >= first]
        yield from _with_reports(engine, _series_events(engine, planned, options.wait), jobs)
        yield from _end_events(root, engine, options)


def run_backfill(  # noqa: PLR0913 - what a surface has read from its request
    root: Path,
    context: ProcessContext,
    options: RunOptions,
    request: BackfillRequest,
    *,
    new_limit: bool = False,
    estimated: bool = False,
) -> Generator[Happening]:
    """Run a back-fill; see `pipeline.backfill.run.Backfill`.

    Raises:
        RequestRefused: it asks for what makes no sense.
    """
    from pipeline.backfill.run import Backfill  # a run of what is due needs none

    with opened_to_run(root, context, options) as engine:
        backfill = Backfill(engine, request, options, new_limit=new_limit)
        if not options.dry_run:
            _ask_first_page(engine)
        written = False
        for happening in _with_reports(engine, backfill.run(estimated=estimated)):
            written = written or (isinstance(happening, RunEnded) and bool(happening.outcome.written))
            yield happening
        if not written:
            yield from _open_windows(engine)
        yield from _end_events(root, engine, options)


def estimate_backfill(
    root: Path, context: ProcessContext, options: RunOptions, request: BackfillRequest, *, new_limit: bool = False
) -> Estimated | None:
    """The estimate of a back-fill; `None` when it has nothing to run.

    Raises:
        RequestRefused: the request makes no sense.
    """
    from pipeline.backfill.run import Backfill

    with opened_to_run(root, context, options) as engine:
        return Backfill(engine, request, options, new_limit=new_limit).estimate()


def _series_events(
    engine: Engine, planned: Sequence[Planned], wait: float, *, again: bool = False
) -> Iterator[SeriesEvent]:
    """The events of what was planned, or that nothing is to be run."""
    if planned:
        from pipeline.backfill.work import NoPrefetch, run_series

        return run_series(NoPrefetch(engine), planned, again=again, wait_seconds=wait)
    engine.emit(Event.NOTHING_DUE)
    return iter([NothingToRun("Nothing is left to do in these days." if again else "")])


def _settle_batches(engine: Engine) -> None:
    """Take what batches of back-fills have brought; where that fails, or another process does so, they wait."""
    if engine.batches and (model := engine.asker().model) and engine.ledger.answers.batches.open():
        from pipeline.backfill.batches import BatchedQuestions

        with suppress(ModelUnavailable, Held):
            BatchedQuestions(engine, engine.batches, model, ()).settle(all_of_them=False)


def _ask_first_page(engine: Engine) -> None:
    """Ask for the page that agents read first, in the first run of a workspace that has none: from then on it is there.

    A page of other hands is left as it is, and one that a person takes away later does not come back.
    """
    job = engine.page_job
    if job and job.on_request and not engine.ledger.runs.latest(limit=1) and engine.workspace.read(PATH) is None:
        keep_request(engine, job, _FIRST_PAGE, _FIRST_PAGE)


def _first_day(engine: Engine, since: str | None) -> date:
    """The first day that counts; the first of all without one."""
    today = engine.local_now().date()
    first = read_period(since, today).first if since else date.min
    refuse_future("since", str(first), late=first > today)
    return first


def _last_day(engine: Engine, job: str) -> Sequence[Planned]:
    """The last day with messages, as a first dry run shows it before anything is due: a wrong key is seen at once."""
    said = [record.last for record in engine.catalog.listing() if record.last and record.last <= engine.clock.now()]
    if not said:
        return []
    day = local_day(max(said), engine.zone)
    return in_days(engine, with_upstream(jobs_named([job] if job else [], engine.jobs), engine.jobs), day, day)


def _with_zone(engine: Engine, given: datetime) -> datetime:
    return given if given.tzinfo else given.replace(tzinfo=engine.local_now().tzinfo)


def _plan_moment(engine: Engine, job: str, given: datetime) -> Sequence[Planned]:
    wanted, moment = jobs_named([job] if job else [], engine.jobs), _with_zone(engine, given)
    refuse_future("moment", moment.isoformat(), late=moment > engine.clock.now())
    # A day or a week that has not ended is cut off only when the user names the job.
    whole = [candidate for candidate in wanted if job or candidate.period is Period.TICK]
    return at(engine, whole, moment)


def _with_reports(
    engine: Engine, events: Iterator[SeriesEvent], jobs: Sequence[Job] | None = None
) -> Iterator[Happening]:
    """The events of a series with what the reports know about them; `jobs` are those it is about, all without them."""
    page, rendered, suggested, ended = engine.page_job, False, set[str](), list[Outcome]()
    for event in events:
        if isinstance(event, NothingToRun):
            yield _describe_nothing_due(engine, event.why, engine.jobs if jobs is None else jobs)
        elif isinstance(event, RunEnded):
            outcome, titles = event.outcome, event.titles
            if outcome.written:
                from pipeline.reports.entries import written_titles

                titles = written_titles(engine, outcome)
            yield replace(event, titles=titles)
            suggested.update(outcome.suggested)
            ended += [outcome] if outcome.subject else []
            rendered = rendered or (page is not None and outcome.job == page.name)
        else:
            yield event
        if not isinstance(event, Finished):
            continue
        if rendered and (full := full_page(engine)):
            yield NoRoom(full)
        if ended:
            from pipeline.reports.agent_list import count_wake_ups

            count_wake_ups(engine, ended)
        if known := waiting(engine):
            yield Undecided(len(known), tuple(suggestion.shown for suggestion in known if suggestion.id in suggested))


def _describe_nothing_due(engine: Engine, why: str, jobs: Sequence[Job]) -> NothingDue:
    settings = engine.settings
    coming = {} if why else {job.name: known for job in jobs if (known := upcoming(engine, job))}
    name = min(coming, key=lambda job_name: coming[job_name].run_from, default="")
    return NothingDue(
        why,
        name,
        coming.get(name),
        engine.zone,
        sources=bool(settings.transcript_sources),
        start=settings.start is not None,
        unread=tuple(
            f"source {source.root_name}: {trouble.sentence(to_the_minute(trouble.since, engine.zone))}"
            for source in settings.transcript_sources
            if (trouble := source_trouble(engine.ledger, source.root_name))
        ),
    )


def _open_windows(engine: Engine) -> Iterator[StillOpen]:
    """The window that the readers of transcripts have not read yet, if somebody has spoken in it."""
    readers = [job for job in engine.jobs if job.reads.transcripts]
    coming = {job.name: known for job in readers if (known := upcoming(engine, job))}
    if coming:
        name = min(coming, key=lambda job: coming[job].run_from)
        read = [record for record in engine.catalog.listing() if not why_not_read(record)]
        sessions = {record.session for record in read if record.last and record.last in coming[name].window}
        if sessions:
            yield StillOpen(len(sessions), name, coming[name], engine.zone)


def _end_events(root: Path, engine: Engine, options: RunOptions) -> Iterator[Differences]:
    if options.dry_run:
        from pipeline.engine.dry_run import differences

        yield Differences(tuple(differences(root, engine.workspace.root, engine.workspace.layout)))
    else:
        folder = OrdersFolder(engine.workspace.state_folder)
        for request in folder.stopped_requests():
            if not to_run(engine, request):
                folder.drop(request.id)
