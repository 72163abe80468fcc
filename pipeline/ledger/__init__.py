"""The ledger (`state.db`): runs, covered time, changes, the model's answers, the catalog of transcript files.

It is derived: lost, it is rebuilt from the Markdown as far as that tells (`pipeline.engine.rebuild`).
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from pipeline.clock import SystemClock
from pipeline.errors import PipelineError
from pipeline.ledger.answers import Answers
from pipeline.ledger.changes import Changes
from pipeline.ledger.coverage import Coverage
from pipeline.ledger.files import Files
from pipeline.ledger.keyed import Keyed
from pipeline.ledger.requests import Requests
from pipeline.ledger.runs import Runs
from pipeline.ledger.store import Store, Values, to_moment, to_text
from pipeline.ledger.unreadable import UnreadableFiles
from pipeline.ports.engine import Clock

__all__ = ["Ledger", "closed_ledger", "open_ledger"]


class Rebuilds:
    """When the ledger was made again from the files: what happened before, it does not know."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, now: datetime) -> None:
        """Note that it was done now."""
        self._store.write("INSERT INTO rebuilds VALUES (?)", (to_text(now),))

    def latest(self) -> datetime | None:
        """When it was done last; `None` when this ledger was there from the beginning."""
        [(at,)] = self._store.rows("SELECT MAX(at) FROM rebuilds")
        return to_moment(at) if at else None


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


class ClosedStore(Store):
    """In place of a file that cannot be opened: whoever asks it anything is told why."""

    def __init__(self, path: Path, why: PipelineError) -> None:
        """`why` is what opening it raised."""
        self.path, self.fresh, self._why = path, False, why

    def write(self, statement: str, values: Values = ()) -> NoReturn:
        """Raise why."""
        del statement, values
        raise self._why

    def delete(self, statement: str, values: Values = ()) -> NoReturn:
        """Raise why."""
        del statement, values
        raise self._why

    def rows(self, query: str, values: Values = ()) -> NoReturn:
        """Raise why."""
        del query, values
        raise self._why

    def close(self) -> None:
        """Nothing is open."""
