"""The counts of a source's records: understood, ignored for a known reason, or of an unknown kind."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pipeline.ledger.transcripts import FileRecord
from schemas.reports.source_records import RecordCounts
from schemas.transcript import Origin

_ORIGINS = {origin.value for origin in Origin}
_NOT_UNDERSTOOD = ("unknown_", "bad_line")
_BESIDE_A_MESSAGE = {"no_time"}  # such a record is counted as a message too


def counts_of(records: Iterable[FileRecord]) -> RecordCounts:
    """The records in files. A block of an unknown kind in a message counts as one more."""
    total: Counter[str] = Counter()
    for record in records:
        total.update(record.counts)
    understood = sum(number for reason, number in total.items() if reason in _ORIGINS)
    unknown = {reason: number for reason, number in total.most_common() if reason.startswith(_NOT_UNDERSTOOD)}
    passed = {
        reason: number
        for reason, number in total.most_common()
        if reason not in _ORIGINS | _BESIDE_A_MESSAGE | unknown.keys()
    }
    seen = understood + sum(passed.values()) + sum(unknown.values())
    return RecordCounts(seen, understood, passed, unknown)


def unaccounted_growth(before: Sequence[FileRecord], now: Sequence[FileRecord]) -> int:
    """The growth of a file, in bytes, since a record in it was last understood or ignored for a known reason.

    `before` and `now` are the sessions in one file at the last reading and at this one.
    """
    if not before or not now:
        return 0
    growth = now[0].file.size - before[0].file.size
    if growth < 0 or _count_known(now) != _count_known(before):  # it was written anew, or something in it is read
        return 0
    return before[0].unaccounted + growth


def _count_known(records: Sequence[FileRecord]) -> int:
    counts = counts_of(records)
    return counts.seen - sum(counts.unknown.values())
