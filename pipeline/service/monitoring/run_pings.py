"""Pings of one `memory run`, when the settings name a check: for runs from a timer or from cron.

The worker, which reads the settings anyway, sends the check and the result of its windows to its supervisor. The
supervisor calls the check, because it survives when a worker is killed. Without `pings.url` neither does anything.
"""

from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from pipeline.errors import PipelineError, SettingsInvalid
from pipeline.process.cancellation import handling, stop_signals

if TYPE_CHECKING:
    from uuid import UUID

    from pipeline.events import Emit
    from pipeline.service.monitoring.pings import Pings
    from schemas.settings import Settings

EVERY_JOB = "all"
"""Stands for the job's name in the pings of a run of all jobs."""
_LINES = 2_000  # kept; the last ones, and of them as much as `pings.log_bytes` allows, are sent
_LONGEST_LINE = 2_000  # characters


class PingReport:
    """The sender in the worker. It sends nothing before `configure` has sent a check."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self._send = send
        self._redact: Callable[[str], str] | None = None

    def configure(self, settings: "Settings") -> None:
        """Send the check to ping."""
        if not settings.pings.url.get_secret_value():
            return
        from pipeline.app.redaction import open_redactor  # noqa: PLC0415 - only where there is a check
        from pipeline.service.monitoring.pings import PingTarget  # noqa: PLC0415 - only where there is a check

        self._redact = open_redactor(settings).redact
        self._send({"check": [*astuple(PingTarget.of(settings.pings))], "level": settings.log_level})

    def sentence(self, sentence: str) -> None:
        """Send a line of the run's output, without secrets."""
        if self._redact:
            self._send({"line": self._redact(sentence)[:_LONGEST_LINE]})


class RunPings:
    """`WorkerObserver` of the supervisor: the worker has its `report`, the process beside it calls the check."""

    report: PingReport
    """The report of the worker; it exists in the worker's process alone."""

    def __init__(self, job: str, emitter: Callable[[str], "Emit"]) -> None:
        """`job` is the name on the command line, or empty; `emitter` makes an `Emit` for a level and above."""
        self._emitter = emitter
        self._job, self._lines = job or EVERY_JOB, deque[str](maxlen=_LINES)
        self._pings: tuple[Pings, UUID] | None = None
        self._sending = ExitStack()
        self._begun = False

    def prepare_worker(self, send: Callable[[Any], None]) -> None:
        """As of the protocol."""
        self.report = PingReport(send)

    def receive(self, message: dict[str, Any]) -> None:
        """As of the protocol."""
        if "line" in message:
            self._lines.append(message["line"])
            return
        from uuid import uuid4  # noqa: PLC0415 - only where there is a check

        from pipeline.events import Event  # noqa: PLC0415 - only where there is a check
        from pipeline.service.monitoring.pings import Pings, PingTarget  # noqa: PLC0415 - only where there is a check

        # Made here: it looks at how the command was called, which only this thread knows.
        warn = self._emitter(message["level"])
        try:
            pings = Pings(PingTarget(*message["check"]), warn, str)  # its redactor is for logs; the report needs none
            self._pings = self._sending.enter_context(pings), uuid4()
        except SettingsInvalid as error:
            warn(Event.PING_FAILED, job=self._job, ping="", reason="; ".join(error.problems))

    def note_step(self) -> None:
        """As of the protocol."""
        if self._pings and not self._begun:
            pings, run = self._pings
            pings.announce_start(self._job, run)
        self._begun = True

    def run_and_ping(self, run: Callable[[], int]) -> int:
        """Run `run`, and ping at its end for at most the time of one ping; returns its exit code."""
        try:
            code = run()
        except PipelineError as error:
            self._lines.append(str(error))
            self._ping_end(error.exit_code)
            raise
        self._ping_end(code)
        return code

    def _ping_end(self, code: int) -> None:
        if self._pings:
            pings, run = self._pings
            pings.announce_end(self._job, run, code, "".join(f"{line}\n" for line in self._lines))
            # A signal ends only the pinging: the run is over, and its exit code is known.
            with handling(lambda _: pings.stop_sending(), *stop_signals()):
                self._sending.close()
