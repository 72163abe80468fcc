"""A small workspace of real files with an index in memory, to ask questions of."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pipeline.index.context import EVERYTHING, Indexing, Updated, WorkLimit
from pipeline.index.notes import UNSURE, NoteReading
from pipeline.index.schema import LAYOUT
from pipeline.index.search.search import Searching, search
from pipeline.index.sync.update import update
from pipeline.markdown.entries import render_entry
from pipeline.ports.details import DetailSource
from pipeline.ports.index import Embedder, IndexStore, Reranker, VectorStore
from pipeline.scheduling.registry import discover
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from pipeline.workspace.locks import Latch
from schemas.entry import Entry, Kind, Source
from schemas.fact import Fact
from schemas.hit import Answer
from schemas.index_settings import IndexSettings
from schemas.requests import SearchRequest
from tests.support.builders.facts import retained_page
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_index import MemoryIndex
from tests.support.ports.memory_vectors import MemoryVectors

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@dataclass
class Indexed:
    """A workspace at `root`. It is Wednesday, 4 March 2026; `doubted` are ids that do not verify.

    With `details` it is the index of these.
    """

    root: Path
    store: IndexStore = field(default_factory=lambda: MemoryIndex(LAYOUT))
    vectors: VectorStore = field(default_factory=MemoryVectors)
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    settings: IndexSettings = field(default_factory=IndexSettings)
    doubted: set[str] = field(default_factory=set)
    clock: FixedClock = field(default_factory=lambda: FixedClock(NOW))
    details: DetailSource | None = None
    notes: NoteReading = UNSURE

    @property
    def searching(self) -> Searching:
        """What a search is given."""
        return Searching(
            workspace=Workspace(self.root, Layout(discover())),
            settings=self.settings,
            store=self.store,
            vectors=self.vectors,
            embedder=self.embedder,
            zone="UTC",
            clock=self.clock,
            reranker=self.reranker,
            details=self.details,
            notes=self.notes,
        )

    def write(self, path: str, text: str) -> "Indexed":
        """Put a file into the workspace, in place of the one there is."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return self

    def remember(self, *entries: Entry) -> "Indexed":
        """Put entries at the end of the daily files of their days."""
        for entry in entries:
            path = f"memory/{entry.date.date()}.md"
            before = (self.root / path).read_text(encoding="utf-8") if (self.root / path).exists() else ""
            self.write(path, f"{before or f'# {entry.date.date()}{chr(10)}'}\n{render_entry(entry)}")
        return self

    def retain(self, *facts: Fact) -> "Indexed":
        """Put facts, as ours, into the files of their days."""
        by_day: dict[str, list[Fact]] = {}
        for fact in facts:
            by_day.setdefault(f"memory/retain/{fact.day}.md", []).append(fact)
        for path, ours in by_day.items():
            self.write(path, retained_page(ours))
        return self

    def index(self, work_limit: WorkLimit = EVERYTHING) -> Updated:
        """Bring the index up to date."""
        latch = Latch(self.root / ".memory" / "index" / "update.lock")
        return update(
            Indexing(
                workspace=Workspace(self.root, Layout(discover())),
                settings=self.settings,
                store=self.store,
                vectors=self.vectors,
                embedder=self.embedder,
                believed=lambda _, entry: entry.as_unverified() if entry.id in self.doubted else entry,
                latch=latch,
                wrote=lambda block: block.name not in self.doubted,
                clock=self.clock,
                details=self.details,
                notes=self.notes,
            ),
            work_limit,
        )

    def ask(self, wanted: SearchRequest | str) -> Answer:
        """The answer to a question."""
        return search(self.searching, SearchRequest(query=wanted) if isinstance(wanted, str) else wanted)


def said(entry_id: str, day: str, quote: str, **fields: object) -> Entry:
    """An entry with this id, said at noon of a day (UTC); `fields` are others of an `Entry`."""
    variables: dict[str, object] = {
        "title": quote[:60],
        "kind": Kind.DECISION,
        "conclusion": quote,
        "confidence": 0.9,
        "source": Source(session_id="s1", session_path="openclaw:s1.jsonl", message_range=(1, 2), entry_ids=("m1",)),
    }
    moment = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    return Entry.model_validate({"id": entry_id, "date": moment, "quote": quote} | variables | fields)
