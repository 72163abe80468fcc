"""`memory init`."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from pipeline.app.engine import usual_places
from pipeline.app.first_look import Proposal, proposals
from pipeline.app.index import embedder_offer
from pipeline.app.new_workspace import NewSettings, make_workspace
from pipeline.clock import SystemClock
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.tables import source_tables
from pipeline.settings.workspaces import register
from pipeline.surfaces.cli.first_questions import at_terminal, choose_model, choose_sources, read_now, size_of_store
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import print_columns
from pipeline.surfaces.cli.terminal.machine import zone_of
from schemas.settings import SourceSettings

_NEXT = (
    ("memory config check", "says whether memory.toml is right"),
    ("memory transcripts", "lists what is read"),
    ("memory backfill --all", "reads all of it: it says first what that takes, and asks"),
    ("memory install --systemd", "does what is due from then on by itself; --timers does without a service"),
    ("memory open", "shows it in the browser, where [service] http in memory.toml names an address"),
)


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False)
@options.workspace
def command(folder: str | None, workspace: str | None) -> None:
    """Make a workspace, and propose what to read.

    It is made in DIR; without DIR in the folder that --workspace or MEMORY_WORKSPACE names, else in this one. An
    existing workspace is left as it is. The folders of the agents are listed for a moment, and not read.

    At a terminal it asks which of the transcripts may be read, which model may answer, and whether to read now. Else
    the transcripts stand in memory.toml behind a #, and nothing is read.
    """
    root = Path(os.path.realpath(Path(folder or workspace or os.environ.get("MEMORY_WORKSPACE") or ".").expanduser()))
    proposed = [] if (root / SETTINGS_FILE).is_file() else proposals(Path.home(), os.environ)
    chosen = choose_sources(proposed) if proposed and at_terminal() else []
    others = [proposal for proposal in proposed if proposal not in chosen]
    settings = NewSettings(
        zone_of(os.environ),
        SystemClock().now(),
        sources=[proposal.source for proposal in chosen],
        proposed=[proposal.source for proposal in others],
    )
    if not make_workspace(root, settings.text):
        click.echo(f"{root} is a workspace already; nothing was changed.")
        return
    register(root, os.environ)
    click.echo(f"Made a workspace in {root}.\n")
    if chosen:
        choose_model(root, [proposal.source.kind for proposal in chosen if not proposal.source.holds_notes])
        read_now(root)
        return
    _print_proposals(root / SETTINGS_FILE, proposed) if proposed else _print_places(root / SETTINGS_FILE)
    _print_next_steps(root)


def _print_proposals(file: Path, proposed: Sequence[Proposal]) -> None:
    click.echo("Transcripts, or notes of agents, were found on this machine. Their tables stand at the end of")
    click.echo(f"{file}, as far as a short file takes them; take the # away to have them read:")
    for proposal in proposed:
        click.echo(f"\n# {size_of_store(proposal)}\n{source_tables([proposal.source])}", nl=False)


def _print_places(file: Path) -> None:
    click.echo("No transcripts were found. They were looked for in:")
    print_columns(
        [(kind, str(place)) for kind, places in usual_places(Path.home(), os.environ).items() for place in places],
        ("KIND", "FOLDER"),
    )
    click.echo(f"\nIf yours are elsewhere, write a table such as this at the end of {file}:\n")
    click.echo(source_tables([SourceSettings(kind="openclaw", path="/where/they/are")]), nl=False)


def _print_next_steps(root: Path) -> None:
    click.echo(f"\nThen, in {shlex.quote(str(root))}:")
    for words, purpose in _NEXT:
        click.echo(f"  {words:<26} {purpose}")
    if offer := embedder_offer():
        click.echo(
            f"\nSearch compares words alone. So it compares meaning too (91 MB; nothing leaves the machine):\n  {offer}"
        )
