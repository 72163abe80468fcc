"""`memory search` among what was said, where no service follows the transcripts."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from pipeline.app.runs import run_backfill
from pipeline.app.said_index import EFFORT
from pipeline.process.context import ProcessContext
from schemas.run_options import RunOptions
from schemas.run_request import BackfillRequest
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import Said

DAY = date(2026, 2, 2)
BEHIND = "Note: 1 session is not in the index of what was said yet; `memory reindex` takes them in."


@pytest.fixture
def ask(home: Path, call: Callable[..., Said]) -> Callable[[str], Said]:
    """Ask in a workspace of one session with these words, after a run."""
    root = home / "w"

    def _ask(words: str) -> Said:
        lines = OpenClawLines("s-one")
        lines.user(words)
        lines.write(root / "sessions" / "s-one.jsonl")
        (root / "memory.toml").write_text('timezone = "UTC"\n[[sources]]\nkind = "openclaw"\npath = "sessions"\n')
        request = BackfillRequest(id="20260202-abcdef", jobs=("micro_sync",), first=DAY, last=DAY)
        assert list(run_backfill(root, ProcessContext({}), RunOptions(), request))
        return call("search", "which pump does the greenhouse have?", "--workspace", root, MEMORY_EMBEDDER__KIND="none")

    return _ask


def test_a_search_after_a_run_answers_by_what_was_said(ask: Callable[[str], Said]) -> None:
    """Without a service, and without an order to index it."""
    said = ask("the pump of the greenhouse is a Karcher from 2019")
    assert "- said:s-one#2  " in said.out
    assert "index of what was said" not in said.err


def test_much_that_was_said_is_no_reason_to_wait(ask: Callable[[str], Said]) -> None:
    """The search answers at once, and says which command takes it in."""
    said = ask(f"the pump of the greenhouse is a Karcher from 2019 {'x' * EFFORT}")
    assert ("said:s-one" in said.out, BEHIND in said.err.splitlines()) == (False, True)
