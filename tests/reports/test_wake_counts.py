"""What a wake-up has is counted by the process that writes it."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pipeline.app.agent_folder import opened_folder
from pipeline.app.runs import run_due
from pipeline.backfill.series import RunEnded
from pipeline.ledger import open_ledger
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.workspace.layout import LEDGER_FILE
from schemas.run_options import RunOptions
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.agent_memory import new_agent_memory, remember

SETTINGS = """timezone = "UTC"
start = 2026-02-01T00:00:00Z
[[sources]]
kind = "openclaw"
path = "sessions"
[agents.jaskier]
sources = ["openclaw"]
"""


def counts(root: Path) -> int:
    """How many texts have been counted."""
    with closing(open_ledger(root / ".memory" / LEDGER_FILE).store) as store:
        return int(store.value("SELECT COUNT(*) FROM token_counts"))


def test_a_wake_up_after_a_change_counts_nothing(tmp_path: Path) -> None:
    """The vocabulary takes half a second to load, and much memory in a service; another budget may need it."""
    root = new_agent_memory(tmp_path / "w")
    for more in ((), ("The sauna is closed on Mondays",)):
        remember(root, *more)
        before = counts(root)
        with opened_folder(root, load_settings(root, {}).agents, "jaskier") as folder:
            assert 0 < folder.wake().tokens
            assert before == counts(root)


def test_a_wake_up_after_a_session_counts_nothing(tmp_path: Path) -> None:
    """The run that wrote down what the session changed has counted; a dry run counts for nobody."""
    lines = OpenClawLines("s-one")
    lines.user("remember that the septic truck comes every second tuesday")
    lines.write(tmp_path / "sessions" / "s-one.jsonl")
    (tmp_path / "memory.toml").write_text(SETTINGS)
    with closing((ledger := open_ledger(tmp_path / ".memory" / LEDGER_FILE)).store):
        ledger.agents.note(["jaskier"], datetime(2026, 2, 1, tzinfo=UTC))
    clock = FixedClock(datetime(2026, 2, 5, tzinfo=UTC))
    for dry_run in (True, False):
        ended = list(run_due(tmp_path, ProcessContext({}, clock), RunOptions(dry_run=dry_run)))
        assert {"jaskier", ""} == {run.outcome.subject for run in ended if isinstance(run, RunEnded)}
        before = counts(tmp_path)
    with opened_folder(tmp_path, load_settings(tmp_path, {}).agents, "jaskier") as folder:
        assert {"brain", "context"} == {part.name for part in folder.wake().parts}
    assert 0 < before == counts(tmp_path)
