"""The console script `memory`."""

import gc
import importlib
import sys
from typing import TYPE_CHECKING, Any, cast

import click

from pipeline.surfaces.cli.terminal.error_handler import run_guarded, version
from pipeline.surfaces.cli.terminal.streams import set_up
from pipeline.surfaces.cli.tree import COMMANDS, SECTIONS, closest_name, find_command, words_below

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Resolved = tuple[str | None, click.Command | None, list[str]]
"""A command with its name, and the words that are left for it."""

_YOUNG = 100_000
"""New objects after which a command looks for garbage among them."""


def _import_command(name: str) -> click.Command:
    entrance = COMMANDS[name]
    module = importlib.import_module(f"pipeline.surfaces.cli.commands.{entrance.module}")
    command: click.Command = getattr(module, entrance.name)
    return command


class CommandGroup(click.Group):
    """The commands whose names begin with that of the group; its help is made without importing them.

    The command line calls a command by its whole name, so that nothing above it is imported. A group below it is there
    for its help, and to say which words may follow.

    Args:
        path: the name of the group; empty for the command line itself.
        own: what the group does when no word of its commands follows; its options and its help are the group's.
    """

    def __init__(self, path: str, own: click.Command | None = None, **fields: Any) -> None:  # noqa: ANN401 - passed on to click
        super().__init__(path.rpartition(" ")[2] or "memory", **fields)
        self._path = path
        self._own = own

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The words of the commands, in the order in which a person meets them."""
        del ctx
        return words_below(self._path)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, or make the group of this name."""
        del ctx
        name = f"{self._path} {cmd_name}".strip()
        if name not in COMMANDS:
            return None
        return _make_group(name) if words_below(name) else _import_command(name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Resolved:
        """The command that words call by its name, new or old, and the words that are left for it.

        Raises:
            UsageError: they call none.
        """
        name, left = find_command([*self._path.split(), *args])
        if name == self._path and ctx.resilient_parsing:  # nothing is called, so nothing is wrong
            return None, None, args
        if name == self._path:
            close = closest_name(args[0], self._path)
            message = f"No such command {args[0]!r}." + (f" Did you mean {close!r}?" if close else "")
            raise click.UsageError(message, ctx)
        command = _make_group(name) if _is_about_group(ctx, name, left) else _import_command(name)
        if (workspace := ctx.params.get("workspace")) and not isinstance(command, click.Group):
            left = [f"--workspace={workspace}", *left]
        return name.removeprefix(self._path).strip(), command, left

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """The words that may follow without importing their commands, and what completes the group's own argument."""
        from click.shell_completion import CompletionItem

        words = [
            CompletionItem(word, help=COMMANDS[f"{self._path} {word}".strip()].help)
            for word in self.list_commands(ctx)
            if word.startswith(incomplete)
        ]
        arguments = (param for param in self._own.params if isinstance(param, click.Argument)) if self._own else ()
        own = [item for argument in arguments for item in argument.shell_complete(ctx, incomplete)]
        return words + own + click.Command.shell_complete(self, ctx, incomplete)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how the group itself is called, then how its commands are."""
        if not self._own:
            super().format_usage(ctx, formatter)
            return
        self._own.format_usage(ctx, formatter)
        formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...", prefix="   or: ")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them; those of the command line below their headings."""
        if self._path:
            with formatter.section("Commands"):
                formatter.write_dl([(word, COMMANDS[f"{self._path} {word}"].help) for word in self.list_commands(ctx)])
            return
        wide, wider = max(map(len, SECTIONS)), max(map(len, self.list_commands(ctx)))
        for heading, names in SECTIONS.items():
            formatter.write_paragraph()
            there = [name for name in names if name in COMMANDS]
            heads = [heading, *[""] * len(there)]
            rows = [
                (f"{head:<{wide}}  {name:<{wider}}", COMMANDS[name].help)
                for head, name in zip(heads, there, strict=False)
            ]
            with formatter.indentation():
                formatter.write_dl(rows)


def _make_group(name: str) -> CommandGroup:
    own = _import_command(name) if COMMANDS[name].module else None
    if own is None:
        return CommandGroup(name, help=COMMANDS[name].help)
    options = [param for param in own.params if isinstance(param, click.Option)]
    return CommandGroup(name, own, help=own.help, params=options, no_args_is_help=own.no_args_is_help)


def _is_about_group(ctx: click.Context, name: str, left: list[str]) -> bool:
    """Whether a group is to say which commands it has, and not to do what it does itself."""
    if not words_below(name):
        return False
    if left:
        return left[0] in ctx.help_option_names or not COMMANDS[name].module
    return ctx.resilient_parsing or not COMMANDS[name].module or _import_command(name).no_args_is_help


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click calls it so
    if wanted:
        click.echo(f"memory {version()}")
        ctx.exit()


cli = CommandGroup(
    "",
    help="Turns the chat transcripts of AI agents into memory people can trust.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    params=[
        click.Option(["--workspace"], metavar="DIR", help="The workspace; it may also stand behind the command."),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Show the version and exit.",
        ),
    ],
)


def main() -> None:
    """Run the command line and exit."""
    # What a command loads, and what a run reads, stays until it ends, and has no cycles: to search it for garbage again
    # and again takes long.
    gc.set_threshold(_YOUNG)
    set_up()
    # Colours are for the streams to take out, and escapes of others to show: click is to let all through.
    sys.exit(run_guarded(lambda: cast("int | None", cli.main(prog_name="memory", standalone_mode=False, color=True))))


if __name__ == "__main__":
    main()
