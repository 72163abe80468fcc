"""The ledger (`state.db`): runs, covered time, changes, suggestions, the model's answers, the catalog of transcripts.

It is derived: a lost ledger is rebuilt from the Markdown as far as possible (`pipeline.engine.rebuild`).
"""

from datetime import datetime
from pathlib import Path
from typing import NoReturn

from pipeline.clock import SystemClock
from pipeline.errors import PipelineError
from pipeline.ledger.answers import Answers, TokenCounts
from pipeline.ledger.changes import Changes
from pipeline.ledger.coverage import Coverage, Keyed, Sights
from pipeline.ledger.requests import DeclaredAgents, EntryProposals, Requests
from pipeline.ledger.runs import Runs, Spending
from pipeline.ledger.store import LedgerTable, Store, Values, to_moment
from pipeline.ledger.suggestions import Suggestions
from pipeline.ledger.transcripts import (
    EpisodeNumbers,
    Files,
    KeptPieces,
    OtherKinds,
    ProjectNames,
    SessionKinds,
    SessionProjects,
    UnreadableFiles,
    WrittenTexts,
)
from pipeline.ports.engine import Clock

__all__ = ["Ledger", "closed_ledger", "open_ledger"]


class Rebuilds(LedgerTable):
    """The table of the moments at which the ledger was rebuilt; of the time before, runs are not known."""

    def note(self, now: datetime) -> None:
        """Note a rebuild."""
        self._store.write("INSERT INTO rebuilds VALUES (?)", (now,))

    def latest(self) -> datetime | None:
        """The moment of the last rebuild; `None` without one."""
        return to_moment(self._store.value("SELECT MAX(at) FROM rebuilds"))


class Ledger:
    """The tables of the ledger, over one connection."""

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        """`clock` gives the time of answers and of unreadable files; by default the system's clock."""
        clock = clock or SystemClock()
        self.store = store
        self.runs = Runs(store)
        self.spending = Spending(store)
        self.coverage = Coverage(store)
        self.keyed = Keyed(store)
        self.episodes = EpisodeNumbers(store)
        self.pieces = KeptPieces(store)
        self.agents = DeclaredAgents(store)
        self.requests = Requests(store)
        self.suggestions = Suggestions(store)
        self.entry_proposals = EntryProposals(store)
        self.changes = Changes(store)
        self.answers = Answers(store, clock)
        self.token_counts = TokenCounts(store)
        self.files = Files(store)
        self.session_kinds = SessionKinds(store)
        self.project_names = ProjectNames(store)
        self.session_projects = SessionProjects(store)
        self.written_texts = WrittenTexts(store)
        self.unreadable = UnreadableFiles(store, clock)
        self.other_kinds = OtherKinds(store)
        self.rebuilds = Rebuilds(store)
        self.sights = Sights(store)


def open_ledger(path: Path, clock: Clock | None = None) -> Ledger:
    """Open the ledger in a file; it is made if it is missing, and upgraded if an older program made it.

    Raises:
        LedgerDamaged: the file cannot be used.
    """
    return Ledger(Store(path), clock)


def closed_ledger(path: Path, why: PipelineError) -> Ledger:
    """Stand in for a ledger that cannot be opened: every query raises `why`."""
    return Ledger(ClosedStore(path, why))


class ClosedStore(Store):
    """The stand-in for a file that cannot be opened."""

    def __init__(self, path: Path, why: PipelineError) -> None:
        """`why` is the error of opening the file."""
        self.path, self.fresh, self._why = path, False, why

    def execute(self, statement: str, values: Values) -> NoReturn:
        """Raise the reason."""
        del statement, values
        raise self._why

    def close(self) -> None:
        """Nothing is open."""
