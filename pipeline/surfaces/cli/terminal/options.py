"""The options that commands share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from pipeline.surfaces.cli.terminal.environment import working_folder

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])


def names_of(things: str) -> Callable[[click.Context, click.Parameter, str], Any]:
    """The completion of a parameter in a shell: names of `jobs`, `agents`, `sources` or `entries`."""

    def complete(ctx: click.Context, _: click.Parameter, beginning: str) -> Any:  # noqa: ANN401 - items of click
        from pipeline.surfaces.cli.terminal.names import offer_names

        workspace = ctx.params.get("workspace") or ctx.find_root().params.get("workspace")
        return offer_names(things, workspace, beginning)

    return complete


class SpelledName(click.Choice[str]):
    """A choice of names, in which a dash and an underscore are the same; a name that is close to another offers it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - as click has it
        """The name as it is spelled here."""
        from difflib import get_close_matches

        alike = {str(name).replace("_", "-"): str(name) for name in self.choices}
        given = str(value).replace("_", "-").lower()
        if given in alike:
            return alike[given]
        close = get_close_matches(given, alike, n=1)
        meant = f" Did you mean {alike[close[0]]!r}?" if close else ""
        return self.fail(f"There is no {value!r}.{meant} Known are {', '.join(alike.values())}.", param, ctx)


def _project(_: click.Context, __: click.Parameter, value: str) -> str:
    """The name of a project, or the folder of it from the root on."""
    is_relative = value in {".", ".."} or value.startswith(("./", "../"))
    return os.path.normpath(f"{working_folder().rstrip(os.sep)}/{value}") if is_relative else value


workspace = click.option(
    "--workspace",
    metavar="DIR",
    help="The workspace, by its folder or its name; else MEMORY_WORKSPACE, else the nearest folder upward that has "
    "a memory.toml, else the default.",
)
project = click.option(
    "--project",
    default="",
    metavar="NAME",
    callback=_project,
    help="Only what was said in this project: its name, the end of it, or a folder such as `.`.",
)
project_there = click.option(
    "--project",
    default="",
    metavar="NAME",
    callback=_project,
    help="The project, by its name or a folder; else that of the folder in which you are.",
)
"""Of a command that shows things of a project."""
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON objects, one on each line.")
wide = click.option("--wide", is_flag=True, help="Show all of each line, with whole ids; a long line is not cut.")


def running(command: AnyCommand) -> AnyCommand:
    """The common options of `run` and `backfill`."""
    for option in (
        click.option("--take-over", is_flag=True, help="Make this host the one that runs the workspace."),
        click.option("--allow-shrink", is_flag=True, help="Go on although many entries are gone or would be lost."),
        click.option(
            "--wait",
            type=click.FloatRange(min=0),
            default=0,
            metavar="SECONDS",
            help="How long to wait for another run to end.",
        ),
        click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing."),
    ):
        command = option(command)
    return as_json(workspace(command))
