"""The alignment of two sequences."""

import sys
from itertools import pairwise
from types import FrameType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.backup.alignment import match_sequences
from pipeline.backup.merge import MergedText, merge_file
from tests.support.tables import table

ITEMS = st.lists(st.sampled_from("abcd."), max_size=12)


def is_weak(item: str) -> bool:
    """Whether it is a full stop, which alone matches nothing."""
    return item == "."


@given(ITEMS, ITEMS, st.sampled_from([0, 4, 20, 1000]))
def test_pairs_are_equal_and_in_order(before: list[str], after: list[str], small: int) -> None:
    """Whatever difflib sees of them, what matches is the same item, in the order of both; all of what is the same."""
    pairs = [*match_sequences(before, after, is_weak, "d".__eq__, small).items()]
    assert all(before[place] == after[other] for place, other in pairs)
    assert all(first < later and to < beyond for (first, to), (later, beyond) in pairwise(pairs))
    same = match_sequences(before, before, is_weak, "d".__eq__, small)
    assert all(same.get(place) == place for place, item in enumerate(before) if item != ".")


def merge_equal(lines: int) -> MergedText:
    """Three versions of so many equal lines, merged."""
    equal, third = [b"- done\n"] * lines, lines // 3
    here = b"".join([b"mine\n", *equal[:third], b"more\n", *equal[third:], b"last\n"])
    there = b"".join([*equal[: third // 2], b"theirs\n", *equal[third // 2 :], b"end\n"])
    return merge_file(b"".join(equal), here, there)


def steps_of_merge(lines: int) -> int:
    """The lines of code that the merge of so many equal lines takes."""
    steps = 0

    def count(frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401 - as `settrace` wants it
        nonlocal steps
        steps += event == "line"
        return count if frame.f_globals["__name__"].startswith(("pipeline.backup", "difflib")) else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        merge_equal(lines)
    finally:
        sys.settrace(before)
    return steps


@table("lines", [300, 20_000])
def test_equal_lines_stand_once(lines: int) -> None:
    """What all have stands once, and so does what each side added."""
    merged = merge_equal(lines)
    assert lines == merged.data.count(b"- done\n")
    assert not merged.conflicts
    assert all(merged.data.count(b"%b\n" % word) == 1 for word in (b"mine", b"more", b"last", b"theirs", b"end"))


def test_the_steps_grow_with_the_lines() -> None:
    """Four times the equal lines take about four times the steps, not sixteen times."""
    few, many = steps_of_merge(600), steps_of_merge(2_400)
    assert few > 0
    assert many < 6 * few
