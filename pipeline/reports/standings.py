"""How the parts of a workspace stand, as programs get it."""

import shlex

from pipeline.backfill.orders import OrdersFolder, resume_words
from pipeline.backfill.scope import to_run
from pipeline.engine.context import Engine
from pipeline.ledger.runs import RunRecord
from pipeline.reports.runs import span
from pipeline.reports.status import JobStanding, backfill_command
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
    stopped = OrdersFolder(engine.workspace.state_folder).stopped()
    return [(request, left) for request in stopped if (left := len(to_run(engine, request)))]


def backfill_report(request: BackfillRequest, left: int) -> BackfillReport:
    """A back-fill that was stopped, with so many windows left."""
    return BackfillReport(request.id, request.jobs, left, tuple(resume_words(request)), request.waits)


def batch_reports(engine: Engine) -> list[BatchReport]:
    """The batches that are at the model's server, the oldest first."""
    batches = engine.ledger.answers.batches.open()
    return [BatchReport(one.id, one.model, one.questions, one.sent) for one in batches]


def _trouble(record: RunRecord) -> RunTrouble:
    ending, warning = (record.outcome.ending.value, record.outcome.warning) if record.outcome else ("", "")
    return RunTrouble(record.run_id, record.key, ending, warning)
