"""The service step by step, with jobs, children and clocks that are told what to do."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import LedgerDamaged, LedgerNewer
from pipeline.events import Event
from pipeline.service.scheduling.state_file import StateFile
from pipeline.workspace.service_files import ServiceFolder
from schemas.service_settings import Overlap
from schemas.settings import JobSettings
from tests.support.marks import examples
from tests.support.workspaces.simulated_service import Ticking

SimulatedJobs = Any  # of conftest.py, which is no module that could be imported
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def test_the_first_child_of_a_life_is_started_whatever_the_ledger_knows(jobs: SimulatedJobs) -> None:
    """It looks at the transcripts; after it, nothing is started before the next tick."""
    service = jobs.serve()
    service.turn()
    assert ["note"] == jobs.started()
    assert service.state.child is not None
    assert ("note", 7, "run.log") == (service.state.child.job, service.state.child.pid, service.state.child.log)
    jobs.end()
    jobs.wait(service, timedelta(minutes=59))
    assert ["note"] == jobs.started()
    assert service.child is None
    jobs.wait(service, MINUTE)
    assert ["note", "note"] == jobs.started()


def test_nothing_is_started_for_a_tick_with_nothing_due(jobs: SimulatedJobs) -> None:
    """Somebody else has run the job meanwhile."""
    service = jobs.quiet()
    jobs.done["note"] = NOON + HOUR
    jobs.wait(service, HOUR)
    assert ["note"] == jobs.started()
    assert NOON + HOUR == service.state.jobs["note"].last_look


def test_it_never_sleeps_past_a_tick_nor_for_long(jobs: SimulatedJobs) -> None:
    """At most a minute, and to the second when a tick is nearer."""
    service = jobs.quiet()
    assert 60 == service.wait_seconds()
    jobs.machine.pass_by(3600 - 5)
    service.turn()
    assert 5 == service.wait_seconds()
    assert [NOON + HOUR] == service.moments()
    assert NOON + HOUR == service.state.jobs["note"].next_look


@pytest.mark.parametrize(("overlap", "runs"), [(Overlap.QUEUE, 2), (Overlap.SKIP, 1)])
def test_a_tick_while_the_job_is_at_work(
    new_jobs: Callable[..., SimulatedJobs], tmp_path: Path, overlap: Overlap, runs: int
) -> None:
    """It is looked at right after, or dropped; the tick after that counts again."""
    jobs = new_jobs(tmp_path, [Ticking(NOON, "note", HOUR)], settings={"note": JobSettings(overlap=overlap)})
    service = jobs.serve()
    service.turn()
    jobs.wait(service, timedelta(minutes=90))
    jobs.done["note"] = NOON  # what came while it ran is left
    jobs.children[-1].code = 0
    service.turn()
    assert runs == len(jobs.started())
    for child in jobs.children:
        child.code = 0
    jobs.wait(service, timedelta(minutes=31))
    assert runs + 1 == len(jobs.started())


def test_a_tick_while_another_job_is_at_work_waits_its_turn(
    new_jobs: Callable[..., SimulatedJobs], tmp_path: Path
) -> None:
    """Also where the settings say `skip`: a day is not lost because its minute fell into somebody else's run."""
    plans = [Ticking(NOON, "a", timedelta(minutes=50)), Ticking(NOON, "b", HOUR)]
    jobs = new_jobs(tmp_path, plans, settings={"b": JobSettings(overlap=Overlap.SKIP)})
    service = jobs.quiet()
    jobs.wait(service, timedelta(minutes=65))
    assert ["a", "a"] == jobs.started()
    jobs.end()
    service.turn()
    assert ["a", "a", "b"] == jobs.started()


def test_a_job_waits_for_what_it_needs(new_jobs: Callable[..., SimulatedJobs], tmp_path: Path) -> None:
    """What it needs comes first, and while that fails nothing else is started."""
    jobs = new_jobs(tmp_path, [Ticking(NOON, "a", HOUR), Ticking(NOON, "b", HOUR, frozenset("a"))])
    service = jobs.quiet()
    jobs.wait(service, HOUR)
    jobs.end(4)
    jobs.wait(service, timedelta(minutes=5))
    assert {"a"} == set(jobs.started())
    jobs.end()
    service.turn()
    assert "b" == jobs.started()[-1]


def test_a_failing_job_is_parked_and_reported(jobs: SimulatedJobs) -> None:
    """The reason is what the run said last; it is left alone, also by the next life of the service."""
    jobs.done["note"] = NOON - HOUR
    service = jobs.serve()
    (jobs.root / "run.log").write_text(json.dumps({"ending": "failed", "warning": "no room"}) + "\n", encoding="utf-8")
    service.turn()
    for _ in range(6):
        jobs.end(1)
        jobs.wait(service, timedelta(hours=2), leaping=True)
    assert (6, 5) == (len(jobs.started()), len(jobs.heard(Event.JOB_RETRIED)))
    assert ["exit code 1 (it failed): no room"] == [fields["reason"] for fields in jobs.heard(Event.JOB_PARKED)]
    again = jobs.serve()
    jobs.wait(again, timedelta(days=1), leaping=True)
    assert 6 == len(jobs.started())
    state = again.state.jobs["note"]
    assert (6, None) == (state.failures, state.next_look)
    assert state.parked is not None


def test_a_parked_job_that_somebody_ran_well_is_looked_after_again(jobs: SimulatedJobs) -> None:
    """Within seconds, for whoever mended it looks whether that helped; and without a restart."""
    service = jobs.serve()
    service.turn()
    jobs.end(2)
    jobs.wait(service, timedelta(hours=3))
    assert ["note"] == jobs.started()
    jobs.success["note"] = jobs.machine.now()
    jobs.wait(service, timedelta(seconds=15))
    assert [{"job": "note"}] == jobs.heard(Event.JOB_RESUMED)
    assert ["note", "note"] == jobs.started()


def test_it_looks_again_on_request(jobs: SimulatedJobs) -> None:
    """Settings that were read anew count at once."""
    service = jobs.serve()
    service.turn()
    jobs.end()
    service.turn()
    jobs.broken = LedgerDamaged(str(jobs.root), "it is a test")
    service.turn()
    assert "" == service.trouble
    service.look_again()
    service.turn()
    assert "it is a test" in service.trouble


def test_a_child_that_cannot_be_started_is_a_failure(jobs: SimulatedJobs) -> None:
    """It is tried again, and it may work then."""
    jobs.unwritable = True
    service = jobs.serve()
    service.turn()
    assert 1 == service.state.jobs["note"].failures
    jobs.unwritable = False
    jobs.wait(service, HOUR)
    jobs.end()
    service.turn()
    assert 0 == service.state.jobs["note"].failures


def test_stopping_asks_the_child_once_and_starts_nothing(jobs: SimulatedJobs) -> None:
    """What it then tells is no failure."""
    service = jobs.serve()
    service.turn()
    service.stop()
    service.stop()
    assert jobs.children[0].asked
    jobs.end(143)
    service.turn()
    assert (None, 0) == (service.child, service.state.jobs["note"].failures)
    jobs.wait(service, timedelta(hours=3))
    assert ["note"] == jobs.started()


def test_a_workspace_that_cannot_be_looked_at_does_not_end_the_service(jobs: SimulatedJobs) -> None:
    """It says why, and goes on once it can; ticks meanwhile are looked at then."""
    service = jobs.quiet()
    jobs.broken = LedgerDamaged(str(jobs.root), "it is a test")
    jobs.wait(service, 2 * HOUR)
    assert "it is a test" in service.trouble
    assert 60 == service.wait_seconds()
    jobs.broken = None
    jobs.wait(service, timedelta(minutes=2))
    assert ("", ["note", "note"]) == (service.trouble, jobs.started())


def test_a_ledger_of_a_newer_program_ends_the_service(jobs: SimulatedJobs) -> None:
    """It can never be used again; but a service that is stopping waits for its run as ever."""
    service = jobs.quiet()
    jobs.broken = LedgerNewer(str(jobs.root), 99, 2)
    service.look_again()
    with pytest.raises(LedgerNewer, match="of version 99, which a newer program has written"):
        service.turn()
    service.stop()
    service.turn()
    assert "of version 99" in service.trouble


def test_a_state_that_cannot_be_written_does_not_end_the_service(jobs: SimulatedJobs) -> None:
    """It says so, and works on."""
    folder = ServiceFolder(jobs.root).path
    folder.parent.mkdir()
    folder.write_text("in the way", encoding="utf-8")
    service = jobs.quiet()
    assert "state.json" in service.trouble
    folder.unlink()
    jobs.wait(service, HOUR)
    assert ("", ["note", "note"]) == (service.trouble, jobs.started())
    assert StateFile(ServiceFolder(jobs.root).state).read() is not None


CODES = st.sampled_from([0, 0, 0, 1, 3, 4, 5, 75, 137])
NEEDS = st.sampled_from([(), ("a",)])


@settings(max_examples=examples(20))
@given(
    st.lists(st.tuples(st.integers(1, 200), CODES, st.sampled_from(["", "", "sleep", "clock", "down"])), max_size=15),
    st.tuples(NEEDS, NEEDS),
    st.sampled_from(list(Overlap)),
    st.integers(0),
)
def test_whatever_happens_all_that_is_due_is_run_in_the_end(  # noqa: PLR0913, PLR0917 - what is drawn, and where it happens
    new_jobs: Callable[..., SimulatedJobs],
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[int, int, str]],
    needs: tuple[tuple[str, ...], tuple[str, ...]],
    overlap: Overlap,
    seed: int,
) -> None:
    """One child at a time (`SimulatedJobs.start` sees to it); once children end well, nothing stays due."""
    job_settings = JobSettings(retries=100, overlap=overlap)
    plans = [Ticking(NOON, "a", 3 * HOUR)]
    plans += [
        Ticking(NOON, name, HOUR * hours, frozenset(pair))
        for name, hours, pair in zip("bc", (5, 8), needs, strict=True)
    ]
    jobs = new_jobs(tmp_path_factory.mktemp("jobs"), plans, settings=dict.fromkeys("abc", job_settings))
    service, dice = jobs.serve(), Random(seed)  # noqa: S311 - drawn
    for minutes, code, happening in steps:
        jobs.wait(service, minutes * MINUTE, leaping=True)
        if jobs.children and jobs.children[-1].code is None:
            jobs.end(code)
        if happening == "sleep":
            jobs.machine.sleep(dice.choice([30, 30_000]))
        if happening == "clock":
            jobs.machine.set_clock(timedelta(minutes=dice.choice([-100, 100])))
        if happening == "down" and not (jobs.children and jobs.children[-1].code is None):
            service = jobs.serve()
    for _ in range(25):
        jobs.wait(service, HOUR, leaping=True)
        while service.child:
            jobs.end()
            service.turn()
    assert [] == [plan.name for plan in plans if jobs.is_due(plan.name)]
    assert {0} == {job.failures for job in service.state.jobs.values()}
