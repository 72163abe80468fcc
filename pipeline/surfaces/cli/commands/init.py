"""`memory init`."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import click

from pipeline.app.engine import propose_sources
from pipeline.clock import SystemClock
from pipeline.errors import WriteFailed
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.machine import sample_settings, zone_of
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.regular_files import make_folder, open_regular, write_regular
from schemas.settings import SourceSettings

_OWN_LINES = re.compile(r"((?:^# .*\n)+)^#(timezone|start) = .*\n\n", re.MULTILINE)  # each with what explains it
_PROPOSALS = "\n\n# Found on this machine by `memory init`; take the # away where this workspace should read:\n"


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False)
@options.workspace
def command(folder: str | None, workspace: str | None) -> None:
    """Make a workspace.

    It is made in DIR; without DIR in the folder that --workspace or MEMORY_WORKSPACE names, else in this one. An
    existing workspace is left as it is.
    """
    root = Path(os.path.realpath(Path(folder or workspace or os.environ.get("MEMORY_WORKSPACE") or ".").expanduser()))
    sources = propose_sources(Path.home(), os.environ)
    if make_workspace(root, settings_text(os.environ, SystemClock().now(), sources)):
        click.echo(f"Made a workspace in {root}.")
        _print_next_steps(root, sources)
    else:
        click.echo(f"{root} is a workspace already; nothing was changed.")


def make_workspace(root: Path, settings: str) -> bool:
    """Make the folder, for us alone, and its settings file; `False`, and nothing changed, when there is one.

    A folder that is there keeps its mode.

    Raises:
        WriteFailed: the system refuses.
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
        _make_state_folder(root / STATE_FOLDER)
    except FileExistsError as error:
        if (root / SETTINGS_FILE).is_file():
            return False
        raise WriteFailed(str(error.filename), "it is in the way") from error
    except OSError as error:
        raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error
    return True


def _make_state_folder(folder: Path) -> None:
    """Make the folder of what is derived, for us alone and out of git: a scheduler may want to log into it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    write_regular(folder / ".gitignore", b"*\n")


def settings_text(environment: Mapping[str, str], now: datetime, sources: Sequence[SourceSettings]) -> str:
    """The settings of a new workspace: the sample, with this machine's zone and the present moment in force."""
    values = {"timezone": _quoted(zone_of(environment)), "start": start_text(now)}
    sample = sample_settings()
    own_lines = _OWN_LINES.findall(sample)[: len(values)]
    head = "".join(f"{name} = {values[name]}\n{explained}\n" for explained, name in own_lines)
    proposals = _PROPOSALS + "".join(f"#{line}\n" for line in source_tables(sources).splitlines()) if sources else ""
    return head + _OWN_LINES.sub("", sample, count=len(values)) + proposals


def start_text(now: datetime) -> str:
    """A moment as `start` has it."""
    return now.isoformat(timespec="seconds").replace("+00:00", "Z")


def source_tables(sources: Sequence[SourceSettings]) -> str:
    """TOML tables for sources."""
    tables = []
    for source in sources:
        name = f"name = {_quoted(source.name)}\n" if source.name not in {"", source.kind} else ""
        tables.append(f"[[sources]]\nkind = {_quoted(source.kind)}\npath = {_quoted(source.path)}\n{name}")
    return "".join(tables)


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string, but for the characters that JSON may leave as they are and TOML may not.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _print_next_steps(root: Path, sources: Sequence[SourceSettings]) -> None:
    file = root / SETTINGS_FILE
    if sources:
        click.echo("\nTranscripts were found on this machine. Their tables stand at the end of")
        click.echo(f"{file}, each line behind a #; take the # away where this workspace should read:\n")
        click.echo(source_tables(sources))
    else:
        click.echo(f"\nNo transcripts were found in the usual places. Name their folder with [[sources]] in {file}.")
    click.echo("Then `memory config check` tells whether it is right, `memory run` does what is due from now on, and")
    click.echo("`memory backfill` reads past days.")
