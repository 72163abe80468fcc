"""Opening the workspace that a command is about."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pipeline.app.engine import open_engine
from pipeline.engine.context import Engine
from pipeline.engine.rebuild import rebuild_if_lost
from pipeline.errors import Held, OwnedElsewhere
from pipeline.events import Event
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.event_printer import emitter


def rebuild_if_possible(engine: Engine) -> None:
    """Rebuild a ledger that was lost, unless another process or another host is in charge; then it is theirs to do."""
    with suppress(Held, OwnedElsewhere):
        rebuild_if_lost(engine)


@contextmanager
def opened(workspace: str | None, *, looking: bool = True) -> Iterator[Engine]:
    """An engine for a command that reads; with `looking` the transcripts have been looked at.

    A ledger that was lost is not rebuilt here: that takes locks, and so makes this host the one that runs the
    workspace. Entries are verified by their transcripts then.

    Raises:
        PipelineError: there is no workspace, or it cannot be used.
    """
    root = root_of(workspace)
    emit = emitter(load_settings(root, environment()).log_level)
    engine = open_engine(root, ProcessContext(environment(), emit=emit))
    try:
        for told in engine.catalog.refresh().unreadable if looking else ():
            engine.emit(Event.SOURCE_UNREADABLE, error=told)
        yield engine
    finally:
        engine.ledger.store.close()
