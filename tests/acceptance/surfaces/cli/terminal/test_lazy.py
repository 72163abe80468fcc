"""What a command imports as it starts."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from pipeline.surfaces.cli.main import ENTRANCES
from tests.support.processes.command_line import CommandLine

HEAVY = ("openai", "structlog", "detect_secrets", "sqlite3", "portalocker", "apscheduler")


def imported(*words: str, cwd: Path) -> set[str]:
    """The modules that a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "pipeline.surfaces.cli.main", *words]
    done = run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    output = done.stderr
    return {line.rpartition("|")[2].strip() for line in output.splitlines() if line.startswith("import time:")}


def test_the_groups_help_imports_no_command(tmp_path: Path) -> None:
    """`memory --help` imports neither a command nor pydantic."""
    names = imported("--help", cwd=tmp_path)
    assert {f"pipeline.surfaces.cli.{name}" for name in ENTRANCES} & names == set()
    assert "pydantic" not in names


def test_jobs_imports_nothing_heavy(tmp_path: Path) -> None:
    """`memory jobs` needs no model, log, secret scanner, lock or database."""
    assert [name for name in imported("jobs", cwd=tmp_path) if name.partition(".")[0] in HEAVY] == []


@pytest.mark.parametrize("name", ["run", "backfill"])
def test_the_process_that_watches_a_worker_stays_small(name: str) -> None:
    """What a supervisor imports holds no pydantic, and so nothing of the engine."""
    code = f"import sys, {ENTRANCES[name].module}; print(*sys.modules)"
    lines = run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"pydantic", "schemas.base"}.intersection(lines) == set()


def test_a_run_that_finds_nothing_imports_no_log(afternoon: Path, memory: CommandLine) -> None:
    """A run with nothing to do imports neither structlog nor the model's client nor the secret scanner."""
    assert 0 == memory("run", "--workspace", afternoon).code
    # The first run did what was due; the second finds nothing.
    names = {name.partition(".")[0] for name in imported("run", cwd=afternoon)}
    assert names.intersection({"openai", "structlog", "detect_secrets"}) == set()
