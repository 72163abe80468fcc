"""`memory demo`."""

import shutil
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

import pipeline.demo
from pipeline.app import Surroundings, open_engine, prepare
from pipeline.backfill import exit_code, in_days, work_through
from pipeline.clock import SystemClock
from pipeline.engine import Engine
from pipeline.errors import PathRefused, WriteFailed
from pipeline.registry import named
from pipeline.runner import Runner
from pipeline.surfaces.cli.init import make_workspace
from pipeline.surfaces.cli.rendering import count
from pipeline.surfaces.cli.tour import show_tour
from pipeline.workspace import SETTINGS_FILE, Workspace
from schemas.outcome import Outcome

FIRST, LAST = date(2026, 3, 2), date(2026, 3, 15)
JOB = "micro_sync"
_MARK = "# The workspace that `memory demo` made."
_SETTINGS = f"""timezone = "Europe/Warsaw"
start = 2026-03-01T00:00:00+01:00

{_MARK} Its transcripts are samples: change them, then try `memory demo` again.

[[sources]]
kind = "openclaw"
path = "sessions/openclaw"

[[sources]]
kind = "claude_code"
path = "sessions/claude-code"
"""


@click.command("demo")
@click.argument("folder", metavar="[DIR]", default="demo-workspace")
def command(folder: str) -> int:
    """Show what the product does, on sample sessions.

    Makes a workspace in DIR (./demo-workspace) with two weeks of sample sessions in three languages, writes down what
    they settle, and shows what came of it. No model and no network is used, and no other workspace is touched. A second
    time only what is missing is done.
    """
    root = Path(folder).expanduser().resolve()
    _make(root)
    # Nothing of this machine's environment: the demo is the same everywhere, and never asks anybody's model.
    engine = open_engine(root, Surroundings(environment={}, clock=SystemClock()))
    try:
        outcomes = _run(engine)
        show_tour(engine)
    finally:
        engine.ledger.store.close()
    return exit_code([outcome.ending for outcome in outcomes])


def _make(root: Path) -> None:
    """Make the workspace with its own copy of the sample sessions.

    Raises:
        PathRefused: there is another workspace.
        WriteFailed: the system refuses.
    """
    if make_workspace(root, _SETTINGS):
        try:
            _copy(files(pipeline.demo).joinpath("sessions"), root / "sessions")
        except OSError as error:
            raise WriteFailed(str(error.filename or root), error.strerror or str(error)) from error
        click.echo(f"Made a workspace in {root}, with sample sessions of two weeks.\n")
    elif _MARK.encode() not in (Workspace(root).read(SETTINGS_FILE) or b""):
        raise PathRefused(str(root), "is a workspace, and not one that the demo made; name another folder")


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(exist_ok=True)
    for item in source.iterdir():
        if item.is_dir():
            _copy(item, target / item.name)
        else:
            with item.open("rb") as inside, (target / item.name).open("wb") as copy:
                shutil.copyfileobj(inside, copy)


def _run(engine: Engine) -> list[Outcome]:
    prepare(engine)
    before = _pages(engine.workspace.root)
    plan = in_days(engine, named([JOB], engine.jobs), FIRST, LAST)
    outcomes = list(work_through(Runner(engine), plan, again=True))
    if _pages(engine.workspace.root) == before:
        click.echo(f"Nothing was left to do in {engine.workspace.root}: not a byte has changed. What is there:\n")
    else:
        click.echo(f"Ran {JOB} over {FIRST} to {LAST}, offline: {count(len(outcomes), 'window')}.\n")
    return outcomes


def _pages(root: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in root.rglob("*.md")}
