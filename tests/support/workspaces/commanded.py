"""Fixtures of the command: workspaces over small transcripts, and two ways to call it, here and in its own process."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.runner import Runner
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named
from tests.support.afternoon import afternoon_zone, days_ago
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import Said

SETTINGS = """timezone = "UTC"
start = {start}

[[sources]]
kind = "openclaw"
path = "sessions"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with nothing in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def write_workspace(root: Path) -> Path:
    """A workspace that reads a session, `s-one`, of 2026-02-02, with two things to remember; due since yesterday."""
    lines = OpenClawLines("s-one")
    lines.user("from now on give every migration a downgrade that was actually run")
    lines.assistant("Noted.")
    lines.user("remember that the septic truck comes every second tuesday")
    lines.result("bash", "rows: 3")
    lines.user("why is the sky blue?")
    lines.write(root / "sessions" / "s-one.jsonl")
    yesterday = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    (root / "memory.toml").write_text(SETTINGS.format(start=yesterday.isoformat()))
    return root


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a session, in which no job has run."""
    return write_workspace(tmp_path / "w")


@pytest.fixture
def afternoon(workspace: Path) -> Path:
    """The workspace where it is afternoon, due since yesterday: what is done there is done for an hour and more."""
    fields = SETTINGS.replace('"UTC"', f'"{afternoon_zone()}"').format(start=days_ago(1).isoformat())
    (workspace / "memory.toml").write_text(fields)
    return workspace


@pytest.fixture(scope="session")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace with 2026-02-02 done, to be copied."""
    workspace = write_workspace(tmp_path_factory.mktemp("filled") / "w")
    engine = open_engine(workspace, ProcessContext({}))
    prepare(engine)
    plan = in_days(engine, jobs_named(["micro_sync"], engine.jobs), date(2026, 2, 2), date(2026, 2, 2))
    outcomes = list(work_through(Runner(engine), plan, again=True))
    assert len(plan) == len([outcome for outcome in outcomes if outcome.job == "micro_sync"])  # a fold follows
    engine.ledger.store.close()
    return workspace


@pytest.fixture
def filled(filled_once: Path, workspace: Path) -> Path:
    """The workspace with 2026-02-02 done."""
    return copytree(filled_once, workspace, dirs_exist_ok=True)


@pytest.fixture(scope="session")
def judged_once(filled_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace with all pages of 2026-02-02, to be copied."""
    workspace = copytree(filled_once, tmp_path_factory.mktemp("judged") / "w")
    engine = open_engine(workspace, ProcessContext({}))
    plan = in_days(engine, engine.jobs, date(2026, 2, 2), date(2026, 2, 2))
    assert {"daily_wrapup", "retain", "reflect", "weekly_plan", "weekly_compound"} == {
        outcome.job for outcome in work_through(Runner(engine), plan, again=True) if outcome.paths
    }
    engine.ledger.store.close()
    return workspace


@pytest.fixture
def judged(judged_once: Path, filled: Path) -> Path:
    """The workspace with the pages of 2026-02-02 and of its week as well: the wrap-up, the plan and MEMORY.md."""
    return copytree(judged_once, filled, dirs_exist_ok=True)


@pytest.fixture
def call(home: Path) -> Callable[..., Said]:
    """Call a command in this process."""
    return CalledCommand(home)


@pytest.fixture
def memory(home: Path) -> CalledCommand:
    """Call a command in this process, or start it in one of its own."""
    return CalledCommand(home)


@pytest.fixture
def declared(workspace: Path, call: Callable[..., Said]) -> Path:
    """A workspace with the agent `jaskier`."""
    assert 0 == call("agents", "add", "jaskier", "--workspace", workspace).code
    return workspace
