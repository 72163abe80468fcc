"""A thin supervisor and one worker process in a group of its own: what overruns its deadline is killed."""

import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from pipeline.clock import stopwatch
from pipeline.errors import Overdue
from pipeline.stopping import SafePoint

GRACE_SECONDS = 10.0  # between a deadline, at which the worker stops itself if it can, and killing it
_RELAYED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def supervise(work: Callable[[SafePoint], int], grace_seconds: float = GRACE_SECONDS) -> int:
    """Run `work` in a worker process; its exit code, or 128 and the signal's number when a signal ended it.

    Call it before anything has started a thread. A signal to the supervisor asks the worker to stop at a safe point.

    Raises:
        Overdue: a step took longer than it told it would, and the worker was stopped.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    supervisor = os.getpid()
    # Until both know what to do with a signal it has to wait: the default would end the one and leave the other.
    signal.pthread_sigmask(signal.SIG_BLOCK, _RELAYED)
    worker = os.fork()
    if worker == 0:
        os.close(reader)
        _be_worker(work, writer, supervisor)
    os.close(writer)
    with suppress(OSError):  # the worker does the same; whoever is first
        os.setpgid(worker, worker)
    with _relaying(worker):
        return _Watch(worker, reader, grace_seconds).until_end()


def _be_worker(work: Callable[[SafePoint], int], writer: int, supervisor: int) -> None:
    """Never returns."""
    with suppress(OSError):
        os.setpgid(0, 0)

    def tell(job: str, seconds: float | None) -> None:
        until = None if seconds is None else stopwatch() + seconds
        with suppress(BrokenPipeError):
            os.write(writer, json.dumps({"job": job, "seconds": seconds, "until": until}).encode() + b"\n")

    safe_point = SafePoint(tell, orphaned=lambda: os.getppid() != supervisor)
    for number in _RELAYED:
        signal.signal(number, lambda received, _: safe_point.ask_to_stop(received))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _RELAYED)
    code = 70
    try:
        code = work(safe_point)
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        # A bug has been told by `work`; the parent's cleanups are not ours to run.
        os._exit(code)


@contextmanager
def _relaying(worker: int) -> Iterator[None]:
    def relay(number: int, _: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.killpg(worker, number)

    before = {number: signal.signal(number, relay) for number in _RELAYED}
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _RELAYED)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Watch:
    """What the supervisor knows of its worker."""

    def __init__(self, worker: int, reader: int, grace_seconds: float) -> None:
        self._worker, self._reader, self._grace_seconds = worker, reader, grace_seconds
        self._until: float | None = None
        self._told: tuple[str, float] = ("", 0.0)
        self._rest = b""

    def until_end(self) -> int:
        while self._listen():
            if self._until is not None and stopwatch() >= self._until:
                with suppress(ProcessLookupError):  # the group goes with its last process
                    os.killpg(self._worker, signal.SIGKILL)
                self._wait()
                raise Overdue(*self._told)
        code = os.waitstatus_to_exitcode(self._wait())
        return code if code >= 0 else 128 - code

    def _listen(self) -> bool:
        """Wait for the worker's word, or until it must be killed; `False` when it is gone."""
        left = None if self._until is None else max(self._until - stopwatch(), 0.0)
        ready, _, _ = select.select([self._reader], [], [], left)
        if not ready:
            return True
        heard = os.read(self._reader, 65536)
        *lines, self._rest = (self._rest + heard).split(b"\n")
        for told in map(json.loads, lines):
            self._told = (told["job"], told["seconds"] or 0.0)
            self._until = None if told["until"] is None else told["until"] + self._grace_seconds
        return bool(heard)

    def _wait(self) -> int:
        return os.waitpid(self._worker, 0)[1]
