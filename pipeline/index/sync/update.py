"""Keeping the index fresh: only changed files are read, only new passages are added, only missing ones are deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline.errors import IndexUnavailable
from pipeline.events import Event
from pipeline.index.context import EVERYTHING, JUST_LOOK, Indexing, Updated, WorkLimit
from pipeline.index.sync.builds import IncrementalUpdate, build, note_records, read_outlines, signed_records
from pipeline.index.sync.changes import IndexChanges, KnownFiles, find_changes, is_as_known, passed_over, read_known
from pipeline.index.sync.detail_intake import first_of, listing_now
from pipeline.index.sync.entity_names import with_names
from pipeline.index.sync.stamp import Identity, Stamp, difference, identity_now, past_length, space_now, stamp_now
from pipeline.index.sync.statuses import settle_standings
from pipeline.index.sync.vectors import SETTLED_FROM, MissingVectors, count_stretches, embed, erase_vectors
from pipeline.ports.index import RankedSearcher, VectorSpace
from pipeline.workspace.listing import Listed, Listing, Unreadable

ERASE_WAIT_SECONDS = 60.0
"""The time to wait for an update of another process to end, before what was forgotten is erased."""
NONE_BEFORE = "there was none"
"""Why the first index of a workspace is built."""
FORMER = "the old one was made by an earlier version"


@dataclass(frozen=True)
class _IndexState:
    """The state of the index: its stamp, and the files that it knows.

    `reader` is the snapshot in which these are, which is not opened again while this is kept.
    """

    there: bool = False
    missing: str = NONE_BEFORE
    stamp: Stamp | None = None
    files: KnownFiles = field(default_factory=KnownFiles)
    reader: RankedSearcher | None = None

    @property
    def space(self) -> VectorSpace | None:
        """The space of its vectors."""
        return self.stamp.space if self.stamp else None

    def reason_to_rebuild(self, now: Identity) -> str:
        """The reason to make it anew; empty when there is none."""
        return difference(self.stamp.identity if self.stamp else None, now) if self.there else self.missing


@dataclass
class LastUpdate:
    """The last update of an index: its files, and the listing, version and stamp of an index with nothing to do."""

    files: Mapping[str, Listed] = field(default_factory=dict)
    done: tuple[Listing, bytes, Stamp] | None = None


def update(
    indexing: Indexing, work_limit: WorkLimit = EVERYTHING, *, wait: float = 0.0, last: LastUpdate | None = None
) -> Updated:
    """Bring the index up to date, as far as the limit allows; build it anew when its identity differs.

    Args:
        indexing: the workspace and its index.
        work_limit: how much may be done.
        wait: for how many seconds to wait for another update to end.
        last: the last update with this limit; while nothing has changed since, files are not compared with the index.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its engine fails.
        Interrupted: a stop was requested; the index can be used, and the next update goes on.
    """
    with indexing.latch.hold(wait):
        listing, version = listing_now(indexing, last.files if last else {}), indexing.store.version()
        done = last.done if last and version and last.done and last.done[:2] == (listing, version) else None
        if done and _read_whole_state(indexing).stamp == done[-1]:
            return Updated(len(listing.files))
        known, is_plain = _read_whole_state(indexing, listing), False
        why = known.reason_to_rebuild(identity_now(indexing))
        if known.stamp and not why:
            changes = find_changes(indexing, listing, known.files, work_limit.files)
            is_plain = is_as_known(changes, known.files)
            changes = _limit_bytes(indexing, changes, work_limit)
            words = _update_words(indexing, listing, (known.stamp, known.files), changes, work_limit)
        elif work_limit.files is not None and len(listing.files) > work_limit.files:
            return Updated(len(listing.files), behind=len(listing.files), unreadable=listing.unreadable)
        else:
            first = listing._replace(files=first_of(indexing, listing.files, work_limit.size))
            words = _rebuild_words(indexing, first, known, why)
            words = replace(words, updated=replace(words.updated, behind=len(listing.files) - len(first.files)))
        words = replace(words, version=indexing.store.version())
        stamp = known.stamp if is_plain else None
        del known  # vectors may take hours, in which its snapshot would keep on the disk what others remove
    updated = _add_vectors(indexing, listing, words, work_limit)
    if last is not None:
        last.files = {listed.path: listed for listed in listing.files}
        last.done = (listing, version, stamp) if stamp and updated == Updated(len(listing.files)) else None
    return updated


def rebuild(indexing: Indexing, *, wait: float = 0.0) -> Updated:
    """Build the index anew; the present one answers meanwhile. Vectors are kept.

    Args:
        indexing: the workspace and its index.
        wait: for how many seconds to wait for another update to end.

    Raises:
        Held: another process is updating it, still after waiting.
        IndexUnavailable: its engine fails.
        Interrupted: a stop was requested; the old index is still there.
    """
    with indexing.latch.hold(wait):
        listing = listing_now(indexing)
        words = _rebuild_words(indexing, listing, _read_whole_state(indexing), "asked for")
        words = replace(words, version=indexing.store.version())
    return _add_vectors(indexing, listing, words, EVERYTHING)


def erase_from_index(indexing: Indexing) -> bool:
    """Make the index anew from the files as they are; whether there was one.

    Deleted text stays in the files of an index until the engine clears up. So a sure erasure makes others.

    Raises:
        Held: another process is updating it, or will not let it go.
        IndexUnavailable: it is damaged, or a server of vectors does not answer.
    """
    with indexing.latch.hold(ERASE_WAIT_SECONDS):
        known = _read_whole_state(indexing)
        if not known.there and known.missing == NONE_BEFORE:
            return False
        listing = listing_now(indexing)
        bare = replace(indexing, embedder=None)  # no embedder is asked, to forget something
        words = _rebuild_words(bare, listing, known, "something was forgotten")
        _emit_counts(indexing, Event.INDEX_REBUILT, words.updated)
        if known.space:
            erase_vectors(indexing, known.space)
    return True


def drop_index(indexing: Indexing) -> None:
    """Remove the words of an index, if there are any; the next update makes them anew.

    Raises:
        WorkspaceError: another process is updating it, or will not let it go; the system refuses.
    """
    with indexing.latch.hold(ERASE_WAIT_SECONDS):
        indexing.store.drop()


def take_out(indexing: Indexing, paths: Sequence[str], *, wait: float = 0.0) -> None:
    """Take out at once what has gone, in front of the next update.

    Raises:
        WorkspaceError: another process is updating the index, still after waiting; the system refuses.
        IndexUnavailable: it is damaged.
    """
    with indexing.store.reading() as reader:
        if reader is None:  # a lock would make its folder
            return
    with indexing.latch.hold(wait):
        with indexing.store.reading() as reader:
            stamp = stamp_now(indexing, reader) if reader else None
            known = [*read_outlines(reader, paths)] if reader else []
        if stamp and known:
            IncrementalUpdate(indexing, stamp).remove(known)


def count_behind(indexing: Indexing) -> int:
    """The number of files that have changed, appeared or gone since they were indexed; all of an outdated index.

    Raises:
        IndexUnavailable: the index is damaged.
    """
    listing = listing_now(indexing)
    known = _read_state(indexing, listing)
    if known.reason_to_rebuild(identity_now(indexing)):
        return len(listing.files)
    return find_changes(indexing, listing, known.files).count


def not_indexed(indexing: Indexing) -> tuple[str, ...]:
    """The paths of what is new, or was changed, since it was indexed; all of them when the index does not count.

    Raises:
        IndexUnavailable: the index is damaged.
    """
    listing = listing_now(indexing)
    known = _read_state(indexing, listing)
    if known.reason_to_rebuild(identity_now(indexing)):
        return tuple(listed.path for listed in listing.files)
    changes = find_changes(indexing, listing, known.files)
    return tuple(listed.path for listed in (*changes.new, *changes.changed))


def _read_whole_state(indexing: Indexing, listing: Listing | None = None) -> _IndexState:
    """The index as it is; one that cannot be read is made anew."""
    try:
        return _read_state(indexing, listing)
    except IndexUnavailable:
        return _IndexState(missing="the old one was damaged")


def _read_state(indexing: Indexing, listing: Listing | None) -> _IndexState:
    """The state of the index; the files that it knows where they are compared with those listed.

    Of another version, of which the schema may have other fields, they are not read.
    """
    with indexing.store.reading() as reader:
        if reader is None:
            return _IndexState()
        stamp = stamp_now(indexing, reader)
        state = _IndexState(there=True, stamp=stamp)
        if listing is None or state.reason_to_rebuild(identity_now(indexing)):
            return state
        return replace(state, files=read_known(reader, listing), reader=reader)


@dataclass(frozen=True)
class _WordsUpdated:
    """The first half of an update, after which words are found: the stamp of the index, and what wants a vector.

    `version` is that of the index then.
    """

    updated: Updated
    stamp: Stamp
    missing: MissingVectors
    version: bytes = b""


def _rebuild_words(indexing: Indexing, listing: Listing, known: _IndexState, why: str) -> _WordsUpdated:
    why = FORMER if indexing.clear_former() else why
    wanted = space_now(indexing, known.space, for_sure=True)
    # Vectors of before may be left that nothing refers to.
    unsettled = SETTLED_FROM if wanted and wanted == known.space else 0
    past = past_length(known.stamp, wanted, indexing.clock.now())
    stamp = Stamp(identity_now(indexing), wanted, unsettled=unsettled, past=past)
    built = build(indexing, listing, stamp)
    updated = Updated(
        files=len(listing.files),
        added=built.files,
        passages=built.passages,
        unreadable=(*listing.unreadable, *built.unreadable),
        rebuilt=why,
    )
    return _WordsUpdated(updated, stamp, built.missing)


def _limit_bytes(indexing: Indexing, changes: IndexChanges, work_limit: WorkLimit) -> IndexChanges:
    """The changes that a limit of bytes allows; the others are counted."""
    files = (*changes.new, *changes.changed)
    first = {listed.path for listed in first_of(indexing, files, work_limit.size)}
    new, changed = ([listed for listed in group if listed.path in first] for group in (changes.new, changes.changed))
    return replace(changes, new=tuple(new), changed=tuple(changed), later=len(files) - len(first))


def _update_words(
    indexing: Indexing,
    listing: Listing,
    known: tuple[Stamp, KnownFiles],
    unnamed: IndexChanges,
    work_limit: WorkLimit,
) -> _WordsUpdated:
    stamp, files = known
    named = with_names(indexing, listing, unnamed, work_limit.files)
    changes = named.changes
    unreadable = {file.path: file.why for file in passed_over(listing, files)}
    if work_limit.files is not None and changes.count > work_limit.files:
        note_records(indexing, signed_records(changes, work_limit))
        late = Updated(len(listing.files), behind=changes.count, unreadable=_unreadable_files(unreadable))
        return _WordsUpdated(late, stamp, MissingVectors(whole=False))
    stamp = _change_space(indexing, stamp, for_sure=bool(changes.count) or work_limit == EVERYTHING)
    fresh = IncrementalUpdate(indexing, stamp, missing=MissingVectors(whole=stamp.embedded))
    fresh.carry_through(named, work_limit)
    if not fresh.stamp.folded:
        fresh.stamp = settle_standings(indexing, fresh.stamp)
    updated = Updated(
        files=len(listing.files),
        added=len(changes.new),
        changed=len(changes.changed),
        gone=len(changes.gone),
        behind=changes.later,
        passages=fresh.passages,
        unreadable=_unreadable_files(unreadable | fresh.unreadable),
    )
    return _WordsUpdated(updated, fresh.stamp, fresh.missing)


def _add_vectors(indexing: Indexing, listing: Listing, words: _WordsUpdated, work_limit: WorkLimit) -> Updated:
    """The update with its vectors, which others need not wait for."""
    limit = JUST_LOOK if words.updated.behind else work_limit
    embedded = embed(indexing, listing, (words.stamp, words.version), words.missing, limit)
    updated = replace(
        words.updated,
        vectors=embedded.made,
        waiting=embedded.waiting,
        stretches=count_stretches(indexing) if embedded.waiting else 0,
        without_vectors=embedded.why,
    )
    if updated.rebuilt:
        _emit_counts(indexing, Event.INDEX_REBUILT, updated)
    elif updated.added or updated.changed or updated.gone or updated.vectors:
        _emit_counts(indexing, Event.INDEX_UPDATED, updated)
    return updated


def _change_space(indexing: Indexing, stamp: Stamp, *, for_sure: bool) -> Stamp:
    """The stamp with the space of the embedder of now; one that has no vector to make need not be asked for sure."""
    space = space_now(indexing, stamp.space, for_sure=for_sure or not stamp.embedded)
    if space == stamp.space:
        return stamp
    past = past_length(stamp, space, indexing.clock.now())
    respaced = Stamp(stamp.identity, space, folded=stamp.folded, unsettled=stamp.unsettled, past=past)
    with indexing.store.writing() as indexer:
        indexer.upsert([respaced.point()])
    return respaced


def _unreadable_files(unreadable: Mapping[str, str]) -> tuple[Unreadable, ...]:
    return tuple(Unreadable(path, why) for path, why in sorted(unreadable.items()) if why)


def _emit_counts(indexing: Indexing, event: Event, updated: Updated) -> None:
    counts = {name: value for name, value in vars(updated).items() if value and name not in {"unreadable", "stretches"}}
    indexing.emit(event, **counts)
    if updated.unreadable:
        indexing.emit(Event.INDEX_UNREADABLE, files=[f"{file.path} {file.why}" for file in updated.unreadable])
