"""No text takes a source the time: what it does grows with the length, not with its square."""

from itertools import count
from pathlib import Path

import pytest

from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.long_texts import TooSlow, busy_at_most, long_texts
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.marks import at_length

TEXTS = [*long_texts(60_000)]
# A text of this length takes hundredths of a second. One pattern that starts anew at every place would take minutes.
LIMIT = 4.0


@pytest.mark.processor
@pytest.mark.parametrize("before", ["[Telegram Tom id:411 2026-02-02 15:03 UTC] ", *at_length("")])
def test_openclaw_reads_any_long_text(tmp_path: Path, before: str) -> None:
    """Whatever a person or the assistant says, with an envelope or without."""
    for text in TEXTS:
        lines = OpenClawLines()
        lines.user(before + text)
        lines.assistant(text)
        with busy_at_most(LIMIT):
            lines.read(tmp_path)


@pytest.mark.processor
def test_claude_code_reads_any_long_text(tmp_path: Path) -> None:
    """The same for the other source."""
    for text in TEXTS:
        lines = ClaudeLines()
        lines.user(text)
        lines.assistant(text)
        with busy_at_most(LIMIT):
            lines.read(tmp_path)


@pytest.mark.processor
def test_many_different_tags_take_no_time(tmp_path: Path) -> None:
    """Not even tags that all differ."""
    lines = ClaudeLines()
    lines.user("".join(f"<a{number}>b</a{number}>" for number in range(15_000)))
    with busy_at_most(LIMIT):
        lines.read(tmp_path)


@pytest.mark.processor
def test_the_limit_ends_what_takes_too_long() -> None:
    """The tests above can fail."""
    with pytest.raises(TooSlow), busy_at_most(0.05):
        sum(1 for _ in count())
