"""The state that the routes work with, and their caller."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Generic, Protocol, TypeVar

from fastapi import Depends, HTTPException, Query, Request

from pipeline.app.conversations import Conversations, conversations_in
from pipeline.app.corrections import UndoReport
from pipeline.app.details.keep import shortening_of
from pipeline.app.details.opened import OpenDetails
from pipeline.app.engine import EngineOptions
from pipeline.app.opening import open_for_reading, opened_to_run
from pipeline.app.recalling import LOOKED_AT, passages
from pipeline.app.redaction import open_redactor
from pipeline.app.requester import Requester
from pipeline.context.sections import RecalledText
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.errors import PipelineError
from pipeline.ledger.evidence import stamp_of
from pipeline.process.context import ProcessContext
from pipeline.reports.entry_book import EntryBooks
from pipeline.reports.graph import EntryNodes, GraphParts
from pipeline.scheduling.registry import discover
from pipeline.service.monitoring.health import HealthPages
from pipeline.service.processes.work import WorkProcesses
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.store.opening import WorkspaceStore
from pipeline.surfaces.http.findings import Findings
from pipeline.workspace.file_access import FileAccess
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE, LISTS, Layout
from schemas.caller import Caller
from schemas.conversation import LONGEST_NAME
from schemas.detail import OWNER, DetailReader
from schemas.fleet_act import FleetAct
from schemas.reports.fleet import FleetActReport
from schemas.requests import SearchRequest
from schemas.run_options import RunOptions
from schemas.settings import Settings

T = TypeVar("T")
_KEPT = 6  # values of a sort


@dataclass
class LastValues(Generic[T]):
    """The last values of a sort by their subjects, so that a page further, a reload and the way back show the same.

    They are in the memory of the service alone. May be used from several threads.
    """

    _kept: OrderedDict[tuple[str, ...], T] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, *key: str) -> T | None:
        """The value of a key; `None` when it is not kept."""
        return self._kept.get(key)

    def keep(self, value: T, *key: str) -> T:
        """Keep a value; the oldest one goes."""
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return value

    def clear(self) -> None:
        """Keep nothing of before."""
        with self._lock:
            self._kept.clear()


class Acts(Protocol):
    """The acts of a workspace at a front: changes that are asked for there, and that a worker makes."""

    def ask(self, *acts: FleetAct) -> list[int]:
        """Ask for acts, for all or for none; their numbers."""

    def find_decisions(self) -> Mapping[str, FleetActReport]:
        """The acts that wait and decide about suggestions, by the ids of these."""


class WaitingCount:
    """The number of suggestions that nobody has decided; those that wait are read again once their files have changed.

    May be used from several threads.
    """

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._read: tuple[object, set[str]] = (None, set())

    def of(self, state: "HttpState", opened: Engine | None) -> int:
        """The number now, by an engine where one is open; 0 where the ledger cannot be read, which the findings say."""
        ledger = Workspace(state.root).state_folder / LEDGER_FILE
        stamp = stamp_of(ledger)
        seen = stamp, [_stamp(state.root / path) for path in LISTS]
        try:
            if stamp is None or self._read[0] != seen:
                with nullcontext(opened) if opened else state.reading() as engine:
                    self._read = seen, {suggestion.id for suggestion in waiting(engine)}
            return len(self._read[1] - state.find_decisions().keys())
        except PipelineError:
            return 0


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


@dataclass(frozen=True)
class HttpState:
    """The parts of the service that its routes use.

    `answers` are those that the local socket gives too, by the settings in use, which are read again only after a
    change; with `read_settings_again` the service opens its parts by them. `work` is what persons begin. At a front
    changes are `acts`. `books` are the entries as they were read last, and `nodes` those of their graph; `words` are
    the first words of sessions.
    """

    root: Path
    context: ProcessContext
    health: HealthPages
    answers: ServiceAnswers
    version: str
    store: WorkspaceStore
    work: WorkProcesses
    read_settings_again: Callable[[], None] = lambda: None
    acts: Acts | None = None
    books: EntryBooks = field(default_factory=EntryBooks)
    nodes: EntryNodes = field(default_factory=EntryNodes)
    waiting: WaitingCount = field(default_factory=WaitingCount)
    words: dict[str, tuple[object, str]] = field(default_factory=dict)
    undone: LastValues[UndoReport] = field(default_factory=LastValues)
    receipts: LastValues[Mapping[str, Any]] = field(default_factory=LastValues)

    @cached_property
    def findings(self) -> Findings:
        """The doctor's findings, as its last look left them."""
        return Findings(self.root, self.context.environment, self.books, self.context.clock)

    def look_when_quiet(self) -> None:
        """Have the doctor look, when nothing is at work and its findings are outdated."""
        if self.work.going_on():
            return
        try:
            with self.reading() as engine:
                outdated = self.findings.is_outdated(engine)
        except PipelineError:  # the doctor says what is wrong with the ledger or the settings
            outdated = self.findings.latest() is None
        if outdated:
            self.findings.look_soon()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.answers.in_use.now()

    @property
    def layout(self) -> Layout:
        """The layout of the workspace."""
        return _layout_of(self.settings.agents.root)

    def graph_of_entries(self, engine: Engine) -> GraphParts:
        """The parts that the entries make of the graph."""
        return self.nodes.of(self.books.of(engine).texts, engine.zone)

    def recall_passages(self, caller: Caller, question: str, most: int, floor: float) -> Sequence[RecalledText]:
        """Recall passages of the memory for a context of the caller, by the index that is open."""
        wanted = SearchRequest(query=question, k=most * LOOKED_AT, **reader_field(caller))
        return passages(self.answers.memory.search(wanted), most, floor)

    def redact(self, text: str) -> str:
        """The text with its secrets masked, line by line."""
        return open_redactor(self.settings).redact(text)

    @property
    def details(self) -> OpenDetails:
        """The details, with what keeping one needs."""
        return OpenDetails(self.store, open_redactor(self.settings), self.context.clock)

    def reading(self) -> AbstractContextManager[Engine]:
        """An engine that only reads."""
        return open_for_reading(self.root, self.context, looking=False, settings=self.settings)

    def find_decisions(self) -> Mapping[str, FleetActReport]:
        """The acts that decide about suggestions and are not carried out yet, by the ids of these."""
        return self.acts.find_decisions() if self.acts else {}

    def running(self, *, looking: bool = True) -> AbstractContextManager[Engine]:
        """An engine for what has a job run; with `looking` the transcripts have been looked at.

        At a front it only reads: a worker has the job run.
        """
        if self.acts:
            return self.reading()
        given = EngineOptions(settings=self.settings)
        return opened_to_run(self.root, self.context, RunOptions(), looking=looking, given=given)


@lru_cache(maxsize=4)
def _layout_of(agents: str) -> Layout:
    return Layout(discover(), agents)


def state_of(request: Request) -> HttpState:
    """The state of the application that answers."""
    state: HttpState = request.app.state.http
    return state


def caller_of(request: Request) -> Caller:
    """The caller of a request."""
    caller: Caller = request.state.caller
    return caller


def reader_field(caller: Caller) -> dict[str, str]:
    """The field of a question with the agent that asks; a person gets all."""
    return {} if caller.is_person else {"reader": caller.agent}


def person_of(caller: "CallerThere") -> Caller:
    """The person who calls; an agent may not."""
    if not caller.is_person:
        raise HTTPException(HTTPStatus.FORBIDDEN, "Only a person may do that: call with a person's token.")
    return caller


def shipper_of(caller: "CallerThere") -> Caller:
    """The person who ships transcripts, or the laptop, which ships those of its owner."""
    if not (caller.is_person or caller.is_laptop):
        raise HTTPException(HTTPStatus.FORBIDDEN, "Only a person may do that, or a laptop: call with its token.")
    return caller


def engine_of(request: Request, state: "StateThere") -> Iterator[Engine]:
    """An engine that only reads; the document around an answer uses it too."""
    with state.reading() as engine:
        request.state.engine = engine
        yield engine


def access_of(caller: "CallerThere", engine: "Reading") -> FileAccess:
    """The files that the caller may see: a person all, an agent none in the folders of others."""
    return FileAccess(engine.workspace.layout.agent_roots, None if caller.is_person else caller.agent)


def reader_of(
    caller: "CallerThere", user_id: Annotated[str | None, Query(max_length=LONGEST_NAME)] = None
) -> DetailReader:
    """The reader of details that the caller is: of a user's details an agent reads its own, and those of nobody.

    A person who names no user reads those of all; an agent that names none asks as the owner.
    """
    if caller.is_person:
        return OWNER if user_id is None else DetailReader(users=frozenset({user_id}))
    return DetailReader(frozenset({user_id or ""}), frozenset({caller.agent}))


def requester_of(caller: "CallerThere", user_id: Annotated[str, Query(max_length=LONGEST_NAME)] = "") -> Requester:
    """The requester about conversations. A person's own are the owner's; an agent says for which user it asks."""
    return Requester(user_id=user_id, agent_id=caller.agent, by_person=caller.is_person)


def previews_of(state: "StateThere", caller: "CallerThere") -> Conversations:
    """The conversations as `conversations_of` gives them, but for a look: what a context would store is not stored."""
    return _open_conversations(state, caller, dry_run=True)


def conversations_of(state: "StateThere", caller: "CallerThere") -> Conversations:
    """The conversations of the workspace; large blocks of their messages become details."""
    return _open_conversations(state, caller, dry_run=False)


def _open_conversations(state: HttpState, caller: Caller, *, dry_run: bool) -> Conversations:
    settings = state.settings
    shortening = partial(shortening_of, state.store, open_redactor(settings), state.context.clock, dry_run=dry_run)
    recalling = partial(state.recall_passages, caller)
    opened = conversations_in(state.store, state.context, settings, recalling=recalling, shortening=shortening)
    return replace(opened, ask=state.acts.ask) if state.acts else opened


StateThere = Annotated[HttpState, Depends(state_of)]
CallerThere = Annotated[Caller, Depends(caller_of)]
PersonThere = Annotated[Caller, Depends(person_of)]
ShipperThere = Annotated[Caller, Depends(shipper_of)]
AccessThere = Annotated[FileAccess, Depends(access_of)]
ReaderThere = Annotated[DetailReader, Depends(reader_of)]
RequesterThere = Annotated[Requester, Depends(requester_of)]
ConversationsThere = Annotated[Conversations, Depends(conversations_of)]
PreviewsThere = Annotated[Conversations, Depends(previews_of)]
Reading = Annotated[Engine, Depends(engine_of)]
