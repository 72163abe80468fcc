"""What people took out of the files: it stays out."""

from collections.abc import Sequence
from datetime import date

from pipeline.engine import Engine
from pipeline.errors import EntriesVanished
from pipeline.events import Event
from pipeline.family import Family
from pipeline.forgotten import Gone, note_forgotten
from pipeline.ledger.changes import KnownBlock

LOCK = "forget"
LOCK_SECONDS = 10.0
# A person deletes a few entries; a folder that is not mounted or not yet synced loses many at once.
SUSPICIOUS_COUNT = 5
SUSPICIOUS_SHARE = 0.25


def notice_deletions(engine: Engine, family: Family, day: date) -> list[str]:
    """Move entries that a person deleted to `memory/forgotten.md`; their ids. The caller holds the family's lock.

    Raises:
        EntriesVanished: so many are gone that it looks like an accident.
        Held: somebody else holds the lock of `memory/forgotten.md`.
    """
    known = [block for block in engine.ledger.changes.live() if family.day_of(block.path)]
    present = {block.name for file in family.files() for block, _ in file.blocks}
    gone = [block for block in known if block.name not in present]
    if not gone:
        return []
    many = len(gone) >= SUSPICIOUS_COUNT and len(gone) > SUSPICIOUS_SHARE * len(known)
    if many and not engine.allow_shrink:
        raise EntriesVanished(len(gone), len(known))
    retire(engine, gone, day)
    for block in gone:
        engine.emit(Event.DELETED_BY_PERSON, id=block.name, path=block.path)
    return [block.name for block in gone]


def retire(engine: Engine, gone: Sequence[KnownBlock], day: date) -> None:
    """Write down that these blocks are to stay away."""
    with engine.locks.hold([LOCK], "deletions", engine.clock.now(), LOCK_SECONDS):
        note_forgotten(engine.workspace, [Gone(block.name, block.identity) for block in gone], day)
    with engine.ledger.store.transaction():
        for block in gone:
            engine.ledger.changes.retire(block.path, block.name, "forgotten")
