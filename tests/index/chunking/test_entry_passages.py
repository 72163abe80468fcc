"""Entries as they stand in a file."""

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.reference import item_name, wordless
from pipeline.index.chunking.passages import find_entries
from pipeline.markdown.entries import render_entry
from schemas.entry import Entry, Kind, Source

ENTRY = Entry(
    id="DECISION-20260220-use-an-embedded-index",
    title="Use an embedded index",
    kind=Kind.DECISION,
    date=datetime(2026, 2, 20, 13, 5, 11, tzinfo=UTC),
    source=Source(session_id="8f1c2d", session_path="main:a.jsonl", message_range=(41, 47), entry_ids=("a1b2c3d4",)),
    quote="ok, embedded it is, no server",
    why="one process",
    conclusion="Use an embedded index.",
    confidence=0.86,
    supersedes=("DECISION-20260212-use-a-server",),
    refs=("docs/index.md",),
)
BLOCK = render_entry(ENTRY)


def test_an_entry_is_its_lines_and_what_it_says() -> None:
    """What is said twice counts once; ids, paths, hashes and what is not stated are not words."""
    (record,) = find_entries(b"text\n\n" + BLOCK.encode() + b"\nmore\n")
    assert (2, 2 + BLOCK.count("\n") - 1, 2) == (record.first, record.last, record.level)
    assert ENTRY == record.entry
    assert ["Use an embedded index", "ok, embedded it is, no server", "one process", "docs/index.md"] == (
        record.words.split("\n")
    )
    own = "DECISION-20260220-use-an-embedded-index"
    assert (own, wordless(own), item_name(own), "DECISION-20260212-use-a-server") == record.about


def test_what_a_person_adds_to_an_entry_is_retrieved() -> None:
    """A line of their own, and a field that we do not know."""
    edited = BLOCK.replace("- why: one process\n", "- why: one process\n- cost: nothing\nAsk Anna.\n")
    (record,) = find_entries(edited.encode())
    assert ["- cost: nothing", "Ask Anna."] == record.words.split("\n")[-2:]


def test_what_was_an_entry_stays_whole() -> None:
    """A block that cannot be read any more has the words that are left; a list that only looks like one is none."""
    (record,) = find_entries(BLOCK.replace("- confidence: 0.86\n", "").encode())
    own = "DECISION-20260220-use-an-embedded-index"
    assert (None, (own, wordless(own), item_name(own))) == (record.entry, record.about)
    assert "ok, embedded it is, no server" in record.words
    assert "8f1c2d" not in record.words
    assert [] == find_entries(b"## Laptop\n- id: 42\n- kind: laptop\n")


def test_files_of_another_system_have_the_same_entries() -> None:
    """CRLF, and no line end at the end."""
    (record,) = find_entries(BLOCK.replace("\n", "\r\n").encode().rstrip())
    assert (ENTRY, BLOCK.count("\n") - 1) == (record.entry, record.last)


def test_lines_made_to_keep_a_reader_busy_hold_no_entries() -> None:
    """Neither thousands of marks on a line nor a run of spaces that never ends."""
    marks = b"x <!-- memory:a check:aa -->" * 1000
    assert [] == find_entries(BLOCK.encode() + marks)
    assert [] == find_entries(BLOCK.encode() + b"- id: a" + b" " * 5000 + b"b")


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_no_bytes_are_too_odd(before: bytes, after: bytes) -> None:
    """Nothing raises, and entries are in order and apart."""
    records = find_entries(before + b"\n" + BLOCK.encode() + after + b"\n" + BLOCK.encode())
    spans = [(record.first, record.last) for record in records]
    assert all(first <= last for first, last in spans)
    assert all(one[1] < two[0] for one, two in pairwise(spans))
