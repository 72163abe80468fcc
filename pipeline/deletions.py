"""What people took out of the files: it stays out."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from pipeline.clock import day_start
from pipeline.engine import Engine
from pipeline.errors import EntriesVanished
from pipeline.events import Event
from pipeline.family import Family, FamilyFile
from pipeline.forgotten import Gone, note_forgotten, read_forgotten
from pipeline.ledger.changes import KnownBlock
from pipeline.ledger.coverage import State
from pipeline.locks import Waiting
from schemas.window import Window

LOCK = "forget"
LOCK_SECONDS = 10.0
# A person deletes a few entries; a folder that is not mounted or not yet synced loses many at once.
SUSPICIOUS_COUNT = 5
SUSPICIOUS_SHARE = 0.25


def notice_deletions(engine: Engine, family: Family, files: Iterable[FamilyFile], day: date) -> list[KnownBlock]:
    """Move entries that a person deleted to `memory/forgotten.md`; their blocks. The caller holds the family's lock.

    `files` are those of the family, as they stand.

    Raises:
        EntriesVanished: so many are gone that it looks like an accident.
        Held: somebody else holds the lock of `memory/forgotten.md`.
    """
    known = [block for block in engine.ledger.changes.live() if family.day_of(block.path)]
    present = {block.name for file in files for block, _ in file.blocks}
    gone = [block for block in known if block.name not in present]
    if not gone:
        return []
    many = len(gone) >= SUSPICIOUS_COUNT and len(gone) > SUSPICIOUS_SHARE * len(known)
    if many and not engine.allow_shrink:
        raise EntriesVanished(len(gone), len(known))
    retire(engine, gone, day)
    for block in gone:
        engine.emit(Event.DELETED_BY_PERSON, id=block.name, path=block.path)
    return gone


def allow_again(engine: Engine) -> list[str]:
    """Let entries come back whose line a person took out of `memory/forgotten.md`; their names.

    The windows of their day are run again; all else that stands there is known and not written twice.
    """
    listed = read_forgotten(engine.workspace)
    names, identities = {gone.entry_id for gone in listed}, {gone.identity for gone in listed}
    families = [(job, Family(engine.workspace, job.writes)) for job in engine.jobs if job.writes.append]
    allowed = []
    for block in engine.ledger.changes.forgotten():
        known = {block.name, f"{block.path}#{block.name}"}
        if block.identity in identities if block.identity else known & names:
            continue
        with engine.ledger.store.transaction():
            engine.ledger.changes.set_state(block.path, block.name, "allowed")
            for job, family in families:
                if day := family.day_of(block.path):
                    _run_again(engine, job.name, day)
        allowed.append(block.name)
    return allowed


def _run_again(engine: Engine, job: str, day: date) -> None:
    start, end = day_start(day, engine.zone), day_start(day + timedelta(days=1), engine.zone)
    for stretch in engine.ledger.coverage.stretches(job, Window(start=start, end=end)):
        if stretch.state is State.COVERED:
            engine.ledger.coverage.mark_stale(stretch)


def retire(engine: Engine, gone: Sequence[KnownBlock], day: date, *, by_path: bool = False) -> None:
    """Write down that these blocks are to stay away; with `by_path`, from their own file only."""
    listed = [Gone(f"{block.path}#{block.name}" if by_path else block.name, block.identity) for block in gone]
    with engine.locks.hold([LOCK], "deletions", engine.clock.now(), Waiting(LOCK_SECONDS)):
        note_forgotten(engine.workspace, listed, day)
    with engine.ledger.store.transaction():
        for block in gone:
            engine.ledger.changes.set_state(block.path, block.name, "forgotten")
