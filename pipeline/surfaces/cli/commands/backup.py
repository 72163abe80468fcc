"""`memory backup`."""

from pathlib import Path
from typing import Any

import click

from pipeline.app.backups import MadeBackup, generations_in, make_backup
from pipeline.backup.key import key_file
from pipeline.backup.make import KEPT, BackupWishes
from pipeline.backup.manifest import Generations
from pipeline.backup.note import read_note
from pipeline.errors.service import NoPersonThere
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.settings.locate import given_folder
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import FAILED, print_message, version
from pipeline.surfaces.cli.terminal.format import count, local, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents, tell
from pipeline.workspace.files import Workspace

_MEGABYTE = 1_000_000
_WORDS = (
    "The key that signs your back-ups was made in {path}.\n"
    "These twelve words stand for it. Write them down on paper: without them, another machine cannot tell\n"
    "your back-up from a forged one.\n\n  {words}\n\n"
)


@click.command("backup")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--list", "listing", is_flag=True, help="List the generations in DIR, and make none.")
@click.option("--words", is_flag=True, help="Show the words of the key again, at the terminal alone.")
@click.option(
    "--keep",
    "kept",
    type=click.IntRange(min=1),
    default=KEPT,
    show_default=True,
    metavar="NUMBER",
    help="How many generations to keep.",
)
@click.option(
    "--every",
    type=click.IntRange(min=0),
    default=0,
    metavar="DAYS",
    help="In how many days the next one follows: `memory doctor` warns when it does not.",
)
@click.option("--verify", is_flag=True, help="Read all pieces in DIR, also those of earlier generations.")
@options.as_json
@options.workspace
def command(
    folder: str | None,
    workspace: str | None,
    *,
    listing: bool,
    words: bool,
    as_json: bool,
    **wishes: Any,  # noqa: ANN401 - what `BackupWishes` declares
) -> int:
    """Back up all that trust rests on, into a folder.

    DIR gets a new generation: the entries and all pages, the agents' memory, the ledger, the store, kept messages and
    the settings, as they are at one moment. The service and jobs may go on. What has not changed is stored once, and
    what was written is read again. Kill it at any time: the generations before stay good, and the next call goes on.

    A key in the home folder signs each generation. At the first one, the terminal shows twelve words that stand for the
    key. `memory restore` on another machine asks for them. DIR is as secret as the workspace. An agent may only go on
    with a back-up that you began, and not lower --keep.

    With --json: the `generation`, its `files` and `size` in bytes, how many `pieces` and bytes were `written`, the
    `generations` that are kept, what is `unreadable`, which ends with exit code 1, and whether the store is a server's
    (`store_elsewhere`), which is not in it. With --list: a generation on each line.
    """
    if words:
        _show_words()
        return 0
    if not folder:
        message = "Say where the back-up goes: memory backup DIR."
        raise click.UsageError(message)
    place = given_folder(folder)
    if listing:
        return _list(place, as_json=as_json)
    root = root_of(workspace)
    if not _is_begun(root, place, wishes["kept"]):
        refuse_agents()
    made = make_backup(root, place, ProcessContext(environment()), version(), BackupWishes(**wishes))
    if made.new:
        _introduce_key(made)
    if as_json:
        print_json(made.report)
    else:
        _print_report(made, load_settings(root, environment()).timezone, verified=wishes["verify"])
    for path in made.report.unreadable:
        print_message(f"not in the back-up: {path}")
    return FAILED if made.report.unreadable or made.report.incomplete else 0


def _is_begun(root: Path, place: Path, kept: int) -> bool:
    """Whether the workspace has a back-up in a folder, and no more than the oldest of all its generations would go."""
    known = {backup.folder for backup in read_note(Workspace(root)).backups.values()}
    return str(place) in known and kept >= max(KEPT, len(Generations(place).numbers))


def _show_words() -> None:
    key = key_file(environment()).read()
    if key is None:
        message = "There is no key yet: the first `memory backup DIR` makes it."
        raise click.ClickException(message)
    tell(f"{key.words}\n")


def _introduce_key(made: MadeBackup) -> None:
    """Show the words once, where only a person sees them."""
    path = key_file(environment()).path
    try:
        tell(_WORDS.format(path=path, words=made.key.words))
    except NoPersonThere:
        print_message(f"the key that signs your back-ups was made in {path}.")
        print_message("`memory backup --words` in a terminal of your own shows twelve words to write down.")


def _print_report(made: MadeBackup, zone: str, *, verified: bool) -> None:
    report = made.report
    size = f"{count(report.files, 'file')}, {report.size / _MEGABYTE:,.1f} MB"
    if report.changed:
        click.echo(f"Made generation {report.generation} in {printable(report.folder)}: {size}.")
        click.echo(
            f"New in it: {count(report.pieces, 'piece')}, {report.written / _MEGABYTE:,.1f} MB. All were read again."
        )
    else:
        click.echo(f"Nothing has changed since generation {report.generation} of {local(report.made, zone)}: {size}.")
    if report.damaged:
        click.echo(f"{count(report.damaged, 'piece')} in the folder could not be used, and went.")
    elif verified:
        click.echo("All pieces in the folder were read, and are as they were written.")
    if report.incomplete:
        numbers = ", ".join(map(str, report.incomplete))
        print_message(f"these generations lack pieces, and cannot be restored: {numbers}.")
    click.echo(f"Generations that are kept: {', '.join(map(str, report.generations))}.")
    if report.store_elsewhere:
        click.echo(
            "The store is on a PostgreSQL server, and not in it: save that with pg_dump, or with `memory store export`."
        )


def _list(place: Path, *, as_json: bool) -> int:
    generations = generations_in(place, environment())
    if as_json:
        for generation in generations:
            print_json(generation)
        return 0
    rows = [
        (
            str(generation.generation),
            f"{generation.made:%Y-%m-%d %H:%M} UTC",
            printable(generation.host),
            str(generation.files),
            f"{generation.size / _MEGABYTE:,.1f} MB",
            "whole" if generation.whole else "lacks pieces",
        )
        for generation in generations
    ]
    print_columns(rows, ("GENERATION", "MADE", "HOST", "FILES", "SIZE", "STATE"))
    if not all(generation.signed for generation in generations):
        click.echo("Nobody has checked who wrote them: the key that signed them is not in this home.")
    return 0
