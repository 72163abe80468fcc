"""Undo of a whole back-fill: every run that carries its id is taken back, the newest first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.backfill.orders import OrdersFolder
from pipeline.clock import to_the_minute
from pipeline.corrections.undo import Undone, made_something, undo_runs
from pipeline.engine.context import Engine
from pipeline.errors import NothingToUndo, SeveralNames
from pipeline.errors.corrections import UnknownBackfillRuns
from pipeline.ledger.runs import RunRecord

_OFFERED = 5


@dataclass(frozen=True)
class BackfillUndone:
    """A back-fill that was taken back: what became of each run that wrote, and the runs, with those that did not.

    `kept` are the names of the blocks that stand at the end, by the run that brought them; several runs may have left
    one.
    """

    backfill: str
    undone: tuple[Undone, ...]
    records: tuple[RunRecord, ...]
    kept: Mapping[str, tuple[str, ...]]


def undo_backfill(engine: Engine, backfill: str) -> BackfillUndone:
    """Take back a back-fill, also the time in which it found nothing; a stopped one is not gone on with any more.

    All runs are checked before a file is touched: when one cannot be taken back, none is. Folds are rendered again
    instead. An undo that was killed goes on when it is repeated.

    Raises:
        NameRefused: no run is known that carries the id; several ids begin so.
        UndoRefused: it has been undone; a run of another command rests on what it wrote.
        Held: it is under way, or somebody is at work on the files.
    """
    whole = _whole_id(engine, backfill)
    folder, folds = OrdersFolder(engine.workspace.state_folder), {job.name for job in engine.jobs if job.is_fold}
    with folder.at_work(whole):
        known = engine.ledger.runs.of_backfill(whole)
        records = [record for record in known if record.undone is None and record.job not in folds]
        if not records:
            raise NothingToUndo(whole, "has been undone", "back-fill")
        wrote = [record for record in records if made_something(engine, record)]
        undone = undo_runs(engine, wrote, [record for record in records if record not in wrote])
        folder.drop(whole)
    return BackfillUndone(whole, tuple(undone), tuple(records), _blocks_left(engine, undone))


def _blocks_left(engine: Engine, undone: Iterable[Undone]) -> dict[str, tuple[str, ...]]:
    """The blocks that were left, each with the oldest run that left it; not those that an older run took back."""
    runs = dict[tuple[str, str], str]()
    for withdrawn in undone:
        changes = engine.ledger.changes.of_run(withdrawn.run_id) if withdrawn.left or runs else []
        paths = {name: change.path for change in changes for name in change.identities}
        for name in (*withdrawn.removed, *withdrawn.restored):
            runs.pop((paths.get(name, ""), name), None)
        runs |= {(paths.get(name, ""), name): withdrawn.run_id for name in withdrawn.left}
    names = defaultdict[str, tuple[str, ...]](tuple)
    for (_, name), run_id in runs.items():
        names[run_id] += (name,)
    return dict(names)


def _whole_id(engine: Engine, given: str) -> str:
    """The id of the back-fill that is meant; its beginning is enough."""
    known = engine.ledger.runs.backfills()
    names: Sequence[str] = [given] if given in known else [name for name in known if given and name.startswith(given)]
    if len(names) > 1:
        raise SeveralNames(UnknownBackfillRuns.sort, given, dict.fromkeys(names, ""))
    if not names:
        raise UnknownBackfillRuns(given, known[:_OFFERED], _how_lost(engine))
    return names[0]


def _how_lost(engine: Engine) -> str:
    """Why runs may not be known; empty when the ledger has always been there."""
    if rebuilt := engine.ledger.rebuilds.latest():
        return f"The ledger was lost, and rebuilt on {to_the_minute(rebuilt, engine.zone)}."
    return (
        "" if engine.ledger.runs.latest(limit=1) else "The ledger knows no run at all: nothing was run, or it was lost."
    )
