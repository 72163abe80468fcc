"""The ledger (`state.db`): runs, covered time, changes, the model's answers, the catalog of transcript files.

It is derived: lost, it is rebuilt from the Markdown as far as that tells (`pipeline.rebuild`).
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.ledger.answers import Answers
from pipeline.ledger.changes import Changes
from pipeline.ledger.coverage import Coverage
from pipeline.ledger.files import Files
from pipeline.ledger.runs import Runs
from pipeline.ledger.store import Store

__all__ = ["Ledger", "open_ledger"]


@dataclass(frozen=True)
class Ledger:
    """All tables over one connection."""

    store: Store
    runs: Runs
    coverage: Coverage
    changes: Changes
    answers: Answers
    files: Files


def open_ledger(path: Path) -> Ledger:
    """The ledger in a file, made when it is missing.

    Raises:
        LedgerDamaged: the file cannot be used.
    """
    store = Store(path)
    return Ledger(store, Runs(store), Coverage(store), Changes(store), Answers(store), Files(store))
