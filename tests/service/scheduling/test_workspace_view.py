"""A real workspace as the service looks at it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.app.engine import open_engine
from pipeline.backfill.orders import OrdersFolder
from pipeline.backfill.plan import due_now, work_through
from pipeline.engine.runner import Runner
from pipeline.errors import SettingsInvalid
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import discover
from pipeline.service.scheduling.workspace_view import BACKFILL, LedgerWorkspace
from schemas.run_request import BackfillRequest
from schemas.settings import JobSettings
from tests.support.ports.clock import FixedClock
from tests.support.processes.commands import RealWorkspace

NOW = datetime(2026, 3, 4, 11, 30, tzinfo=UTC)
"""Half past twelve in Warsaw, a Wednesday."""

SETTINGS = 'timezone = "Europe/Warsaw"\nstart = 2026-03-02T00:00:00+01:00\n[jobs.daily_wrapup]\nretries = 1\n'
JOBS = ["micro_sync", "daily_wrapup", "weekly_plan", "weekly_compound"]


@dataclass(frozen=True)
class Seen:
    """A workspace, and the service's view of it."""

    root: Path
    clock: FixedClock

    @property
    def subject(self) -> LedgerWorkspace:
        """The view."""
        return LedgerWorkspace(self.root, ProcessContext({}, self.clock))

    def run_due(self) -> None:
        """What `memory run` does."""
        engine = open_engine(self.root, ProcessContext({}, self.clock))
        for _ in work_through(Runner(engine), due_now(engine, engine.jobs)):
            self.clock.move(timedelta(seconds=1))
        engine.ledger.store.close()


@pytest.fixture
def seen(tmp_path: Path) -> Seen:
    """With no source and nothing run."""
    RealWorkspace(tmp_path).configure(SETTINGS)
    return Seen(tmp_path, FixedClock(NOW))


def test_every_job_stands_behind_what_it_needs(seen: Seen) -> None:
    """At any remove; with its own settings."""
    subject = seen.subject
    standings = subject.look(NOW, NOW)
    assert [job.name for job in discover() if not job.per_agent] == [scheduled.job for scheduled in standings]
    needs = {scheduled.job: scheduled.needs for scheduled in standings}
    assert [set(JOBS[:number]) for number in range(4)] == [needs[name] for name in JOBS]
    assert [JobSettings(), JobSettings(retries=1)] == [scheduled.settings for scheduled in standings[:2]]
    assert "Europe/Warsaw" == subject.zone


def test_a_back_fill_that_waits_is_asked_for_behind_all_jobs(seen: Seen) -> None:
    """At each look, as long as it waits and nobody is at work on it."""
    folder, request = OrdersFolder(seen.root / ".memory"), BackfillRequest(id="b-1", waits=True)
    folder.keep(request.model_copy(update={"id": "b-0", "waits": False}))
    assert BACKFILL not in {scheduled.job for scheduled in seen.subject.look(NOW, NOW)}
    folder.keep(request)
    last = seen.subject.look(NOW, NOW)[-1]
    assert (BACKFILL, (NOW,), True) == (last.job, last.ticks, seen.subject.is_due(BACKFILL))
    with folder.at_work("b-1"):
        assert BACKFILL not in {scheduled.job for scheduled in seen.subject.look(NOW, NOW)}


def test_ticks_are_when_windows_close(seen: Seen) -> None:
    """Two minutes after their end; none for time before `start`, and none from a clock that was set back."""
    standings = seen.subject.look(NOW - timedelta(days=30), NOW)
    micro, daily, plan = (scheduled for scheduled in standings if scheduled.job in JOBS[:3])
    first = datetime(2026, 3, 2, 2, 2, tzinfo=UTC)
    assert (first, datetime(2026, 3, 4, 11, 2, tzinfo=UTC), 20) == (micro.ticks[0], micro.ticks[-1], len(micro.ticks))
    assert (datetime(2026, 3, 3, 2, 22, tzinfo=UTC), datetime(2026, 3, 4, 2, 22, tzinfo=UTC)) == daily.ticks
    assert () == plan.ticks
    assert datetime(2026, 3, 4, 14, 2, tzinfo=UTC) == micro.next_look
    assert datetime(2026, 3, 9, 3, 12, tzinfo=UTC) == plan.next_look
    assert {()} == {scheduled.ticks for scheduled in seen.subject.look(NOW + timedelta(days=1), NOW)}


def test_the_last_good_run_is_known(seen: Seen) -> None:
    """And what is due before it and after it."""
    assert seen.subject.is_due("micro_sync")
    assert {None} == {scheduled.success for scheduled in seen.subject.look(NOW, NOW)}
    seen.run_due()
    assert not seen.subject.is_due("micro_sync")
    micro, daily, plan = (scheduled for scheduled in seen.subject.look(NOW, NOW) if scheduled.job in JOBS[:3])
    assert micro.success is not None
    assert NOW <= micro.success <= seen.clock.moment
    assert daily.success is not None
    assert plan.success is None


def test_without_a_start_nothing_ever_ticks(seen: Seen) -> None:
    """Nothing is due by itself."""
    (seen.root / "memory.toml").write_text("", encoding="utf-8")
    standings = seen.subject.look(NOW - timedelta(days=30), NOW)
    assert {((), None)} == {(scheduled.ticks, scheduled.next_look) for scheduled in standings}
    assert not seen.subject.is_due("micro_sync")


def test_settings_are_read_anew_at_every_look(seen: Seen) -> None:
    """Also those that cannot be used."""
    subject = seen.subject
    subject.look(NOW, NOW)
    (seen.root / "memory.toml").write_text(SETTINGS.replace("retries = 1", "retries = -1"), encoding="utf-8")
    with pytest.raises(SettingsInvalid, match="retries"):
        subject.look(NOW, NOW)
