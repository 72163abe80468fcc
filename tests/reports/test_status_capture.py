"""The capture ratio: how many of the owner's sessions gave an entry."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from pipeline.reports.sources import DAYS, FEW, captures
from schemas.reports.status import CaptureReport
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


def talk(bench: Workbench, number: int, text: str, origin: str = "owner", *, machine: bool = False) -> None:
    """A session of one message, each a minute after the other."""
    bench.say(conversation(f"s{number}", MORNING + timedelta(minutes=number), [(origin, text)], machine=machine))


def test_sessions_are_counted_once_they_are_dealt_with(new_bench: NewBench) -> None:
    """Those that gave an entry, of those whose time has been run."""
    bench = new_bench()
    talk(bench, 1, "note: one")
    talk(bench, 2, "hello")
    assert {"note": CaptureReport(DAYS, 0, 0, silent=False)} == captures(bench.engine)
    bench.run_due()
    assert {"note": CaptureReport(DAYS, 2, 1, silent=False)} == captures(bench.engine)
    bench.clock.move(timedelta(days=DAYS + 1))
    assert {"note": CaptureReport(DAYS, 0, 0, silent=False)} == captures(bench.engine)


def test_silence_is_reported_when_several_sessions_gave_nothing(new_bench: NewBench) -> None:
    """Fewer may be small talk; one entry ends the silence."""
    bench = new_bench()
    for number in range(FEW - 1):
        talk(bench, number, "hello")
    bench.run_due()
    assert {"note": CaptureReport(DAYS, FEW - 1, 0, silent=False)} == captures(bench.engine)
    talk(bench, FEW, "hello again")
    bench.run_due()
    assert {"note": CaptureReport(DAYS, FEW, 0, silent=True)} == captures(bench.engine)
    talk(bench, FEW + 1, "note: at last")
    bench.run_due()
    assert {"note": CaptureReport(DAYS, FEW + 1, 1, silent=False)} == captures(bench.engine)


def test_where_the_owner_does_not_speak_nothing_is_missed(new_bench: NewBench) -> None:
    """Machines and tools talk among themselves: such a session is no session of the owner, and is not counted."""
    bench = new_bench()
    for number in range(FEW):
        talk(bench, number, "ls", origin="tool")
    for number in range(FEW, 2 * FEW):
        talk(bench, number, "hourly check", machine=True)
    bench.run_due()
    assert {"note": CaptureReport(DAYS, 0, 0, silent=False)} == captures(bench.engine)
    talk(bench, 2 * FEW, "note: one")
    bench.run_due()
    assert {"note": CaptureReport(DAYS, 1, 1, silent=False)} == captures(bench.engine)
