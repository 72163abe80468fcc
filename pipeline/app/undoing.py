"""An undo as it would go: on a copy of the workspace."""

from pathlib import Path

from pipeline.app.opening import opened_copy
from pipeline.corrections.undo import BackfillUndone, again_command, undo, undo_backfill, undone_run
from pipeline.process.context import ProcessContext
from pipeline.reports.runs import run_named
from schemas.reports.runs import UndoneRun

_NO_MODEL = {"MEMORY_MODEL__BASE_URL": "", "MEMORY_MODEL__NAME": ""}
"""A look pays for no words of a page that would be rendered again."""


def undo_preview(root: Path, context: ProcessContext, run_id: str) -> UndoneRun:
    """The undo of a run as its receipt would say it, without doing it."""
    with opened_copy(root, _quiet(context)) as engine:
        record = run_named(engine, run_id)
        return undone_run(undo(engine, record.run_id), record, again_command(engine, [record]))


def backfill_undo_preview(root: Path, context: ProcessContext, backfill: str) -> BackfillUndone:
    """The undo of a back-fill as its receipt would say it, without doing it."""
    with opened_copy(root, _quiet(context)) as engine:
        return undo_backfill(engine, backfill)


def _quiet(context: ProcessContext) -> ProcessContext:
    """For a look: it asks no model, and announces nothing."""
    return ProcessContext({**context.environment, **_NO_MODEL}, context.clock)
