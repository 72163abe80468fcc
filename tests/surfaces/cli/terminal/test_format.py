"""How what we say looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.surfaces.cli.terminal.format import (
    _parts,
    count,
    cut_line,
    print_columns,
    print_json,
    printable,
    rough_time,
)
from tests.support.tables import table


def test_objects_are_compact_and_readable(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, no needless blanks, letters of all languages as they are."""
    print_json({"a": "żółć 决定", "b": [1, None]})
    assert capsys.readouterr().out == '{"a":"żółć 决定","b":[1,null]}\n'


def test_columns_line_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Each column is as wide as its widest cell; no rows, no head."""
    print_columns([("1", "long one", "x"), ("22", "b", "y")], ("N", "NAME", "C"))
    assert capsys.readouterr().out == "N   NAME      C\n1   long one  x\n22  b         y\n"
    print_columns([], ("N",))
    assert capsys.readouterr().out == ""


def test_counting() -> None:
    """One and many."""
    assert (count(1, "entry", "entries"), count(2, "entry", "entries"), count(0, "run")) == (
        "1 entry",
        "2 entries",
        "0 runs",
    )


@table(
    ("seconds", "words"),
    [
        (0.4, "0 seconds"),
        (1, "1 second"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (7_199, "120 minutes"),
        (7_200, "2 hours"),
        (90_000, "25 hours"),
    ],
)
def test_a_length_of_time(seconds: float, words: str) -> None:
    """No more exact than an estimate is."""
    assert words == rough_time(seconds)


def test_a_terminal_is_not_steered() -> None:
    """Control characters are shown, on one line; letters stay."""
    assert printable("a\x1b[1m\nłódź 决定") == "a\\u001b[1m łódź 决定"


def test_columns_line_up_for_wide_letters(capsys: pytest.CaptureFixture[str]) -> None:
    """A letter of East Asia takes two columns of a terminal, a mark over a letter none."""
    print_columns([("决定", "x"), ("z\u0307o", "y")], ("NAME", "C"))
    assert "NAME  C\n决定  x\nz\u0307o    y\n" == capsys.readouterr().out


@given(st.lists(st.integers(0, 90), min_size=1, max_size=8), st.integers(1, 100) | st.none())
def test_every_column_stands_once_and_in_order(widths: list[int], room: int | None) -> None:
    """However narrow it is, all columns are shown; a line is too long only for one column alone."""
    parts = list(_parts(widths, room))
    assert widths == [width for _, part in parts for width in widths[part]]
    for indent, part in parts:
        shown = widths[part]
        length = len(indent) + sum(shown) + 2 * (len(shown) - 1)
        assert room is None or length <= room or len(shown) == 1


@table(("room", "line"), [(-1, "…"), (0, "…"), (1, "…"), (3, "决…"), (5, "决定…"), (9, "决定 here")])
def test_a_line_is_cut_to_any_room(room: int, line: str) -> None:
    """Also to none, as on a terminal of few columns."""
    assert line == cut_line("决定 here", room)
