"""The checks of `memory doctor` and of the page, in the order in which their results are shown.

To add a check, write a function that yields results, and put a `Check` with it into `CHECKS`.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property, partial
from pathlib import Path

from pipeline.app.engine import EngineOptions, look, look_around, open_engine
from pipeline.app.index import OpenIndex, check_embedder, open_index
from pipeline.app.model import check_embedder_answer, check_model
from pipeline.app.opening import rebuild_if_possible
from pipeline.doctor import entries, files, index, integrations, machine, service, synced_folder, workspace
from pipeline.doctor.run_check import run_check
from pipeline.engine.context import Engine
from pipeline.errors import (
    Held,
    LedgerDamaged,
    LedgerNewer,
    PathRefused,
    PipelineError,
    SettingsInvalid,
    WriteFailed,
)
from pipeline.errors.workspaces import WorkspaceNotListed
from pipeline.ledger import closed_ledger
from pipeline.ledger.evidence import evidence_digest
from pipeline.process.context import ProcessContext
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.placed_entries import EntryBook
from pipeline.reports.status import JobStanding, job_standings
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE, LISTS, glob_of, patterns_of
from schemas.checkup import CheckResult, Health
from schemas.reports.workspace import CheckReport


@dataclass
class Examination:
    """A workspace while the doctor examines it; what several checks need is read once, at the first of them."""

    engine: Engine
    context: ProcessContext
    ask: bool = False
    books: EntryBooks = field(default_factory=EntryBooks)
    closing: ExitStack = field(default_factory=ExitStack)

    @cached_property
    def book(self) -> EntryBook:
        """The entries, as the first check of entries reads them."""
        return self.books.of(self.engine)

    @cached_property
    def standings(self) -> list[JobStanding]:
        """The due and the troubled windows of the jobs."""
        return job_standings(self.engine)

    @cached_property
    def indexes(self) -> OpenIndex:
        """The indexes, open until `closing` is closed."""
        return self.closing.enter_context(open_index(self.root, self.context))

    @property
    def root(self) -> Path:
        """The folder of the workspace."""
        return self.engine.workspace.root

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of the process."""
        return self.context.environment


class When(Enum):
    """The time at which a check is asked."""

    WITH_LEDGER = auto()
    """While the ledger is open, after a look at the sources; without the ledger, failures are told as a single one."""
    AFTERWARDS = auto()
    """Once the ledger is closed: the check opens for itself what it needs."""
    ON_REQUEST = auto()
    """Afterwards, and only with `--ask`, because it sends text."""


@dataclass(frozen=True)
class Check:
    """A check of the doctor; a result that can be fixed carries its fix (`mend`).

    `name` is that of the result if the question cannot be answered; results mostly have the same name. The answer of a
    check that `reads_entries` depends on the daily files and on what the ledger knows of their blocks alone.
    """

    name: str
    question: Callable[[Examination], Iterator[CheckResult]]
    when: When = When.WITH_LEDGER
    reads_entries: bool = False


@dataclass
class KeptChecks:
    """The answers of the checks that read entries, kept from one examination to the next, and the entries in `books`.

    `seen` is the digest of what they depend on. What mends a result is not kept: it works with the ledger of its
    examination.
    """

    books: EntryBooks = field(default_factory=EntryBooks)
    seen: str = ""
    _answers: dict[Check, tuple[CheckResult, ...]] = field(default_factory=dict)

    def ask(self, check: Check, examination: Examination) -> Iterator[CheckResult]:
        """The answer of a check; as it was, while nothing has changed that it depends on."""
        if not check.reads_entries:
            return check.question(examination)
        if check not in self._answers:
            results = check.question(examination)
            self._answers[check] = tuple(replace(result, mend=result.mend and _refuse_to_mend) for result in results)
        return iter(self._answers[check])

    def look(self, engine: Engine) -> None:
        """Drop the answers when anything has changed that they depend on, or nobody can tell."""
        try:
            seen = entries_digest(engine)
        except PipelineError:  # the checks say what cannot be read
            seen = ""
        if not seen or seen != self.seen:
            self.seen, self._answers = seen, {}


def entries_digest(engine: Engine) -> str:
    """The digest of all that the checks of entries depend on: the files of jobs, what the ledger knows, the settings.

    Raises:
        LedgerError: `state.db` cannot be used.
        ReadFailed: the system refuses.
    """
    files = {
        path: (status.st_size, status.st_mtime_ns, status.st_ino)
        for pattern in [*(glob_of(pattern) for job in engine.jobs for pattern in patterns_of(job.writes)), *LISTS]
        for path, status in engine.workspace.look(pattern).items()
    }
    store = engine.ledger.store
    asked = [store.value(f"SELECT count(*) FROM {table}") for table in ("requests", "suggestions", "runs")]  # noqa: S608
    known = repr((sorted(files.items()), evidence_digest(store), asked, engine.settings))
    return hashlib.sha256(known.encode(errors="replace")).hexdigest()


def _refuse_to_mend() -> str:
    message = "a kept result mends nothing"
    raise AssertionError(message)


CHECKS = (
    Check("settings", lambda it: workspace.check_settings(it.engine)),
    Check("environment", lambda it: workspace.check_environment(it.environment)),
    Check("sources", lambda it: workspace.check_sources(it.engine)),
    Check("sources", lambda it: workspace.check_quiet_sources(it.engine)),
    Check("records", lambda it: workspace.check_records(it.engine)),
    Check("ledger", lambda it: workspace.check_ledger(it.engine, lambda: it.book.texts, it.standings)),
    Check("jobs", lambda it: workspace.check_jobs(it.engine, it.standings)),
    Check("entries", lambda it: workspace.check_entries(it.book), reads_entries=True),
    Check("changed entries", lambda it: workspace.check_changed_entries(it.engine), reads_entries=True),
    Check("deleted entries", lambda it: workspace.check_deleted_entries(it.engine), reads_entries=True),
    Check("pages", lambda it: workspace.check_pages(it.engine)),
    Check("pages", lambda it: workspace.check_page_room(it.engine)),
    Check("links", lambda it: workspace.check_links(it.engine, it.book.now.findings), reads_entries=True),
    Check("sources", lambda it: workspace.check_unnamed_folders(it.engine, it.environment)),
    Check("pings", lambda it: service.check_pings(it.engine)),
    Check("ship", lambda it: service.check_shipping(it.engine)),
    Check("files", lambda it: files.check_texts(it.engine)),
    Check("entries", lambda it: entries.check_torn_entries(it.engine), reads_entries=True),
    Check("entries", lambda it: entries.check_proofs(it.engine, it.book), reads_entries=True),
    Check("links", lambda it: entries.check_fallen_links(it.engine), reads_entries=True),
    Check("review", lambda it: entries.check_review(it.engine)),
    Check("agents", lambda it: integrations.check_abandoned_folders(it.engine)),
    Check("agents", lambda it: integrations.check_undeclared_agents(it.engine)),
    Check("agents", lambda it: integrations.check_changed_lines(it.engine)),
    Check("files", lambda it: machine.check_files(it.engine)),
    Check("rights", lambda it: machine.check_rights(it.engine)),
    Check("api_key", lambda it: machine.check_exposed_keys(it.engine)),
    Check("disk", lambda it: machine.check_disk(it.engine)),
    Check("disk", lambda it: machine.check_mount(it.root, machine.table_of_mounts())),
    Check("clock", lambda it: machine.check_clock(it.engine)),
    Check("host", lambda it: machine.check_host(it.engine)),
    Check("backup", lambda it: machine.check_backup(it.engine)),
    Check("locks", lambda it: machine.check_locks(it.engine)),
    Check("leftovers", lambda it: machine.check_leftovers(it.engine)),
    Check("torn writes", lambda it: machine.check_torn_writes(it.engine)),
    Check("store", lambda it: synced_folder.check_synced_store(it.engine)),
    Check("service", lambda it: service.check_service(it.engine)),
    Check("service", lambda it: service.check_units(it.engine, it.environment)),
    Check("schedule", lambda it: service.check_schedule(it.engine, it.standings)),
    Check("capture", lambda it: service.check_capture(it.engine)),
    Check("place", lambda it: workspace.check_place(it.root, it.environment)),
    Check("agents", lambda it: integrations.check_integrations(it.root, it.environment)),
    Check("agents", lambda it: integrations.check_client_plugins(it.root, it.environment)),
    Check("model", lambda it: check_model(it.root, it.environment, ask=it.ask), When.AFTERWARDS),
    Check("embedder", lambda it: check_embedder_answer(it.root, it.environment), When.ON_REQUEST),
    Check("index", lambda it: check_embedder(it.indexes.settings), When.AFTERWARDS),
    Check("index", lambda it: index.check_index(it.indexes.indexing), When.AFTERWARDS),
    Check("index", lambda it: index.check_detail_index(it.indexes.details.indexing), When.AFTERWARDS),
    Check("index", lambda it: index.check_said_index(it.indexes.said.indexing, it.indexes.settings), When.AFTERWARDS),
)


def examine(root: Path, environment: Mapping[str, str], *, fix: bool, ask: bool = False) -> Iterator[CheckReport]:
    """Examine a workspace: every result as it is made; with `fix` the safe fixes have been applied.

    With `ask` the model is asked one tiny question, and the embedder for one vector.
    """
    return (_report_of(result, fix=fix) for result in _all_results(root, environment, ask=ask))


def examine_again(root: Path, environment: Mapping[str, str], kept: KeptChecks) -> Iterator[CheckReport]:
    """Examine a workspace as before: what depends on entries is looked at when these have changed."""
    return map(CheckReport.of, _all_results(root, environment, kept=kept))


def mend_first(root: Path, environment: Mapping[str, str], wanted: Callable[[CheckReport], bool]) -> CheckReport | None:
    """Mend the first result that is `wanted` and can be mended; `None` when there is none.

    It is looked for again, because what mends it works with what it was found with, which is open only meanwhile.
    """
    results = (result for result in _all_results(root, environment) if result.mend and wanted(CheckReport.of(result)))
    return next((_report_of(result, fix=True) for result in results), None)


def _ask_checks(examination: Examination, kept: KeptChecks | None, *when: When) -> Iterator[CheckResult]:
    """Ask the checks of these times, in their order."""
    for check in CHECKS:
        if check.when in when:
            question = partial(kept.ask, check) if kept else check.question
            yield from run_check(check.name, partial(question, examination))


def _report_of(result: CheckResult, *, fix: bool) -> CheckReport:
    if not fix or result.mend is None:
        return CheckReport.of(result)
    try:
        return CheckReport.of(result, result.mend(), fixed=True)
    except PipelineError as error:
        return CheckReport.of(result, str(error))


def _all_results(
    root: Path, environment: Mapping[str, str], *, ask: bool = False, kept: KeptChecks | None = None
) -> Iterator[CheckResult]:
    """Ask every check of a workspace; where the ledger cannot be opened, all that do not need it."""
    context = ProcessContext(environment)
    refusal: PipelineError | None = None
    try:
        engine = open_engine(root, context)
    except (SettingsInvalid, WorkspaceNotListed) as error:
        yield CheckResult("settings", Health.FAIL, str(error))
        return
    except PathRefused as error:  # a link in the place of a folder of ours
        yield CheckResult("files", Health.FAIL, str(error))
        return
    except (LedgerDamaged, LedgerNewer, WriteFailed, Held) as error:
        closed = closed_ledger(Workspace(root).state_folder / LEDGER_FILE, error)
        refusal, engine = error, open_engine(root, context, EngineOptions(ledger=closed))
    books = kept.books if kept else EntryBooks()
    engine = replace(engine, parsed=books.parsed)
    examination = Examination(engine, context, ask=ask, books=books)
    try:
        refusal = refusal or _look_at_sources(engine)
        kept = kept if kept and not refusal else None
        if kept:
            kept.look(engine)
        results = _ask_checks(examination, kept, When.WITH_LEDGER)
        yield from _gather_failures(results, refusal) if refusal else results
    finally:
        engine.ledger.store.close()
    with examination.closing:
        yield from _ask_checks(examination, None, When.AFTERWARDS, *([When.ON_REQUEST] if ask else []))


def _look_at_sources(engine: Engine) -> PipelineError | None:
    """Look at the sources, and rebuild a lost ledger; the error if the ledger cannot be read or written."""
    try:
        look(engine)
        look_around(engine)
        rebuild_if_possible(engine)
    except PipelineError as error:
        return error
    return None


def _gather_failures(results: Iterable[CheckResult], error: PipelineError) -> Iterator[CheckResult]:
    """The error of the ledger, the results, and in a single result the names of those that failed because of it."""
    # The advice of the error would be to run the doctor.
    message = f"{error.path} cannot be written: {error.reason}" if isinstance(error, WriteFailed) else str(error)
    yield CheckResult("ledger", Health.FAIL, message)
    missed = list[str]()
    for result in results:
        if str(error) in result.message:
            missed.append(result.name)
        else:
            yield result
    if missed:
        message = f"could not be looked at without the ledger: {', '.join(dict.fromkeys(missed))}"
        yield CheckResult("not looked at", Health.WARN, message, "Mend that first, then try again.")
