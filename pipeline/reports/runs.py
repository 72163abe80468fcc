"""Past runs as programs get them: the one that is meant, and all that is known of it."""

import difflib
import shlex
from collections.abc import Iterator
from datetime import date
from typing import Any

from pipeline.backfill.orders import OrdersFolder, resume_words
from pipeline.backfill.plan import to_run
from pipeline.clock import local_day
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.errors import SeveralNames, UnknownRun
from pipeline.job import Job
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.ledger.runs import RunRecord
from pipeline.model.prices import price
from pipeline.reports.service import log_of
from pipeline.reports.status import JobStanding, at_work, backfill_command
from pipeline.workspace.families import Slots, concrete
from pipeline.workspace.file_access import ALL, FileAccess
from pipeline.workspace.layout import short_of, whole_name
from schemas.detail import storable
from schemas.outcome import Ending, Outcome
from schemas.reports.runs import FileChange, ListedRun, ShownRun, TimeSpan
from schemas.reports.status import (
    BackfillReport,
    BatchReport,
    CaptureReport,
    JobReport,
    NextWindow,
    RunTrouble,
)
from schemas.run_request import BackfillRequest
from schemas.service_state import JobState
from schemas.window import Window

_OFFERED = 5
_MORE = 4


def report_run(engine: Engine, record: RunRecord, access: FileAccess = ALL) -> ShownRun:
    """A run as programs get it, with all that is known of it and may be seen."""
    job = next((job for job in engine.jobs if job.name == record.job), None)
    # Of a job that reads files the ledger keeps the files.
    sessions = engine.ledger.runs.sessions_of(record.run_id) if job and job.reads.transcripts else {}
    files = [file for session in sessions for file in engine.ledger.files.of_session(session)]
    going_on = at_work(engine, job) if job and not record.ended else None
    alive = going_on is not None and going_on.run_id == record.run_id
    end = record.ended or (engine.clock.now() if alive else None)
    cost = price(engine.settings.model, engine.ledger.spending.of_run(record.run_id))
    return ShownRun(
        **_run_fields(record, access),
        alive=alive,
        seconds=(end - record.began).total_seconds() if end else None,
        sessions=sessions,
        files=tuple(f"{file.source}:{file.file.path}" for file in files),
        reads=_reads(job, local_day(record.window.start, engine.zone)) if job else (),
        cost=str(cost) if cost else None,
        log=log_of(engine.workspace, record) or None,
        changes=tuple(
            FileChange(standing.path, standing.kind.value, tuple(standing.identities), "\n".join(difference(standing)))
            for standing in engine.ledger.changes.of_run(record.run_id)
            if access(standing.path)
        ),
    )


def latest_runs(engine: Engine, job: str, limit: int, access: FileAccess = ALL) -> list[RunRecord]:
    """The newest runs, of one job or of all, without those of other agents' memory."""
    asked = limit
    while True:
        records = engine.ledger.runs.latest(job, asked)
        mine = [record for record in records if may_see(engine, record, access)]
        if len(mine) >= limit or len(records) < asked:
            return mine[:limit]
        asked *= _MORE


def may_see(engine: Engine, record: RunRecord, access: FileAccess) -> bool:
    """Whether a run is not one that writes another agent's memory."""
    job = next((job for job in engine.jobs if job.name == record.job), None)
    if job is None or not job.writes.family.startswith(f"{engine.settings.agents.root}/"):
        return True
    return access.of_agent(record.subject)


def run_to_see(engine: Engine, given: str, access: FileAccess) -> RunRecord:
    """The run with this id, or the only one whose id begins so, unless it writes another agent's memory.

    Raises:
        NameRefused: there is none, or it is another agent's; several ids begin so.
    """
    record = run_named(engine, given)
    if not may_see(engine, record, access):
        raise UnknownRun(given)
    return record


def run_named(engine: Engine, given: str) -> RunRecord:
    """The run with this id, or the only one whose id begins so.

    Raises:
        NameRefused: there is none; several ids begin so.
    """
    runs, given = engine.ledger.runs, storable(given)
    exact = runs.find(given)
    records = {
        record.run_id: record for record in ([exact] if exact else runs.beginning_with(given, SeveralNames.most + 1))
    }
    titles = {
        name: f"{record.job}, {key_in_words(record.key, record.window, engine.zone)}"
        for name, record in records.items()
    }
    return records[whole_name(given, titles, UnknownRun, [record.run_id for record in runs.latest(limit=_OFFERED)])]


def span(window: Window) -> TimeSpan:
    """A window as programs get it."""
    return TimeSpan(window.start, window.end)


def listed_run(record: RunRecord, access: FileAccess = ALL) -> ListedRun:
    """A run as programs get it. An agent gets no quotes of what was rejected: they may be of others' conversations."""
    return ListedRun(**_run_fields(record, access))


def difference(change: Change) -> Iterator[str]:
    """A change as lines of a unified diff; the line numbers of an append are not known."""
    after = change.after.decode(errors="replace").splitlines()
    names = [f"--- a/{change.path}", f"+++ b/{change.path}"]
    if change.kind is ChangeKind.APPEND:
        yield from [*names, f"@@ appended behind byte {change.size} @@", *(f"+{line}" for line in after)]
        return
    before = (change.before or b"").decode(errors="replace").splitlines()
    yield from difflib.unified_diff(before, after, names[0][4:], names[1][4:], lineterm="")


def _run_fields(record: RunRecord, access: FileAccess) -> dict[str, Any]:
    """The fields of a run and of its outcome; of a run without an end those of the outcome are empty."""
    outcome = record.outcome or Outcome(job=record.job, key=record.key, window=record.window, ending=Ending.EMPTY)
    fields = {name: value for name, value in outcome if name not in {"reading", "subject"}}
    if access.reader is not None:
        fields["rejected"] = tuple(rejection.model_copy(update={"detail": ""}) for rejection in outcome.rejected)
    return fields | {
        "run_id": record.run_id,
        "window": span(record.window),
        "began": record.began,
        "ended": record.ended,
        "ending": record.outcome.ending.value if record.outcome else None,
        "paths": tuple(filter(access, outcome.paths)),
        "tokens": record.tokens,
        "undone": record.undone,
        "backfill": record.backfill,
        "short": short_of(record.run_id),
    }


def _reads(job: Job, day: date) -> tuple[str, ...]:
    """The patterns of the files that a job reads, for a window that begins on a day."""
    reads = job.reads
    patterns = (*reads.entries, *reads.documents, *reads.items, *reads.facts, *reads.by_people)
    return tuple(concrete(pattern, Slots(day)) for pattern in patterns)


def job_report(standing: JobStanding, state: JobState, capture: CaptureReport | None, zone: str) -> JobReport:
    """A job; `state` is the service's. Without the service it is looked at when it is next due."""
    last, coming = standing.last_success, standing.upcoming
    unknown = standing.unknown
    return JobReport(
        job=standing.job.name,
        last_success=last.ended if last else None,
        rebuilt=standing.rebuilt,
        due=len(standing.due),
        oldest_due=span(standing.due[0]) if standing.due else None,
        next=NextWindow(coming.window.start, coming.window.end, coming.run_from) if coming else None,
        troubled=tuple(map(_trouble, standing.troubled)),
        warned=_trouble(standing.warned) if standing.warned else None,
        unknown=tuple(map(span, unknown)),
        backfill=shlex.join(backfill_command(standing.job.name, unknown, zone)) if unknown else None,
        at_work=standing.at_work or None,
        next_look=state.next_look or (coming.run_from if coming else None),
        parked=state.parked.model_dump(mode="json") if state.parked else None,
        capture=capture,
    )


def stopped_backfills(engine: Engine) -> list[tuple[BackfillRequest, int]]:
    """The back-fills that were stopped and have something left, each with the number of windows left."""
    stopped = OrdersFolder(engine.workspace.state_folder).stopped_requests()
    return [(request, left) for request in stopped if (left := len(to_run(engine, request)))]


def backfill_report(request: BackfillRequest, left: int) -> BackfillReport:
    """A back-fill that was stopped, with so many windows left."""
    return BackfillReport(request.id, request.jobs, left, tuple(resume_words(request)), request.waits)


def batch_reports(engine: Engine) -> list[BatchReport]:
    """The batches that are at the model's server, the oldest first."""
    batches = engine.ledger.answers.batches.open()
    return [BatchReport(batch.id, batch.model, batch.questions, batch.sent) for batch in batches]


def _trouble(record: RunRecord) -> RunTrouble:
    ending, warning = (record.outcome.ending.value, record.outcome.warning) if record.outcome else ("", "")
    return RunTrouble(record.run_id, record.key, ending, warning)
