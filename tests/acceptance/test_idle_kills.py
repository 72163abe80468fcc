"""Silent windows are run together, and the process is killed at a step: in the end each has been run once."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from schemas.settings import Settings
from tests.support.builders.note_job import JOB
from tests.support.ports.clock import FixedClock
from tests.support.ports.memory_source import MemorySource, conversation
from tests.support.processes.kills import killed_at
from tests.support.workspaces.workbench import Workbench

START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOWS = 12
STEPS = range(40, 400, 31)
"""From before the first window on to behind the last, in strides that meet each sort of step."""


def test_a_kill_loses_and_repeats_no_window(tmp_path: Path) -> None:
    """Three days of four windows, with a note at the end."""
    source = MemorySource(conversation("s1", START + timedelta(hours=61), [("owner", "note: the last word")]))
    killed = 0
    for step in STEPS:
        root = tmp_path / str(step)
        root.mkdir()
        settings, clock = Settings(timezone="UTC", start=START), FixedClock(START + timedelta(days=3, hours=1))
        fields = {"root": root, "jobs": (JOB,), "clock": clock, "settings": settings, "source": source}
        killed += killed_at(step, fields)
        bench = Workbench(**fields)  # type: ignore[arg-type]  # the fields are checked by the dataclass
        bench.run_due()
        ended = Counter(run.key for run in bench.engine.ledger.runs.latest(limit=1_000) if run.ended)
        covered = [one.window for one in bench.engine.ledger.coverage.stretches(JOB.name)]
        assert (WINDOWS, {1}) == (len(ended), set(ended.values()))
        assert [START + timedelta(hours=6 * place) for place in range(WINDOWS)] == [one.start for one in covered]
        assert 1 == b"\n".join(bench.pages().values()).count(b"## Decision: the last word")
        bench.engine.ledger.store.close()
    assert 0 < killed < len(STEPS)
