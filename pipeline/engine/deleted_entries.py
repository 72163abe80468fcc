"""Entries that people took out of the files stay out; entries that come back have their standing again."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import date, timedelta

from pipeline.clock import day_start
from pipeline.engine.absence import Missing, missing, note_seen
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitioning_of
from pipeline.errors import ChangedMeanwhile, EntriesVanished, FileDamaged, Held, OwnedElsewhere
from pipeline.events import Event
from pipeline.job import Job
from pipeline.ledger.changes import REBUILT, STANDING, BlockStanding, BlockState, KnownBlock
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.encoding import closed_at
from pipeline.workspace.families import TargetFile, TargetFiles
from pipeline.workspace.locks import Waiting
from pipeline.workspace.tombstones import PATH as FORGOTTEN
from pipeline.workspace.tombstones import Tombstone, note_forgotten, read_forgotten, strike_out
from schemas.window import Window

LOCK = "forget"
LOCK_SECONDS = 10.0
# A person deletes a few entries; a folder that is not mounted or not yet synced loses many at once.
SUSPICIOUS_COUNT = 5
SUSPICIOUS_SHARE = 0.25
_LISTED = (BlockState.FORGOTTEN, BlockState.ALLOWED)
_OUT = (*_LISTED, BlockState.UNDONE, BlockState.DROPPED, BlockState.LOST)
_WAITING = Waiting(LOCK_SECONDS, advice="What was about to be done stays due; run it again in a moment.")


def notice_deletions(engine: Engine, family: TargetFiles, files: Iterable[TargetFile], day: date) -> Missing:
    """List entries that a person deleted in `memory/forgotten.md`; all missing entries.

    `files` are those of the family, as they stand. Entries that an old copy of a file took away are noted as lost. The
    caller holds the family's lock.

    Raises:
        WorkspaceError: so many are gone that it looks like an accident; somebody else holds the lock of
            `memory/forgotten.md`.
    """
    files = list(files)
    gone = missing(engine.workspace, engine.ledger.changes, family, files)
    if engine.allow_shrink:
        gone = replace(gone, away=(), deleted=gone.away + gone.deleted)
    unseen = len(gone.away) + len(gone.deleted)
    many = unseen >= SUSPICIOUS_COUNT and unseen > SUSPICIOUS_SHARE * gone.known
    if many and not engine.allow_shrink:
        raise EntriesVanished(unseen, gone.known)
    with engine.ledger.store.transaction():
        for block in gone.lost:
            engine.ledger.changes.set_state(block.path, block.name, BlockState.LOST)
        note_seen(engine.workspace, engine.ledger.changes, family, files, engine.clock.now())
    if gone.deleted:
        retire(engine, gone.deleted, day)
    for block in gone.deleted:
        engine.emit(Event.DELETED_BY_PERSON, id=block.name, path=block.path)
    return gone


def accept_losses(engine: Engine) -> int:
    """With `--allow-shrink`, count all missing entries as deleted; how many.

    Raises:
        Held: somebody is at work on the files.
    """
    given_up = 0
    for job in engine.writers if engine.allow_shrink else ():
        family, now = engine.family(job), engine.clock.now()
        with engine.locks.hold((job.name, *job.locks), "allow-shrink", now + job.timeout):
            given_up += len(notice_deletions(engine, family, family.files(), engine.local_now().date()).deleted)
    if given_up:
        engine.emit(Event.LOSS_ACCEPTED, entries=given_up)
    return given_up


def notice_returns(engine: Engine) -> None:
    """Note the blocks that stand in their files again, and allow those whose lines a person took out of the list.

    This comes first in a command that runs jobs, for jobs read the entries of other jobs.
    """
    with suppress(Held, OwnedElsewhere, ChangedMeanwhile):  # the run notices it, or the next command does
        for job in engine.jobs:
            family = engine.family(job)
            out = [
                standing for standing in engine.ledger.changes.in_state(*_LISTED) if family.owns(standing.block.path)
            ]
            if any(_text_again(engine, standing.block) for standing in out):
                with engine.locks.hold((job.name, *job.locks), "returns", engine.clock.now() + job.timeout):
                    bring_back(
                        engine, {standing: text for standing in out if (text := _text_again(engine, standing.block))}
                    )
    allow_again(engine)


def _text_again(engine: Engine, block: KnownBlock) -> str:
    """The digest with which a block that was taken out of its file stands there again; empty when it does not."""
    data = engine.workspace.read(block.path) or b""
    blocks = find_blocks(data) if block.name.encode() in data else []
    return _ours(engine, block, {present.digest for present in blocks if present.name == block.name and present.intact})


def _ours(engine: Engine, block: KnownBlock, digests: Collection[str]) -> str:
    """The digest of ours among `digests`: the last one, or an older one from an old copy; else empty."""
    wrote = engine.ledger.changes.as_written
    older = (digest for digest in sorted(digests) if wrote(block.path, block.name, digest))
    return block.digest if block.digest in digests else next(older, "")


def regain(engine: Engine, family: TargetFiles, files: Sequence[TargetFile]) -> None:
    """Note entries that stand in these files of a family as we wrote them. The caller holds the family's lock.

    Entries that had been taken out have their standing again; other entries may have an older text, from an old copy.
    Blocks of the same name in other families, such as the lines of a journal in a brain, are none of these.

    Raises:
        WorkspaceError: somebody kept writing to `memory/forgotten.md`; somebody else holds its lock.
    """
    changes, texts = engine.ledger.changes, dict[str, set[str]]()
    for block in (block for file in files for block, _ in file.blocks if block.intact):
        texts.setdefault(block.name, set()).add(block.digest)
    named = (known for known in changes.named(texts) if known.state in STANDING)
    expected = [known.block for known in named if family.owns(known.block.path)]
    for known in expected:
        digests = texts[known.name]
        if known.digest not in digests and (text := _ours(engine, known, digests)):
            changes.rewrite(known.path, known.name, text)
    names = texts.keys() - {known.name for known in expected}
    gone = changes.in_state(*_OUT) if names else ()
    out = [one for one in gone if one.block.name in names and family.owns(one.block.path)]
    if back := {
        standing: text for standing in out if (text := _ours(engine, standing.block, texts[standing.block.name]))
    }:
        bring_back(engine, back)


def bring_back(engine: Engine, back: Mapping[BlockStanding, str]) -> None:
    """Note blocks as standing again, each with a digest, and strike out their lines in `memory/forgotten.md`.

    Raises:
        WorkspaceError: somebody kept writing to it; somebody else holds its lock.
    """
    forgotten = [standing.block for standing in back if standing.state is BlockState.FORGOTTEN]
    with engine.locks.hold([LOCK], "returns", engine.clock.now(), _WAITING) if forgotten else nullcontext():
        strike_out(engine.workspace, {line for block in forgotten for line in _lines(block)})
    with engine.ledger.store.transaction():
        for block, text in ((standing.block, text) for standing, text in back.items()):
            state = BlockState.RECOVERED if block.run_id == REBUILT else BlockState.LIVE
            engine.ledger.changes.know(replace(block, digest=text), state)
    for block in (standing.block for standing in back):
        engine.emit(Event.STANDS_AGAIN, name=block.name, path=block.path)


def allow_again(engine: Engine) -> list[str]:
    """Let entries come back whose line a person took out of `memory/forgotten.md`; their names.

    The windows of their day are run again; known entries are not written twice. A line that a person puts back keeps
    its entry away again. That the list is gone as a whole allows nothing that `memory forget` took out.
    """
    data = engine.workspace.read(FORGOTTEN) or b""
    fault = closed_at(data)
    if fault and not fault.readable:
        raise FileDamaged(FORGOTTEN, fault.what, fault.line)
    if not data.strip():
        _list_again(engine)
    listed, changes = set(read_forgotten(engine.workspace)), engine.ledger.changes
    names, identities = {gone.entry_id for gone in listed}, {gone.identity for gone in listed}
    allowed = []
    for standing in changes.in_state(*_LISTED):
        block = standing.block
        here = (
            block.identity in identities if block.identity else bool({gone.entry_id for gone in _lines(block)} & names)
        )
        if here is (standing.state is BlockState.FORGOTTEN):
            continue
        with engine.ledger.store.transaction():
            changes.set_state(block.path, block.name, BlockState.FORGOTTEN if here else BlockState.ALLOWED)
            for job in engine.writers if not here else ():
                if slots := engine.family(job).slots_of(block.path):
                    _run_again(engine, job, slots.day)
        allowed += [] if here else [block.name]
    return allowed


def _list_again(engine: Engine) -> None:
    """List what `memory forget` took out again; its texts have no digest in the ledger."""
    forgotten = (one.block for one in engine.ledger.changes.in_state(BlockState.FORGOTTEN))
    grown = [engine.family(job) for job in engine.writers]
    erased = [
        _lines(block)[0 if any(family.owns(block.path) for family in grown) else 1]
        for block in forgotten
        if not block.digest
    ]
    if erased:
        with engine.locks.hold([LOCK], "returns", engine.clock.now(), _WAITING):
            note_forgotten(engine.workspace, erased, engine.local_now().date())


def _lines(block: KnownBlock) -> tuple[Tombstone, Tombstone]:
    """The lines of a block in `memory/forgotten.md`: an entry is listed by its name, an item with its page."""
    return Tombstone(block.name, block.identity), Tombstone(f"{block.path}#{block.name}", block.identity)


def _run_again(engine: Engine, job: Job, day: date | None) -> None:
    """Note the partitions of a day as stale; without a day, the last one."""
    span = None
    if day:
        span = Window(start=day_start(day, engine.zone), end=day_start(day + timedelta(days=1), engine.zone))
    partitioning_of(engine, job).mark_stale(span)


def retire(engine: Engine, gone: Sequence[KnownBlock], day: date, *, by_path: bool = False) -> None:
    """List blocks in `memory/forgotten.md`, to keep them away; with `by_path`, from their own file only.

    Raises:
        Held: somebody else holds the lock of `memory/forgotten.md`.
    """
    listed = [Tombstone(f"{block.path}#{block.name}" if by_path else block.name, block.identity) for block in gone]
    with engine.locks.hold([LOCK], "deletions", engine.clock.now(), _WAITING):
        note_forgotten(engine.workspace, listed, day)
    with engine.ledger.store.transaction():
        for block in gone:
            engine.ledger.changes.set_state(block.path, block.name, BlockState.FORGOTTEN)
