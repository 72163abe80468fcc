"""Undo of a run, a day or a back-fill: its unchanged blocks go or come back, and its folds are rendered again."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date

from pipeline.backfill.orders import OrdersFolder
from pipeline.clock import local_day, to_the_minute
from pipeline.corrections.correction import CORRECTIONS, DECLINING, UNLINKING, holding, take_inventory
from pipeline.corrections.entities import NAMINGS, undo_naming
from pipeline.corrections.page_lines import undo_line_edit
from pipeline.corrections.undo_adopt import ADOPTION, undo_adoption
from pipeline.corrections.undo_blocks import Receipt, put_back, take_back_blocks, take_back_page
from pipeline.corrections.undo_folds import KEY, refuse_fold, render_folds, undo_name
from pipeline.engine.context import Engine
from pipeline.engine.inputs import entries_of
from pipeline.engine.partitioning import partitioning_for, partitioning_of
from pipeline.engine.partitioning.clocked import users_of
from pipeline.engine.recovery import recover
from pipeline.engine.suggestions import drop_of_run
from pipeline.errors import NothingToUndo, SeveralNames, UndoNewestFirst
from pipeline.errors.corrections import UnknownBackfillRuns
from pipeline.job import Job, Period
from pipeline.ledger.coverage import State
from pipeline.ledger.evidence import run_of_block
from pipeline.ledger.runs import RunRecord
from pipeline.scheduling.registry import jobs_named, upstream
from pipeline.scheduling.windows import first_day
from pipeline.workspace.declined import allow_declined
from pipeline.workspace.layout import is_called
from pipeline.workspace.unlinked import allow_links
from schemas.correction import LineEdit
from schemas.outcome import Ending, Outcome
from schemas.reports.runs import UndoneRun

_OFFERED = 5


def undo_correction(engine: Engine, record: RunRecord) -> tuple[Receipt, int]:
    """Take back a correction; its receipt, and how many suggestions went."""
    with holding(engine, record.job):
        now, changes = engine.ledger.runs.find(record.run_id), engine.ledger.changes.of_run(record.run_id)
        outcome = now.outcome if now else None
        is_empty = outcome.ending is Ending.EMPTY if outcome else not changes
        if now is None or now.undone or is_empty:
            raise NothingToUndo(record.run_id, "has been undone" if now and now.undone else "changed nothing")
        items = outcome.items if outcome else ()  # of a run that was killed they are not known
        if record.job == UNLINKING:
            allow_links(engine.workspace, {frozenset(name.split("|")) for name in items})
        if record.job == DECLINING:
            allow_declined(engine.workspace, items)
        take_back = put_back if record.job == DECLINING else take_back_blocks
        parts = [take_back(engine, change) for change in reversed(changes)]
        with engine.ledger.store.transaction():
            engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
            suggestions = drop_of_run(engine, record.run_id)
    return sum(parts, Receipt()), suggestions


@dataclass(frozen=True)
class Undone(Receipt):
    """The receipt of a run that was undone. `left` are blocks that a person has changed, moved or deleted since.

    `suggestions` of the run wait no longer. A suggestion whose entry was taken out waits again.

    `rendered` are the runs of the folds of the blocks; of several runs that are undone together, the last one has them.
    """

    run_id: str = ""
    rendered: tuple[Outcome, ...] = ()
    suggestions: int = 0


def undo(engine: Engine, run_id: str) -> Undone:
    """Take back the blocks of a run; its time is run again by an explicit back-fill alone.

    Raises:
        UndoRefused: the run is unknown, was undone, or wrote nothing; the run rendered what other runs wrote; a later
            run rests on what it wrote.
        Held: somebody is at work on the files.
    """
    record = engine.ledger.runs.find(run_id)
    if record is None:
        raise NothingToUndo(run_id, "is not known")
    if record.job == ADOPTION:
        return Undone(**vars(undo_adoption(engine, record)), run_id=run_id)
    if record.job in set(LineEdit):
        return Undone(**vars(undo_line_edit(engine, record)), run_id=run_id)
    if record.job in NAMINGS:
        receipt, rendered = undo_naming(engine, record)
        return Undone(**vars(receipt), run_id=run_id, rendered=rendered)
    if record.job in CORRECTIONS:
        receipt, suggestions = undo_correction(engine, record)
        return Undone(**vars(receipt), run_id=run_id, suggestions=suggestions)
    [undone] = undo_runs(engine, [record])
    return undone


def undo_key(engine: Engine, key: str) -> list[Undone]:
    """Take back all runs of a day, a week or a month, the newest first.

    All runs are checked before a file is touched: when one cannot be taken back, none is. Folds are rendered again
    instead.

    Raises:
        UndoRefused: no run of this key wrote anything that stands; a later run, of another day, week or month, rests on
            what one of them wrote.
        Held: somebody is at work on the files.
    """
    if not re.fullmatch(KEY, key):
        raise NothingToUndo(key, "is not known")
    folds = {job.name for job in engine.jobs if job.is_fold}
    runs = engine.ledger.runs.of_key(key)
    standing = [record for record in runs if record.undone is None and record.job not in folds]
    wrote = [record for record in standing if made_something(engine, record)]
    if not wrote:
        raise NothingToUndo(key, "has written nothing that stands", "day, week or month")
    return undo_runs(engine, wrote)


def taken_along(engine: Engine, record: RunRecord) -> list[Job]:
    """The jobs whose time is undone with the page of this run, by this undo or by an earlier one."""
    (job,) = jobs_named([record.job], engine.jobs)
    readers = [other for other in engine.jobs if job in upstream(other, engine.jobs)] if job.writes.final else []
    covered = {
        other.name: partitioning_of(engine, other).find_covered(record.window) for other in readers if not other.is_fold
    }
    return [other for other in readers if any(part.state is State.UNDONE for part in covered.get(other.name, ()))]


def undo_runs(engine: Engine, records: Sequence[RunRecord], silent: Sequence[RunRecord] = ()) -> list[Undone]:
    """Take back runs in this order; none of them when one cannot be. Then the time of those that wrote nothing."""
    jobs = jobs_named(list(dict.fromkeys(record.job for record in (*records, *silent))), engine.jobs)
    names = [name for job in jobs for name in (job.name, *job.locks)]
    run_id = next(record.run_id for record in (*records, *silent))
    with engine.locks.hold(names, run_id, engine.clock.now() + max(job.timeout for job in jobs)):
        for job in jobs:
            recover(engine.workspace, engine.ledger, engine.family(job).owns)
        gone = set[str]()
        for record in records:
            _refuse(engine, record, gone)
            gone.add(record.run_id)
        for job in jobs:
            take_inventory(engine, job)
        undone = [_undo(engine, record) for record in records]
        for record in silent:
            _undo_silent(engine, record)
    rendered = render_folds(engine, jobs)
    return [*undone[:-1], *(replace(last, rendered=rendered) for last in undone[-1:])]


def _undo(engine: Engine, record: RunRecord) -> Undone:
    """Take back a run; the caller has checked it, and holds the locks."""
    (job,) = jobs_named([record.job], engine.jobs)
    take_back = take_back_blocks if job.writes.append else take_back_page
    parts = [take_back(engine, change) for change in reversed(engine.ledger.changes.of_run(record.run_id))]
    with engine.ledger.store.transaction():
        engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
        suggestions = drop_of_run(engine, record.run_id)
        # The whole window, also where the run was killed before it covered it, or another one covered it again.
        partitioning_for(engine, job, record.partition).mark_undone(record.partition, record.run_id)
        for user, covered in users_of(engine, job, record.window):
            if user.is_fold:
                partitioning_of(engine, user).mark_stale()
            else:
                # That job depends on this page: its time is undone as well, so that it runs again.
                partitioning_of(engine, user).mark_undone(covered.partition, covered.run_id)
    return Undone(**vars(sum(parts, Receipt())), run_id=record.run_id, suggestions=suggestions)


def made_something(engine: Engine, record: RunRecord) -> bool:
    """Whether a run changed a file, or made a suggestion."""
    return bool(engine.ledger.changes.of_run(record.run_id) or engine.ledger.suggestions.of_run(record.run_id))


def _undo_silent(engine: Engine, record: RunRecord) -> None:
    """Mark the time of a run that wrote nothing as undone, where no other run has dealt with it since."""
    partitioning = partitioning_for(engine, jobs_named([record.job], engine.jobs)[0], record.partition)
    with engine.ledger.store.transaction():
        engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
        drop_of_run(engine, record.run_id)
        if any(covered.run_id == record.run_id for covered in partitioning.find_covered(record.window)):
            partitioning.mark_undone(record.partition, record.run_id)


def _refuse(engine: Engine, record: RunRecord, gone: AbstractSet[str]) -> None:
    """Refuse a run that may not be taken back after the runs that are `gone`."""
    made, now = made_something(engine, record), engine.ledger.runs.find(record.run_id)
    if not made or (now and now.undone):
        raise NothingToUndo(record.run_id, "has been undone" if now and now.undone else "wrote nothing")
    (job,) = jobs_named([record.job], engine.jobs)
    refuse_fold(engine, job, record)
    _refuse_older(engine, job, record, gone)


def _refuse_older(engine: Engine, job: Job, record: RunRecord, gone: AbstractSet[str]) -> None:
    """Refuse a run that a later one rests on: a page is taken back in the order in which it grew."""
    for user, covered in users_of(engine, job, record.window):
        if not user.is_fold and covered.run_id not in gone and engine.ledger.changes.of_run(covered.run_id):
            raise UndoNewestFirst(record.run_id, covered.run_id)
    for run_id in (*_later_plans(engine, job, record), *_later_corrections(engine, record)):
        if run_id not in gone:
            raise UndoNewestFirst(record.run_id, undo_name(engine, run_id))
    for change in engine.ledger.changes.of_run(record.run_id) if not job.writes.append else ():
        after = [other.run_id for other in engine.ledger.changes.of_path(change.path) if other.number > change.number]
        for run_id in reversed(after):
            later = engine.ledger.runs.find(run_id)
            # Text that a person moved out of a page is not ours, so no later run rests on it.
            if later is None or later.undone or later.job == ADOPTION:
                continue
            if run_id not in {record.run_id, *gone}:
                other = later.backfill if later.backfill != record.backfill else ""
                raise UndoNewestFirst(record.run_id, undo_name(engine, run_id, record.key), other)


def _later_plans(engine: Engine, job: Job, record: RunRecord) -> list[str]:
    """The runs of later time whose final pages stand, for which this one was an input."""
    later = engine.ledger.coverage.stretches(job.name) if job.writes.final else []
    after = [
        stretch for stretch in later if stretch.state is State.COVERED and stretch.window.start >= record.window.end
    ]
    return [stretch.run_id for stretch in reversed(after) if engine.ledger.changes.of_run(stretch.run_id)]


def _later_corrections(engine: Engine, record: RunRecord) -> list[str]:
    """The runs that corrected the words of a correction: without it the first words would hold beside the last."""
    corrected = entries_of(engine).corrected
    corrections = set(record.outcome.written if record.outcome else ()) & set(corrected.values())
    later = (corrected[name] for name in corrections if name in corrected)
    return list(filter(None, (run_of_block(engine.ledger.store, name) for name in later)))


def undone_run(undone: Undone, record: RunRecord, again: str | None) -> UndoneRun:
    """An undone run; `again` is the command for all runs that were undone with it."""
    return UndoneRun(
        run_id=undone.run_id,
        removed=undone.removed,
        restored=undone.restored,
        left=undone.left,
        job=record.job,
        key=record.key,
        again=again,
        rendered=tuple(path for outcome in undone.rendered for path in outcome.paths),
        warnings=tuple(outcome.warning for outcome in undone.rendered if outcome.warning),
        backfill=record.backfill,
        suggestions=undone.suggestions,
    )


@dataclass(frozen=True)
class DaysAgain:
    """The jobs and the days of a back-fill that runs the time of undone runs again."""

    jobs: tuple[str, ...]
    first: date
    last: date


def again_command(engine: Engine, records: Sequence[RunRecord]) -> str | None:
    """The command that runs the time of undone runs again; `None` for runs of no job, such as an adoption."""
    days = days_again(engine, records)
    return f"memory backfill {' '.join(days.jobs)} --from {days.first} --to {days.last}" if days else None


def days_again(engine: Engine, records: Sequence[RunRecord]) -> DaysAgain | None:
    """The days of undone runs; a back-fill takes the windows that begin on its days.

    `None` for runs of no job, such as an adoption.
    """
    windows = list[tuple[str, RunRecord]]()
    for record in records:
        # Not of a request, which runs once; with a job's run those that have to read its pages again.
        if engine.ledger.requests.find(record.key) is None and any(job.name == record.job for job in engine.jobs):
            windows += [(name, record) for name in (record.job, *(job.name for job in taken_along(engine, record)))]
    jobs = [job for job in engine.jobs if job.name in {name for name, _ in windows}]
    # The day on which the whole window begins: a week's run may have begun with `start`, in the middle of it.
    days = [
        first_day(job.period or Period.DAY, local_day(record.window.start, engine.zone))
        for job in jobs
        for name, record in windows
        if name == job.name
    ]
    return DaysAgain(tuple(job.name for job in jobs), min(days), max(days)) if days else None


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
    names: Sequence[str] = [given] if given in known else [name for name in known if is_called(name, given)]
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
