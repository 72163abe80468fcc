"""What the worker process of `run` and `backfill` does: open, plan, work through, tell."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from pipeline.app import LEDGER_FILE, Surroundings, open_engine, prepare, system_surroundings
from pipeline.backfill import Planned, exit_code, work_through
from pipeline.configuration import load_settings
from pipeline.dryrun import differences, scratch_copy
from pipeline.engine import Engine
from pipeline.errors import Interrupted
from pipeline.events import Event
from pipeline.ledger import open_ledger
from pipeline.logs import stderr_emitter
from pipeline.runner import Runner
from pipeline.stopping import SafePoint
from pipeline.surfaces.cli.environment import environment, root_of
from pipeline.surfaces.cli.ordering import Order
from pipeline.surfaces.cli.rendering import print_json
from pipeline.surfaces.cli.telling import Telling, say_left, say_nothing_due
from pipeline.workspace import Workspace
from schemas.outcome import Ending

Plan = Callable[[Engine], Sequence[Planned]]


@dataclass(frozen=True)
class Series:
    """Partitions to run. `plan` may be asked again: it then gives what is left. `again` is a back-fill's."""

    plan: Plan
    again: bool = False
    resume: tuple[str, ...] = ()
    """The words of the command that goes on where this one stops; none when the next `memory run` does."""


def carry_out(order: Order, series: Series, safe_point: SafePoint) -> int:
    """Do what was asked; the exit code.

    Raises:
        PipelineError: it could not be begun, or had to stop.
    """
    root = root_of(order.workspace)
    around = replace(
        system_surroundings(environment(), stderr_emitter(load_settings(root, environment()).log_level)),
        safe_point=safe_point,
        allow_shrink=order.allow_shrink,
        take_over=order.take_over,
    )
    if not order.dry_run:
        return _work(root, around, order, series)
    with _copied(root) as copy:
        code = _work(copy, replace(around, answers_from=root), order, series)
        _show_differences(root, copy, as_json=order.as_json)
    return code


def _work(root: Path, around: Surroundings, order: Order, series: Series) -> int:
    engine = open_engine(root, around)
    try:
        prepare(engine)
        return exit_code(_worked_through(engine, order, series))
    finally:
        engine.ledger.store.close()


def _worked_through(engine: Engine, order: Order, series: Series) -> list[Ending]:
    planned = series.plan(engine)
    if not planned:
        engine.emit(Event.NOTHING_DUE)
        say_nothing_due(engine, order, backfill=series.again)
        return []
    telling = Telling(order, engine.zone, len(planned))
    try:
        with telling:
            for outcome in work_through(Runner(engine), planned, again=series.again, wait_seconds=order.wait):
                telling.tell(outcome)
    except Interrupted:
        say_left(order, len(series.plan(engine)), series.resume)
        raise
    finally:
        engine.emit(Event.SERIES_ENDED, endings=dict(Counter(telling.endings)))
    say_left(order, len(series.plan(engine)), series.resume)
    return telling.endings


@contextmanager
def _copied(root: Path) -> Iterator[Path]:
    """A copy of the workspace with its ledger, for a dry run."""
    with scratch_copy(root) as copy:
        real = Workspace(root).state_folder / LEDGER_FILE
        if real.exists():
            store = open_ledger(real).store
            try:
                store.copy_to(Workspace(copy).state_folder / LEDGER_FILE)
            finally:
                store.close()
        yield copy


def _show_differences(root: Path, copy: Path, *, as_json: bool) -> None:
    lines = list(differences(root, copy))
    if as_json:
        print_json({"diff": "\n".join(lines)})
        return
    click.echo("\n".join(lines) if lines else "A run now would change no file.")
    click.echo("memory: this was a dry run; nothing was written.", err=True)
