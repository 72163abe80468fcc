"""A ledger that was lost is made again from the Markdown files, as far as they tell."""

from collections.abc import Iterator
from datetime import datetime

from pipeline.catalog import ids_inside
from pipeline.engine import Engine
from pipeline.events import Event
from pipeline.family import Family
from pipeline.job import Job
from pipeline.ledger.changes import KnownBlock
from pipeline.ledger.coverage import State
from pipeline.ledger.intervals import merge, subtract
from pipeline.locks import Waiting
from pipeline.markdown.blocks import Block
from pipeline.provenance import identity_of
from pipeline.runner import schedule_of
from pipeline.scheduler import closed_until, window_around
from schemas.entry import Entry
from schemas.window import Window

RUN = "rebuilt"
LOCK = "rebuild"
LOCK_SECONDS = 600.0


def rebuild_if_lost(engine: Engine) -> bool:
    """Rebuild the ledger when it knows of no run although the files hold entries of ours; whether that was so.

    The catalog must have been refreshed. The windows in which verified entries stand are done; all other time since
    `start` is unknown, and only an explicit back-fill touches it. Entries that do not verify count for nothing here:
    another process may have written them.
    """
    if engine.ledger.runs.latest(limit=1):
        return False
    with engine.locks.hold([LOCK], RUN, engine.clock.now(), Waiting(LOCK_SECONDS, engine.safe_point)):
        if engine.ledger.runs.latest(limit=1) or engine.ledger.coverage.jobs():
            return False
        found = [job.name for job in engine.jobs if job.writes.append and _rebuild(engine, job)]
    if found:
        engine.emit(Event.LEDGER_REBUILT, jobs=found)
    return bool(found)


def _rebuild(engine: Engine, job: Job) -> bool:
    verified = list(_verified(engine, Family(engine.workspace, job.writes)))
    if not verified:
        return False
    closed = closed_until(schedule_of(engine, job), engine.zone, engine.clock.now())
    around = {window_around(schedule_of(engine, job), engine.zone, entry.date) for _, _, entry, _ in verified}
    # A window that has not closed is run again: it may hold messages that nobody has read.
    done = {window for window in around if closed and window.end <= closed}
    with engine.ledger.store.transaction():
        for path, block, entry, identity in verified:
            engine.ledger.changes.know(KnownBlock(entry.id, path, block.digest, identity, RUN), "found")
        for window in sorted(done, key=lambda each: each.start):
            seen = {session.session_id: ids_inside(session, window) for session in engine.catalog.sessions(window)}
            engine.ledger.coverage.cover(job.name, window, State.COVERED, RUN, seen)
        for window in _rest(engine, closed, done):
            engine.ledger.coverage.cover(job.name, window, State.UNKNOWN, RUN, {})
    return True


def _rest(engine: Engine, end: datetime | None, done: set[Window]) -> list[Window]:
    """What else may have been dealt with: windows that have not closed yet have not."""
    start = engine.settings.start
    return subtract(Window(start=start, end=end), merge(done)) if start and end and start < end else []


def _verified(engine: Engine, family: Family) -> Iterator[tuple[str, Block, Entry, str]]:
    for file in family.files():
        for block, entry in file.blocks:
            session = engine.catalog.session(entry.source.session_id) if entry else None
            identity = identity_of(entry, session) if entry and session else None
            if entry and identity:
                yield file.path, block, entry, identity
