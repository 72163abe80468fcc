"""`memory serve`: the one service of a workspace, of its parts, and its main loop, which ends with a stop request.

It holds a lock, which the kernel frees when the process dies.
"""

import gc
import json
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from pipeline.clock import SystemClock, stopwatch
from pipeline.errors import Held, PipelineError, WriteFailed
from pipeline.errors.service import PartsLost, ServiceRunning, WorkspaceGone
from pipeline.events import Event
from pipeline.process.context import ProcessContext
from pipeline.process.freed_memory import give_back, keep_together
from pipeline.service.monitoring.systemd_notify import Notifier
from pipeline.service.parts import Applications, LoopView, Parts
from pipeline.service.processes.children import Announced, Children
from pipeline.service.scheduling.dispatcher import Dispatcher
from pipeline.service.scheduling.ports import Child, DispatcherOptions
from pipeline.service.scheduling.state_file import StateFile
from pipeline.service.scheduling.workspace_view import BACKFILL, LedgerWorkspace
from pipeline.service.wake import STOPPING, ReceivedSignals, Wake, heeding
from pipeline.settings.load import load_settings
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.files import Workspace
from pipeline.workspace.locks import Latch, Locks
from pipeline.workspace.regular_files import read_regular, write_regular
from pipeline.workspace.service_files import ServiceFolder

LOOK_SECONDS = 5.0
"""The interval at which the service looks whether its workspace is still there."""
_YOUNG = 700  # new objects after which Python looks for garbage among them, as it does by itself
_STOPPING_LOOK_SECONDS = 1.0
_TRIM_SECONDS = 60.0  # between two looks for memory that nothing needs, during which nobody gets any
_MORE_SECONDS = 30.0  # asked of the service manager again and again while a run reaches its safe point
_GLANCE_SECONDS = 0.2  # another process may hold it for a moment to test it
_PRIVATE = 0o700


@dataclass(frozen=True)
class ServeOptions:
    """The options by which the service is started.

    `inherited` is the environment of the children. `print_message` shows a sentence to a person. On a terminal it
    shows that the service is ready, and SIGHUP means that the terminal has gone. `applications` make what answers over
    HTTP.
    """

    inherited: Mapping[str, str]
    print_message: Callable[[str], None]
    on_terminal: bool
    version: str
    applications: Applications


def serve(root: Path, context: ProcessContext, options: ServeOptions) -> int:
    """Be the service of a workspace until a signal asks to stop; the exit code.

    SIGTERM and SIGINT ask the run under way to reach its safe point; a second one ends it. SIGHUP reads the settings
    anew; on a terminal it asks to stop. For the main thread of a process of its own.

    Raises:
        SettingsInvalid: the settings cannot be used.
        ServiceError: the workspace has a service already; the workspace disappeared; settings were read anew, and the
            service could go on with none.
        LedgerNewer: a newer program has taken over the ledger.
    """
    load_settings(root, context.environment)  # before anything shows that there is a service
    keep_together()
    stopping = (*STOPPING, signal.SIGHUP) if options.on_terminal else STOPPING
    with only_instance(root) as held, closing(Wake()) as wake, heeding(wake, stopping) as signals:
        return _Service(root, context, options, wake, signals).live(held)


class InstanceLock:
    """Checks that the workspace is still the one that the service began with."""

    def __init__(self, root: Path) -> None:
        """The lock of the workspace `root` is held."""
        self._root, self._lock = root, ServiceFolder(root).lock
        self._began = _identity(self._lock)

    def check(self) -> None:
        """Raises `WorkspaceGone` when the workspace, or the lock in it, has disappeared or is another one."""
        if _identity(self._lock) != self._began:
            there = _identity(self._root / SETTINGS_FILE) is not None
            raise WorkspaceGone(str(self._lock.parent if there else self._root))


@contextmanager
def only_instance(root: Path) -> Iterator[InstanceLock]:
    """Be the only service of a workspace."""
    lock = ServiceFolder(root).lock
    with ExitStack() as stack:
        try:
            _make_private(lock.parent)
            stack.enter_context(Latch(lock).hold(_GLANCE_SECONDS))
        except Held as error:
            raise ServiceRunning(str(root), _name_holder(lock)) from error
        # A workspace that another host has locked is refused: its runs would be refused one after the other.
        with Locks(Workspace(root).lock_folder).hold(("service",), "none", SystemClock().now()):
            pass
        try:
            write_regular(lock, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
        except OSError as error:
            raise WriteFailed(str(lock), error.strerror or str(error)) from error
        yield InstanceLock(root)


def _make_private(folder: Path) -> None:
    try:
        for directory in (folder.parent, folder):
            directory.mkdir(mode=_PRIVATE, exist_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def _name_holder(lock: Path) -> str:
    with suppress(OSError, ValueError, TypeError, KeyError):
        owner = json.loads(read_regular(lock))
        return f"process {owner['pid']} on {owner['host']}"
    return "another process"


def _identity(file: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        status = file.stat()
        return status.st_dev, status.st_ino
    return None


class _Service:
    """A life of the service."""

    def __init__(
        self, root: Path, context: ProcessContext, options: ServeOptions, wake: Wake, signals: ReceivedSignals
    ) -> None:
        settings = load_settings(root, context.environment)
        self._root, self._context, self._options = root, context, options
        self._wake, self._signals = wake, signals
        self._notifier, self._status = Notifier(options.inherited), ""
        self._troubles: set[str] = set()
        self._started: Announced | None = None
        self._turned = self._trimmed = stopwatch()
        loop = LoopView(lambda: self._dispatcher.state, lambda: self._turned, self._take_notice, self._take_settings)
        self._parts = Parts(root, context, settings, loop, options.applications)
        self._children = Children(root, options.inherited, settings.retention)
        self._dispatcher = Dispatcher(
            LedgerWorkspace(root, replace(context, emit=self._emit)),
            self._start,
            DispatcherOptions(root, StateFile(ServiceFolder(root).state), options.version, self._emit),
        )

    def live(self, held: InstanceLock) -> int:
        """Work from the first turn to the last; the exit code."""
        with self._parts:
            try:
                self._notifier.ready("at work")
                self._emit(Event.SERVICE_READY, workspace=str(self._root), pid=os.getpid(), http=self._parts.address)
                logs = ServiceFolder(self._root).logs
                if self._options.on_terminal:
                    self._options.print_message(
                        f"at work for {self._root}. What runs print goes to {logs}. Ctrl-C stops it."
                    )
                self._parts.prepare()
                gc.freeze()  # libraries stay: each full collection looked through them, and held up whoever asked
                gc.set_threshold(_YOUNG)  # a command's is too high for a process that stays
                self._turn_until_asked(held)
                return self._end()
            except PipelineError as error:
                self._notifier.stopping(str(error))
                raise

    def _turn_until_asked(self, held: InstanceLock) -> None:
        due = stopwatch()
        while not self._signals.stops:
            held.check()
            if self._signals.take_anew():
                self._read_settings_again()
            if stopwatch() >= due:
                self._turn()
                due = stopwatch() + self._dispatcher.wait_seconds()
            if self._started:
                self._started.notice()
            self._notifier.alive()
            beat = self._notifier.beat_seconds or LOOK_SECONDS
            if self._wake.rest(min(due - stopwatch(), beat, LOOK_SECONDS)):
                due = stopwatch()

    def _end(self) -> int:
        """Wait until the run under way reaches its safe point, which its own deadline bounds; the exit code."""
        asked = self._signals.stops[0]
        self._emit(Event.SERVICE_STOPPING, signal=signal.Signals(asked).name)
        self._notifier.stopping("a run reaches its safe point" if self._dispatcher.child else "stopping")
        self._dispatcher.stop()
        self._turn()
        while self._dispatcher.child:
            if len(self._signals.stops) > 1:
                self._children.kill()
            self._notifier.extend(_MORE_SECONDS)
            self._notifier.alive()
            self._wake.rest(_STOPPING_LOOK_SECONDS)
            self._turn()
        return 0 if len(self._signals.stops) == 1 else 128 + asked

    def _turn(self) -> None:
        self._dispatcher.turn()
        self._turned = stopwatch()
        self._report_status()
        # A look at all entries, or an answer, needs for moments as much as the service at rest.
        if self._turned - self._trimmed >= _TRIM_SECONDS:
            give_back()
            self._trimmed = self._turned

    def _read_settings_again(self) -> None:
        self._notifier.reloading()
        try:
            self._parts.renew(load_settings(self._root, self._context.environment))
            self._children.retention = self._parts.settings.retention
            self._dispatcher.look_again()
            self._emit(Event.SETTINGS_READ)
        except PartsLost:  # the rest of the service answers nothing: the service manager shall start it again
            raise
        except PipelineError as error:
            self._emit(Event.SETTINGS_REFUSED, error=str(error))
        self._notifier.ready(self._status)

    def _take_notice(self) -> None:
        if self._dispatcher.notices.add():
            self._wake()

    def _take_settings(self) -> None:
        self._signals.ask_anew()
        self._wake()

    def _report_status(self) -> None:
        troubles = {trouble for trouble in (self._dispatcher.trouble, self._parts.trouble) if trouble}
        for trouble in sorted(troubles - self._troubles):
            self._emit(Event.SERVICE_TROUBLED, error=trouble)
        self._troubles = troubles
        status = _status_line(self._dispatcher)
        if status != self._status:
            self._status = status
            self._notifier.status(status)

    def _start(self, job: str) -> Child:
        words = (BACKFILL, "--by-itself", "--yes") if job == BACKFILL else ()
        child, run = self._children.start(job, *words), uuid4()
        self._started = Announced(
            child,
            lambda: self._parts.pings.announce_start(job, run),
            lambda code: self._parts.pings.announce_end(job, run, code, child.log),
        )
        return self._started

    def _emit(self, event: Event, **fields: object) -> None:
        self._parts.emit(event, **fields)


def _status_line(dispatcher: Dispatcher) -> str:
    """The state of the service, in a line."""
    if dispatcher.trouble:
        return dispatcher.trouble
    if dispatcher.child:
        return f"{dispatcher.child.job} is at work; {dispatcher.child.log.name}"
    coming = dispatcher.moments()
    return f"waiting; the next look is at {coming[0].isoformat(timespec='seconds')}" if coming else "waiting"
