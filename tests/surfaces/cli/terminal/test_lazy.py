"""Commands are imported only when they are called."""

import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import click
import pytest

from pipeline.surfaces.cli.main import ENTRANCES, cli
from tests.support.processes.command_line import CommandLine, Said

HEAVY = ("openai", "structlog", "detect_secrets", "sqlite3", "portalocker", "apscheduler")


def imported(*words: str, cwd: Path) -> set[str]:
    """The modules that a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "pipeline.surfaces.cli.main", *words]
    done = run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    output = done.stderr
    return {line.rpartition("|")[2].strip() for line in output.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize("name", ENTRANCES)
def test_help_shown_without_the_module_is_the_commands_own(name: str) -> None:
    """The one-line help in the group is the first line of the command's own."""
    command = cli.get_command(click.Context(cli), name)
    assert (command.help or "").partition("\n")[0] == ENTRANCES[name].help
    assert command.name == name


@pytest.mark.parametrize("name", ENTRANCES)
def test_every_command_and_option_has_help(name: str) -> None:
    """Every command, subcommand and option says what it is for."""
    command = cli.get_command(click.Context(cli), name)
    commands = [command, *(command.commands.values() if isinstance(command, click.Group) else [])]
    mute = [
        (subcommand.name, option.name)
        for subcommand in commands
        for option in subcommand.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert mute == []
    assert all(subcommand.help for subcommand in commands)


@pytest.mark.parametrize("name", [name for name in ENTRANCES if name not in {"init", "demo"}])
def test_every_command_takes_a_workspace(name: str) -> None:
    """`--workspace` works on every command that is about a workspace."""
    command = cli.get_command(click.Context(cli), name)
    commands = list(command.commands.values()) if isinstance(command, click.Group) else [command]
    assert all("workspace" in {option.name for option in subcommand.params} for subcommand in commands)


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


def test_an_unknown_command_is_wrong_use(call: Callable[..., Said]) -> None:
    """A command that does not exist exits with 2 and a sentence, and close names are offered."""
    said = call("entires")
    assert said.code == 2
    assert "No such command 'entires'. Did you mean 'entries'?" in said.err


def test_version(memory: CommandLine) -> None:
    """`memory --version` prints the version and ends well."""
    said = memory("--version")
    assert (said.code, said.out.split()[0]) == (0, "memory")
