"""The workspace that a command is about."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.app import opening
from pipeline.engine.context import Engine
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.event_printer import emitter
from pipeline.surfaces.cli.terminal.person import require_person
from schemas.run_options import RunOptions


@contextmanager
def open_for_reading(workspace: str | None, *, looking: bool = True) -> Iterator[Engine]:
    """An engine for a command that reads; see `pipeline.app.opening.open_for_reading`."""
    root = root_of(workspace)
    with opening.open_for_reading(root, _context(root), looking=looking) as engine:
        yield engine


@contextmanager
def opened_copy(workspace: str | None) -> Iterator[Engine]:
    """An engine on a copy, for a dry run; see `pipeline.app.opening.opened_copy`."""
    root = root_of(workspace)
    with opening.opened_copy(root, _context(root)) as engine:
        yield engine


@contextmanager
def opened_to_correct(workspace: str | None) -> Iterator[Engine]:
    """An engine for a correction, whose ledger is rebuilt first where it was lost: with a run it would look whole."""
    with open_for_reading(workspace) as engine:
        rebuild_if_lost(engine)
        yield engine


@contextmanager
def opened_to_decide(workspace: str | None) -> Iterator[Engine]:
    """An engine for a person who decides; see `pipeline.app.opening.opened_to_run`."""
    require_person()
    with opened_to_run(workspace) as engine:
        yield engine


@contextmanager
def opened_to_run(workspace: str | None) -> Iterator[Engine]:
    """An engine for a command that has a job run; see `pipeline.app.opening.opened_to_run`."""
    root = root_of(workspace)
    with opening.opened_to_run(root, _context(root), RunOptions()) as engine:
        yield engine


def _context(root: Path) -> ProcessContext:
    return ProcessContext(environment(), emit=emitter(load_settings(root, environment()).log_level))
