"""The changes of files since they were indexed: by their signatures, and in doubt by their bytes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.ports.index import Searcher, Where
from pipeline.workspace.listing import Listed, Listing, Unreadable
from pipeline.workspace.regular_files import read_regular
from schemas.index_settings import IndexSettings

RACY_NS = 2_000_000_000
"""A file that had changed less than this before it was read may have changed again without showing it: the clocks of
file systems tick in steps of up to two seconds."""

COUNTED = 300
"""The number of files whose suspected change is checked, also when fewer may be dealt with: some 20 ms."""

COPY = "is a copy of "
"""The beginning of the reason why a copy of a file of ours is passed over; the path of that file follows."""

_FILES = Where(any_of={layout.SORT: (layout.FILE,)})
_DIGEST_BYTES = 16
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INODE_BITS = (1 << 63) - 1  # some file systems number higher than the integers of an index reach


@dataclass(frozen=True, slots=True)
class Record:
    """The index's record of a file, by the payload of its point."""

    payload: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The hash of its bytes; empty when the system refused to read it."""
        return str(self.payload[layout.DIGEST])

    @property
    def tier(self) -> str:
        """Its tier."""
        return str(self.payload[layout.TIER])

    @property
    def signature(self) -> Sequence[int]:
        """Its size, times and inode when it was read, and when that was."""
        signature: Sequence[int] = self.payload[layout.SIGNATURE]
        return signature

    @property
    def unreadable(self) -> str:
        """The reason why it is passed over; empty when it is not."""
        return str(self.payload[layout.UNREADABLE])

    @property
    def original(self) -> str:
        """The file of which it was a copy when it was read; empty when of none."""
        return self.unreadable.removeprefix(COPY) if self.unreadable.startswith(COPY) else ""

    @property
    def doubted(self) -> bool:
        """Whether it holds an entry that is not verified word for word as ours."""
        return bool(self.payload[layout.DOUBTED])


@dataclass(frozen=True)
class IndexChanges:
    """The changes to apply. `again` are files with the same bytes whose entries may have more trust now.

    `settled` are the records of unchanged files with their new signatures, by id. `unsure` is the number of further
    files that look changed and were not read, because of the limit. `later` is how many changes are left for another
    update.
    """

    new: tuple[Listed, ...] = ()
    changed: tuple[Listed, ...] = ()
    again: tuple[Listed, ...] = ()
    gone: tuple[str, ...] = ()
    settled: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unsure: int = 0
    later: int = 0

    @property
    def count(self) -> int:
        """The number of files that have changed, appeared or gone."""
        return len(self.new) + len(self.changed) + len(self.gone) + self.unsure + self.later


def read_records(reader: Searcher) -> dict[str, Record]:
    """The index's records of all files, by path."""
    return {point.payload[layout.PATH]: Record(point.payload) for point in reader.scroll(_FILES)}


def find_changes(
    indexing: Indexing, listing: Listing, records: Mapping[str, Record], limit: int | None = None
) -> IndexChanges:
    """The changes of the files. Beyond `limit` of them, the others are counted and not read.

    Args:
        indexing: the index and its settings.
        listing: the files as they are.
        records: the records of the index, by path.
        limit: how many files may be dealt with.
    """
    new = tuple(listed for listed in listing.files if listed.path not in records)
    gone = tuple(_find_gone(listing, records, indexing.settings))
    known = ((listed, records[listed.path]) for listed in listing.files if listed.path in records)
    # The words of an entry may have been found since, in a transcript or a ledger that was not there.
    again_too = limit is None
    copies = indexing.workspace.copies
    suspects = [
        (listed, record)
        for listed, record in known
        if not _is_unchanged(listed, record)
        or (again_too and record.doubted)
        # Whether it is a copy rests on another file too, of which few have any.
        or ((again_too or record.original) and copies.original(listed.path) != record.original)
    ]
    changed, again, settled, unsure = list[Listed](), list[Listed](), dict[str, Mapping[str, Any]](), 0
    now_ns = nanoseconds(indexing.clock.now())
    for place, (listed, record) in enumerate(suspects):
        if limit is not None and len(new) + len(gone) + len(changed) > max(limit, COUNTED):
            unsure = len(suspects) - place
            break
        # A detail that looks changed is another one; it is not read to be sure.
        other = not indexing.details and copies.original(listed.path) != record.original
        if indexing.details or other or not _has_same_bytes(listed, record):
            changed.append(listed)
        elif record.doubted:
            again.append(listed)
        elif record.digest:
            settled[layout.file_id(listed.path)] = {**record.payload, layout.SIGNATURE: signature(listed, now_ns)}
    return IndexChanges(new, tuple(changed), tuple(again), gone, settled, unsure)


def signature(listed: Listed, now_ns: int) -> list[int]:
    """The signature by which a file counts as unchanged since it was read at `now_ns`."""
    return [listed.size, listed.mtime_ns, listed.ctime_ns, listed.inode & _INODE_BITS, now_ns]


def nanoseconds(moment: datetime) -> int:
    """A moment in the unit of file systems: nanoseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND * 1000


def digest(data: bytes) -> str:
    """The hash of a file's bytes."""
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def passed_over(listing: Listing, records: Mapping[str, Record]) -> tuple[Unreadable, ...]:
    """The unreadable files, of which copies are none: those that could not be listed, and those with such a record."""
    listed = {file.path for file in listing.files}
    known = (
        Unreadable(path, record.unreadable)
        for path, record in records.items()
        if record.unreadable and not record.original
    )
    return (*listing.unreadable, *(file for file in known if file.path in listed))


def _is_unchanged(listed: Listed, record: Record) -> bool:
    if not record.digest or record.tier != listed.tier:
        return False
    size, mtime, ctime, inode, read = record.signature
    if read - max(mtime, ctime) < RACY_NS:
        return False
    return (size, mtime, ctime, inode) == (
        listed.size,
        listed.mtime_ns,
        listed.ctime_ns,
        listed.inode & _INODE_BITS,
    )


def _has_same_bytes(listed: Listed, record: Record) -> bool:
    """Whether a file that looks changed has the bytes that are indexed; one that still cannot be read is the same."""
    if record.tier != listed.tier:
        return False
    try:
        return digest(read_regular(listed.file)) == record.digest
    except OSError:
        return bool(record.unreadable)


def _find_gone(listing: Listing, records: Mapping[str, Record], settings: IndexSettings) -> Iterator[str]:
    """The known paths of files that are gone; a file in a folder that cannot be read may still be there."""
    listed = {file.path for file in listing.files}
    unreadable = {file.path for file in listing.unreadable}
    # `.` is the workspace's own folder, and `NAME:` an extra one.
    folders = ["" if path in {"", "."} else path if path.endswith(":") else f"{path}/" for path in unreadable]
    extras = [f"{extra.name}:" for extra in settings.extra_paths if extra.path in unreadable]
    closed = (*folders, *extras)
    return (path for path in records if path not in listed and not path.startswith(closed))
