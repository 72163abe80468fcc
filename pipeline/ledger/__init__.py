"""The ledger (`state.db`): runs, covered time, changes, the model's answers, the catalog of transcript files.

It is derived: lost, it is rebuilt from the Markdown as far as that tells (`pipeline.engine.rebuild`).
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.errors import PipelineError
from pipeline.ledger.answers import Answers
from pipeline.ledger.changes import Changes
from pipeline.ledger.closed import ClosedStore
from pipeline.ledger.coverage import Coverage
from pipeline.ledger.files import Files
from pipeline.ledger.keyed import Keyed
from pipeline.ledger.rebuilds import Rebuilds
from pipeline.ledger.requests import Requests
from pipeline.ledger.runs import Runs
from pipeline.ledger.store import Store
from pipeline.ledger.unreadable import UnreadableFiles
from pipeline.ports.engine import Clock

__all__ = ["Ledger", "closed_ledger", "open_ledger"]


@dataclass(frozen=True)
class Ledger:
    """All tables over one connection."""

    store: Store
    runs: Runs
    coverage: Coverage
    keyed: Keyed
    requests: Requests
    changes: Changes
    answers: Answers
    files: Files
    unreadable: UnreadableFiles
    rebuilds: Rebuilds


def open_ledger(path: Path, clock: Clock | None = None) -> Ledger:
    """The ledger in a file, made when it is missing, and upgraded when an older program made it.

    `clock` tells since when something cannot be read, and when an answer was given; without one it is the system's.

    Raises:
        LedgerDamaged: the file cannot be used.
    """
    return _over(Store(path), clock or SystemClock())


def closed_ledger(path: Path, why: PipelineError) -> Ledger:
    """In place of a ledger that `open_ledger` refused to open: whoever asks it anything is told why."""
    return _over(ClosedStore(path, why), SystemClock())


def _over(store: Store, clock: Clock) -> Ledger:
    return Ledger(
        store=store,
        runs=Runs(store),
        coverage=Coverage(store),
        keyed=Keyed(store),
        requests=Requests(store),
        changes=Changes(store),
        answers=Answers(store, clock),
        files=Files(store),
        unreadable=UnreadableFiles(store, clock),
        rebuilds=Rebuilds(store),
    )
