"""Keeping the index fresh: only changed files are read, only new passages are added, only missing ones are deleted."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pipeline.errors import Held, IndexUnavailable
from pipeline.events import Event
from pipeline.index import schema as layout
from pipeline.index.context import EVERYTHING, Indexing, Updated, WorkLimit
from pipeline.index.sync.batches import carry_out, set_payload
from pipeline.index.sync.changes import IndexChanges, Record, find_changes, passed_over, read_records
from pipeline.index.sync.full_build import build
from pipeline.index.sync.incremental import Freshening, settle
from pipeline.index.sync.stamp import Identity, difference, identity_now, read_stamp
from pipeline.index.sync.statuses import settle_standings
from pipeline.index.sync.vectors import VectorMaker, give_vectors, waiting
from pipeline.workspace.listing import Listing, Unreadable, list_files

SETTLED_FROM = 2_000
"""How many points that came or went make it worth to have the store settle: each thousand makes the embedded engine
take 20 ms longer to open. One that makes an index anew settles by itself."""
ERASE_WAIT_SECONDS = 60.0
"""How long to wait for an update of another process to end, before what was forgotten is erased."""
NONE_BEFORE = "there was none"
"""Why the first index of a workspace is built."""


@dataclass(frozen=True)
class _IndexState:
    """The state of the index.

    `standing` is whether the status of its entries agrees with its passages; `unsettled` is how many points came and
    went since its store settled.
    """

    there: bool = False
    missing: str = NONE_BEFORE
    identity: Identity | None = None
    standing: bool = True
    unsettled: int = 0
    records: Mapping[str, Record] = field(default_factory=dict)
    waiting: Sequence[str] = ()

    def outdated(self, now: Identity) -> str:
        """Why it has to be made anew; empty when it need not."""
        return difference(self.identity, now) if self.there else self.missing


def update(indexing: Indexing, work_limit: WorkLimit = EVERYTHING, *, wait: float = 0.0) -> Updated:
    """Bring the index up to date, as far as the limit allows; build it anew when its identity differs.

    Args:
        indexing: the workspace and its index.
        work_limit: how much may be done.
        wait: for how many seconds to wait for another update to end.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its server does not answer, or its engine fails.
        Interrupted: a stop was requested; the index can be used, and the next update goes on.
    """
    with indexing.latch.hold(wait):
        listing, known = list_files(indexing.workspace, indexing.settings), _look_or_mend(indexing)
        why = known.outdated(identity_now(indexing, known.identity))
        if not why:
            changes = find_changes(indexing, listing, known.records, work_limit.files)
            if changes.count or known.waiting:  # there will be vectors to make
                why = known.outdated(identity_now(indexing, known.identity, for_sure=True))
            if not why:
                return _updated(indexing, listing, known, changes, work_limit)
        if work_limit.files is not None and len(listing.files) > work_limit.files:
            return Updated(len(listing.files), behind=len(listing.files), unreadable=listing.unreadable)
        return _built_anew(indexing, listing, known.identity, why, work_limit)


def rebuild(indexing: Indexing, why: str = "asked for", *, wait: float = 0.0) -> Updated:
    """Build the index anew, beside the present one, which answers meanwhile.

    The vectors of unchanged text are taken over when they were made by the same embedder.

    Args:
        indexing: the workspace and its index.
        why: the reason for the event.
        wait: for how many seconds to wait for another update to end.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its server does not answer, or its engine fails.
        Interrupted: a stop was requested; the old index is still there.
    """
    with indexing.latch.hold(wait):
        listing = list_files(indexing.workspace, indexing.settings)
        return _built_anew(indexing, listing, _identity(indexing), why, EVERYTHING)


def erase_from_index(indexing: Indexing) -> bool:
    """Build the index anew from the files as they are; whether there was one.

    Deleted text stays in the files of an index until the engine clears up. So a sure erasure makes another index, which
    takes over the vectors of all other text, and removes the old one.

    Raises:
        Held: another process is updating it, or will not let it go.
        IndexUnavailable: its server does not answer.
    """
    with indexing.store.reading() as reader:
        if reader is None:
            return False
    rebuild(indexing, "something was forgotten", wait=ERASE_WAIT_SECONDS)
    return True


def behind(indexing: Indexing) -> int:
    """How many files have changed, appeared or gone since they were indexed; all of them when none counts any more.

    Raises:
        IndexUnavailable: the index is damaged, or its server does not answer.
    """
    listing, known = list_files(indexing.workspace, indexing.settings), _look(indexing)
    if known.outdated(identity_now(indexing, known.identity)):
        return len(listing.files)
    return find_changes(indexing, listing, known.records).count


def _look_or_mend(indexing: Indexing) -> _IndexState:
    """The index as it is; one that cannot be read is made anew, which fails too when it is its server that is away."""
    try:
        return _look(indexing)
    except IndexUnavailable:
        return _IndexState(missing="the old one was damaged")


def _look(indexing: Indexing) -> _IndexState:
    with indexing.store.reading() as reader:
        if reader is None:
            return _IndexState()
        stamp = {point.id: point.payload for point in reader.retrieve([layout.STAMP_ID])}.get(layout.STAMP_ID, {})
        identity = read_stamp(stamp.get(layout.IDENTITY))
        if identity is None:
            return _IndexState(there=True)
        left = waiting(reader) if identity.dimension else ()
        return _IndexState(
            there=True,
            identity=identity,
            standing=bool(stamp[layout.FOLDED]),
            unsettled=stamp.get(layout.UNSETTLED, 0),
            records=read_records(reader),
            waiting=left,
        )


def _identity(indexing: Indexing) -> Identity | None:
    """The identity of the index, as far as its stamp has it."""
    try:
        with indexing.store.reading() as reader:
            stamps = reader.retrieve([layout.STAMP_ID]) if reader else []
            return read_stamp(stamps[0].payload.get(layout.IDENTITY)) if stamps else None
    except IndexUnavailable:
        return None


def _built_anew(indexing: Indexing, listing: Listing, old: Identity | None, why: str, work_limit: WorkLimit) -> Updated:
    maker = VectorMaker(indexing.embedder, work_limit.vectors, indexing.safe_point)
    built = build(indexing, listing, identity_now(indexing, old, for_sure=True), old, maker)
    given = give_vectors(indexing, built.waiting, maker)
    updated = Updated(
        files=len(listing.files),
        added=built.files,
        passages=built.passages,
        vectors=maker.made,
        waiting=len(built.waiting) - given,
        unreadable=(*listing.unreadable, *built.unreadable),
        rebuilt=why,
        without_vectors=maker.why,
    )
    _emit_counts(indexing, Event.INDEX_REBUILT, updated)
    return updated


def _updated(
    indexing: Indexing, listing: Listing, known: _IndexState, changes: IndexChanges, work_limit: WorkLimit
) -> Updated:
    unreadable = {file.path: file.why for file in passed_over(listing, known.records)}
    files = len(listing.files)
    if work_limit.files is not None and changes.count > work_limit.files:
        settle(indexing, changes)
        return Updated(
            files, behind=changes.count, waiting=len(known.waiting), unreadable=_unreadable_files(unreadable)
        )
    fresh = Freshening(indexing, vectors=bool(known.identity and known.identity.dimension))
    fresh.carry_through(changes)
    if fresh.in_doubt or not known.standing:
        settle_standings(indexing)
    wanted = {path: None for path in known.waiting if path not in fresh.left} | fresh.waiting
    maker = VectorMaker(indexing.embedder, work_limit.vectors, indexing.safe_point)
    given = give_vectors(indexing, wanted, maker)
    _settle(indexing, known, fresh.passages + len(fresh.left) + given, work_limit)
    updated = Updated(
        files=files,
        added=len(changes.new),
        changed=len(changes.changed),
        gone=len(changes.gone),
        passages=fresh.passages,
        vectors=maker.made,
        waiting=len(wanted) - given,
        unreadable=_unreadable_files(unreadable | fresh.unreadable),
        without_vectors=maker.why,
    )
    if changes.count or maker.made:
        _emit_counts(indexing, Event.INDEX_UPDATED, updated)
    return updated


def _settle(indexing: Indexing, known: _IndexState, moved: int, work_limit: WorkLimit) -> None:
    """Have the store settle when enough points came and went; many small updates add up to it."""
    if not moved:
        return
    unsettled = known.unsettled + moved
    if work_limit == EVERYTHING and unsettled >= SETTLED_FROM:
        with suppress(Held):  # others want it, and all is in: another time will do
            indexing.store.settle()
            unsettled = 0
    carry_out(indexing, iter([set_payload({layout.STAMP_ID: {layout.UNSETTLED: unsettled}})]))


def _unreadable_files(unreadable: Mapping[str, str]) -> tuple[Unreadable, ...]:
    return tuple(Unreadable(path, why) for path, why in sorted(unreadable.items()) if why)


def _emit_counts(indexing: Indexing, event: Event, updated: Updated) -> None:
    counts = {name: value for name, value in vars(updated).items() if value and name != "unreadable"}
    indexing.emit(event, **counts)
    if updated.unreadable:
        indexing.emit(Event.INDEX_UNREADABLE, files=[f"{file.path} {file.why}" for file in updated.unreadable])
