"""Undo and folds: the input pages of a fold are taken back, and the fold is rendered again."""

import re
from collections.abc import Sequence

from pipeline.backfill.plan import follow_ups, work_through
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.changes import InputChanges
from pipeline.engine.runner import Runner
from pipeline.errors import UndoInputs
from pipeline.job import Job, OnChange
from pipeline.ledger.runs import RunRecord
from schemas.outcome import Outcome

KEY = r"\d{4}-(\d\d(-\d\d)?|W\d\d)"
"""The key of a day, a week or a month: what people undo by."""


def refuse_fold(engine: Engine, job: Job, record: RunRecord) -> None:
    """Refuse to take back a fold, which would be rendered again from the pages of other runs."""
    if newest := newest_input(engine, job, record):
        raise UndoInputs(record.run_id, undo_name(engine, newest))


def newest_input(engine: Engine, job: Job, record: RunRecord) -> str:
    """The newest run that wrote what a run of a fold was made of; empty for another job, and where nothing stands."""
    if not isinstance(job.schedule, OnChange):
        return ""
    # What a person wrote into a page of the fold's own is an input too.
    own, inputs = engine.family(job), InputChanges(engine, job, job.schedule.of).inputs(record.partition)
    changes = (change for path in inputs if not own.owns(path) for change in engine.ledger.changes.of_path(path))
    standing = [change for change in changes if (run := engine.ledger.runs.find(change.run_id)) and run.undone is None]
    return max(standing, key=lambda change: change.number).run_id if standing else ""


def render_folds(engine: Engine, jobs: Sequence[Job]) -> tuple[Outcome, ...]:
    """Render the folds of the pages of these jobs; the caller holds no lock.

    A fold that fails, or that another process renders, is due until it has run.
    """
    due = [planned for planned in follow_ups(engine, jobs) if planned.job.is_fold]
    return tuple(work_through(Runner(engine), due))


def undo_name(engine: Engine, run_id: str, key: str = "") -> str:
    """The name for an undo: the day, the week or the month of a run if that is not `key`, else the id of the run."""
    record = engine.ledger.runs.find(run_id)
    return record.key if record and re.fullmatch(KEY, record.key) and record.key != key else run_id
