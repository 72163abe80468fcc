"""The status of a workspace: jobs, service, locks, back-fills, index, sources, databases, and the page of an agent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.app.engine import look_around, source_hints
from pipeline.app.index import UPDATE_LATCH, open_index
from pipeline.app.opening import open_for_reading, rebuild_if_possible
from pipeline.corrections.full_page import FullPage, full_page
from pipeline.engine.context import Engine
from pipeline.engine.edits import CHANGED, edits
from pipeline.engine.inputs import entries_of
from pipeline.engine.suggestions import waiting
from pipeline.errors import Held, PipelineError, ReadFailed
from pipeline.index.chunking.details import key_of
from pipeline.index.context import Indexing
from pipeline.index.said.update import SaidIndexing, said_report
from pipeline.index.sync.update import count_behind, not_indexed
from pipeline.ledger.shipping import Shipping
from pipeline.process.context import ProcessContext
from pipeline.reports.runs import backfill_report, batch_reports, job_report, stopped_backfills
from pipeline.reports.service import ServiceView, service_report, service_view
from pipeline.reports.sources import captures, source_reports
from pipeline.reports.status import JobStanding, job_standings, lock_reports
from pipeline.store.opening import FILE, FOLDER, WorkspaceStore
from pipeline.workspace.files import STATE_FOLDER
from pipeline.workspace.layout import INDEX_FOLDER, LEDGER_FILE
from pipeline.workspace.locks import Latch
from schemas.entry import Trust
from schemas.hot_page import PATH
from schemas.reports.said_index import SaidIndexReport
from schemas.reports.status import (
    BatchReport,
    CaptureReport,
    DetailIndexReport,
    EditsReport,
    IndexReport,
    LockReport,
    PageReport,
    ShippingStatusReport,
    SourceHint,
    SourceReport,
    SuggestionsReport,
)
from schemas.run_request import BackfillRequest
from schemas.service_state import JobState


@dataclass(frozen=True)
class WorkspaceStatus:
    """The status of a workspace.

    `capture_rates` are by job; when they cannot be read, `unread` has the reason and the advice. `stopped` are the
    back-fills that were stopped, with the number of windows left. So many `suggestions` wait for a person. `edits` are
    the entries that were changed in their files, `None` when there are none. `shipping` is how `memory ship` stands.
    """

    root: Path
    zone: str
    service: ServiceView
    jobs: tuple[JobStanding, ...]
    sources: tuple[SourceReport, ...]
    hints: tuple[SourceHint, ...]
    locks: tuple[LockReport, ...]
    capture_rates: Mapping[str, CaptureReport]
    unread: tuple[tuple[str, str], ...]
    full: FullPage | None
    stopped: tuple[tuple[BackfillRequest, int], ...]
    batches: tuple[BatchReport, ...]
    index: IndexReport
    details: DetailIndexReport | None
    said: SaidIndexReport | None
    suggestions: int
    edits: EditsReport | None
    shipping: ShippingStatusReport | None

    def reports(self) -> Iterator[object]:
        """The values for programs: one for each part, of `schemas.reports.status`."""
        for standing in self.jobs:
            name = standing.job.name
            yield job_report(standing, self.service.jobs.get(name, JobState()), self.capture_rates.get(name), self.zone)
        yield service_report(self.service)
        yield from self.locks
        yield from (backfill_report(*stopped) for stopped in self.stopped)
        yield from self.batches
        yield self.index
        if self.details:
            yield self.details
        if self.said:
            yield self.said
        yield from self.sources
        yield from self.hints
        if self.suggestions:
            yield SuggestionsReport(self.suggestions, "memory suggestions")
        if self.edits:
            yield self.edits
        if self.shipping:
            yield self.shipping
        if self.full:
            yield PageReport(PATH, **vars(self.full))


def workspace_status(root: Path, context: ProcessContext) -> WorkspaceStatus:
    """The status of a workspace now."""
    with open_for_reading(root, context) as engine:
        rebuild_if_possible(engine)
        look_around(engine)
        indexes = index_reports(root, context)
        capture_rates: Mapping[str, CaptureReport] = {}
        unread: tuple[tuple[str, str], ...] = ()
        try:
            capture_rates = captures(engine)
        except ReadFailed as error:
            unread = ((str(error), "`memory doctor` names all that cannot be read."),)
        state, url = Shipping(engine.ledger.store).state, engine.settings.ship.url
        return WorkspaceStatus(
            root=engine.workspace.root,
            zone=engine.zone,
            service=service_view(engine.workspace, engine.clock.now(), engine.zone),
            jobs=tuple(job_standings(engine)),
            sources=tuple(source_reports(engine)),
            hints=tuple(source_hints(engine.workspace.root, engine.settings, context.environment)),
            locks=tuple(lock_reports(engine)),
            capture_rates=capture_rates,
            unread=unread,
            full=full_page(engine),
            stopped=tuple(stopped_backfills(engine)),
            batches=tuple(batch_reports(engine)),
            index=indexes.files,
            details=indexes.details,
            said=indexes.said,
            suggestions=len(waiting(engine)),
            edits=_edits(engine),
            shipping=ShippingStatusReport(url, state.looked, state.failed, state.failure) if url else None,
        )


def _edits(engine: Engine) -> EditsReport | None:
    """The entries that somebody changed in their files, by what became of the change."""
    new = tuple(edit.entry.id for edit in edits(engine))
    asked = sum(suggestion.reason == CHANGED for suggestion in waiting(engine))
    obeyed = sum(entry.trust is Trust.EDITED for entry in entries_of(engine).active())
    return EditsReport(new, asked, obeyed) if new or asked or obeyed else None


@dataclass(frozen=True)
class IndexReports:
    """The state of the indexes: of files, of stored texts where there are any, and of messages."""

    files: IndexReport
    details: DetailIndexReport | None = None
    said: SaidIndexReport | None = None


def index_reports(root: Path, context: ProcessContext) -> IndexReports:
    """The state of the indexes, by the last look at the transcripts."""
    try:
        with open_index(root, ProcessContext(context.environment)) as held:
            searched = held.settings.search.said and held.settings.sources
            said = _said_index(held.said.indexing) if searched else None
            return IndexReports(index_report(held.indexing), _details(held.details.indexing), said)
    except PipelineError as error:
        return IndexReports(IndexReport("unusable", None, str(error)))


def _said_index(indexing: SaidIndexing) -> SaidIndexReport:
    try:
        return said_report(indexing)
    except PipelineError as error:
        return SaidIndexReport("unusable", error=str(error))


def _details(indexing: Indexing) -> DetailIndexReport | None:
    try:
        return detail_index_report(indexing)
    except PipelineError as error:
        return DetailIndexReport("unusable", None, None, str(error))


def detail_index_report(indexing: Indexing) -> DetailIndexReport | None:
    """The state of the index of stored texts; `None` if nothing was ever stored."""
    if indexing.details is None or not indexing.details.exists:
        return None
    stored, waiting = len(indexing.details.list_details()), len({key_of(path) for path in not_indexed(indexing)})
    return DetailIndexReport("behind" if waiting else "fresh", stored, waiting, None)


def index_report(indexing: Indexing) -> IndexReport:
    """The state of the index of files, without a call of an embedder."""
    bare = replace(indexing, embedder=None)
    try:
        with bare.store.reading() as reader:
            if reader is None:
                return IndexReport("none", None, None)
        changed = count_behind(bare)
    except PipelineError as error:
        return IndexReport("unusable", None, str(error))
    return IndexReport("behind" if changed else "fresh", changed, None)


_PATIENCE = 2.0  # seconds that a look at the store waits for its answer


@dataclass(frozen=True)
class DatabaseStanding:
    """A database: where it is, its bytes on the disk if it is a file here, and why it cannot be used."""

    where: str
    size: int | None = None
    error: str = ""


def ledger_standing(root: Path, context: ProcessContext) -> DatabaseStanding:
    """The ledger; it is opened, and not looked through."""
    where, error = f"{STATE_FOLDER}/{LEDGER_FILE}", ""
    try:
        with open_for_reading(root, context, looking=False) as engine:
            engine.ledger.runs.latest(limit=1)
    except PipelineError as refused:
        error = str(refused)
    return DatabaseStanding(where, _size(root / where), error)


def store_standing(store: WorkspaceStore) -> DatabaseStanding | None:
    """The store; `None` where nothing was ever stored."""
    if not store.exists:
        return None
    error, name = "", store.settings.workspace
    try:
        store.probe(_PATIENCE)
    except PipelineError as refused:
        error = str(refused)
    if store.settings.url.get_secret_value():
        return DatabaseStanding(f"PostgreSQL, workspace {name}", error=error)
    where = f"{FOLDER}/{FILE}"
    return DatabaseStanding(where, _size(store.root / where), error)


def index_is_updated(root: Path) -> bool:
    """Whether a process brings the index up to date now."""
    latch = Latch(root / STATE_FOLDER / INDEX_FOLDER / UPDATE_LATCH)
    try:
        if latch.path.exists():
            with latch.hold(0):
                pass
    except Held:
        return True
    except PipelineError:  # without the right to try the lock it is unknown
        return False
    return False


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except OSError:
        return None
