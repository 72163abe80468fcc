"""What the worker process of `run` and `backfill` does: open, plan, work through, tell."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import click

from pipeline.app.engine import EngineOptions, open_engine, prepare
from pipeline.backfill.orders import drop_done
from pipeline.backfill.plan import IsOver, Planned, exit_code, work_through
from pipeline.corrections.page_room import full_page, page_job
from pipeline.engine.context import Engine
from pipeline.engine.dry_run import differences, scratch_copy
from pipeline.engine.retention import prune
from pipeline.engine.runner import Runner
from pipeline.errors import Interrupted
from pipeline.events import Event
from pipeline.ledger import open_ledger
from pipeline.ledger.answers import Answers
from pipeline.ledger.store import copy_store
from pipeline.process.cancellation import SafePoint
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import written_titles
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.ordering import Order
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.event_printer import emitter
from pipeline.surfaces.cli.terminal.format import print_json
from pipeline.surfaces.cli.views.progress import Telling, say_no_room, say_nothing_due
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE, Layout
from schemas.outcome import Ending, Outcome

Plan = Callable[[Engine], Sequence[Planned]]


class Aid(Protocol):
    """What helps a series along while it is run."""

    @property
    def engine(self) -> Engine:
        """The engine to run the partitions on."""

    @property
    def tokens(self) -> int:
        """What the model's answers cost so far."""

    def before(self, place: int, is_over: IsOver) -> None:
        """A partition is about to be run; see `pipeline.backfill.plan.work_through`."""


@dataclass(frozen=True)
class Unaided:
    """Nothing that helps."""

    engine: Engine
    tokens: int = 0

    def before(self, place: int, is_over: IsOver) -> None:
        """Do nothing."""


def _unaided(engine: Engine, planned: Sequence[Planned]) -> AbstractContextManager[Aid]:
    del planned
    return nullcontext(Unaided(engine))


@dataclass(frozen=True)
class Series:
    """Partitions to run. `plan` may be asked again: it then gives what is left. `again` is a back-fill's.

    `aid` helps while the partitions are run; `each` is told how each ended, `left` at the end how many are left.
    `nothing` is what a person is told when a back-fill has nothing to run.
    """

    plan: Plan
    again: bool = False
    aid: Callable[[Engine, Sequence[Planned]], AbstractContextManager[Aid]] = _unaided
    left: Callable[[int], None] = lambda _number: None
    each: Callable[[Outcome], None] = lambda _outcome: None
    nothing: Callable[[Engine], str] = lambda _engine: "Nothing is left to do in these days."


def carry_out(order: Order, series: Series, safe_point: SafePoint) -> int:
    """Do what was asked; the exit code.

    Raises:
        PipelineError: it could not be begun, or had to stop.
    """
    with opened(order, safe_point) as engine:
        code = exit_code(_worked_through(engine, order, series))
        if order.dry_run:
            _show_differences(root_of(order.workspace), engine.workspace, as_json=order.as_json)
        else:
            drop_done(engine)
    return code


@contextmanager
def opened(order: Order, safe_point: SafePoint) -> Iterator[Engine]:
    """An engine that has looked at the transcripts and let go of what is old; for a dry run, one on a copy as it is.

    Raises:
        PipelineError: it cannot be opened.
    """
    root = root_of(order.workspace)
    settings = load_settings(root, environment())
    context = ProcessContext(environment(), emit=emitter(settings.log_level), safe_point=safe_point)
    options = EngineOptions(allow_shrink=order.allow_shrink, take_over=order.take_over)
    with ExitStack() as stack:
        if order.dry_run:
            answers = stack.enter_context(_answers_of(root)) if settings.model.configured else None
            options = replace(options, copied_from=root, answers=answers)
            root = stack.enter_context(_copied(root))
        engine = open_engine(root, context, options)
        stack.callback(engine.ledger.store.close)
        prepare(engine)
        if not order.dry_run:
            prune(engine)
        yield engine


def _worked_through(engine: Engine, order: Order, series: Series) -> list[Ending]:
    planned = series.plan(engine)
    if not planned:
        engine.emit(Event.NOTHING_DUE)
        say_nothing_due(engine, order, series.nothing(engine) if series.again else "")
        series.left(0)
        return []
    try:
        with series.aid(engine, planned) as aid:
            endings = _told(order, series, planned, aid)
    except Interrupted:
        series.left(len(series.plan(engine)))
        raise
    series.left(len(series.plan(engine)))
    return endings


def _told(order: Order, series: Series, planned: Sequence[Planned], aid: Aid) -> list[Ending]:
    telling = Telling(order, aid.engine.zone, len(planned), lambda: aid.tokens, partial(written_titles, aid.engine))
    runner = Runner(aid.engine)
    try:
        with telling:
            for outcome in work_through(
                runner, planned, again=series.again, wait_seconds=order.wait, before=aid.before
            ):
                telling.tell(outcome)
                series.each(outcome)
    finally:
        aid.engine.emit(Event.SERIES_ENDED, endings=dict(Counter(telling.endings)))
    if page_job(aid.engine) in {each.job for each in planned} and (full := full_page(aid.engine)):
        say_no_room(order, full)
    return telling.endings


@contextmanager
def _answers_of(root: Path) -> Iterator[Answers]:
    """The cached answers of a workspace: those that a dry run pays for are kept, for the run that follows."""
    ledger = open_ledger(Workspace(root).state_folder / LEDGER_FILE)
    try:
        yield ledger.answers
    finally:
        ledger.store.close()


@contextmanager
def _copied(root: Path) -> Iterator[Path]:
    """A copy of the workspace with its ledger, for a dry run."""
    with scratch_copy(root, Layout(discover())) as copy:
        real = Workspace(root).state_folder / LEDGER_FILE
        if real.exists():
            copy_store(real, Workspace(copy).state_folder / LEDGER_FILE)
        yield copy


def _show_differences(root: Path, copy: Workspace, *, as_json: bool) -> None:
    lines = list(differences(root, copy.root, copy.layout))
    if as_json:
        print_json({"diff": "\n".join(lines)})
        return
    click.echo("\n".join(lines) if lines else "A run now would change no file.")
    click.echo("memory: this was a dry run; nothing was written.", err=True)
