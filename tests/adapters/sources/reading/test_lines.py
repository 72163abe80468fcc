"""What is whole in a line of a file that two writes share."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.sources.reading.records import objects_in
from tests.support.builders.long_texts import busy_at_most
from tests.support.tables import table

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just('{"type": "user"}'),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(min_size=1), inside, max_size=3),
    max_leaves=8,
)
RECORDS = st.dictionaries(st.text(min_size=1), VALUES, min_size=1, max_size=4)
OWNERS = {"type": "user", "uuid": "u-2", "message": {"role": "user", "content": "Always use pnpm."}}


def compact(value: object) -> bytes:
    """A line as programs write it."""
    return json.dumps(value, separators=(",", ":")).encode()


@given(st.lists(RECORDS, min_size=1, max_size=3), st.sampled_from([b"", b" ", b"\0\0"]))
def test_whole_records_of_one_line_all_count(records: list[dict[str, object]], between: bytes) -> None:
    """Nothing has to stand between two records."""
    assert (records, True) == objects_in(between.join(map(compact, records)))


@given(RECORDS)
def test_no_part_of_a_record_that_was_cut_is_a_record(record: dict[str, object]) -> None:
    """What a record holds was not said by itself, wherever the write ended."""
    line = compact(record)
    assert [] == [objects for end in range(1, len(line)) if (objects := objects_in(line[:end])[0])]


@given(st.text(), st.integers(1, 40))
def test_a_record_behind_one_that_was_cut_in_a_text_counts(text: str, end: int) -> None:
    """The first quotation mark of the whole record ends the text."""
    cut = compact({"content": f"{'x' * 40}{text}"})[: len('{"content":"') + end]
    assert ([OWNERS], False) == objects_in(cut + compact(OWNERS))


@table(
    "cut",
    [b'{"type":"user","uuid"', b'{"type":"user",', b'{"a":tr', b'{"a":{"b":1}', b'{"a":12', b'{"a":"\\', b"{"],
)
def test_a_record_counts_where_none_can_begin(cut: bytes) -> None:
    """Behind a name, a comma or half a value an object is out of place."""
    assert ([OWNERS], False) == objects_in(cut + compact(OWNERS))


@table("cut", [b'{"toolUseResult":', b'{"content":[', b'{"content":[{"type":"text"},'])
def test_a_record_that_may_be_a_value_counts_for_nothing(cut: bytes) -> None:
    """A tool's result can have the shape of a record: what may be inside another one is nobody's word."""
    assert ([], False) == objects_in(cut + compact(OWNERS))


@pytest.mark.processor
@table("value", [b"0,", b'"a",', b'{"a":1},'])
def test_a_long_line_is_given_up_soon(value: bytes) -> None:
    """However many places in it look like the beginning of a record: each is read to the end in vain."""
    line = b'{"a' + b'{"k":' * 101 + b"[" + value * (2_000_000 // len(value)) + b"0"
    with busy_at_most(8):
        assert ([], False) == objects_in(line)
