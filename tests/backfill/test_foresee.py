"""What a partition will ask, found out without running it."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from jobs.daily_wrapup import JOB as WRAPUP
from jobs.micro_sync import JOB as SYNC
from jobs.weekly_compound import JOB as COMPOUND
from jobs.weekly_plan import JOB as PLAN
from pipeline.backfill.foresee import foresee, goes_further
from pipeline.backfill.plan import Planned, at
from pipeline.engine.partitioning.changes import ALL
from pipeline.scheduling.registry import jobs_named
from schemas.settings import Settings
from schemas.window import PartitionKey, Window
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
DAY = date(2026, 2, 2)
MORNING = datetime(2026, 2, 2, 8, tzinfo=UTC)
EVENING = datetime(2026, 2, 3, tzinfo=UTC)


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A day with a session, and all jobs."""
    made = new_bench(
        jobs=(SYNC, WRAPUP, PLAN, COMPOUND), settings=Settings(timezone="UTC"), model=ScriptedModel.failing()
    )
    made.say(conversation("s", MORNING, [("owner", "Remember that the key hangs here."), ("assistant", "Noted.")]))
    made.engine.catalog.refresh()
    return made


def partition(bench: Workbench, name: str, moment: datetime = EVENING) -> Planned:
    """A job's partition of a moment, or its only one."""
    [job] = jobs_named([name], bench.jobs)
    whole = PartitionKey(key=ALL, window=Window(start=moment, end=moment))
    return Planned(job, whole) if job.is_fold else at(bench.engine, [job], moment)[0]


@pytest.mark.parametrize(
    ("name", "moment", "asked"),
    [
        ("micro_sync", MORNING.replace(hour=9), ["session"]),
        ("micro_sync", MORNING.replace(hour=12), []),
        ("daily_wrapup", EVENING, ["session"]),
        ("weekly_plan", EVENING, []),
        ("weekly_compound", EVENING, []),
    ],
)
def test_what_depends_on_transcripts_alone(name: str, moment: datetime, asked: list[str], bench: Workbench) -> None:
    """The first questions of the jobs that read transcripts; nothing of a week, which rests on entries."""
    foreseen = foresee(bench.engine, partition(bench, name, moment), bench.engine.asker())
    assert (asked, frozenset()) == ([task.name for task in foreseen.asked.values()], foreseen.answered)
    assert {} == bench.pages()


def test_without_a_model_nothing_is_asked(bench: Workbench) -> None:
    """Every question has its offline way."""
    offline = bench.engine.asker(offline=True)
    assert {} == foresee(bench.engine, partition(bench, "micro_sync", MORNING.replace(hour=9)), offline).asked


def test_a_transcript_that_is_gone_is_left_to_the_run(bench: Workbench) -> None:
    """What cannot be read asks nothing, and is no failure here."""
    bench.source.remove("s.jsonl")
    planned = partition(bench, "micro_sync", MORNING.replace(hour=9))
    assert {} == foresee(bench.engine, planned, bench.engine.asker()).asked


def test_whose_answers_lead_further(bench: Workbench) -> None:
    """A day's page that does not exist yet; not entries, which rest on those before, nor a page that all write."""
    names = ["micro_sync", "daily_wrapup", "weekly_compound"]
    assert [False, True, False] == [goes_further(bench.engine, partition(bench, name)) for name in names]
    page = bench.root / "second-brain" / "summaries" / f"{DAY}-wrapup.md"
    page.parent.mkdir(parents=True)
    page.write_text("# A day\n")
    assert not goes_further(bench.engine, partition(bench, "daily_wrapup"))
