"""The console script `memory`."""

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import click

from pipeline.surfaces.cli.terminal.error_handler import run_guarded, version
from pipeline.surfaces.cli.terminal.streams import set_up


@dataclass(frozen=True)
class Entrance:
    """The place of a command: its module, the help in one line, and the name of the command there."""

    module: str
    help: str
    name: str = "command"


class LazyGroup(click.Group):
    """A group that knows its commands by `Entrance`, and makes its help from those alone."""

    def __init__(self, entrances: Mapping[str, Entrance], **fields: Any) -> None:  # noqa: ANN401 - passed on to click
        super().__init__(**fields)
        self._entrances = entrances

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of commands in the order in which a person meets them."""
        del ctx
        return list(self._entrances)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import a command.

        Raises:
            UsageError: there is none of this name.
        """
        if cmd_name not in self._entrances:
            from difflib import get_close_matches

            close = get_close_matches(cmd_name, self._entrances, n=1)
            message = f"No such command {cmd_name!r}." + (f" Did you mean {close[0]!r}?" if close else "")
            raise click.UsageError(message, ctx)
        entrance = self._entrances[cmd_name]
        command: click.Command = getattr(importlib.import_module(entrance.module), entrance.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entrance.help) for name, entrance in self._entrances.items()])


_HERE = "pipeline.surfaces.cli.commands"

ENTRANCES = {
    "init": Entrance(f"{_HERE}.init", "Make a workspace, and propose the transcripts on this machine."),
    "demo": Entrance(f"{_HERE}.demo", "Show what the product does, on sample sessions."),
    "jobs": Entrance(f"{_HERE}.jobs", "List the jobs: when they run, what they read and write."),
    "serve": Entrance(f"{_HERE}.serve", "Be the service: run jobs at their times, keep the index fresh, answer."),
    "open": Entrance(f"{_HERE}.open", "Open the page of this workspace in the browser, signed in."),
    "token": Entrance(f"{_HERE}.token", "Give persons and agents a token to call the service over HTTP."),
    "install": Entrance(f"{_HERE}.install", "Install the service for this workspace under systemd."),
    "run": Entrance(f"{_HERE}.run", "Run what is due."),
    "reflect": Entrance(f"{_HERE}.run", "Run what is due of the jobs of facts.", "reflect_command"),
    "backfill": Entrance(f"{_HERE}.backfill", "Run jobs over past days."),
    "status": Entrance(f"{_HERE}.status", "Show what is done, what is due and what needs a person."),
    "runs": Entrance(f"{_HERE}.runs", "List past runs, or show one."),
    "cost": Entrance(f"{_HERE}.cost", "Show what the model cost, and what is due would cost."),
    "undo": Entrance(f"{_HERE}.undo", "Take back what a run wrote."),
    "search": Entrance(f"{_HERE}.search", "Find what is remembered, with where it stands."),
    "recall": Entrance(f"{_HERE}.recall", "Tell what is known: facts and decisions that hold."),
    "get": Entrance(f"{_HERE}.search", "Show lines that a search names, or an entry by its id.", "get_command"),
    "check": Entrance(f"{_HERE}.check", "Check that searching finds and cites what is remembered."),
    "reindex": Entrance(f"{_HERE}.reindex", "Bring the index up to date."),
    "model": Entrance(f"{_HERE}.model", "List the models that can answer on this machine."),
    "agents": Entrance(f"{_HERE}.agents", "List the agents with a memory of their own."),
    "wake": Entrance(f"{_HERE}.wake", "Print what AGENT gets first, or what any agent does."),
    "know": Entrance(f"{_HERE}.wake", "List what AGENT knows, with whose word it rests on.", "know_command"),
    "remember": Entrance(f"{_HERE}.remember", "Write TEXT into the memory of an agent."),
    "pin": Entrance(f"{_HERE}.remember", "Put LINE first in its section of what an agent always knows.", "pin_command"),
    "unpin": Entrance(
        f"{_HERE}.remember", "Let the pinned LINE of an agent be a line like the others.", "unpin_command"
    ),
    "exec": Entrance(f"{_HERE}.exec", "Run COMMAND, and print a large output as a placeholder."),
    "store": Entrance(f"{_HERE}.store", "Store a large text, list what is stored, or show a part of it."),
    "mcp": Entrance(f"{_HERE}.mcp", "Serve the memory to an agent, as tools over stdio."),
    "integrate": Entrance(
        f"{_HERE}.integrate", "Connect an agent with the memory, or print what to put into its configuration."
    ),
    "entries": Entrance(f"{_HERE}.entries", "List what is remembered, by day."),
    "entities": Entrance(f"{_HERE}.entities", "List the entities that facts name, or show the one called NAME."),
    "suggestions": Entrance(
        f"{_HERE}.suggestions", "List what waits for a person, the best first, or decide about it."
    ),
    "review": Entrance(f"{_HERE}.review", "List what today's reading would not write."),
    "explain": Entrance(f"{_HERE}.explain", "Tell the story of one entry, or of one fact."),
    "adopt": Entrance(f"{_HERE}.adopt", "Make room in MEMORY.md: move text of yours to the archive."),
    "correct": Entrance(f"{_HERE}.correct", "Give an entry other words, which hold everywhere."),
    "unlink": Entrance(f"{_HERE}.correct", "Take the link between two entries apart, for good.", "unlink_command"),
    "forget": Entrance(
        f"{_HERE}.forget", "Remove an entry, a fact, or a line of an agent's memory, everywhere, for good."
    ),
    "forget-about": Entrance(f"{_HERE}.forget", "Remove all that names TOPIC, for good.", "forget_about_command"),
    "transcripts": Entrance(f"{_HERE}.transcripts", "List the sessions, or show one."),
    "config": Entrance(f"{_HERE}.config", "Show or check the settings."),
    "doctor": Entrance(f"{_HERE}.doctor", "Look for what is wrong, and say what to do."),
    "workspaces": Entrance(f"{_HERE}.workspaces", "List your workspaces, or change the list."),
}


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click calls it so
    if wanted:
        click.echo(f"memory {version()}")
        ctx.exit()


cli = LazyGroup(
    ENTRANCES,
    name="memory",
    help="Turns the chat transcripts of AI agents into memory people can read, edit and trust.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Show the version and exit.",
        )
    ],
)


def main() -> None:
    """Run the command line and exit."""
    set_up()
    # Colours are for the streams to take out, and escapes of others to show: click is to let all through.
    sys.exit(run_guarded(lambda: cast("int | None", cli.main(prog_name="memory", standalone_mode=False, color=True))))


if __name__ == "__main__":
    main()
