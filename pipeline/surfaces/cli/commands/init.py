"""`memory init`."""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import click

from pipeline.app.engine import usual_places
from pipeline.app.first_look import Proposal, proposals
from pipeline.app.index import embedder_offer
from pipeline.clock import SystemClock
from pipeline.errors import WriteFailed
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.settings.tables import source_tables, toml_text
from pipeline.surfaces.cli.first_questions import at_terminal, choose_model, choose_sources, read_now, size_of_store
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.format import print_columns
from pipeline.surfaces.cli.terminal.machine import sample_settings, zone_of
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.regular_files import make_folder, open_regular, write_regular
from schemas.settings import SourceSettings

_OWN_LINES = re.compile(r"((?:^# .*\n)+)^#(timezone|start) = .*\n\n", re.MULTILINE)  # each with what explains it
_NEXT = (
    ("memory config check", "says whether memory.toml is right"),
    ("memory transcripts", "lists what is read"),
    ("memory backfill --all", "reads all of it: it says first what that takes, and asks"),
    ("memory install --systemd", "does what is due from then on by itself; --timers does without a service"),
    ("memory open", "shows it in the browser, where [service] http in memory.toml names an address"),
)
_CHOSEN = "\n\n# Read, as you said to `memory init`:\n"
_PROPOSALS = "\n\n# Found on this machine by `memory init`; take the # away where this workspace should read:\n"


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False)
@options.workspace
def command(folder: str | None, workspace: str | None) -> None:
    """Make a workspace, and propose the transcripts on this machine.

    It is made in DIR; without DIR in the folder that --workspace or MEMORY_WORKSPACE names, else in this one. An
    existing workspace is left as it is. The folders of the agents are listed for a moment, and not read.

    At a terminal it asks which of the transcripts may be read, which model may answer, and whether to read now. Else
    the transcripts stand in memory.toml behind a #, and nothing is read.
    """
    root = Path(os.path.realpath(Path(folder or workspace or os.environ.get("MEMORY_WORKSPACE") or ".").expanduser()))
    proposed = [] if (root / SETTINGS_FILE).is_file() else proposals(Path.home(), os.environ)
    chosen = choose_sources(proposed) if proposed and at_terminal() else []
    others = [proposal for proposal in proposed if proposal not in chosen]
    text = settings_text(
        os.environ, SystemClock().now(), *([proposal.source for proposal in some] for some in (others, chosen))
    )
    if not make_workspace(root, text):
        click.echo(f"{root} is a workspace already; nothing was changed.")
        return
    click.echo(f"Made a workspace in {root}.\n")
    if chosen:
        choose_model(root, [proposal.source.kind for proposal in chosen if not proposal.source.holds_notes])
        read_now(root)
        return
    _print_proposals(root / SETTINGS_FILE, proposed) if proposed else _print_places(root / SETTINGS_FILE)
    _print_next_steps(root)


def make_workspace(root: Path, settings: str) -> bool:
    """Make the folder, for us alone, and its settings file; `False`, and nothing changed, when there is one.

    A folder that is there keeps its mode.
    """
    try:
        if not root.is_dir():
            make_folder(root.parent)
            root.mkdir(0o700)
        make_folder(root / "memory")
        # It may come to hold keys. With O_EXCL, whatever stands there is left alone.
        descriptor = open_regular(root / SETTINGS_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(settings)
        # What is derived is for us alone and out of git: a scheduler may want to log into it.
        (root / STATE_FOLDER).mkdir(mode=0o700, exist_ok=True)
        write_regular(root / STATE_FOLDER / ".gitignore", b"*\n")
    except FileExistsError as error:
        if (root / SETTINGS_FILE).is_file():
            return False
        raise WriteFailed(str(error.filename), "it is in the way") from error
    except OSError as error:
        raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error
    return True


def settings_text(
    environment: Mapping[str, str],
    now: datetime,
    proposed: Sequence[SourceSettings],
    chosen: Sequence[SourceSettings] = (),
) -> str:
    """The settings of a new workspace: the sample, with this machine's zone and the present moment in force.

    What was `chosen` is read, and what is only `proposed` stands behind a `#`.
    """
    values = {"timezone": toml_text(zone_of(environment)), "start": start_text(now)}
    sample = sample_settings()
    own_lines = _OWN_LINES.findall(sample)[: len(values)]
    head = "".join(f"{name} = {values[name]}\n{explained}\n" for explained, name in own_lines)
    comments = "".join(f"#{line}\n" for line in source_tables(proposed).splitlines())
    parts = (_CHOSEN + source_tables(chosen) if chosen else "", _PROPOSALS + comments if proposed else "")
    return head + _OWN_LINES.sub("", sample, count=len(values)) + "".join(parts)


def start_text(now: datetime) -> str:
    """A moment as `start` has it."""
    return now.isoformat(timespec="seconds").replace("+00:00", "Z")


def _print_proposals(file: Path, proposed: Sequence[Proposal]) -> None:
    click.echo("Transcripts, or notes of agents, were found on this machine. Their tables stand at the end of")
    click.echo(f"{file}, each line behind a #; take the # away where this workspace should read:")
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
