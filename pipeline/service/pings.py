"""Pings: telling a check, in the manner of healthchecks.io, that a run begins and how it ended.

The check raises an alarm when it hears nothing: that is how one learns of a machine that is off. A ping that cannot be
sent is a warning and no more, and it is sent beside the run, which does not wait for it.

What is called: https://healthchecks.io/docs/http_api/
"""

import http.client
import urllib.error
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from types import TracebackType
from typing import Self
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

from pipeline.errors import SettingsInvalid
from pipeline.events import Emit, Event
from schemas.service_settings import PingSettings

JOB_WORD = "{job}"
"""Stands in the address for the name of the job, so that each job can have a check of its own."""
MOST_WAITING = 100
_SETTINGS = "memory.toml"
_TRIES = 3
_PAUSE_SECONDS = 1.0  # between two tries
_LEAD_BYTES = 8_192  # read before the part of a log that is sent: a secret that begins there is still seen as one
_KILLED = 128  # a shell's exit code for a process that a signal ended is this and the signal's number
_LARGEST_CODE = 255
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # answers after which another try may go well
_HEADERS = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "agent-memory-pipeline"}


@dataclass(frozen=True)
class _Ping:
    """What is to be told: `end` comes after the check's address, `told` is the first line of the body."""

    job: str
    run: UUID
    end: str
    told: str
    log: Path | None = None


class Pings:
    """Tells of runs, one after another in their order, from a thread. Use it in a `with` statement.

    As the statement ends, what still waits is sent, for at most as long as one ping may take. Without an address in the
    settings nobody is told anything.
    """

    def __init__(self, settings: PingSettings, emit: Emit, redact: Callable[[str], str]) -> None:
        """`redact` takes the secrets out of a log; it is called from the thread.

        Raises:
            SettingsInvalid: `pings.url` is no address that can be called.
        """
        self._settings, self._emit, self._redact = settings, emit, redact
        self._url = settings.url.get_secret_value()
        if self._url and (problem := _problem(self._url)):
            raise SettingsInvalid(_SETTINGS, [f"pings.url: {problem}"])
        self._opener = _opener()
        self._waiting = SimpleQueue[_Ping | None]()
        self._under_way: _Ping | None = None
        self._closing, self._given_up = Flag(), Flag()
        self._thread = Thread(target=self._send_all, name="pings", daemon=True)

    def started(self, job: str, run: UUID) -> None:
        """A run of a job begins; `run` tells it from others, so that the check can measure how long it takes."""
        self._add(_Ping(job, run, "start", f"{job} begins"))

    def ended(self, job: str, run: UUID, code: int | None, log: Path | None = None) -> None:
        """A run has ended with an exit code, or with none; the end of its log goes along, without secrets.

        For the check, 0 is success and all else failure. A negative code is the signal that ended the process.
        """
        number = code if code is None or code >= 0 else _KILLED - code
        if number is None or number > _LARGEST_CODE:
            self._add(_Ping(job, run, "fail", f"{job} ended without an exit code", log))
        else:
            self._add(_Ping(job, run, str(number), f"{job} ended with exit code {number}", log))

    def __enter__(self) -> Self:
        if self._url:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._url:
            self._closing.set()
            self._waiting.put(None)
            self._thread.join(self._settings.timeout.total_seconds())
            if self._thread.is_alive():
                self._give_up()

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

    def _add(self, ping: _Ping) -> None:
        if not self._url:
            return
        if self._waiting.qsize() >= MOST_WAITING:
            self._warn(ping, "too many others wait to be sent")
        else:
            self._waiting.put(ping)

    def _send_all(self) -> None:
        while ping := self._waiting.get():
            self._under_way = ping
            reason = self._send(ping)
            self._under_way = None
            if reason and not self._given_up.is_set():
                self._warn(ping, reason)

    def _send(self, ping: _Ping) -> str:
        """Why a ping could not be sent, after all tries; empty when it was."""
        body = f"{ping.told}\n"
        if ping.log:
            body += f"\n{log_end(ping.log, self._settings.log_bytes, self._redact)}"
        request = Request(_address(self._url, ping), body.encode(), _HEADERS)  # noqa: S310 - `_problem` knows the scheme
        for _ in range(_TRIES - 1):
            reason, again = self._try(request)
            if not again or self._given_up.is_set():
                return reason
            self._closing.wait(_PAUSE_SECONDS)
        return self._try(request)[0]

    def _try(self, request: Request) -> tuple[str, bool]:
        """Why one try failed, without the address, which is a secret; and whether another one may go well."""
        try:
            self._opener.open(request, timeout=self._settings.timeout.total_seconds()).close()
        except urllib.error.HTTPError as error:
            error.close()
            return f"the server answers {error.code}", error.code in _PASSING
        except urllib.error.URLError as error:
            return _reason(error.reason), True
        except (OSError, http.client.HTTPException) as error:
            return _reason(error), True
        return "", False

    def _warn(self, ping: _Ping, reason: str) -> None:
        self._emit(Event.PING_FAILED, job=ping.job, ping=ping.end, reason=reason)


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
    return redact(held.decode(errors="replace")).encode(errors="replace")[-most:].decode(errors="ignore")


def _address(url: str, ping: _Ping) -> str:
    """Where a ping goes: the check's address, with the end and the run's id put where they belong."""
    parts = urlsplit(url.replace(JOB_WORD, quote(ping.job, safe="")))
    query = "&".join(filter(None, [parts.query, f"rid={ping.run}"]))
    return urlunsplit(SplitResult(parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/{ping.end}", query, ""))


def _problem(url: str) -> str:
    """Why an address cannot be called, without naming it; empty when it can."""
    if not url.isascii() or not url.isprintable() or " " in url:
        return "holds a character that no address has"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "is no address"
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return "has to begin with http:// or https:// and name a host"
    return "may not hold a user and a password" if "@" in parts.netloc else ""


def _opener() -> OpenerDirector:
    """Calls http and https alone, and follows no redirect: what answers there instead is not the check."""
    opener = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor):
        opener.add_handler(handler())
    return opener


def _reason(error: object) -> str:
    """What the system says about a failure, in words that hold no address."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno and error.strerror:
        return error.strerror
    return type(error).__name__
