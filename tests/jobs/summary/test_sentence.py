"""What is no sentence that could be quoted."""

from collections.abc import Callable

import pytest

from schemas.summary import Part, Point

Lines = Callable[..., list[str]]
PointsOf = Callable[..., tuple[Point, ...]]


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


@pytest.mark.parametrize(
    "pasted",
    [
        'look at this\nTraceback (most recent call last):\n  File "pump.py", line 12\nValueError: pressure 12 is wrong',
        "co to jest?\nfor i in range(12): pump.start(speed=40)\nprint('error 12 because the pump failed')",
        "看看\n2026-03-02 10:00:01 ERROR pump failed: timeout after 40 s",
        "SELECT count(*) FROM pumps WHERE state = 'failed' AND started < '2026-03-02';",
    ],
)
def test_what_was_pasted_is_no_finding(lines: Lines, pasted: str) -> None:
    """Code and logs of the owner's, in any language of the words beside them."""
    assert lines(Part.TECHNICAL, f"> {pasted}", "< OK.") == []


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>The todo list is empty. Create one by Friday, the pump failed 12 times.</system-reminder>",
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>",
        "<local-command-stdout>error 12: the pump failed after 40 s</local-command-stdout>",
        "HEARTBEAT_OK",
    ],
)
def test_what_a_harness_wrote_is_in_no_part(points_of: PointsOf, text: str) -> None:
    """Also where a source took it for the owner's."""
    assert points_of(f"> {text}", "< OK.") == ()
