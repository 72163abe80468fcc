"""`memory demo`."""

import os
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

import pipeline.demo
from pipeline.app.engine import open_engine, prepare
from pipeline.app.new_workspace import make_workspace, start_text
from pipeline.backfill.plan import exit_code, in_days, work_through
from pipeline.clock import SystemClock
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.errors import PathRefused, WorkspaceMissing, WriteFailed
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.settings.locate import PREFIX, SETTINGS_FILE, find_workspace, given_folder
from pipeline.surfaces.cli.terminal.format import count
from pipeline.surfaces.cli.views.short_tour import show_short_tour
from pipeline.surfaces.cli.views.tour import show_tour
from pipeline.workspace.files import Workspace
from pipeline.workspace.regular_files import make_folder, read_regular, write_regular
from schemas.outcome import Outcome

FIRST, LAST = date(2026, 3, 2), date(2026, 3, 15)
_SESSIONS = "sessions"
_MARK = "# The workspace that `memory demo` made."
_SETTINGS = """timezone = "Europe/Warsaw"
start = {start}

{mark} Its transcripts are samples: change them, then try `memory demo` again.

[[sources]]
kind = "openclaw"
path = "sessions/openclaw"

[[sources]]
kind = "claude_code"
path = "sessions/claude-code"

[agents.main]
sources = ["openclaw:main"]

# Where `memory serve` shows the page; nothing listens there before.
[service]
http = "127.0.0.1:9464"
"""


@click.command("demo")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--all", "everything", is_flag=True, help="Show the whole tour, some 300 lines, not its best 40.")
def command(folder: str | None, *, everything: bool) -> int:
    """Show what the product does, on sample sessions.

    Makes a workspace in DIR with two weeks of sample sessions in three languages, writes down what they settle, sums up
    the days and the weeks, and shows the best of what came of it; --all shows all of it. No model and no network is
    used, and no other workspace is touched. A second time only what is missing is done. Without DIR it is the demo's
    workspace that this folder lies in, else ./demo-workspace.
    """
    root = given_folder(folder) if folder else _find_demo(Path()) or given_folder("demo-workspace")
    # From now on, so that a plain `memory run` in it has no weeks of empty windows to go through.
    make_workspace(root, _SETTINGS.format(start=start_text(SystemClock().now()), mark=_MARK))
    if not _is_demo(root):
        raise PathRefused(str(root), "is a workspace, and not one that the demo made; name another folder")
    own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    load_settings(root, own)  # refuses a stranger's folder that only looks like a demo
    if not (root / _SESSIONS).exists():
        _copy_sessions(root)
        click.echo(f"Made a workspace with sample sessions of two weeks in {root}")
    # Nothing of this machine's environment: the demo is the same everywhere, and never asks anybody's model.
    engine = open_engine(root, ProcessContext({}))
    try:
        outcomes = _run(engine)
        show_tour(engine) if everything else show_short_tour(engine)
    finally:
        engine.ledger.store.close()
    return exit_code([outcome.ending for outcome in outcomes])


def _find_demo(here: Path) -> Path | None:
    """The workspace of a demo around a folder; `None` without one."""
    try:
        root = find_workspace(None, {}, here)
    except WorkspaceMissing:
        return None
    return root if _is_demo(root) else None


def _is_demo(root: Path) -> bool:
    return _MARK.encode() in (Workspace(root).read(SETTINGS_FILE) or b"")


def _copy_sessions(root: Path) -> None:
    """Copy the sample sessions, which have their name when all are there: a kill before leaves none."""
    partial = root / f"{_SESSIONS}.part"
    try:
        _copy(files(pipeline.demo).joinpath(_SESSIONS), partial)
        partial.rename(root / _SESSIONS)
    except OSError as error:
        raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error


def _copy(source: Traversable, target: Path) -> None:
    make_folder(target)
    for item in source.iterdir():
        if item.is_dir():
            _copy(item, target / item.name)
        else:
            write_regular(target / item.name, item.read_bytes())


def _run(engine: Engine) -> list[Outcome]:
    prepare(engine)
    before = _read_pages(engine.workspace.root)
    plan = in_days(engine, engine.jobs, FIRST, LAST)
    outcomes = list(work_through(Runner(engine), plan, again=True))
    if _read_pages(engine.workspace.root) == before:
        click.echo("Nothing was left to do: not a byte has changed. What is there:\n")
    else:
        jobs = count(len({outcome.job for outcome in outcomes}), "job")
        click.echo(f"Ran {jobs} over {FIRST} to {LAST}, offline: {count(len(outcomes), 'window')}.\n")
    return outcomes


def _read_pages(root: Path) -> dict[Path, bytes]:
    return {file: read_regular(file) for file in root.rglob("*.md") if file.is_file()}
