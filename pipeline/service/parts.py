"""The parts of the service that depend on the settings: opened with them, and opened again when they are read again."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from pipeline.app.index import IndexOptions, open_index
from pipeline.app.redaction import open_redactor
from pipeline.errors import PipelineError
from pipeline.errors.service import PartsLost
from pipeline.events import Emit
from pipeline.process.context import ProcessContext
from pipeline.process.logging import stderr_emitter
from pipeline.service.monitoring.health import HealthPages, HealthSource
from pipeline.service.monitoring.pings import Pings, PingTarget
from pipeline.service.monitoring.snapshot import Snapshot, snapshot_of
from pipeline.service.processes.index_updater import IndexUpdater
from pipeline.service.socket.address import listening
from pipeline.service.socket.answers import ServiceAnswers
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.web.server import Application, LocalListener, WebServer
from schemas.service_state import ServiceState
from schemas.settings import Settings


@dataclass(frozen=True)
class LoopView:
    """The main loop as its parts see it: the standing of the service, and the time of the last turn.

    `notice` tells it that sessions have new records, `read_again` that the settings have changed; from any thread.
    """

    state: Callable[[], ServiceState]
    last_turn: Callable[[], float]
    notice: Callable[[], None] = lambda: None
    read_again: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class WebParts:
    """The parts of which the applications over HTTP are made; `read_again` has the settings read anew."""

    root: Path
    context: ProcessContext
    settings: Settings
    health: HealthPages
    answers: ServiceAnswers
    read_again: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Applications:
    """The makers of the applications on the Unix socket and at `service.http`, each called when the service listens."""

    local: Callable[[ServiceAnswers, Emit], Application]
    network: Callable[[WebParts], Application]


@dataclass(frozen=True)
class _Made:
    """Parts that are made and not yet opened."""

    settings: Settings
    emit: Emit
    pings: Pings
    health: HealthPages


class Parts:
    """The index, HTTP and the pings of the service, while it is entered."""

    def __init__(
        self, root: Path, context: ProcessContext, settings: Settings, loop: LoopView, applications: Applications
    ) -> None:
        """Make the parts, and open nothing yet."""
        self._root, self._context, self._loop, self._applications = root, context, loop, applications
        self._web: WebServer | None = None
        self._made, self._opened = self._make(settings), ExitStack()
        self._updater: IndexUpdater | None = None
        self._answers: ServiceAnswers | None = None

    @property
    def settings(self) -> Settings:
        """The settings in use."""
        return self._made.settings

    @property
    def emit(self) -> Emit:
        """Emits events by the log level of the settings."""
        return self._made.emit

    @property
    def pings(self) -> Pings:
        """The sender of pings."""
        return self._made.pings

    @property
    def trouble(self) -> str:
        """The reason why the index cannot be kept fresh, as a sentence; empty when it can."""
        return self._updater.problem if self._updater else ""

    @property
    def address(self) -> str:
        """The address of HTTP; empty without one."""
        return self._web.address if self._web else ""

    def __enter__(self) -> Self:
        """Open the parts."""
        self._open(self._made)
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def prepare(self) -> None:
        """Begin to load the code that stores outputs, which takes long, while the service is at work."""
        if self._answers:
            self._answers.outputs.load()

    def renew(self, settings: Settings) -> None:
        """Close the parts, and open them by other settings; by the old settings again when that cannot be."""
        made = self._make(settings)
        self._opened.close()
        try:
            self._open(made)
        except PipelineError as refused:
            try:
                self._open(self._make(self.settings))
            except PipelineError as lost:
                raise PartsLost(str(refused), str(lost)) from lost
            raise

    def _make(self, settings: Settings) -> _Made:
        emit = stderr_emitter(settings.log_level)
        pings = Pings(PingTarget.of(settings.pings), emit, open_redactor(settings).redact)
        shown = HealthSource(self._loop.last_turn, lambda: self._snapshot(emit))
        return _Made(settings, emit, pings, HealthPages(shown))

    def _open(self, made: _Made) -> None:
        with ExitStack() as stack:
            stack.enter_context(made.pings)
            # The index and the embedder stay loaded while there are questions now and then.
            idle = made.settings.service.embedder_idle.total_seconds()
            options = IndexOptions(linger=idle, embedder_idle=idle)
            opened = stack.enter_context(open_index(self._root, self._context_with(made.emit), options))
            in_use = SettingsInUse(self._root, self._context.environment, made.settings)
            self._updater = stack.enter_context(IndexUpdater(opened, in_use))
            answers = stack.enter_context(ServiceAnswers(self._root, opened, in_use, self._loop.notice))
            web = WebParts(
                self._root, self._context_with(made.emit), made.settings, made.health, answers, self._loop.read_again
            )
            # Both are made before the socket is there: a client that finds it waits for an answer.
            local, address = self._applications.local(answers, made.emit), made.settings.service.http
            network = self._applications.network(web) if address else None
            listener = LocalListener(stack.enter_context(listening(self._root)), local)
            self._web = stack.enter_context(WebServer(address, network, local=listener))
            stack.callback(answers.close)
            self._opened, self._answers = stack.pop_all(), answers
        self._made = made

    def _context_with(self, emit: Emit) -> ProcessContext:
        return replace(self._context, emit=emit)

    def _snapshot(self, emit: Emit) -> Snapshot:
        looked = self._updater.looked if self._updater else None
        return snapshot_of(self._root, self._context_with(emit), self._loop.state(), looked)
