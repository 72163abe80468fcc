"""What is no sentence that could be quoted."""

from collections.abc import Callable

import pytest

from schemas.summary import Part

Lines = Callable[..., list[str]]


@pytest.mark.parametrize(
    "answer",
    [
        "const total = rows.reduce((sum, row) => sum + row.price, 0); return { total, count: rows.length };",
        "`PumpService.ts:36-55`). The rest stays.",
        "&compareWithPrevious=true` after 1500 ms in `usePumps.ts:12`.",
    ],
)
def test_code_and_torn_names_are_no_finding(lines: Lines, answer: str) -> None:
    """A line of code says nothing without its file."""
    texts = lines(Part.TECHNICAL, "> why is the total of the pumps 0 in version 3?", "= grep", f"< {answer}")
    assert not [line for line in texts if "=>" in line or line.count("`") % 2]
