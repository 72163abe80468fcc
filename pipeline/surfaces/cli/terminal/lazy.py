"""A group of commands that imports a command's module only when that command is called."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True)
class Entrance:
    """Where a command is: its module, which has it under the name `command`, and its help in one line."""

    module: str
    help: str


class LazyGroup(click.Group):
    """A group that knows its commands by `Entrance`, and makes its help from those alone."""

    def __init__(self, entrances: Mapping[str, Entrance], **fields: Any) -> None:  # noqa: ANN401 - passed on to click
        super().__init__(**fields)
        self._entrances = entrances

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which they are listed, which is the order in which one meets them."""
        del ctx
        return list(self._entrances)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import a command.

        Raises:
            UsageError: there is none of this name.
        """
        if cmd_name not in self._entrances:
            from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

            close = get_close_matches(cmd_name, self._entrances, n=1)
            message = f"No such command {cmd_name!r}." + (f" Did you mean {close[0]!r}?" if close else "")
            raise click.UsageError(message, ctx)
        command: click.Command = importlib.import_module(self._entrances[cmd_name].module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entrance.help) for name, entrance in self._entrances.items()])
