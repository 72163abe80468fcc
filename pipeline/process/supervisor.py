"""A supervisor and one worker process in a group of its own, which is killed if it overruns its deadline."""

import json
import os
import select
import signal
import stat
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from pipeline.clock import stopwatch
from pipeline.errors import Overdue
from pipeline.process.cancellation import CancellationToken, TimeLimit, handling, stop_signals

GRACE_SECONDS = 10.0  # between a deadline, at which the worker stops itself if it can, and killing it


class WorkerObserver(Protocol):
    """Follows the worker from the supervising process. The same object exists in both, from before the fork.

    Its methods must return quickly and must not raise: the same thread keeps the worker's deadline.
    """

    def prepare_worker(self, send: Callable[[Any], None]) -> None:
        """In the worker, before it begins: `receive` gets here what `send` is given there, as JSON, in order.

        `send` does nothing when the supervising process has gone.
        """

    def receive(self, message: Any) -> None:  # noqa: ANN401 - JSON
        """Take a message of the worker."""

    def note_step(self) -> None:
        """The worker begins a step that has a deadline. Called for every such step."""


def supervise(
    work: Callable[[CancellationToken], int],
    grace_seconds: float = GRACE_SECONDS,
    lifeline: int | None = None,
    observer: WorkerObserver | None = None,
) -> int:
    """Run `work` in a worker process; its exit code, or 128 and the signal's number when a signal ended it.

    Call it before anything has started a thread. A signal to the supervisor asks the worker to stop at a safe point; a
    signal that both ignore from the start, as SIGHUP under `nohup`, stays ignored.

    Args:
        work: what the worker does.
        grace_seconds: how long a worker may go on after a stop request before its group is killed.
        lifeline: a descriptor, open for reading, whose other end the parent holds. When that end closes, the worker
            is asked to stop, and killed after the grace; a byte in it kills at once. A socket gets a byte when
            the worker begins its first step.
        observer: is called here when the worker begins a step or sends a message.

    Raises:
        Overdue: a step took longer than announced, and the worker was stopped.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    supervisor = os.getpid()
    # Until both know what to do with a signal it has to wait: the default would end the one and leave the other.
    relayed = stop_signals()
    signal.pthread_sigmask(signal.SIG_BLOCK, relayed)
    worker = os.fork()
    if worker == 0:
        os.close(reader)
        if observer:
            observer.prepare_worker(lambda step: _send(writer, {"said": step}))
        _run_worker(work, writer, supervisor, relayed)
    os.close(writer)
    with suppress(OSError):  # the worker does the same; either may be first
        os.setpgid(worker, worker)
    with _relay_signals(worker, relayed):
        return _Watch(worker, reader, grace_seconds, lifeline, observer).until_end()


def _run_worker(
    work: Callable[[CancellationToken], int], writer: int, supervisor: int, relayed: Collection[int]
) -> None:
    """Run the work in the worker process, and exit."""
    with suppress(OSError):
        os.setpgid(0, 0)

    def pass_on_limit(limit: TimeLimit | None) -> None:
        _send(writer, {"limit": limit and vars(limit)})

    safe_point = CancellationToken(pass_on_limit, orphaned=lambda: os.getppid() != supervisor)
    code = 70
    with handling(safe_point.ask_to_stop, *relayed):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, relayed)
        try:
            code = work(safe_point)
        finally:
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            # `work` has reported a bug already; the parent's cleanups are not ours to run.
            os._exit(code)


def _send(writer: int, message: dict[str, Any]) -> None:
    left = memoryview(json.dumps(message).encode() + b"\n")
    with suppress(BrokenPipeError):
        while left:  # a signal may have cut a long one short
            left = left[os.write(writer, left) :]


@contextmanager
def _relay_signals(worker: int, relayed: Collection[int]) -> Iterator[None]:
    def relay(number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(worker, number)

    with handling(relay, *relayed):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, relayed)
        yield


class _Watch:
    """The supervisor's view of its worker."""

    def __init__(
        self, worker: int, reader: int, grace_seconds: float, lifeline: int | None, observer: WorkerObserver | None
    ) -> None:
        self._worker, self._reader, self._grace_seconds, self._lifeline = worker, reader, grace_seconds, lifeline
        self._observer, self._first_step = observer, True
        self._limit: TimeLimit | None = None  # of the step under way
        self._cut: float | None = None  # the end of the grace after the lifeline's end
        self._rest = b""

    def until_end(self) -> int:
        while self._wait_for_word():
            overrun = self._limit if self._is_over(self._until) else None
            if overrun or self._is_over(self._cut):
                self._signal(signal.SIGKILL)
                status = self._wait()
                if overrun is None or self._is_over(self._cut):
                    return _code(status)
                raise Overdue(overrun.job, overrun.seconds)
        return _code(self._wait())

    def _wait_for_word(self) -> bool:
        """Wait for a message, the end of the lifeline, or the time to kill. Returns `False` at the worker's end."""
        until = [moment for moment in (self._until, self._cut) if moment is not None]
        left = max(min(until) - stopwatch(), 0.0) if until else None
        watched = [self._reader] if self._lifeline is None else [self._reader, self._lifeline]
        ready, _, _ = select.select(watched, [], [], left)
        if self._lifeline is not None and self._lifeline in ready:
            kills_at_once = b""
            with suppress(ConnectionError):  # a socket whose other end closed without reading our byte
                kills_at_once = os.read(self._lifeline, 1)
            self._lifeline = None
            self._signal(signal.SIGTERM)
            self._cut = stopwatch() + (0.0 if kills_at_once else self._grace_seconds)
        return self._receive() if self._reader in ready else True

    def _receive(self) -> bool:
        data = os.read(self._reader, 65536)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for message in map(json.loads, lines):
            if "said" not in message:
                self._note_limit(message["limit"])
            elif self._observer:
                self._observer.receive(message["said"])
        return bool(data)

    @property
    def _until(self) -> float | None:
        return self._limit.until + self._grace_seconds if self._limit else None

    def _note_limit(self, limit: dict[str, Any] | None) -> None:
        self._limit = TimeLimit(**limit) if limit else None
        if self._limit is None:
            return
        if self._observer:
            self._observer.note_step()
        if self._first_step and self._lifeline is not None and stat.S_ISSOCK(os.fstat(self._lifeline).st_mode):
            with suppress(OSError):  # the parent has gone; the next read reports that
                os.write(self._lifeline, b"\n")
        self._first_step = False

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # the group goes with its last process
            os.killpg(self._worker, number)

    def _wait(self) -> int:
        return os.waitpid(self._worker, 0)[1]

    @staticmethod
    def _is_over(moment: float | None) -> bool:
        return moment is not None and stopwatch() >= moment


def _code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code
