"""Pings: calls to a check, in the manner of healthchecks.io, when a run begins and when it ends.

The check raises an alarm when no ping comes: so people learn of a machine that is off. A ping that cannot be sent is
only a warning, and it is sent beside the run, which does not wait for it.
"""

import http.client
import signal
import urllib.error
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from signal import SIGHUP, SIGINT, SIGTERM
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Self
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit
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
from schemas.exit_codes import HELD, SIGNALLED, WAITING

if TYPE_CHECKING:
    from schemas.service_settings import PingSettings
    from schemas.settings import Settings

JOB_WORD = "{job}"
"""Stands in the address for the name of the job, so that each job can have a check of its own."""
UNCHANGED = {
    WAITING: "the model does not answer; what waits for it stays due",
    HELD: "somebody else is at work",
    **dict.fromkeys((SIGNALLED + number for number in (SIGHUP, SIGINT, SIGTERM)), "it was stopped as asked"),
}
"""The exit codes that are neither success nor failure, and why: the check logs them and keeps its state."""
_LEAD_BYTES = 8_192  # read before the part of a log that is sent: a secret that begins there is still seen as one
_LARGEST_CODE = 255
_HEADERS = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "agent-memory-pipeline"}
MOST_WAITING = 100
"""Pings that may wait to be sent; more are dropped with a warning."""
_SETTINGS = "memory.toml"
_TRIES = 3
_PAUSE_SECONDS = 1.0  # between two tries
_POLL_SECONDS = 0.05  # between two looks whether all is sent, or somebody hurries
_TEMPORARY_FAILURES = frozenset({408, 425, 429, 500, 502, 503, 504})  # answers after which another try may go well


@dataclass(frozen=True)
class PingTarget:
    """The check to ping. `url` is a secret; without it there is no check.

    `timeout` is the limit of each call, in seconds; `log_bytes` limits the output of a run that is sent.
    """

    url: str = field(default="", repr=False)
    timeout: float = 5.0
    log_bytes: int = 10_000

    @classmethod
    def of(cls, settings: "PingSettings") -> Self:
        """The target that the settings name."""
        return cls(settings.url.get_secret_value(), settings.timeout.total_seconds(), settings.log_bytes)

    @property
    def problem(self) -> str:
        """The fault of the address, without the address; empty without a fault."""
        if not self.url.isascii() or not self.url.isprintable() or " " in self.url:
            return "holds a character that no address has"
        try:
            parts = urlsplit(self.url)
            _ = parts.port, (parts.hostname or "").encode("idna")  # as for a call; each refuses some
        except ValueError:
            return "is no address"
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            return "has to begin with http:// or https:// and name a host"
        return "may not hold a user and a password" if "@" in parts.netloc else ""


@dataclass(frozen=True)
class Ping:
    """A message for a check: `end` comes after the check's address, `message` is the first line of the body.

    `printed` is what the run printed, without secrets, or the file that holds it with them.
    """

    job: str
    run: UUID
    end: str
    message: str
    printed: Path | str = ""

    @classmethod
    def of_end(cls, job: str, run: UUID, code: int | None, printed: Path | str) -> Self:
        """The ping of a run that has ended. A negative exit code is the signal that ended the process.

        For the check 0 is success, an exit code of `UNCHANGED` is a line in its log, and any other is failure.
        """
        number = code if code is None or code >= 0 else SIGNALLED - code
        if number is None or number > _LARGEST_CODE:
            return cls(job, run, "fail", f"{job} ended without an exit code", printed)
        message = f"{job} ended with exit code {number}"
        if why := UNCHANGED.get(number):
            return cls(job, run, "log", f"{message}: {why}", printed)
        return cls(job, run, str(number), message, printed)

    def request(self, check: PingTarget, redact: Callable[[str], str]) -> Request:
        """The call of the check; `redact` takes the secrets out of the file that was printed to."""
        body = f"{self.message}\n"
        if isinstance(self.printed, Path):
            body += f"\n{log_end(self.printed, check.log_bytes, redact)}"
        elif self.printed:
            body += f"\n{_last_bytes(self.printed, check.log_bytes)}"
        return Request(self._address(check.url), body.encode(errors="replace"), _HEADERS)  # noqa: S310 - `problem` knows the scheme

    def _address(self, url: str) -> str:
        """The check's address with the job, the end and the run's id."""
        parts = urlsplit(url.replace(JOB_WORD, quote(self.job, safe="")))
        query = "&".join(filter(None, [parts.query, f"rid={self.run}"]))
        return urlunsplit(SplitResult(parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/{self.end}", query, ""))


def log_end(log: Path, most: int, redact: Callable[[str], str]) -> str:
    """The last `most` bytes of a log, without secrets; empty when it cannot be read."""
    if not most:
        return ""
    try:
        with log.open("rb") as file:
            file.seek(max(file.seek(0, 2) - most - _LEAD_BYTES, 0))
            held = file.read(most + _LEAD_BYTES)
    except OSError:
        return ""
    return _last_bytes(redact(held.decode(errors="replace")), most)


def _last_bytes(text: str, most: int) -> str:
    """The last bytes of a text, at most so many, as whole characters."""
    return text.encode(errors="replace")[-most:].decode(errors="ignore") if most else ""


def address_problem(settings: "Settings") -> str:
    """The fault of the `pings` settings, without the address; empty without a fault."""
    url = settings.pings.url.get_secret_value()
    problem = PingTarget.of(settings.pings).problem if url else ""
    return f"pings.url: {problem}" if problem else ""


class Pings:
    """A thread that sends pings in order. Use it in a `with` statement.

    When the statement ends, waiting pings are sent, for at most as long as one ping may take. Without an address
    nothing is sent.
    """

    def __init__(self, check: PingTarget, emit: Emit, redact: Callable[[str], str]) -> None:
        """`redact` takes the secrets out of a log; it is called from the thread."""
        if check.url and check.problem:
            raise SettingsInvalid(_SETTINGS, [f"pings.url: {check.problem}"])
        # For http and https alone. It follows no redirect: another server is not the check.
        opener = OpenerDirector()
        for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor):
            opener.add_handler(handler())
        self._check, self._emit, self._redact, self._opener = check, emit, redact, opener
        self._waiting = SimpleQueue[Ping | None]()
        self._unsent = deque[Ping]()  # the one under way, and those that wait
        self._closing, self._given_up = Flag(), False
        self._thread = Thread(target=self._send_all, name="pings", daemon=True)

    def announce_start(self, job: str, run: UUID) -> None:
        """Announce that a run of a job begins to work; by the id `run` the check measures its duration.

        It must not be called earlier: a start without a success or a failure makes the check raise an alarm after its
        grace time, even if the run only found that another run is under way.
        """
        self.announce(Ping(job, run, "start", f"{job} begins"))

    def announce_end(self, job: str, run: UUID, code: int | None, printed: Path | str = "") -> None:
        """Announce the end of a run, see `Ping.of_end`, with the end of its output; a file is redacted first."""
        self.announce(Ping.of_end(job, run, code, printed))

    def __enter__(self) -> Self:
        if self._check.url:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._check.url:
            return
        self._closing.set()
        self._waiting.put(None)
        until = stopwatch() + self._check.timeout
        while self._thread.is_alive() and not self._given_up and stopwatch() < until:
            self._thread.join(_POLL_SECONDS)
        self._given_up = True  # the thread ends with its try, or with this process
        for ping in tuple(self._unsent):
            self._warn(ping, "there was no time left to send it")

    def stop_sending(self) -> None:
        """End the sending now, or as soon as the statement ends; safe to call from a signal handler."""
        self._given_up = True  # no Flag: a handler that sets one may wait for ever

    def announce(self, ping: Ping) -> None:
        """Send a ping after those that wait."""
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
        """Send a ping. Returns the reason of the last failure after all tries; empty if it was sent."""
        request = ping.request(self._check, self._redact)
        reason, again = self._call(request)
        for _ in range(_TRIES - 1):
            if again and not self._given_up:
                self._closing.wait(_PAUSE_SECONDS)
                reason, again = self._call(request)
        return reason

    def _call(self, request: Request) -> tuple[str, bool]:
        """Call the check. Returns the reason of a failure, without the address, and whether to try again."""
        try:
            self._opener.open(request, timeout=self._check.timeout).close()
        except urllib.error.HTTPError as error:
            error.close()
            return f"the server answers {error.code}", error.code in _TEMPORARY_FAILURES
        except urllib.error.URLError as error:
            return _reason_of(error.reason), True
        except (OSError, http.client.HTTPException) as error:
            return _reason_of(error), True
        except ValueError:  # the exception's own text holds the address
            return "its address, or that of a proxy, is none that can be called", False
        return "", False

    def _warn(self, ping: Ping, reason: str) -> None:
        self._emit(Event.PING_FAILED, job=ping.job, ping=ping.end, reason=reason)


def _reason_of(error: object) -> str:
    """The system's reason for a failure, without the address."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno and error.strerror:
        return error.strerror
    return type(error).__name__
