"""A workspace of transcripts and the index of what was said in them, with the real engine of the index."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.app.said import TranscriptWords
from pipeline.index.said.get import read_said
from pipeline.index.said.request import ALL, SaidAccess
from pipeline.index.said.schema import LAYOUT, WORDS
from pipeline.index.said.search import SaidSearching, search_said
from pipeline.index.said.update import SaidIndexing, SaidUpdated, erase_said, said_report, update_said
from pipeline.language.analysis import terms
from pipeline.workspace.locks import Latch
from schemas.reports.said_index import SaidIndexReport
from schemas.requests import SearchRequest
from schemas.said import SaidHit, SaidPage
from tests.support.workspaces.indexed import Indexed
from tests.support.workspaces.workbench import Workbench


@dataclass(frozen=True)
class Spoken:
    """The talk of a workbench, indexed."""

    bench: Workbench

    @property
    def folder(self) -> Path:
        """Where the index is."""
        return self.bench.root / ".memory" / "index" / "said"

    @property
    def indexing(self) -> SaidIndexing:
        """The side that writes."""
        engine = self.bench.engine
        source = TranscriptWords(engine.workspace, engine.settings, engine.clock, lambda: engine.ledger, lambda: engine)
        return SaidIndexing(source, TantivyStore(self.folder, LAYOUT), Latch(self.folder.with_name("said.lock")))

    @property
    def searching(self) -> SaidSearching:
        """The side that answers."""
        return SaidSearching(self.indexing.source, self.indexing.store, self.bench.clock, self.bench.engine.zone)

    def page(self, place: str, access: SaidAccess = ALL) -> SaidPage:
        """The messages at an address, in a workspace whose memory has nothing of them."""
        return read_said(self.searching, Indexed(self.bench.root).searching, place, access)

    def update(self, most: int | None = None, *, erase: bool = False) -> SaidUpdated:
        """Look at the transcripts, and bring the index up to date."""
        self.bench.engine.catalog.refresh()
        return update_said(self.indexing, most, erase=erase)

    @property
    def report(self) -> SaidIndexReport:
        """How the index stands."""
        self.bench.engine.catalog.refresh()
        return said_report(self.indexing)

    def erase(self) -> bool:
        """Make the index anew, as the last step of forgetting does."""
        return erase_said(self.indexing)

    def hits(self, question: str, access: SaidAccess = ALL, k: int = 6) -> list[SaidHit]:
        """The hits of a question."""
        return list(search_said(self.searching, SearchRequest(query=question, k=k), access).hits)

    def holds(self, word: str) -> bool:
        """Whether the files of the index have a word, also of passages that were taken out, or any byte of them has."""
        files = [file for file in self.folder.rglob("*") if file.is_file()]
        with self.indexing.store.reading() as reader:
            known = reader is not None and any(reader.frequency(WORDS, term) for term in terms(word))
        return known or any(word.encode() in file.read_bytes() for file in files)
