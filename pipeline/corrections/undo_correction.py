"""The way back of a correction of entries: of their links, of a review, and of what a person decided about it."""

from pipeline.corrections.correction import DECLINING, UNLINKING, holding
from pipeline.corrections.removal import put_back
from pipeline.corrections.undo_blocks import Names, take_back_blocks
from pipeline.engine.acceptance import drop_of_run
from pipeline.engine.context import Engine
from pipeline.errors import NothingToUndo
from pipeline.ledger.runs import RunRecord
from pipeline.workspace.declined import allow_declined
from pipeline.workspace.unlinked import allow_links
from schemas.outcome import Ending


def undo_correction(engine: Engine, record: RunRecord) -> tuple[tuple[Names, Names, Names], int]:
    """Take back a correction; the names of the blocks removed, restored, and left, and how many suggestions went."""
    with holding(engine, record.job):
        now = engine.ledger.runs.find(record.run_id)
        if now is None or now.undone or now.outcome is None or now.outcome.ending is Ending.EMPTY:
            raise NothingToUndo(record.run_id, "has been undone" if now and now.undone else "changed nothing")
        items = now.outcome.items
        if record.job == UNLINKING:
            allow_links(engine.workspace, {frozenset(name.split("|")) for name in items})
        if record.job == DECLINING:
            allow_declined(engine.workspace, items)
        take_back = put_back if record.job == DECLINING else take_back_blocks
        parts = [take_back(engine, change) for change in reversed(engine.ledger.changes.of_run(record.run_id))]
        with engine.ledger.store.transaction():
            engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
            suggestions = drop_of_run(engine, record.run_id)
    removed, restored, left = (tuple(name for part in parts for name in part[place]) for place in range(3))
    return (removed, restored, left), suggestions
