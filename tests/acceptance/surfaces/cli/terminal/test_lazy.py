"""What a command imports as it starts."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from pipeline.surfaces.cli.tree import COMMANDS, OF_AGENTS
from tests.support.processes.command_line import CommandLine

PLACE = "pipeline.surfaces.cli.commands"
HEAVY = ("openai", "structlog", "detect_secrets", "sqlite3", "portalocker", "apscheduler")


def imported(*words: str, cwd: Path) -> set[str]:
    """The modules that a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "pipeline.surfaces.cli.main", *words]
    done = run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    output = done.stderr
    return {line.rpartition("|")[2].strip() for line in output.splitlines() if line.startswith("import time:")}


def loaded_by(statement: str) -> set[str]:
    """The modules that a process has loaded after a statement."""
    code = f"import sys; {statement}; print(*sys.modules)"
    return set(run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_groups_help_imports_no_command(tmp_path: Path) -> None:
    """`memory --help` imports neither a command nor pydantic."""
    names = imported("--help", cwd=tmp_path)
    assert not any(name.startswith(PLACE) for name in names)
    assert "pydantic" not in names


@pytest.mark.parametrize("name", OF_AGENTS)
def test_what_agents_call_imports_no_other_command(name: str) -> None:
    """A short name costs nothing: neither its group is imported nor another command of it."""
    calls = (
        f"import click; from pipeline.surfaces.cli.main import cli; cli.resolve_command(click.Context(cli), [{name!r}])"
    )
    assert {PLACE, f"{PLACE}.{name}"} == {module for module in loaded_by(calls) if module.startswith(PLACE)}


def test_jobs_imports_nothing_heavy(tmp_path: Path) -> None:
    """`memory show jobs` needs no model, log, secret scanner, lock or database."""
    assert [name for name in imported("jobs", cwd=tmp_path) if name.partition(".")[0] in HEAVY] == []


@pytest.mark.parametrize("name", ["run", "backfill"])
def test_the_process_that_watches_a_worker_stays_small(name: str) -> None:
    """What a supervisor imports holds no pydantic, and so nothing of the engine."""
    assert {"pydantic", "schemas.base"} & loaded_by(f"import {PLACE}.{COMMANDS[name].module}") == set()


def test_a_run_that_finds_nothing_imports_no_log(afternoon: Path, memory: CommandLine) -> None:
    """A run with nothing to do imports neither structlog nor the model's client nor the secret scanner."""
    assert 0 == memory("run", "--workspace", afternoon).code
    # The first run did what was due; the second finds nothing.
    names = {name.partition(".")[0] for name in imported("run", cwd=afternoon)}
    assert names.intersection({"openai", "structlog", "detect_secrets"}) == set()


def test_the_command_line_starts_without_what_it_may_not_need() -> None:
    """`memory --version` pays for none of the heavy libraries."""
    loaded = loaded_by("import pipeline.surfaces.cli.main")
    assert ({"click"}, set()) == (
        {"click"} & loaded,
        {"openai", "apscheduler", "structlog", "detect_secrets", "rich"} & loaded,
    )


@pytest.mark.parametrize("command", ["run", "search", "show", "show lines", "agents wake", "agents know", "store exec"])
def test_what_only_watches_or_asks_stays_small(command: str) -> None:
    """The process that watches a run, and a command that a service answers, load no library that checks values."""
    loaded = loaded_by(f"import pipeline.surfaces.cli.main, {PLACE}.{COMMANDS[command].module}")
    assert {"pydantic", "pipeline.engine.context", "pipeline.app.engine"} & loaded == set()


def test_a_search_loads_what_jobs_declare_and_none_of_their_work() -> None:
    """What files there are is told by the targets alone; reading a session or telling a day takes long to load."""
    loaded = loaded_by("import pipeline.app.index; pipeline.app.index.discover()")
    assert ({"jobs.micro_sync"}, set()) == (
        {"jobs.micro_sync"} & loaded,
        {"jobs.extraction", "jobs.resolution", "jobs.wrapup", "pipeline.entries.voice.phrases", "sqlite3"} & loaded,
    )


def test_the_single_machine_loads_nothing_of_a_fleet() -> None:
    """Neither its code nor its libraries, which need not be installed: not even to show the help of its commands."""
    loaded = loaded_by(f"import pipeline.app.runs, pipeline.surfaces.cli.main, {PLACE}.fleet, {PLACE}.serve")
    assert set() == {"psycopg", "psycopg_pool", "procrastinate", "pipeline.fleet"} & loaded


def test_a_command_looks_for_no_garbage(afternoon: Path) -> None:
    """Most of its objects are the modules that it loads, and these stay."""
    code = (
        "import gc, sys; from pipeline.surfaces.cli.main import main\n"
        "looks, sys.argv[0] = [], 'memory'\n"
        "gc.callbacks.append(lambda phase, _: looks.append(phase))\n"
        "try: main()\n"
        "except SystemExit as end: print(end.code, looks)"
    )
    command = [sys.executable, "-c", code, "search", "invoice", "--json", "--workspace", str(afternoon)]
    assert "0 []" == run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
