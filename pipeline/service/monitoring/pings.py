"""Pings: calls to a check, in the manner of healthchecks.io, when a run begins and when it ends.

The check raises an alarm when no ping comes: so people learn of a machine that is off. A ping that cannot be sent is
only a warning, and it is sent beside the run, which does not wait for it.
"""

import signal
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from types import TracebackType
from typing import Self
from uuid import UUID

from pipeline.errors import SettingsInvalid
from pipeline.events import Emit, Event
from pipeline.service.monitoring.ping import Ping, PingSender, PingTarget

MOST_WAITING = 100
_SETTINGS = "memory.toml"
_TRIES = 3
_PAUSE_SECONDS = 1.0  # between two tries
_DONE, _HURRY = "done", "hurry"  # what ends the wait for the thread


class Pings:
    """Sends pings one after another, in order, from a thread. Use it in a `with` statement.

    When the statement ends, waiting pings are sent, for at most as long as one ping may take. Without an address
    nothing is sent.
    """

    def __init__(self, check: PingTarget, emit: Emit, redact: Callable[[str], str]) -> None:
        """`redact` takes the secrets out of a log; it is called from the thread.

        Raises:
            SettingsInvalid: `pings.url` is no address that can be called.
        """
        if check.url and check.problem:
            raise SettingsInvalid(_SETTINGS, [f"pings.url: {check.problem}"])
        self._check, self._emit, self._line = check, emit, PingSender(check, redact)
        self._waiting = SimpleQueue[Ping | None]()
        self._under_way: Ping | None = None
        self._closing, self._given_up = Flag(), Flag()
        # No Flag: a signal handler that sets one may wait for ever. What is put into this queue never waits.
        self._ends = SimpleQueue[str]()
        self._thread = Thread(target=self._send_all, name="pings", daemon=True)

    def started(self, job: str, run: UUID) -> None:
        """A run of a job begins to work; `run` identifies it, so that the check can measure how long it takes.

        It must not be called earlier: a start without a success or a failure makes the check raise an alarm after its
        grace time, even if the run only found that another run is under way.
        """
        self._add(Ping.of_start(job, run))

    def ended(self, job: str, run: UUID, code: int | None, printed: Path | str = "") -> None:
        """A run has ended; see `Ping.of_end`. The end of what it printed goes along, of a file without secrets."""
        self._add(Ping.of_end(job, run, code, printed))

    def __enter__(self) -> Self:
        if self._check.url:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._check.url:
            self._closing.set()
            self._waiting.put(None)
            if self._is_done():
                self._thread.join()
            else:
                self._give_up()

    def hurry(self) -> None:
        """End the sending now, or as soon as the statement ends; safe to call from a signal handler."""
        self._ends.put(_HURRY)

    def _is_done(self) -> bool:
        """Wait until all pings are sent, for at most as long as one ping may take, or until `hurry` is called."""
        try:
            return self._ends.get(timeout=self._check.timeout) == _DONE
        except Empty:
            return False

    def _give_up(self) -> None:
        """Leave what is not sent yet; the thread ends with its try, or with this process."""
        self._given_up.set()
        left = [self._under_way]
        try:
            while True:
                left.append(self._waiting.get_nowait())
        except Empty:
            self._waiting.put(None)
        for ping in filter(None, left):
            self._warn(ping, "there was no time left to send it")

    def _add(self, ping: Ping) -> None:
        if not self._check.url:
            return
        if self._waiting.qsize() >= MOST_WAITING:
            self._warn(ping, "too many others wait to be sent")
        else:
            self._waiting.put(ping)

    def _send_all(self) -> None:
        # Signals are for the main thread: one that came here would not end what that one waits for.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._send_waiting()
        finally:
            self._ends.put(_DONE)

    def _send_waiting(self) -> None:
        while ping := self._waiting.get():
            self._under_way = ping
            reason = self._send(ping)
            self._under_way = None
            if reason and not self._given_up.is_set():
                self._warn(ping, reason)

    def _send(self, ping: Ping) -> str:
        """Why a ping could not be sent, after all tries; empty when it was."""
        request = self._line.request(ping)
        for _ in range(_TRIES - 1):
            reason, again = self._line.call(request)
            if not again or self._given_up.is_set():
                return reason
            self._closing.wait(_PAUSE_SECONDS)
        return self._line.call(request)[0]

    def _warn(self, ping: Ping, reason: str) -> None:
        self._emit(Event.PING_FAILED, job=ping.job, ping=ping.end, reason=reason)
