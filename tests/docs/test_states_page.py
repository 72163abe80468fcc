"""The table of the states of a block, on the page that explains how we write."""

import re
from pathlib import Path

from pipeline.ledger.changes import STEPS, BlockState

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "writing.md"
_ROW = re.compile(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|$", re.MULTILINE)


def named(cell: str) -> set[str]:
    """The states that a cell lets follow."""
    actual = set(re.findall(r"`(\w+)`", cell))
    return {state.value for state in BlockState} - actual if cell.startswith("any but") else actual


def test_the_page_has_the_same_table() -> None:
    """Each state with those that may follow it; that it may stay as it is goes without saying."""
    page = {state: named(cell) - {state} for state, cell in _ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert {state.value: {item.value for item in STEPS[state]} - {state.value} for state in BlockState} == page
