"""What a terminal is given: colours where it wants them, and tables that fit."""

from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine
from tests.support.processes.terminal import on_terminal

ESCAPE = "\x1b"
BACKFILL = ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-02")


def _cells(lines: list[str]) -> list[str]:
    return [cell.strip() for line in lines for cell in line.split("  ") if cell.strip()]


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colours_can_be_declined(
    variables: dict[str, str], workspace: Path, memory: CommandLine, *, expected: bool
) -> None:
    """`NO_COLOR` and a dumb terminal get no escapes (https://no-color.org); other terminals do."""
    shown = on_terminal(memory, 100, "doctor", "--workspace", workspace, **variables).out
    assert "timezone" in shown
    assert expected is (ESCAPE in shown)


@pytest.mark.parametrize(("name", "expected"), [("xterm", True), ("dumb", False)])
def test_a_dumb_terminal_gets_no_bar(name: str, workspace: Path, memory: CommandLine, *, expected: bool) -> None:
    """A bar is drawn by escapes; without one the lines come as the runs end."""
    said = on_terminal(memory, 100, *BACKFILL, "--yes", "--workspace", workspace, TERM=name)
    assert (0, expected) == (said.code, ESCAPE in said.out)
    assert "  wrote " in said.out


LISTINGS = ("entries", "transcripts", "jobs", "runs --all", "suggestions", "entities", "status")


@pytest.mark.parametrize("listing", LISTINGS)
@pytest.mark.parametrize("variables", [{}, {"TERM": "dumb", "LANG": "C", "LC_ALL": "C"}], ids=["xterm", "dumb"])
def test_a_row_is_a_line_of_the_terminal(
    listing: str, variables: dict[str, str], filled: Path, memory: CommandLine
) -> None:
    """Of 80 columns: its last cell is cut. On a narrower one what does not fit stands below, indented."""
    words = (*listing.split(), "--workspace", filled)
    rows = memory(*words).out.splitlines()
    lines = on_terminal(memory, 80, *words, **variables).out.splitlines()
    if listing != "suggestions":  # a group of them has a heading
        assert len(rows) == len(lines)
    assert [] == [line for line in lines if len(line) > 80 and "`" not in line and str(filled) not in line]
    narrow = on_terminal(memory, 40, *words, **variables).out.splitlines()
    assert len(rows) <= len(narrow)
    assert rows == on_terminal(memory, 1000, *words).out.splitlines() or listing == "jobs"


def test_what_is_cut_is_shown_in_full(filled: Path, memory: CommandLine) -> None:
    """With `--wide`, also on a narrow terminal: what does not fit stands below, indented and whole."""
    words = ("entries", "--wide", "--workspace", filled)
    lines = on_terminal(memory, 40, *words).out.splitlines()
    assert any(line.startswith("    ") for line in lines)
    assert _cells(memory(*words).out.splitlines()) == _cells(lines)


def test_whole_lines_where_no_terminal_is(filled: Path, memory: CommandLine) -> None:
    """A program gets a row as a line, also when `COLUMNS` is narrow."""
    words = ("entries", "--workspace", filled)
    assert memory(*words) == memory(*words, COLUMNS="20")
    assert 3 == len(memory(*words).out.splitlines())
