"""One ping: its content and its address.

The API: https://healthchecks.io/docs/http_api/. Light to import: the process that watches a run needs no more.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGTERM
from typing import TYPE_CHECKING, Self
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit
from urllib.request import Request
from uuid import UUID

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
"""The exit codes that are neither success nor failure, and why: the check takes note of them and stays as it is."""
_LEAD_BYTES = 8_192  # read before the part of a log that is sent: a secret that begins there is still seen as one
_LARGEST_CODE = 255
_HEADERS = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "agent-memory-pipeline"}


@dataclass(frozen=True)
class PingTarget:
    """The check to ping; none without `url`, which is a secret.

    `timeout` is how long one call may take, in seconds; `log_bytes` is how much of a run's output is sent.
    """

    url: str = field(default="", repr=False)
    timeout: float = 5.0
    log_bytes: int = 10_000

    @classmethod
    def of(cls, settings: "PingSettings") -> Self:
        """By the settings."""
        return cls(settings.url.get_secret_value(), settings.timeout.total_seconds(), settings.log_bytes)

    @property
    def problem(self) -> str:
        """Why the address cannot be called, without naming it; empty when it can."""
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
    def of_start(cls, job: str, run: UUID) -> Self:
        """A run has begun to work."""
        return cls(job, run, "start", f"{job} begins")

    @classmethod
    def of_end(cls, job: str, run: UUID, code: int | None, printed: Path | str = "") -> Self:
        """A run has ended with an exit code, or with none. A negative one is the signal that ended the process.

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
            body += f"\n{_last(self.printed, check.log_bytes)}"
        return Request(self._address(check.url), body.encode(errors="replace"), _HEADERS)  # noqa: S310 - `problem` knows the scheme

    def _address(self, url: str) -> str:
        """The check's address, with the end and the run's id put where they belong."""
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
    return _last(redact(held.decode(errors="replace")), most)


def _last(text: str, most: int) -> str:
    """The last bytes of a text, at most so many, as whole characters."""
    return text.encode(errors="replace")[-most:].decode(errors="ignore") if most else ""


def address_problem(settings: "Settings") -> str:
    """Why the check of the `pings` settings cannot be called, without its address; empty without a fault."""
    url = settings.pings.url.get_secret_value()
    problem = PingTarget.of(settings.pings).problem if url else ""
    return f"pings.url: {problem}" if problem else ""
