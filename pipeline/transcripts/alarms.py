"""Alarms about sources from which nothing is read, or not all that their agents write."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from pipeline.clock import to_the_minute
from pipeline.ledger.transcripts import FileRecord, OtherKind
from pipeline.transcripts.counts import counts_of
from pipeline.transcripts.selection import MACHINE, NO_MESSAGES, NO_SESSION, why_not_read
from schemas.reports.status import AlarmCause, SourceAlarm
from schemas.settings import SourceSettings

NEWEST = 20
"""How many files of a source, the last written ones, are looked at for unknown records."""
SAMPLE = 20
"""How many records they must hold, so that one odd record is no alarm."""
SHARE = 0.2
"""The share of unknown records above which they are reported: agents add a kind now and then that says nothing."""
GAP = timedelta(days=1)
"""How much later than its last message a file may be written: agents that are closed add a title or a summary."""
TOGETHER, TOGETHER_NS = 3, 60 * 10**9
"""So many files, written within so many nanoseconds, were copied or touched: their times say nothing of an agent."""
_NAMED = 5
_NS = 10**9
_LATEST = int(datetime(2200, 1, 1, tzinfo=UTC).timestamp())  # what agents keep beside a session may be any number
_NEWER = "Its agent may write a newer format: update this program, and tell its makers if that does not help."


@dataclass(frozen=True)
class KnownSource:
    """A source as the ledger knows it: its files, and those of other kinds below its folder.

    It is `troubled` when a part of it cannot be read: then its content is not known.
    """

    settings: SourceSettings
    records: Sequence[FileRecord]
    other_kinds: Sequence[OtherKind]
    zone: str
    troubled: bool = False


def alarms(source: KnownSource) -> Iterator[SourceAlarm]:
    """Every alarm of a source that could be listed."""
    yield from _find_unread(source)
    for other in source.other_kinds:
        sentence = f"{source.settings.path} holds sessions of {other.kind} that no source reads, such as {other.path}"
        advice = f'Add a [[sources]] table with kind = "{other.kind}" and path = "{source.settings.path}".'
        yield SourceAlarm(AlarmCause.OTHER_KIND, sentence, advice)
    yield from _find_stalled(source)
    yield from _find_unknown(source)


def _find_unread(source: KnownSource) -> Iterator[SourceAlarm]:
    """The alarm about a source of which nothing is read."""
    whys, settings = [why_not_read(record) for record in source.records], source.settings
    if source.troubled or not all(whys):
        return
    passed = Counter(whys)
    empty, machine = passed[NO_SESSION] + passed[NO_MESSAGES], passed[MACHINE]
    left_out = len(whys) - empty - machine
    if left_out or machine:
        sentence = f"none of its sessions is read: the settings leave out {left_out}, only machines speak in {machine}"
        yield SourceAlarm(AlarmCause.EMPTY, sentence, "`memory show transcripts --why` gives the reason for each.")
    elif whys:
        sentence = f"{settings.path} has {len(whys)} file(s), and no {settings.kind} session is in them"
        yield SourceAlarm(AlarmCause.NO_SESSIONS, sentence, f"See `kind` and `path` in memory.toml. {_NEWER}")
    else:
        yield SourceAlarm(
            AlarmCause.EMPTY, f"{settings.path} holds no {settings.kind} session", "See `path` and `kind`."
        )


def _find_stalled(source: KnownSource) -> Iterator[SourceAlarm]:
    """The alarm about files that grow without a message.

    A time alone proves nothing, because copies and titles change it: something in the file must be unknown too, or it
    has grown between two readings without a record that we know.
    """
    late = list(_late_files(source.records))
    times = [files[0].file.mtime_ns for files, _ in late]
    stalled = [
        (files[0], last)
        for files, last in late
        if files[0].unaccounted or (counts_of(files).unknown and _is_alone(files[0].file.mtime_ns, times))
    ]
    if not stalled:
        return
    newest, last = max(stalled, key=lambda pair: pair[0].file.mtime_ns)
    written, zone = _written_at(newest), source.zone
    sentence = (
        f"no message is read from {len(stalled)} file(s) that are still written: {newest.file.path} was written on "
        f"{to_the_minute(written, zone)}, and its last message is of {to_the_minute(last, zone)}"
    )
    yield SourceAlarm(AlarmCause.STALLED, sentence, _NEWER)


def _is_alone(time: int, times: Sequence[int]) -> bool:
    return sum(abs(time - other) < TOGETHER_NS for other in times) < TOGETHER


def _late_files(records: Sequence[FileRecord]) -> Iterator[tuple[list[FileRecord], datetime]]:
    """The sessions in each file that was written long after its last message, and the time of that."""
    for _, group in groupby(records, key=lambda record: record.file.path):
        inside = list(group)
        last = max((record.last for record in inside if record.last), default=None)
        if last and not inside[0].archived and _written_at(inside[0]) - last > GAP:
            yield inside, last


def _find_unknown(source: KnownSource) -> Iterator[SourceAlarm]:
    by_file = [list(group) for _, group in groupby(source.records, key=lambda record: record.file.path)]
    newest = sorted(by_file, key=lambda records: records[0].file.mtime_ns)[-NEWEST:]
    counts = counts_of(record for records in newest for record in records)
    unknown = sum(counts.unknown.values())
    if counts.seen >= SAMPLE and unknown > SHARE * counts.seen:
        kinds = ", ".join(f"{number} {kind}" for kind, number in list(counts.unknown.items())[:_NAMED])
        sentence = f"{unknown} of {counts.seen} records in its {len(newest)} newest file(s) are not known: {kinds}"
        yield SourceAlarm(AlarmCause.UNKNOWN_RECORDS, sentence, _NEWER)


def _written_at(record: FileRecord) -> datetime:
    return datetime.fromtimestamp(min(max(record.file.mtime_ns // _NS, 0), _LATEST), UTC)
