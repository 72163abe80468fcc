"""Opening a workspace: to read it, to run jobs in it, or to run them on a copy of it and see what would change."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from pipeline.app.engine import EngineOptions, look, open_engine, prepare
from pipeline.engine.context import Engine
from pipeline.engine.retention import prune, ran_today
from pipeline.errors import Held, OwnedElsewhere
from pipeline.events import Event
from pipeline.ledger import open_ledger
from pipeline.ledger.answers import Answers
from pipeline.ledger.store import copy_store
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE, Layout
from schemas.run_options import RunOptions
from schemas.settings import Settings


@contextmanager
def open_for_reading(
    root: Path, context: ProcessContext, *, looking: bool = True, settings: Settings | None = None
) -> Iterator[Engine]:
    """An engine for what reads; with `looking` the transcripts have been looked at.

    `settings` are those in force, where they were read already.
    A ledger that was lost is not rebuilt here: that takes locks, and so makes this host the one that runs the
    workspace. Entries are verified by their transcripts then.
    """
    engine = open_engine(root, context, EngineOptions(settings=settings))
    try:
        for warning in look(engine).unreadable if looking else ():
            engine.emit(Event.SOURCE_UNREADABLE, error=warning)
        yield engine
    finally:
        engine.ledger.store.close()


@contextmanager
def opened_copy(root: Path, context: ProcessContext) -> Iterator[Engine]:
    """An engine on a copy of the workspace as it is, which is removed afterwards: to see what a correction would do."""
    settings = load_settings(root, context.environment)
    with _copy_workspace(root, settings.agents.root) as copy:
        engine = open_engine(copy, context, EngineOptions(settings=settings, copied_from=root))
        try:
            yield engine
        finally:
            engine.ledger.store.close()


@contextmanager
def opened_to_run(
    root: Path,
    context: ProcessContext,
    options: RunOptions,
    *,
    looking: bool = True,
    given: EngineOptions | None = None,
) -> Iterator[Engine]:
    """An engine that has looked at the transcripts and let go of what is old; for a dry run, one on a copy as it is.

    Without `looking` only the first run of a local day looks at them: for a request that needs no session. `given` has
    the settings and the store, where the caller has them already.
    """
    given = given or EngineOptions()
    settings = given.settings or load_settings(root, context.environment)
    how = replace(given, settings=settings, allow_shrink=options.allow_shrink, take_over=options.take_over)
    with ExitStack() as stack:
        if options.dry_run:
            answers = stack.enter_context(_answers_of(root)) if settings.model.is_configured else None
            how = replace(how, copied_from=root, answers=answers)
            root = stack.enter_context(_copy_workspace(root, settings.agents.root))
        engine = open_engine(root, context, how)
        stack.callback(engine.ledger.store.close)
        if engine.store is not None and given.store is None:
            stack.callback(engine.store.close)
        prepare(engine, looking=looking or not ran_today(engine))
        if not options.dry_run:
            prune(engine)
            _drop_expired(engine, context)
        yield engine


def _drop_expired(engine: Engine, context: ProcessContext) -> None:
    """Before the first run of a local day, let the details and conversations go that have expired."""
    if engine.store is not None and engine.store.exists and not ran_today(engine):
        from pipeline.app.details.expiry import drop_expired

        drop_expired(engine, engine.store, context)


def rebuild_if_possible(engine: Engine) -> None:
    """Rebuild a ledger that was lost, unless another process or another host is in charge; then it is theirs to do."""
    from pipeline.engine.rebuild import rebuild_if_lost

    with suppress(Held, OwnedElsewhere):
        rebuild_if_lost(engine)


@contextmanager
def _answers_of(root: Path) -> Iterator[Answers]:
    """The cached answers of a workspace: those that a dry run pays for are kept, for the run that follows."""
    ledger = open_ledger(Workspace(root).state_folder / LEDGER_FILE)
    try:
        yield ledger.answers
    finally:
        ledger.store.close()


@contextmanager
def _copy_workspace(root: Path, agents: str) -> Iterator[Path]:
    """A copy of the workspace with its ledger, for a dry run."""
    from pipeline.engine.dry_run import scratch_copy

    with scratch_copy(root, Layout(discover(), agents)) as copy:
        real = Workspace(root).state_folder / LEDGER_FILE
        if real.exists():
            copy_store(real, Workspace(copy).state_folder / LEDGER_FILE)
        yield copy
