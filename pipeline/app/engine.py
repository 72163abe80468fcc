"""The composition root: from settings to an engine with its adapters."""

import importlib
import os
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pipeline.adapters.sources
from pipeline.adapters.sources.kind import SourceKind
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.app.redaction import open_redactor
from pipeline.clock import day_start, local_day
from pipeline.corrections.forgotten_before import may_return
from pipeline.engine.context import AskerMaker, Engine
from pipeline.engine.cutting import cutting, reserve_cited
from pipeline.engine.deletions import accept_losses, notice_missing_pages, notice_returns
from pipeline.engine.edits import notice_edits
from pipeline.engine.moved_agents import move_tombstones, refuse_left_behind
from pipeline.engine.partitioning.changes import take_over_folds
from pipeline.engine.retention import ran_today
from pipeline.errors import BudgetSpent, PipelineError, ReadFailed, SettingsInvalid, WriteFailed
from pipeline.events import Event
from pipeline.job import Job
from pipeline.ledger import Ledger, open_ledger
from pipeline.ledger.answers import Answers
from pipeline.ledger.moved_agents import follow_agents
from pipeline.ledger.runs import Runs
from pipeline.ports.engine import BatchServer, Clock, LanguageModel, TranscriptSource
from pipeline.process.context import ProcessContext
from pipeline.scheduling.crontab import check_cron
from pipeline.scheduling.registry import discover
from pipeline.settings.load import load_settings
from pipeline.settings.locate import PREFIX, SETTINGS_FILE, setting_of
from pipeline.store.opening import WorkspaceStore
from pipeline.transcripts.catalog import Catalog, Refreshed
from pipeline.transcripts.look_around import Neighbourhood, note_other_kinds
from pipeline.transcripts.selection import Selection
from pipeline.workspace.file_access import page_name
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE, Layout, place_job
from pipeline.workspace.locks import Locks
from pipeline.workspace.regular_files import write_regular
from schemas.settings import NOTES, ModelSettings, Settings, SourceSettings

if TYPE_CHECKING:
    from pipeline.model.ask import Asker
    from pipeline.model.question import Readers
    from schemas.reports.status import SourceHint


@dataclass(frozen=True)
class TokenBudget:
    """A `pipeline.model.ask.Budget`: the tokens of one run, of one local day, and of the workspace; 0 is no limit."""

    runs: Runs
    model: ModelSettings
    clock: Clock
    zone: str

    def check(self, spent: int, ahead: int = 0) -> None:
        """Refuse when no tokens are left; `spent` are those of the run under way, `ahead` those of later runs."""
        for limit, used, whose in self._limits(spent, ahead):
            if used >= limit:
                raise BudgetSpent(used, limit, whose)

    def _limits(self, spent: int, ahead: int) -> Iterator[tuple[int, int, str]]:
        model, unbooked = self.model, spent + ahead
        if model.tokens_per_run:
            yield model.tokens_per_run, spent, "of this run (model.tokens_per_run)"
        if model.tokens_per_day:
            today = day_start(local_day(self.clock.now(), self.zone), self.zone)
            yield model.tokens_per_day, unbooked + self.runs.tokens_since(today), "today (model.tokens_per_day)"
        if model.tokens_in_total:
            used = unbooked + self.runs.tokens_since()
            yield model.tokens_in_total, used, "of this workspace (model.tokens_in_total)"


_RUN_BYTES = 5  # a back-fill begins hundreds of runs in one second; with 3 bytes two of them met now and then


@dataclass(frozen=True)
class EngineOptions:
    """The options of an engine.

    `settings` are those in force, where they were read already. `copied_from` is the workspace that this one is a copy
    of, in a dry run: relative sources are relative to it.
    `ledger` and `store` are used instead of the workspace's own, and `answers` instead of the model's cached ones in
    the ledger. `wrap_model` makes the model that is asked of the one that the settings name.
    """

    settings: Settings | None = None
    allow_shrink: bool = False
    take_over: bool = False
    copied_from: Path | None = None
    ledger: Ledger | None = None
    answers: Answers | None = None
    store: WorkspaceStore | None = None
    wrap_model: Callable[[LanguageModel], LanguageModel] | None = None


_ORDINARY = EngineOptions()


def open_engine(root: Path, context: ProcessContext, options: EngineOptions = _ORDINARY) -> Engine:
    """An engine on a workspace.

    Raises:
        SettingsInvalid: the settings cannot be used.
        LedgerError: `state.db` cannot be used; a newer program has written it.
        WriteFailed: the system refuses to open it.
        RegistryRefused: the jobs do not go together.
    """
    settings = options.settings or load_settings(root, context.environment)
    jobs = discover()
    if problems := setting_problems(settings, jobs, context.environment):
        raise SettingsInvalid(str(root / SETTINGS_FILE), problems)
    workspace = Workspace(root, Layout(jobs, settings.agents.root))
    with ExitStack() as unless_done:
        ledger = options.ledger
        if ledger is None:
            ledger = open_ledger(workspace.state_folder / LEDGER_FILE, context.clock)
            unless_done.callback(ledger.store.close)
            _keep_out_of_git(workspace.state_folder)
            if context.read_only:
                ledger.store.refuse_changes()
        with suppress(PipelineError):  # of a ledger that cannot be used, what needs it says so
            ledger.agents.note(settings.agents.by_name, context.clock.now())
            follow_agents(ledger, workspace, settings.agents.root, settings.agents.by_name)
        locks = Locks(workspace.lock_folder)
        if options.take_over:
            locks.take_over()
        sources = open_sources(options.copied_from or root, settings)
        selection = Selection(settings.transcript_sources, context.environment.get("HOME", ""))
        pieces = cutting(jobs, settings, ledger, context.clock)
        catalog = Catalog(sources, ledger, open_redactor(settings), pieces, selection)
        engine = Engine(
            workspace=workspace.checked_by(locks.check),
            settings=settings,
            jobs=tuple(place_job(job, settings.agents.root) for job in _in_use(jobs, settings, ledger)),
            ledger=ledger,
            locks=locks,
            catalog=catalog,
            asker=_asker(workspace, settings, ledger, context, options),
            new_run_id=new_run_id,
            clock=context.clock,
            emit=context.emit,
            safe_point=context.safe_point,
            allow_shrink=options.allow_shrink,
            neighbourhood=_neighbourhood(options.copied_from or root, settings),
            store=options.store or WorkspaceStore(root, settings.store),
            batches=_batch_server(settings.model),
        )
        unless_done.pop_all()
    return engine


def _batch_server(model: ModelSettings) -> BatchServer | None:
    """The server that takes the questions of back-fills in batches, where the settings want it so."""
    if not (model.batch and model.base_url):
        return None
    from pipeline.adapters.model.openai_batches import OpenAIBatches

    return OpenAIBatches(model)


def _in_use(jobs: Sequence[Job], settings: Settings, ledger: Ledger) -> tuple[Job, ...]:
    """The jobs without those of agents, where there is no agent with a memory of its own, nor was one before."""
    ran = False
    with suppress(PipelineError):  # of a ledger that cannot be used, what needs it says so
        ran = any(job.per_agent and ledger.runs.latest(job.name, limit=1) for job in jobs)
    return tuple(job for job in jobs if ran or settings.agents.by_name or not job.per_agent)


def prepare(engine: Engine, *, looking: bool = True) -> None:
    """Look at the transcripts, rebuild the ledger if it was lost, and note what people did to files.

    Without `looking` the transcripts are as the last command found them, which cannot rebuild a ledger.
    """
    if looking:
        refreshed = look(engine, engine.safe_point)
        if refreshed.read or refreshed.gone or not ran_today(engine) or _has_silent_source(engine):
            look_around(engine)
        engine.emit(Event.SOURCES_READ, read=refreshed.read, gone=refreshed.gone)
        for warning in refreshed.unreadable:
            engine.emit(Event.SOURCE_UNREADABLE, error=warning)
    refuse_left_behind(engine)
    if not engine.ledger.runs.latest(limit=1):
        from pipeline.engine.rebuild import rebuild_if_lost

        rebuild_if_lost(engine)
    take_over_folds(engine)
    move_tombstones(engine)
    notice_returns(engine)
    if may_return(engine):
        from pipeline.corrections.forget import forget_again

        forget_again(engine)
    notice_edits(engine)
    accept_losses(engine)
    notice_missing_pages(engine)


def _has_silent_source(engine: Engine) -> bool:
    """Whether no session of a source is known: it may be named by the wrong kind."""
    of_source = engine.ledger.files.of_source
    return any(not any(record.session for record in of_source(name)) for name in engine.neighbourhood.folders)


def look(engine: Engine, between: Callable[[], None] = lambda: None) -> Refreshed:
    """Read what is new or changed in the sources, as `Catalog.refresh`; sessions that entries cite keep their ids."""
    reserve_cited(engine)
    return engine.catalog.refresh(between)


def look_around(engine: Engine) -> None:
    """Note which sessions of other kinds lie below the folders of the sources, after these have been refreshed."""
    note_other_kinds(engine.ledger, engine.neighbourhood)


def setting_problems(settings: Settings, jobs: Sequence[Job], environment: Mapping[str, str]) -> list[str]:
    """The problems that the types of the settings cannot catch: source kinds, jobs, crontab lines.

    Each problem is `path: sentence`; a value from the `environment` is named by its variable.
    """
    names = {job.name for job in jobs}
    problems = [
        f"sources[{place}].kind: {source.kind!r} is not known{_suggest_name(source.kind, [*source_kinds(), NOTES])}; "
        f"known: {', '.join([*source_kinds(), NOTES])}"
        for place, source in enumerate(settings.sources)
        if not source.holds_notes and _source_kind(source.kind) is None
    ]
    problems += [
        f"{_label(('jobs', name), environment)}: there is no such job{_suggest_name(name, names)}; "
        f"known: {', '.join(sorted(names))}"
        for name in settings.jobs
        if name not in names
    ]
    problems += _agent_problems(settings, environment)
    roots = {source.root_name for source in settings.sources} | {"store"}
    problems += [
        f"{_label(('model', 'sources', name), environment)}: there is no source {name!r}{_suggest_name(name, roots)}; "
        f"known: {', '.join(sorted(roots))}"
        for name in settings.model.sources.keys() - roots
    ]
    for name, job in settings.jobs.items():
        if job.schedule:
            try:
                check_cron(job.schedule)
            except ValueError as error:
                problems.append(f"{_label(('jobs', name, 'schedule'), environment)}: {error}")
    return problems


def _agent_problems(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """Agents whose name no folder can have, and sources of theirs that are not there."""
    named, roots = settings.agents.by_name, {source.root_name for source in settings.transcript_sources}
    problems = [
        f"{_label(('agents', name), environment)}: name it with letters, digits and hyphens, such as {page_name(name)}"
        for name in named
        if page_name(name) != name
    ]
    return problems + [
        f"{_label(('agents', name, 'sources'), environment)}: there is no source {source.partition(':')[0]!r}; known: "
        f"{', '.join(sorted(roots)) or 'none'}"
        for name, agent in named.items()
        for source in agent.sources
        if source.partition(":")[0] not in roots
    ]


def _label(path: tuple[str, ...], environment: Mapping[str, str]) -> str:
    """A setting's path, with the variable that it came from."""
    ours = sorted(name for name in environment if name.startswith(PREFIX))
    variable = next((name for name in ours if setting_of(name)[: len(path)] == path), "")
    return ".".join(path) + (f" ({variable})" if variable else "")


def _suggest_name(name: str, known: Collection[str]) -> str:
    """The name that is close to an unknown one, as a question."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def source_kinds() -> list[str]:
    """The names of the kinds of transcript sources: the modules of `pipeline.adapters.sources` that have a `KIND`."""
    names = (module.name for module in pkgutil.iter_modules(pipeline.adapters.sources.__path__))
    return sorted(name for name in names if _source_kind(name))


def usual_places(home: Path, environment: Mapping[str, str]) -> dict[str, tuple[Path, ...]]:
    """The folders in which agents of each kind leave their sessions on a machine, also folders that are not there."""
    kinds = filter(None, map(_source_kind, source_kinds()))
    return {kind.name: kind.roots(home, environment) for kind in kinds}


def propose_sources(home: Path, environment: Mapping[str, str]) -> list[SourceSettings]:
    """The sources that exist on this machine, for `memory init`; a folder by two names is proposed once for a kind."""
    proposed = list[SourceSettings]()
    for kind, roots in usual_places(home, environment).items():
        there = dict[Path, Path]()
        for root in filter(os.path.isdir, roots):  # of a Path it raises where a folder above is closed
            there.setdefault(root.resolve(), root)
        for number, root in enumerate(there.values(), 1):
            proposed.append(SourceSettings(kind=kind, path=str(root), name=kind if number == 1 else f"{kind}-{number}"))
    return proposed


def open_sources(root: Path, settings: Settings) -> list[TranscriptSource]:
    """The sources that the settings name; a relative path is relative to the workspace."""
    return [
        kind.source(SourcePlace(source, folder_of(root, source), settings.timezone, settings.store))
        for source in settings.transcript_sources
        if (kind := _source_kind(source.kind))
    ]


def folder_of(root: Path, source: SourceSettings) -> Path:
    """The folder of a source; a relative path is relative to the workspace."""
    return (root / Path(source.path).expanduser()).resolve()


def source_hints(root: Path, settings: Settings, environment: Mapping[str, str]) -> "list[SourceHint]":
    """The folders that the settings neither name nor ignore; see `unnamed_folders`."""
    ignored = {(root / Path(path).expanduser()).resolve() for path in settings.sources_ignored}
    hints = unnamed_folders(root, settings, environment)
    return [hint for hint in hints if Path(hint.unnamed).resolve() not in ignored] if ignored else hints


def unnamed_folders(root: Path, settings: Settings, environment: Mapping[str, str]) -> "list[SourceHint]":
    """The folders in which agents of this user have left sessions and which are no source.

    A folder counts as named when a source of its kind is over it, or over a part of it.
    """
    from schemas.reports.status import SourceHint

    named = [(source.kind, folder_of(root, source)) for source in settings.transcript_sources]
    proposed = propose_sources(Path(environment["HOME"]), environment) if environment.get("HOME") else []
    # A variable may name the folder that is the default.
    folders = {(source.kind, folder_of(root, source)): source for source in reversed(proposed)}
    return [
        SourceHint(source.path, kind)
        for (kind, folder), source in sorted(folders.items())
        if not any(
            kind == other and (folder.is_relative_to(there) or there.is_relative_to(folder)) for other, there in named
        )
        and _holds_files(root, source)
    ]


def _holds_files(root: Path, source: SourceSettings) -> bool:
    try:
        return any(True for opened in open_sources(root, Settings(sources=(source,))) for _ in opened.files())
    except ReadFailed:
        return False


def _neighbourhood(root: Path, settings: Settings) -> Neighbourhood:
    folders = {source.root_name: folder_of(root, source) for source in settings.transcript_sources}

    def others(name: str) -> dict[str, TranscriptSource]:
        folder = folders[name]
        named = {source.kind for source in settings.transcript_sources if folders[source.root_name] == folder}
        kinds = (SourceSettings(kind=kind, path=str(folder)) for kind in source_kinds() if kind not in named)
        return {source.name: source for source in open_sources(root, Settings(sources=tuple(kinds)))}

    return Neighbourhood(folders, others)


def _source_kind(name: str) -> SourceKind | None:
    """The kind of a name; only the modules of kinds in use are imported."""
    path = f"{pipeline.adapters.sources.__name__}.{name}"
    module = importlib.import_module(path) if name.isidentifier() and find_spec(path) else None
    kind = getattr(module, "KIND", None)
    return kind if isinstance(kind, SourceKind) and kind.name == name else None


def new_run_id(now: datetime) -> str:
    """An id that sorts by time and that no other run has."""
    import secrets

    return f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(_RUN_BYTES)}"


def _asker(
    workspace: Workspace, settings: Settings, ledger: Ledger, context: ProcessContext, options: EngineOptions
) -> AskerMaker:
    """Makes the way to the configured model, or the offline way."""
    budget = TokenBudget(ledger.runs, settings.model, context.clock, settings.timezone)
    # The same for all partitions: a model keeps its connections, and remembers what its server refuses.
    readers: Readers | None = None
    cache, parallel = options.answers or ledger.answers, settings.model.most_at_once
    if settings.model.is_configured:
        from pipeline.app.readers import open_readers

        readers = open_readers(settings, workspace.state_folder, context.environment)
        if options.wrap_model:
            readers = readers.wrap_models(options.wrap_model)
        if settings.model.batch or cache.batches.question_ids():
            from pipeline.model.limiter import BatchedModel

            readers = readers.wrap_models(lambda model: BatchedModel(model, cache.batches, settings.timezone))

    def asker(*, offline: bool = False) -> "Asker":
        from pipeline.model.ask import Asker

        return Asker(None if offline else readers, cache, budget, parallel, context.safe_point)

    return asker


def _keep_out_of_git(folder: Path) -> None:
    ignore = folder / ".gitignore"
    try:
        if not ignore.exists():
            write_regular(ignore, b"*\n")
    except OSError as error:
        raise WriteFailed(str(ignore), error.strerror or str(error)) from error
