"""Reading lines of JSON, whatever the bytes are."""

import io
import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.sources.reading.records import (
    LONGEST_LINE,
    clean,
    decode_json,
    identifier,
    local_moment,
    moment,
    nanoseconds,
    one_line,
    records,
    seconds_or_milliseconds,
    since_epoch,
    texts,
)
from tests.support.tables import table


def read(content: bytes) -> tuple[list[tuple[int, dict[str, Any]]], dict[str, int]]:
    """The records of a content, and what was passed over."""
    skipped: Counter[str] = Counter()
    return list(records(io.BytesIO(content), skipped)), dict(skipped)


@table(
    ("content", "numbers", "skipped"),
    [
        (b'{"a":1}\n\n{"a":2}\r\n', [1, 2], {}),
        (b'\xef\xbb\xbf{"a":1}\n', [1], {}),
        (b'{"a":1}\n{"a":2', [1], {"live_tail": 1}),
        (b'{"a":1}\n{"a":2}', [1, 2], {}),
        (b'{"a":1}\n{"a":2}{"a"', [1, 2], {"live_tail": 1}),
        (b'{"a":1}\n{"a":2}{"a":3}\n{"a":4}\n', [1, 2, 3, 4], {}),
        (b'{"a":1}\n{"b":"cu{"a":2}\n{"a":3}\n', [1, 2, 3], {"bad_line": 1}),
        (b'{"a":1}\n\0\0\0{"a":2}\n', [1, 2], {}),
        (b'{"a":1}\nnonsense\n42\n[1]\n"x"\n{"a":2} x\n{"a":3}\n', [1, 7], {"bad_line": 5}),
        (b'{"a":"\xff\xfe"}\n', [1], {}),
        (b'{"a":' + b"[" * 100_000 + b"\n", [], {"bad_line": 1}),
        (b'{"a":' + b"1" * 10_000 + b"}\n", [], {"bad_line": 1}),
    ],
)
def test_lines_are_counted_and_bad_ones_passed_over(
    content: bytes, numbers: list[int], skipped: dict[str, int]
) -> None:
    """Every line that is not blank has a number; only a last one without its end may still be whole one day."""
    actual, passed = read(content)
    assert (numbers, skipped) == ([number for number, _ in actual], passed)


def test_a_line_beyond_all_measure_is_passed_over() -> None:
    """A line too long to hold in memory keeps its number, and the next one is read."""
    actual, skipped = read(b'{"a":"' + b"x" * (LONGEST_LINE + 9) + b'"}\n{"a":2}\n')
    assert actual == [(2, {"a": 2})]
    assert skipped == {"line_too_long": 1, "bad_line": 1}


@given(st.binary(max_size=400))
def test_any_bytes_can_be_read(content: bytes) -> None:
    """No content raises."""
    read(content)


@given(st.text(st.characters(categories=("Cs", "L", "So")), max_size=40))
def test_any_text_can_be_written(text: str) -> None:
    """Lone surrogates become the replacement character; nothing else changes."""
    encoded = clean(text).encode("utf-8")
    assert len(clean(text)) == len(text)
    assert encoded.decode("utf-8") == clean(text)


@table(
    ("value", "expected"),
    [
        ("2026-02-02T09:00:00.250Z", datetime(2026, 2, 2, 9, 0, 0, 250_000, UTC)),
        ("2026-02-02T09:00:00+08:00", datetime(2026, 2, 2, 1, tzinfo=UTC)),
        ("2026-02-02T09:00:00", datetime(2026, 2, 2, 9, tzinfo=UTC)),
        (1_770_022_800_000, datetime(2026, 2, 2, 9, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59Z", None),
        ("1999-12-31T23:59:59Z", None),
        ("yesterday", None),
        (float("nan"), None),
        (float("inf"), None),
        (1e300, None),
        (True, None),
        (None, None),
        ([], None),
    ],
)
def test_times_are_shown_in_utc(value: object, expected: datetime | None) -> None:
    """A time without a zone is taken for UTC; one that nobody lives in is none."""
    assert expected == moment(value)


@table("value", ["", "a b", "a,b", "a\nb", "\ud800", "x" * 201, 7, None])
def test_an_id_can_stand_in_a_list(value: object) -> None:
    """What could break a list of ids is none."""
    assert identifier(value) == ""


def test_a_value_stands_on_one_line() -> None:
    """Line ends and lone surrogates cannot forge a line."""
    assert one_line("a\nb\u2028\ud800") == "a b \N{REPLACEMENT CHARACTER}"


@table(
    ("content", "expected"),
    [
        ("hello", ["hello"]),
        ([{"type": "text", "text": "one"}, 7, {"type": "text"}, {"type": "text", "text": " "}], ["one"]),
        ([{"type": "image"}, "loose"], []),
        (None, []),
        ({"type": "text", "text": "one"}, []),
    ],
)
def test_a_content_is_a_string_a_list_or_nothing(content: object, expected: list[str]) -> None:
    """Whatever stands there, the text blocks are found."""
    assert expected == texts(content)


def test_other_kinds_of_blocks_may_hold_texts() -> None:
    """Each format names its own; a kind that is no word is none."""
    content = [{"type": "input_text", "text": "one"}, {"type": "text", "text": "two"}, {"type": [], "text": "three"}]
    assert ["one"] == texts(content, frozenset({"input_text"}))


def test_a_local_time_is_of_its_zone() -> None:
    """Unless it names its offset; what is no time, or is out of the calendar, is none."""
    assert datetime(2026, 2, 2, 9, tzinfo=UTC) == local_moment("2026-02-02 10:00:00", "Europe/Warsaw")
    assert datetime(2026, 2, 2, 10, tzinfo=UTC) == local_moment("2026-02-02T10:00:00Z", "Europe/Warsaw")
    assert [None] * 3 == [local_moment(value, "Europe/Warsaw") for value in ("x", 7, "0001-01-01 00:00:00")]


def test_seconds_become_what_a_moment_takes() -> None:
    """Of numbers alone; a state of a store is in nanoseconds, and 0 without a time."""
    assert [1_500, "x", None, True] == [since_epoch(value) for value in (1.5, "x", None, True)]
    assert [1_770_000_000_250_000_000, 0, 0] == [nanoseconds(value) for value in (1_770_000_000_250, "x", None)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=5,
)


@given(JSON, st.text(" \t\n\r"))
def test_any_value_is_read_from_its_json(value: object, before: str) -> None:
    """Whatever it begins with."""
    assert value == decode_json(before + json.dumps(value))
    assert value == decode_json((before + json.dumps(value, ensure_ascii=False)).encode())


@table(
    ("value", "expected"),
    [
        (1_770_000_000, 1_770_000_000_000),
        (1_770_000_000.5, 1_770_000_000_500),
        (1_770_000_000_000, 1_770_000_000_000),
        (7, 7),
        (10**400, 10**400),
        (float("inf"), float("inf")),
        (True, True),
        ("2026-02-02", "2026-02-02"),
        (None, None),
    ],
)
def test_a_time_in_either_unit(value: object, expected: object) -> None:
    """Seconds where they are a time people live in; what is none stays what it is."""
    assert expected == seconds_or_milliseconds(value)


@table(
    ("text", "value"),
    [
        *(("[1]", [1]), (b"{}", {}), ("", None), ("[" * 100_000, None), (b"\xff", None)),
        *((" true", True), ("\nfalse", False), ("-1", -1), ("9", 9), ('"x"', "x"), ("Infinity", float("inf"))),
        *(("\ufeff{}", None), ("\u00a0{}", None), ("x", None)),
    ],
)
def test_a_text_of_json_is_its_value(text: str | bytes, value: object) -> None:
    """What is none, or is nested too deep, is nothing."""
    assert value == decode_json(text)


@table("line", [b"\n", b"[]\n"])
def test_reading_ends_behind_very_many_lines_of_no_record(line: bytes) -> None:
    """A few kilobytes that are compressed can hold thousands of millions of them."""
    stream = io.BytesIO(b'{"a":1}\n' + line * 300_000 + b'{"a":2}\n')
    assert [(1, {"a": 1})] == list(records(stream, Counter()))
    assert stream.tell() < 100_100 * len(line)


@table("line", [b"\n", b"[]\n"])
def test_some_lines_of_no_record_are_read_over(line: bytes) -> None:
    """What stands behind a damaged place counts."""
    actual, _ = read(b'{"a":1}\n' + line * 50_000 + b'{"a":2}\n' + line * 60_000 + b'{"a":3}\n')
    assert [1, 2, 3] == [record["a"] for _, record in actual]
