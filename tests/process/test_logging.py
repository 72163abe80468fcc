"""Log lines: JSON on stderr, one stable event name for each happening."""

import io
import json
import subprocess
import sys
from datetime import UTC, datetime

from pipeline.events import Event
from pipeline.process.logging import LEVEL_OF, LEVELS, stderr_emitter
from tests.support.ports.clock import FixedClock
from tests.support.tables import table

NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_every_event_has_a_level() -> None:
    """No happening is without a level, and no level is made up."""
    assert set(LEVEL_OF) == set(Event)
    assert set(LEVEL_OF.values()) <= set(LEVELS)


def test_a_line_is_one_json_object() -> None:
    """A line names the event, its level, the time and the fields; letters of all languages stay readable."""
    out = io.StringIO()
    stderr_emitter("info", out, FixedClock(NOW))(Event.RUN_ENDED, job="micro_sync", warning="łódź 决定\nx")
    assert out.getvalue().count("\n") == 1
    assert "łódź 决定" in out.getvalue()
    assert json.loads(out.getvalue()) == {
        "event": "run.ended",
        "level": "info",
        "time": "2026-02-20T12:00:00+00:00",
        "job": "micro_sync",
        "warning": "łódź 决定\nx",
    }


@table("level", LEVELS)
def test_only_what_is_loud_enough_is_written(level: str) -> None:
    """Events below the level are not written."""
    out = io.StringIO()
    emit = stderr_emitter(level, out, FixedClock(NOW))
    for event in Event:
        emit(event)
    expected = [event for event in Event if LEVELS.index(LEVEL_OF[event]) >= LEVELS.index(level)]
    assert [json.loads(line)["event"] for line in out.getvalue().splitlines()] == expected


def test_a_person_sees_warnings_only() -> None:
    """On a terminal the lines of ordinary work stay away, whatever the level."""
    out = Terminal()
    emit = stderr_emitter("debug", out, FixedClock(NOW))
    emit(Event.RUN_ENDED)
    emit(Event.MENDED, path="memory/2026-02-20.md")
    assert [json.loads(line)["event"] for line in out.getvalue().splitlines()] == ["file.mended"]


def test_a_line_that_cannot_be_written_is_dropped() -> None:
    """A log whose disk is full ends no work."""
    with io.TextIOWrapper(io.FileIO("/dev/full", "w"), write_through=True) as full:
        emit = stderr_emitter("info", full, FixedClock(NOW))
        emit(Event.RUN_ENDED)
        emit(Event.MENDED, path="memory/2026-02-20.md")


def test_structlog_is_imported_by_the_first_line_only() -> None:
    """An emitter that writes nothing costs nothing."""
    code = (
        "import sys; from pipeline.process.logging import stderr_emitter; from pipeline.events import Event\n"
        "emit = stderr_emitter('info'); emit(Event.SOURCES_READ); print('structlog' in sys.modules)\n"
        "emit(Event.RUN_ENDED); print('structlog' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
