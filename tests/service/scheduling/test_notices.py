"""Notices of new records: many are one, and those in a row are heeded more and more rarely."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from threading import Thread
from typing import Any

from pipeline.events import Event
from pipeline.service.scheduling.dispatcher import LONGEST, SHORTEST, Notices

SimulatedJobs = Any  # of conftest.py, which is no module that could be imported
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MANY = 10_000


def test_ten_thousand_at_once_are_heeded_once() -> None:
    """From any thread; only the first one need wake anybody."""
    notices = Notices()
    woken = list[bool]()
    threads = [Thread(target=lambda: woken.extend(notices.add() for _ in range(MANY // 10))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == woken.count(True)
    assert [MANY, 0] == [notices.heed(NOON), notices.heed(NOON)]


def test_nothing_waits_without_one() -> None:
    """Nor is anything heeded."""
    assert (0, None) == (Notices().heed(NOON), Notices().wait(NOON))


def test_the_next_one_waits_for_a_moment() -> None:
    """It is not lost."""
    notices = Notices()
    notices.add()
    assert timedelta() == notices.wait(NOON)
    assert 1 == notices.heed(NOON)
    notices.add()
    assert (0, SHORTEST) == (notices.heed(NOON), notices.wait(NOON))
    assert 1 == notices.heed(NOON + SHORTEST)


def test_a_chain_runs_ever_more_slowly() -> None:
    """Where each one leads to the next: the pauses grow to five minutes, until there is one without."""
    notices, now, times = Notices(), NOON, list[datetime]()
    while now < NOON + timedelta(hours=2):
        notices.add()
        now += notices.wait(now) or timedelta()
        assert 1 == notices.heed(now)
        times.append(now)
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert ([SHORTEST, 2 * SHORTEST], LONGEST) == (pauses[:2], pauses[-1])
    assert len(times) < 2 * 60 / 5 + 10
    notices.add()
    assert 1 == notices.heed(now + 2 * LONGEST)
    notices.add()
    assert SHORTEST == notices.wait(now + 2 * LONGEST)


def test_a_clock_that_was_set_back_holds_up_nothing() -> None:
    """What was heeded in its future is over."""
    notices = Notices()
    notices.add()
    notices.heed(NOON)
    notices.add()
    assert 1 == notices.heed(NOON - timedelta(days=1))


def test_the_service_reads_the_records_at_once(jobs: SimulatedJobs) -> None:
    """A child is started although the ledger knows of nothing due, since it reads them; once, however many told it."""
    service = jobs.quiet()
    for _ in range(3):
        service.notices.add()
    assert 0 == service.wait_seconds()
    service.turn()
    jobs.end()
    jobs.wait(service, timedelta(minutes=1))
    assert ["note", "note"] == jobs.started()
    assert [{"notices": 3}] == jobs.heard(Event.RECORDS_NOTICED)


def test_what_is_due_with_the_new_records_runs_in_the_same_turn(jobs: SimulatedJobs) -> None:
    """Without waiting for the next tick; one that comes while a child is at work is heeded when that has ended."""
    service = jobs.quiet()
    service.notices.add()
    service.turn()
    service.notices.add()
    jobs.machine.pass_by(SHORTEST.total_seconds())
    service.turn()
    assert ["note", "note"] == jobs.started()
    jobs.end()
    service.turn()
    assert ["note", "note", "note"] == jobs.started()


def test_a_parked_job_stays_parked(jobs: SimulatedJobs) -> None:
    """A notice mends nothing."""
    service = jobs.serve()
    service.turn()
    jobs.end(2)
    service.turn()
    service.notices.add()
    service.turn()
    assert ["note"] == jobs.started()
