"""Commands are imported only when they are called."""

from collections.abc import Callable

import click

from pipeline.surfaces.cli.main import ENTRANCES, cli
from tests.support.processes.command_line import Said
from tests.support.tables import table


@table("name", ENTRANCES)
def test_help_shown_without_the_module_is_the_commands_own(name: str) -> None:
    """The one-line help in the group is the first line of the command's own."""
    command = cli.get_command(click.Context(cli), name)
    assert (command.help or "").partition("\n")[0] == ENTRANCES[name].help
    assert command.name == name


@table("name", ENTRANCES)
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


@table("name", [name for name in ENTRANCES if name not in {"init", "demo"}])
def test_every_command_takes_a_workspace(name: str) -> None:
    """`--workspace` works on every command that is about a workspace."""
    command = cli.get_command(click.Context(cli), name)
    commands = list(command.commands.values()) if isinstance(command, click.Group) else [command]
    assert all("workspace" in {option.name for option in subcommand.params} for subcommand in commands)


def test_an_unknown_command_is_wrong_use(call: Callable[..., Said]) -> None:
    """A command that does not exist exits with 2 and a sentence, and close names are offered."""
    said = call("entires")
    assert said.code == 2
    assert "No such command 'entires'. Did you mean 'entries'?" in said.err


def test_version(call: Callable[..., Said]) -> None:
    """`memory --version` prints the version and ends well."""
    said = call("--version")
    assert (said.code, said.out.split()[0]) == (0, "memory")
