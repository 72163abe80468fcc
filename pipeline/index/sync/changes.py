"""The changes of files since they were indexed: by their signatures, and in doubt by their bytes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from struct import Struct
from typing import Any

from pipeline.index import schema as layout
from pipeline.index.context import Indexing
from pipeline.ports.index import IndexPoint, RankedSearcher, Where
from pipeline.workspace.listing import Listed, Listing, Unreadable
from pipeline.workspace.regular_files import read_regular
from schemas.index_settings import IndexSettings

RACY_NS = 2_000_000_000
"""A file that had changed less than this before it was read may have changed again without showing it: the clocks of
file systems tick in steps of up to two seconds."""

COUNTED = 300
"""The number of files whose suspected change is checked, also when fewer may be dealt with: some 20 ms."""

FEW_GONE = 10
"""The most files that are gone whose records are looked for singly; for more, all records are read."""

COPY = "is a copy of "
"""The beginning of the reason why a copy of a file of ours is passed over; the path of that file follows."""

_FILES = Where(any_of={layout.SORT: (layout.FILE,)})
_DOUBTED, _PASSED_OVER, _UNSURE = "doubted", "passed over", "unsure"
"""`NOTED` of a file: its record is `doubted`, or has a reason why the file is passed over, or has no `STATE`."""
_NOTED_FILES = Where(any_of={layout.NOTED: (_DOUBTED, _PASSED_OVER, _UNSURE)})
_DIGEST_BYTES = 16
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_PACKED = Struct("<4q").pack
_INTEGER_BITS = (1 << 63) - 1  # of an index; some file systems number their files higher


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
    def has_doubted_entry(self) -> bool:
        """Whether it holds an entry that is not verified word for word as ours."""
        return bool(self.payload[layout.DOUBTED])


@dataclass(frozen=True)
class IndexChanges:
    """The changes to apply. `again` are files with the same bytes whose entries may have more trust now.

    `settled` are the records of unchanged files with their new signatures, by id. `suspects` is the number of files
    that look changed, and `unsure` that of those that were not read, because of the limit. `later` is how many changes
    are left for another update.
    """

    new: tuple[Listed, ...]
    changed: tuple[Listed, ...]
    again: tuple[Listed, ...]
    gone: tuple[str, ...]
    settled: Mapping[str, Mapping[str, Any]]
    suspects: int
    unsure: int
    later: int = 0

    @property
    def count(self) -> int:
        """The number of files that have changed, appeared or gone."""
        return len(self.new) + len(self.changed) + len(self.gone) + self.unsure + self.later


@dataclass(frozen=True)
class KnownFiles:
    """The files of an index: the paths of those whose `STATE` shows that they are `unchanged`, and `records`.

    The records are those of all others, and of unchanged files with something `NOTED`.
    """

    unchanged: frozenset[str] = frozenset()
    records: Mapping[str, Record] = field(default_factory=dict)


def read_known(reader: RankedSearcher, listing: Listing) -> KnownFiles:
    """The files that the index knows. Unchanged ones, however many they are, are known by numbers alone."""
    states = frozenset(reader.numbers(layout.STATE, _FILES))
    numbered = {listed.path: state_of(listed) for listed in listing.files}
    unchanged = frozenset(path for path, state in numbered.items() if state in states)
    others = [layout.file_id(path) for path in numbered if path not in unchanged]
    records = _by_path([*reader.scroll(_NOTED_FILES), *reader.retrieve(others)])
    if len(unchanged.union(records)) < reader.count(_FILES):  # files are gone, whose numbers are left
        left = states.difference(numbered.values(), (record.payload.get(layout.STATE) for record in records.values()))
        single = (replace(_FILES, between={layout.STATE: (state, state)}) for state in left)
        for where in single if len(left) <= FEW_GONE else (_FILES,):
            records |= _by_path(reader.scroll(where))
    return KnownFiles(unchanged, records)


def _by_path(points: Iterable[IndexPoint]) -> dict[str, Record]:
    return {point.payload[layout.PATH]: Record(point.payload) for point in points}


def find_changes(indexing: Indexing, listing: Listing, known: KnownFiles, limit: int | None = None) -> IndexChanges:
    """The changes of the files. Beyond `limit` of them, the others are counted and not read.

    Args:
        indexing: the index and its settings.
        listing: the files as they are.
        known: the files as the index knows them.
        limit: how many files may be dealt with.
    """
    records, unchanged = known.records, known.unchanged
    new = tuple(listed for listed in listing.files if listed.path not in unchanged and listed.path not in records)
    gone = tuple(_find_gone(listing, records, indexing.settings))
    with_record = [listed for listed in listing.files if listed.path in records]
    # The words of an entry may have been found since, in a transcript or a ledger that was not there.
    again_too = limit is None
    # Whether a file is a copy rests on another file too, of which few have any; a detail is none.
    looked_at = () if indexing.details else listing.files if again_too else with_record
    copies = indexing.workspace.copies.among([listed.path for listed in looked_at])
    suspects = [
        (listed, record)
        for listed in with_record
        if not _is_unchanged(listed, record := records[listed.path])
        or (again_too and record.has_doubted_entry)
        or copies.get(listed.path, "") != record.original
    ]
    changed = [listed for listed in looked_at if listed.path in copies and listed.path not in records]
    changed = [listed for listed in changed if listed.path in unchanged]  # a new one is looked at anyway
    again, settled, unsure = list[Listed](), dict[str, Mapping[str, Any]](), 0
    now_ns = nanoseconds(indexing.clock.now())
    for place, (listed, record) in enumerate(suspects):
        if limit is not None and len(new) + len(gone) + len(changed) > max(limit, COUNTED):
            unsure = len(suspects) - place
            break
        # A detail that looks changed is another one; it is not read to be sure.
        other = copies.get(listed.path, "") != record.original
        if indexing.details or other or not _has_same_bytes(listed, record):
            changed.append(listed)
        elif record.has_doubted_entry:
            again.append(listed)
        elif record.digest:
            settled[layout.file_id(listed.path)] = _sign(record.payload, listed, now_ns)
    return IndexChanges(new, tuple(changed), tuple(again), gone, settled, len(suspects), unsure)


def is_as_known(changes: IndexChanges, known: KnownFiles) -> bool:
    """Whether all files are as the index knows them, and will be as long as they look as they do now."""
    is_sure = len(changes.settled) == changes.suspects and all(layout.STATE in one for one in changes.settled.values())
    return not changes.count and is_sure and not any(record.unreadable for record in known.records.values())


def record_payload(listed: Listed, read_ns: int, digest: str, *, unreadable: str, doubted: bool) -> Mapping[str, Any]:
    """The payload of the record of a file that was read at `read_ns`; without `digest` it could not be read."""
    payload = {
        layout.SORT: layout.FILE,
        layout.PATH: listed.path,
        layout.TIER: listed.tier.value,
        layout.DIGEST: digest,
        layout.UNREADABLE: unreadable,
        layout.DOUBTED: doubted,
    }
    return _sign(payload, listed, read_ns)


def _sign(payload: Mapping[str, Any], listed: Listed, now_ns: int) -> Mapping[str, Any]:
    """A record with the signature by which the file counts as unchanged since it was read at `now_ns`."""
    times = listed.mtime_ns, listed.ctime_ns
    signature = [listed.size, *times, listed.inode & _INTEGER_BITS, now_ns]
    sure = bool(payload[layout.DIGEST]) and now_ns - max(times) >= RACY_NS
    noted = {_DOUBTED: payload[layout.DOUBTED], _PASSED_OVER: payload[layout.UNREADABLE], _UNSURE: not sure}
    signed = {name: value for name, value in payload.items() if name not in {layout.STATE, layout.NOTED}}
    signed |= {layout.SIGNATURE: signature, layout.NOTED: [name for name, holds in noted.items() if holds]}
    return signed | ({layout.STATE: state_of(listed)} if sure else {})


def state_of(listed: Listed) -> int:
    """The number of a file's path, tier and signature: a file with another number has changed.

    It is the same in every process and version of Python.
    """
    name = f"{listed.tier.value}:{listed.path}".encode(errors="surrogatepass")
    numbers = _PACKED(listed.size, listed.mtime_ns, listed.ctime_ns, listed.inode & _INTEGER_BITS)
    return int.from_bytes(blake2b(name + numbers, digest_size=8).digest()) & _INTEGER_BITS


def nanoseconds(moment: datetime) -> int:
    """A moment in the unit of file systems: nanoseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND * 1000


def digest(data: bytes) -> str:
    """The hash of a file's bytes."""
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def passed_over(listing: Listing, known: KnownFiles) -> tuple[Unreadable, ...]:
    """The unreadable files, of which copies are none: those that could not be listed, and those with such a record."""
    listed = {file.path for file in listing.files}
    refused = (
        Unreadable(path, record.unreadable)
        for path, record in known.records.items()
        if record.unreadable and not record.original
    )
    return (*listing.unreadable, *(file for file in refused if file.path in listed))


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
        listed.inode & _INTEGER_BITS,
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
