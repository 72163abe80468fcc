"""Items that people took out of rewritten pages stay out of their page; nothing else follows from it.

`memory/forgotten.md` lists them as `path#name`; an item may come back when its line is removed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pipeline.clock import day_start
from pipeline.engine.absence import (
    FileVersion,
    Missing,
    missing,
    note_seen,
    put_ours,
    refuse_damaged,
    taken_by_an_old_copy,
)
from pipeline.engine.context import Engine
from pipeline.engine.partitioning import partitioning_of
from pipeline.errors import ChangedMeanwhile, EntriesVanished, FileDamaged, Held, OwnedElsewhere, PageEmptied
from pipeline.events import Event
from pipeline.ledger.changes import REBUILT, STANDING, BlockStanding, BlockState, KnownBlock
from pipeline.markdown.blocks import block_names, find_blocks
from pipeline.markdown.encoding import closing_fault
from pipeline.workspace.families import TargetFile, TargetFiles
from pipeline.workspace.forgotten import PATH as FORGOTTEN
from pipeline.workspace.forgotten import Tombstone, note_forgotten, read_forgotten, strike_out
from pipeline.workspace.locks import Waiting
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
            if any(_restored_digest(engine, standing.block) for standing in out):
                with engine.locks.hold((job.name, *job.locks), "returns", engine.clock.now() + job.timeout):
                    bring_back(
                        engine,
                        {standing: text for standing in out if (text := _restored_digest(engine, standing.block))},
                    )
    allow_again(engine)


def _restored_digest(engine: Engine, block: KnownBlock) -> str:
    """The digest with which a block that was taken out of its file stands there again; empty when it does not."""
    data = engine.workspace.read(block.path) or b""
    blocks = find_blocks(data) if block.name.encode() in data else []
    return _our_digest(
        engine, block, {present.digest for present in blocks if present.name == block.name and present.intact}
    )


def _our_digest(engine: Engine, block: KnownBlock, digests: Collection[str]) -> str:
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
    held = changes.held.refresh()
    differing = held.find_differing(files)
    doubted = set[str]().union(*(file.names for file in differing if not file.digests <= held.live_alone_in(file.path)))
    for block in (block for file in files if doubted for block, _ in file.blocks if block.intact):
        if block.name in doubted:
            texts.setdefault(block.name, set()).add(block.digest)
    standing, back = set[str](), dict[BlockStanding, str]()
    for one in (one for one in changes.standings_of(texts) if family.owns(one.block.path)):
        known, digests = one.block, texts[one.block.name]
        if one.state in STANDING:
            standing.add(known.name)
            if known.digest not in digests and (text := _our_digest(engine, known, digests)):
                changes.rewrite(known.path, known.name, text)
        elif one.state in _OUT and (text := _our_digest(engine, known, digests)):
            back[one] = text
    back = {one: text for one, text in back.items() if one.block.name not in standing}
    if back:
        bring_back(engine, back)


def bring_back(engine: Engine, back: Mapping[BlockStanding, str]) -> None:
    """Note blocks as standing again, each with a digest, and strike out their lines in `memory/forgotten.md`.

    Raises:
        WorkspaceError: somebody kept writing to it; somebody else holds its lock.
    """
    forgotten = [standing.block for standing in back if standing.state is BlockState.FORGOTTEN]
    with engine.locks.hold([LOCK], "returns", engine.clock.now(), _WAITING) if forgotten else nullcontext():
        strike_out(engine.workspace, {line for block in forgotten for line in _tombstone_lines(block)})
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
    fault = closing_fault(data)
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
            block.identity in identities
            if block.identity
            else bool({gone.entry_id for gone in _tombstone_lines(block)} & names)
        )
        if here is (standing.state is BlockState.FORGOTTEN):
            continue
        with engine.ledger.store.transaction():
            changes.set_state(block.path, block.name, BlockState.FORGOTTEN if here else BlockState.ALLOWED)
            for job in engine.writers if not here else ():
                if slots := engine.family(job).slots_of(block.path):
                    span = None
                    if day := slots.day:
                        ends = day_start(day + timedelta(days=1), engine.zone)
                        span = Window(start=day_start(day, engine.zone), end=ends)
                    partitioning_of(engine, job).mark_stale(span)
        if not here:
            allowed.append(block.name)
    return allowed


def _list_again(engine: Engine) -> None:
    """List what `memory forget` took out again; its texts have no digest in the ledger."""
    forgotten = (standing.block for standing in engine.ledger.changes.in_state(BlockState.FORGOTTEN))
    grown = [engine.family(job) for job in engine.writers]
    erased = [
        _tombstone_lines(block)[0 if any(family.owns(block.path) for family in grown) else 1]
        for block in forgotten
        if not block.digest
    ]
    if erased:
        with engine.locks.hold([LOCK], "returns", engine.clock.now(), _WAITING):
            note_forgotten(engine.workspace, erased, engine.local_now().date())


def _tombstone_lines(block: KnownBlock) -> tuple[Tombstone, Tombstone]:
    """The lines of a block in `memory/forgotten.md`: an entry is listed by its name, an item with its page."""
    return Tombstone(block.name, block.identity), Tombstone(f"{block.path}#{block.name}", block.identity)


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


MANY = 5
"""From so many lines on, their removal gives a warning, and the removal of all counts as an accident."""


@dataclass(frozen=True)
class Removals:
    """Items that went out of pages: `taken_out` by a person, each as `path#name`, or `lost` to an earlier version.

    `emptied` are the pages in which nothing at all is left, of a person's lines neither.
    """

    taken_out: tuple[str, ...]
    lost: tuple[KnownBlock, ...]
    emptied: tuple[str, ...] = ()


def notice_removals(engine: Engine, paths: Sequence[str], day: date) -> Removals:
    """Note the items that a person took out of these pages, and let those be rendered again that were lost.

    Lost are the items that an earlier version of the page does not have, or a half of it. A page that is gone as a
    whole has lost nothing: it is rendered anew. The caller holds the locks of its writers.

    Raises:
        WorkspaceError: a page is no text, or holds both sides of a merge; somebody else holds the lock of
            `memory/forgotten.md`.
        PageEmptied: all of many are gone, which looks like an accident.
    """
    noticed, lost, emptied = list[str](), list[KnownBlock](), list[str]()
    for path in paths:
        data = engine.workspace.read(path)
        refuse_damaged(path, data)
        known = engine.ledger.changes.standing_in(path)
        if not (data or b"").strip():
            emptied += [path] if data is not None and known else []
            continue
        gone = _missing_items(engine, path, known, [other for other in paths if other != path])
        old = _items_of_earlier_version(engine, path, known, gone) if gone else []
        if old:
            with engine.ledger.store.transaction():
                for lost_block in old:
                    engine.ledger.changes.set_state(path, lost_block.name, BlockState.LOST)
                # Any other page than one of no day is about to be rendered.
                for job in (job for job in engine.jobs if job.writes.family == path):
                    partitioning_of(engine, job).mark_stale()
        lost += old
        gone = [block for block in gone if block not in old]
        # People prune a page of theirs; but with nothing of ours left it may be the page of another time.
        if MANY <= len(gone) == len(known) - len(old) and not engine.allow_shrink:
            raise PageEmptied(path, len(gone))
        if gone:
            retire(engine, gone, day, by_path=True)
        for block in gone:
            engine.emit(Event.REMOVED_BY_PERSON, item=block.name, path=path)
        noticed += [f"{path}#{block.name}" for block in gone]
    return Removals(tuple(noticed), tuple(lost), tuple(emptied))


def _missing_items(engine: Engine, path: str, known: Sequence[KnownBlock], others: Sequence[str]) -> list[KnownBlock]:
    """The items that stand in their page no more, nor in another volume of it, where a person has moved them."""
    present = block_names(engine.workspace.read(path))
    gone, page = [block for block in known if block.name not in present], engine.first_volume(path)
    for other in others if gone else ():
        if engine.first_volume(other) == page:
            ours = {block.name for block in engine.ledger.changes.standing_in(other)}
            moved = block_names(engine.workspace.read(other)) - ours
            gone = [block for block in gone if block.name not in moved]
    return gone


def _items_of_earlier_version(
    engine: Engine, path: str, known: Sequence[KnownBlock], gone: Sequence[KnownBlock]
) -> list[KnownBlock]:
    """The missing items that no person took out. The beginning of an item at the end of half a page is cut off."""
    workspace, changes = engine.workspace, engine.ledger.changes
    data = workspace.read(path) or b""
    version = FileVersion(workspace, changes, path, data, known)
    if version.torn >= 0:
        put_ours(workspace, changes, path, data, data[: version.torn])
        return list(gone)
    old_copy = taken_by_an_old_copy(workspace, changes, known, gone)
    return old_copy + version.earlier([block for block in gone if block not in old_copy])


def notice_missing_pages(engine: Engine) -> list[str]:
    """Note pages of no day that are gone as a whole as stale; their paths."""
    gone = []
    of_no_time = [job for job in engine.jobs if not job.writes.append and (job.is_fold or "{" not in job.writes.family)]
    for job in of_no_time:
        family = engine.family(job)
        written = [path for path in engine.ledger.changes.paths() if family.owns(path)]
        away = [
            path for path in written if engine.ledger.changes.standing_in(path) and not engine.workspace.has_path(path)
        ]
        if away and partitioning_of(engine, job).mark_stale():
            gone += away
    return gone


def items_of_page(engine: Engine, path: str) -> set[str]:
    """The names of all items that we have ever put into a page, in any volume; a person added the others."""
    page, changes = engine.first_volume(path), engine.ledger.changes
    volumes = {path, *(other for other in changes.paths() if engine.first_volume(other) == page)}
    return set[str]().union(*map(changes.ever_in, volumes))


def removed_items(engine: Engine) -> dict[str, set[str]]:
    """The names of the items that are to stay out of pages, by path."""
    names = dict[str, set[str]]()
    for gone in read_forgotten(engine.workspace):
        path, mark, name = gone.entry_id.partition("#")
        if mark:
            names.setdefault(path, set()).add(name)
    return names
