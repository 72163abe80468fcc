"""A workspace in which the owner spoke to Claude Code in two projects, and in the home folder."""

from datetime import UTC, datetime
from pathlib import Path

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.ports.clock import FixedClock

DAY = datetime(2026, 2, 2, tzinfo=UTC).date()
NOW = datetime(2026, 2, 4, 12, tzinfo=UTC)
SHOP, BLOG = "~/code/shop", "~/code/blog"
PORT = "Remember that the staging database listens on port 5433."
DRAFTS = "Remember that drafts of the blog lie in the folder letters."
BOAT = "Remember that the boat key hangs with Anna."
SETTINGS = 'timezone = "UTC"\nstart = 2026-02-01T00:00:00Z\n[[sources]]\nkind = "claude_code"\npath = "claude"\n'


def say(root: Path, session: str, *said: tuple[str, str]) -> None:
    """Write a session in which the owner says each text in a folder."""
    lines = ClaudeLines(session)
    for folder, text in said:
        lines.user(text, cwd=folder)
    lines.write(root / "claude" / "work" / f"{session}.jsonl")


def two_projects(root: Path, home: str = "/home/ola") -> Path:
    """The workspace, with the entries of its day written."""
    root.mkdir(exist_ok=True)
    (root / "memory.toml").write_text(SETTINGS)
    say(root, "s-shop", (f"{home}/code/shop", PORT))
    say(root, "s-blog", (f"{home}/code/blog", DRAFTS))
    say(root, "s-home", (home, BOAT))
    run(root)
    return root


def run(root: Path, *jobs: str) -> None:
    """Run what is due of the day, `micro_sync` where no job is named."""
    engine = open_engine(root, ProcessContext({}, clock=FixedClock(NOW)))
    try:
        prepare(engine)
        planned = in_days(engine, jobs_named(jobs or ["micro_sync"], engine.jobs), DAY, DAY)
        assert list(work_through(Runner(engine), planned))
    finally:
        engine.ledger.store.close()
