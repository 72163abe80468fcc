"""Facts that the owner says again and again become entries, which the weekly plan judges as any other one."""

from datetime import UTC, datetime, timedelta

import pytest

from jobs import micro_sync, retain, weekly_compound, weekly_plan
from pipeline.corrections.decide import accept
from pipeline.corrections.forget import forget
from pipeline.corrections.undo import undo
from pipeline.engine.suggestions import waiting
from pipeline.ledger.runs import RunRecord
from pipeline.reports.entries import list_entries
from schemas.entry import Entry, Kind
from schemas.settings import Settings
from tests.support.workspaces.fact_bench import NOON, START, NewBench, talk
from tests.support.workspaces.workbench import Workbench

THRICE = [
    ("I prefer tea, not coffee.", "I prefer tea, not coffee.", "I prefer tea, not coffee."),
    ("Wolę herbatę od kawy.", "Wolę herbatę od kawy.", "Wolę herbatę od kawy."),
    ("我住在波尔图。", "我住在波尔图。", "我住在波尔图。"),
]


def opened(new_bench: NewBench, *more: object) -> Workbench:
    """A workspace of the jobs that write entries and facts."""
    jobs = (micro_sync.JOB, retain.JOB, *more)
    bench = new_bench(jobs=jobs, settings=Settings(timezone="Europe/Warsaw", start=START))
    bench.clock.moment = NOON
    return bench


def written(bench: Workbench) -> list[Entry]:
    """The entries, once all that is due has run."""
    bench.run_due()
    bench.run_due()
    return [place.entry for place in list_entries(bench.engine)]


def retained(bench: Workbench, day: str) -> RunRecord:
    """The run that retained the facts of a day."""
    return next(run for run in bench.engine.ledger.runs.latest("retain") if run.key == day)


@pytest.mark.parametrize("said", THRICE)
def test_what_is_said_on_three_days_is_an_entry(new_bench: NewBench, said: tuple[str, str, str]) -> None:
    """In the words of the third day, with its message, of the kind that is to be remembered; as sure as the fact."""
    bench = opened(new_bench)
    for day, text in enumerate(said):
        talk(bench, text, day=day)
    [entry] = written(bench)
    assert (Kind.REMEMBER, 0.8, "s2") == (entry.kind, entry.confidence, entry.source.session_id)
    assert entry.quote.strip(".。") == said[2].strip(".。")
    assert "2026-03-04" == str(entry.date.date())
    assert [] == waiting(bench.engine)


def test_two_days_and_repeats_of_one_day_are_too_few(new_bench: NewBench) -> None:
    """What is said thrice, twice of it on one day, is no entry."""
    bench = opened(new_bench)
    talk(bench, "I prefer tea, not coffee.")
    talk(bench, "I prefer tea, not coffee.", day=1)
    talk(bench, "I prefer tea, not coffee.", day=1, name="again")
    assert [] == written(bench)


def test_more_days_write_nothing_more(new_bench: NewBench) -> None:
    """The fourth and the fifth day change the number alone."""
    bench = opened(new_bench)
    for day in range(4):
        talk(bench, "I prefer tea, not coffee.", day=day)
    assert 1 == len(written(bench))


def test_what_is_so_of_others_is_no_entry(new_bench: NewBench) -> None:
    """The page is about the owner: where Basia lives is a fact, and stays one."""
    bench = opened(new_bench)
    for day in range(3):
        talk(bench, "Basia lives in Porto.", day=day)
    assert [] == written(bench)


def test_what_the_owner_asked_to_remember_is_one_entry(new_bench: NewBench) -> None:
    """The entry that the request made is enough, and its words are not written again."""
    bench = opened(new_bench)
    for day in range(3):
        talk(bench, "Remember that I prefer tea, not coffee.", day=day)
    entries = written(bench)
    assert len({entry.source.entry_ids[0] for entry in entries}) == len(entries)
    assert [] == [entry for entry in entries if entry.confidence == 0.8]


def test_an_entry_that_was_forgotten_stays_away(new_bench: NewBench) -> None:
    """Also when the day is retained again."""
    bench = opened(new_bench)
    for day in range(3):
        talk(bench, "I prefer tea, not coffee.", day=day)
    [entry] = written(bench)
    forget(bench.engine, entry.id)
    run = retained(bench, "2026-03-04")
    undo(bench.engine, run.run_id)
    assert [] == written(bench)
    assert [] == waiting(bench.engine)


def test_what_is_contradicted_waits_for_a_person(new_bench: NewBench) -> None:
    """A belief that was denied once, and is firm all the same, is not written before a person accepts it."""
    bench = opened(new_bench)
    for day in (0, 2, 3, 4):
        talk(bench, "I like radishes.", day=day)
    talk(bench, "I do not like radishes.", day=1)
    bench.clock.moment = NOON + timedelta(days=3)
    talk(bench, "I like radishes.", day=5)
    assert [] == written(bench)
    [waits] = [one for one in waiting(bench.engine) if "not" not in one.about.text]
    assert "micro_sync" == waits.job
    accept(bench.engine, [waits])
    assert ["I like radishes"] == [entry.conclusion.strip(".") for entry in written(bench)]


def test_the_page_gets_it_by_the_weekly_plan_alone(new_bench: NewBench) -> None:
    """The entry is judged with the others of its week."""
    bench = opened(new_bench, weekly_plan.JOB, weekly_compound.JOB)
    for day in range(3):
        talk(bench, "I prefer tea, not coffee.", day=day)
    written(bench)
    assert "MEMORY.md" not in bench.pages()
    bench.clock.moment = datetime(2026, 3, 9, 12, tzinfo=UTC)
    bench.run_due()
    assert "I prefer tea, not coffee" in bench.pages()["MEMORY.md"].decode()


def test_undo_of_the_facts_withdraws_the_request(new_bench: NewBench) -> None:
    """As long as nothing was written."""
    bench = opened(new_bench)
    for day in range(3):
        talk(bench, "I prefer tea, not coffee.", day=day)
    bench.run_due()
    run = retained(bench, "2026-03-04")
    assert 1 == undo(bench.engine, run.run_id).suggestions
    requests = bench.engine.ledger.requests.of_job("micro_sync")
    assert [] == requests
