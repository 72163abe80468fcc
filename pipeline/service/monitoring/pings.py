"""Pings: calls to a check, in the manner of healthchecks.io, when a run begins and when it ends.

The check raises an alarm when no ping comes: so people learn of a machine that is off. A ping that cannot be sent is
only a warning, and it is sent beside the run, which does not wait for it.
"""

import http.client
import signal
import urllib.error
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread
from types import TracebackType
from typing import Self
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)
from uuid import UUID

from pipeline.clock import stopwatch
from pipeline.errors import SettingsInvalid
from pipeline.events import Emit, Event
from pipeline.service.monitoring.ping import Ping, PingTarget

MOST_WAITING = 100
_SETTINGS = "memory.toml"
_TRIES = 3
_PAUSE_SECONDS = 1.0  # between two tries
_GLANCE_SECONDS = 0.05  # between two looks whether all is sent, or somebody hurries
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # answers after which another try may go well


class Pings:
    """Sends pings one after another, in order, from a thread. Use it in a `with` statement.

    When the statement ends, waiting pings are sent, for at most as long as one ping may take. Without an address
    nothing is sent.
    """

    def __init__(self, check: PingTarget, emit: Emit, redact: Callable[[str], str]) -> None:
        """`redact` takes the secrets out of a log; it is called from the thread."""
        if check.url and check.problem:
            raise SettingsInvalid(_SETTINGS, [f"pings.url: {check.problem}"])
        self._check, self._emit, self._redact, self._opener = check, emit, redact, _opener()
        self._waiting = SimpleQueue[Ping | None]()
        self._unsent = deque[Ping]()  # the one under way, and those that wait
        self._closing, self._given_up = Flag(), False
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
        if not self._check.url:
            return
        self._closing.set()
        self._waiting.put(None)
        until = stopwatch() + self._check.timeout
        while self._thread.is_alive() and not self._given_up and stopwatch() < until:
            self._thread.join(_GLANCE_SECONDS)
        self._given_up = True  # the thread ends with its try, or with this process
        for ping in tuple(self._unsent):
            self._warn(ping, "there was no time left to send it")

    def hurry(self) -> None:
        """End the sending now, or as soon as the statement ends; safe to call from a signal handler."""
        self._given_up = True  # no Flag: a handler that sets one may wait for ever

    def _add(self, ping: Ping) -> None:
        if not self._check.url:
            return
        if len(self._unsent) > MOST_WAITING:
            self._warn(ping, "too many others wait to be sent")
        else:
            self._unsent.append(ping)
            self._waiting.put(ping)

    def _send_all(self) -> None:
        # Signals are for the main thread: one that came here would not end what that one waits for.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while (ping := self._waiting.get()) and not self._given_up:
            reason = self._send(ping)
            if reason and self._given_up:
                return
            self._unsent.popleft()
            if reason:
                self._warn(ping, reason)

    def _send(self, ping: Ping) -> str:
        """Why a ping could not be sent, after all tries; empty when it was."""
        request = ping.request(self._check, self._redact)
        reason, again = self._call(request)
        for _ in range(_TRIES - 1):
            if again and not self._given_up:
                self._closing.wait(_PAUSE_SECONDS)
                reason, again = self._call(request)
        return reason

    def _call(self, request: Request) -> tuple[str, bool]:
        """Why it failed, without the address, and whether another try may go well; an empty reason when it did not."""
        try:
            self._opener.open(request, timeout=self._check.timeout).close()
        except urllib.error.HTTPError as error:
            error.close()
            return f"the server answers {error.code}", error.code in _PASSING
        except urllib.error.URLError as error:
            return _reason(error.reason), True
        except (OSError, http.client.HTTPException) as error:
            return _reason(error), True
        except ValueError:  # the exception's own text holds the address
            return "its address, or that of a proxy, is none that can be called", False
        return "", False

    def _warn(self, ping: Ping, reason: str) -> None:
        self._emit(Event.PING_FAILED, job=ping.job, ping=ping.end, reason=reason)


def _opener() -> OpenerDirector:
    """Calls http and https alone, and follows no redirect: what answers there instead is not the check."""
    opener = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor):
        opener.add_handler(handler())
    return opener


def _reason(error: object) -> str:
    """The system's reason for a failure, without the address."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno and error.strerror:
        return error.strerror
    return type(error).__name__
