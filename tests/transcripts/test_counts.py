"""What became of records, and growth that none of them accounts for."""

from pipeline.ledger.transcripts import FileRecord
from pipeline.transcripts.counts import counts_of, unaccounted_growth
from schemas.transcript import TranscriptFile


def record(size: int, unaccounted: int = 0, **counts: int) -> FileRecord:
    """A session in a file of that size."""
    file = TranscriptFile(path="s.jsonl", size=size, mtime_ns=0)
    return FileRecord("openclaw", file, "s", None, None, counts=counts, unaccounted=unaccounted)


def test_records_are_counted_by_what_became_of_them() -> None:
    """Messages of any origin are understood; a line that is no JSON is unknown; a missing time is no record."""
    files = [record(1, owner=2, tool=1, no_conversation=4, no_time=9), record(1, owner=1, bad_line=3)]
    counts = counts_of([*files, record(1, **{"unknown_record:x": 2, "repeated": 1})])
    assert (4, {"no_conversation": 4, "repeated": 1}) == (counts.understood, counts.ignored)
    assert {"bad_line": 3, "unknown_record:x": 2} == counts.unknown
    assert 14 == counts.seen
    unknown = "5 unknown (3 bad_line, 2 unknown_record:x)"
    shown = f"14 records: 4 understood, 5 ignored (4 no_conversation, 1 repeated), {unknown}"
    assert shown == counts.sentence
    assert "0 records: 0 understood, 0 ignored, 0 unknown" == counts_of([]).sentence


def test_growth_without_a_known_record_adds_up() -> None:
    """From reading to reading, until something in the file is understood again, or it is written anew."""
    before = record(100, owner=2)
    assert 0 == unaccounted_growth([], [before])
    assert 20 == unaccounted_growth([before], [record(120, owner=2)])
    assert 50 == unaccounted_growth([record(120, 20, owner=2)], [record(150, owner=2, **{"unknown_record:x": 5})])
    assert 20 == unaccounted_growth([record(120, 20, owner=2)], [record(120, owner=2)])
    assert 0 == unaccounted_growth([record(120, 20, owner=2)], [record(150, owner=3)])
    assert 0 == unaccounted_growth([record(120, 20, owner=2)], [record(150, owner=2, no_conversation=1)])
    assert 0 == unaccounted_growth([record(120, 20, owner=2)], [record(90, owner=2)])
    assert 0 == unaccounted_growth([record(120, 20, owner=2)], [])
