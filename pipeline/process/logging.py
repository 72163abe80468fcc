"""Log lines for machines: one JSON object a line on stderr, through structlog.

structlog is imported when the first line is written, because most commands write none.
"""

import sys
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

from pipeline.clock import SystemClock
from pipeline.events import Emit, Event
from pipeline.ports.engine import Clock

if TYPE_CHECKING:
    import structlog

LEVELS = ("debug", "info", "warning", "error")

LEVEL_OF = {
    Event.NOTHING_DUE: "debug",
    Event.RUN_BEGAN: "debug",
    Event.RUN_ENDED: "info",
    Event.RUN_EMPTY: "debug",
    Event.RUN_WARNED: "warning",
    Event.SERIES_PROGRESSED: "info",
    Event.SERIES_ENDED: "info",
    Event.REJECTED: "info",
    Event.MENDED: "warning",
    Event.CHANGED_IN_FILE: "info",
    Event.DELETED_BY_PERSON: "info",
    Event.STANDS_AGAIN: "info",
    Event.ERASED_AGAIN: "warning",
    Event.LOSS_ACCEPTED: "warning",
    Event.REMOVED_BY_PERSON: "info",
    Event.LEDGER_REBUILT: "warning",
    Event.LEDGER_PRUNED: "info",
    Event.CONVERSATIONS_EXPIRED: "info",
    Event.DETAILS_PRUNED: "info",
    Event.DETAILS_KEPT: "warning",
    Event.SOURCE_UNREADABLE: "warning",
    Event.SOURCES_READ: "debug",
    Event.CONTEXT_ASSEMBLED: "debug",
    Event.SUMMARY_REFUSED: "warning",
    Event.INDEX_UPDATED: "debug",
    Event.INDEX_REBUILT: "info",
    Event.INDEX_UNREADABLE: "warning",
    Event.VECTORS_PROGRESSED: "info",
    Event.SERVICE_READY: "info",
    Event.FRONT_READY: "info",
    Event.WORKER_READY: "info",
    Event.SERVICE_STOPPING: "info",
    Event.SERVICE_TROUBLED: "warning",
    Event.SETTINGS_READ: "info",
    Event.SETTINGS_REFUSED: "error",
    Event.TICK_MISSED: "warning",
    Event.CLOCK_CHANGED: "info",
    Event.RECORDS_NOTICED: "info",
    Event.JOB_STARTED: "info",
    Event.JOB_ENDED: "info",
    Event.JOB_RETRIED: "warning",
    Event.JOB_PARKED: "error",
    Event.JOB_RESUMED: "info",
    Event.QUESTION_FAILED: "warning",
    Event.ACT_SETTLED: "info",
    Event.ACT_BROKEN: "error",
    Event.WORKSPACE_FAILED: "warning",
    Event.WORKSPACE_PARKED: "error",
    Event.BATCH_SENT: "info",
    Event.BATCH_ENDED: "info",
    Event.BATCH_DELAYED: "warning",
    Event.EMBEDDER_DROPPED: "debug",
    Event.PING_FAILED: "warning",
    Event.METRICS_FAILED: "warning",
}
"""The level of each event."""


def stderr_emitter(level: str, stream: TextIO | None = None, clock: Clock | None = None) -> Emit:
    """Make an `Emit` for events of `level` and above; on a terminal for warnings and errors alone.

    A line that cannot be written is dropped.

    Args:
        level: one of `LEVELS`.
        stream: where the lines go; stderr by default.
        clock: what the lines' `time` is taken from; this machine's by default.
    """
    out = stream or sys.stderr
    least = max(LEVELS.index(level), LEVELS.index("warning") if out.isatty() else 0)
    return _Emitter(least, out, clock or SystemClock())


class _Emitter:
    """`pipeline.events.Emit`."""

    def __init__(self, least: int, out: TextIO, clock: Clock) -> None:
        self._least, self._out, self._clock = least, out, clock

    def __call__(self, event: Event, **fields: object) -> None:
        level = LEVEL_OF[event]
        if LEVELS.index(level) >= self._least:
            with suppress(OSError):  # a log that cannot be written, for its disk is full, ends no work
                self._logger.msg(event.value, **fields, level=level, time=self._clock.now().isoformat())

    @cached_property
    def _logger(self) -> "structlog.BoundLogger":
        import structlog  # noqa: PLC0415 - a quarter of a second, which a command that logs nothing need not pay

        return structlog.BoundLogger(
            structlog.WriteLogger(self._out), [structlog.processors.JSONRenderer(ensure_ascii=False)], {}
        )
