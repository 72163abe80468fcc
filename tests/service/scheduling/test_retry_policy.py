"""What is done about a job after each way in which its process can end, and whose turn it is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.scheduling.retry_policy import (
    JITTER,
    LONGEST_WAIT,
    LONGEST_WAIT_FOR_A_LOCK,
    SHORTEST_WAIT,
    Ended,
    JobRetryState,
    ScheduledJob,
    backoff,
    failure_reason,
    is_requested_now,
    is_resumed,
    jobs_to_look_at,
    state_after,
)
from schemas.service_state import Parked
from schemas.settings import JobSettings
from tests.support.tables import table

NOW = datetime(2026, 4, 23, 9, tzinfo=UTC)
SETTINGS = JobSettings()
FAILURES = (1, 70, 124, 137, 143, 130, 99)
NO_FAILURES = (3, 4, 5, 75)


def dice(seed: int = 1) -> Random:
    """The same every time."""
    return Random(seed)  # noqa: S311 - chance, no secret


def ended(code: int, *, as_requested: bool = False, zone: str = "UTC") -> Ended:
    """A process that has just ended."""
    return Ended(code, NOW, zone, "no room", as_requested)


def ends(retry_state: JobRetryState, *codes: int, settings: JobSettings = SETTINGS) -> JobRetryState:
    """What is kept in mind after runs that end so."""
    for code in codes:
        retry_state = state_after(replace(retry_state, retry=None), ended(code), settings, dice())
    return retry_state


def standing(job: str, *needs: str, success: datetime | None = None) -> ScheduledJob:
    """A job with no tick."""
    return ScheduledJob(job, frozenset(needs), SETTINGS, (), None, success)


def test_a_run_that_ends_well_ends_all_trouble() -> None:
    """The next failure is the first again; that somebody asked for another look meanwhile is kept."""
    troubled = ends(JobRetryState(), 1, 4, 70)
    assert (2, 3) == (troubled.failures, troubled.tries)
    assert JobRetryState(requested=True) == ends(replace(troubled, requested=True), 0)


@table("code", FAILURES)
def test_a_failure_is_tried_again_and_then_parked(code: int) -> None:
    """As often as the settings say; parked, it says why."""
    settings = JobSettings(retries=2)
    retry_state = ends(JobRetryState(), code, code, settings=settings)
    assert (2, None) == (retry_state.failures, retry_state.parked)
    assert retry_state.retry is not None
    parked = ends(retry_state, code, settings=settings).parked
    assert parked is not None
    assert (3, NOW) == (parked.failures, parked.since)
    assert parked.reason.startswith(f"exit code {code} (")
    assert parked.reason.endswith(": no room")


def test_without_retries_the_first_failure_parks() -> None:
    """`retries = 0` tries nothing again."""
    assert ends(JobRetryState(), 1, settings=JobSettings(retries=0)).parked is not None


def test_wrong_settings_park_at_once() -> None:
    """Trying again would not mend them."""
    parked = ends(JobRetryState(), 2).parked
    assert parked is not None
    assert "settings" in parked.reason


@given(st.sampled_from(NO_FAILURES), st.integers(1, 200), st.integers(0, 2))
def test_what_is_no_failure_never_parks(code: int, times: int, retries: int) -> None:
    """Some windows that cannot be run, a model that is away, a budget that is used up, a lock that others hold."""
    retry_state = ends(JobRetryState(), *[code] * times, settings=JobSettings(retries=retries))
    assert (0, None, True) == (retry_state.failures, retry_state.parked, retry_state.retry is not None)


def test_a_run_that_did_all_it_could_keeps_nobody_waiting() -> None:
    """What cannot be read is tried again later, and the jobs that build on the rest go on; a failure does stop them."""
    standings = [standing("sync"), standing("wrapup", "sync")]
    partly, failed = ends(JobRetryState(), 3), ends(JobRetryState(), 1)
    assert ["wrapup"] == jobs_to_look_at(standings, {"sync": partly, "wrapup": JobRetryState(requested=True)}, NOW)
    assert [] == jobs_to_look_at(standings, {"sync": failed, "wrapup": JobRetryState(requested=True)}, NOW)
    assert ends(partly, 1).is_troubled


@table("code", [130, 143])
def test_a_stop_that_was_asked_for_is_no_failure(code: int) -> None:
    """What was not done is looked at again."""
    retry_state = JobRetryState(failures=1, tries=1)
    assert replace(retry_state, requested=True) == state_after(
        retry_state, ended(code, as_requested=True), SETTINGS, dice()
    )


def test_a_budget_is_one_of_local_days() -> None:
    """After the midnight that does not exist in Cairo, the day begins at one o'clock."""
    retry_state = state_after(JobRetryState(), ended(5, zone="Africa/Cairo"), SETTINGS, dice())
    assert datetime(2026, 4, 23, 22, tzinfo=UTC) == retry_state.retry


@given(
    st.timedeltas(timedelta(0), timedelta(days=2)),
    st.integers(1, 10_000),
    st.sampled_from([LONGEST_WAIT, LONGEST_WAIT_FOR_A_LOCK]),
    st.integers(0),
)
def test_a_wait_never_leaves_its_bounds(first: timedelta, tries: int, longest: timedelta, seed: int) -> None:
    """Neither shorter than the first one nor longer than the longest, but for chance."""
    wait = backoff(first, tries, dice(seed), longest)
    assert max(first, SHORTEST_WAIT) * (1 - JITTER) <= wait + timedelta(microseconds=1)
    assert wait <= max(first, longest) * (1 + JITTER)


@given(st.integers(1, 12))
def test_waits_are_doubled(tries: int) -> None:
    """A minute, two, four and so on, up to an hour."""
    plain = min(timedelta(minutes=1) * 2 ** (tries - 1), LONGEST_WAIT)
    assert abs(backoff(timedelta(minutes=1), tries, dice()) - plain) <= plain * JITTER


def test_a_lock_is_tried_again_sooner_than_a_failure_in_the_end() -> None:
    """Somebody else's run may end at any time."""
    retry_state = ends(JobRetryState(), *[75] * 20)
    assert retry_state.retry is not None
    assert retry_state.retry - NOW <= LONGEST_WAIT_FOR_A_LOCK * (1 + JITTER)


def test_ticks_do_not_cut_a_wait_short() -> None:
    """Until it is over, that somebody asked changes nothing."""
    retry_state = JobRetryState(tries=1, retry=NOW + timedelta(minutes=5), requested=True)
    assert not is_requested_now(retry_state, NOW)
    assert is_requested_now(retry_state, NOW + timedelta(minutes=5))


def test_a_job_waits_for_what_it_needs() -> None:
    """While that is tried again or parked; others go on."""
    standings = [standing("a"), standing("b", "a"), standing("c")]
    requested = JobRetryState(requested=True)
    assert ["a", "b", "c"] == jobs_to_look_at(standings, dict.fromkeys("abc", requested), NOW)
    waiting = JobRetryState(tries=1, retry=NOW + timedelta(minutes=5))
    parked = JobRetryState(parked=Parked(since=NOW, failures=1, reason="x"), requested=True)
    for trouble in (waiting, parked):
        assert ["c"] == jobs_to_look_at(standings, {"a": trouble, "b": requested, "c": requested}, NOW)


def test_only_a_later_success_ends_the_parking() -> None:
    """What went well before does not count."""
    parked = JobRetryState(parked=Parked(since=NOW, failures=6, reason="x"))
    assert not is_resumed(parked, standing("a"))
    assert not is_resumed(parked, standing("a", success=NOW))
    assert is_resumed(parked, standing("a", success=NOW + timedelta(seconds=1)))
    assert not is_resumed(JobRetryState(), standing("a", success=NOW))


def test_another_clock_ends_all_waits() -> None:
    """A parking does not begin in the future, where no success could be later."""
    parked = Parked(since=NOW, failures=1, reason="x")
    retry_state = JobRetryState(tries=2, retry=NOW, parked=parked).by_another_clock(NOW - timedelta(days=1))
    assert (None, 2) == (retry_state.retry, retry_state.tries)
    assert retry_state.parked is not None
    assert NOW - timedelta(days=1) == retry_state.parked.since


def test_a_reason_without_words_of_the_run() -> None:
    """The exit code and what it means."""
    assert "exit code 137 (ended by signal 9)" == failure_reason(Ended(137, NOW, "UTC"))
    assert "exit code 124 (it took longer than its `timeout`)" == failure_reason(Ended(124, NOW, "UTC"))
