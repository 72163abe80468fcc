"""Entries that hold until a day, are goals, or were said in a project: from a model's answer to the files."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs.micro_sync import JOB
from pipeline.corrections.undo import undo
from pipeline.ports.engine import Question
from pipeline.reports.entries import list_entries
from schemas.entry import Entry, Kind, Status
from schemas.extraction import Candidate
from schemas.session_answer import SessionAnswer
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.ports.shown_rows import read_shown
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
SALE = "The boat shop sells at half price until Thursday."
AIM = "We want a hundred paying guests by June."
UNTIL = date(2026, 3, 5)


def answer(question: Question) -> SessionAnswer:
    """Takes every message for a rule; the sale ends on Thursday, and the aim is one."""
    new = read_shown(question.input).messages
    return SessionAnswer(candidates=tuple(_rule(one.text, one.number) for one in new))


def _rule(text: str, number: int) -> Candidate:
    until = UNTIL if "until" in text else None
    rule = Candidate(kind=Kind.RULE, title=text, quote=text, quote_number=number, conclusion=text, confidence=0.9)
    return rule.model_copy(update={"until": until, "goal": text == AIM})


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A workspace in which both were said on a Monday, in a project."""
    made: Workbench = new_bench(jobs=(JOB,), model=ScriptedModel(answer))
    for place, text in enumerate((SALE, AIM)):
        said = conversation(f"s{place}", MORNING + timedelta(minutes=place), [("owner", text)])
        made.say(said.model_copy(update={"project": "/home/tom/code/boats"}))
    made.run_due()
    return made


def entries(bench: Workbench) -> dict[str, Entry]:
    """The entries by their quotes, with their standing."""
    return {
        place.entry.quote: place.entry.model_copy(update={"status": place.status})
        for place in list_entries(bench.engine)
    }


def page(bench: Workbench) -> str:
    """The daily file of the Monday."""
    return bench.pages()["memory/2026-03-02.md"].decode()


def say_on(bench: Workbench, day: int) -> str:
    """Something else is said on a day of March, and the job runs; the id of its last run that wrote something."""
    bench.clock.moment = datetime(2026, 3, day, 12, tzinfo=UTC)
    said = conversation(f"later-{day}", bench.clock.moment - timedelta(hours=5), [("owner", f"Lamp {day} is oiled.")])
    bench.say(said)
    return [outcome.run_id for outcome in bench.run_due() if outcome.written][-1]


def test_only_what_says_something_is_written(bench: Workbench) -> None:
    """The last day, the goal and the project stand in the entries that have one."""
    sale, aim = entries(bench)[SALE], entries(bench)[AIM]
    assert (UNTIL, False, "~/code/boats") == (sale.until, sale.goal, sale.project)
    assert (None, True, "~/code/boats") == (aim.until, aim.goal, aim.project)
    lines = page(bench).splitlines()
    assert ["- until: 2026-03-05"] == [line for line in lines if line.startswith("- until")]
    assert ["- goal: yes"] == [line for line in lines if line.startswith("- goal")]
    assert ["- project: ~/code/boats"] * 2 == [line for line in lines if line.startswith("- project")]


def test_what_is_over_is_put_away(bench: Workbench) -> None:
    """After its last day, for every reader at once; the next run says so in the file, and undo takes that back."""
    bench.clock.moment = datetime(2026, 3, 5, 22, tzinfo=UTC)
    assert Status.ACTIVE is entries(bench)[SALE].status
    bench.clock.moment = datetime(2026, 3, 5, 23, 30, tzinfo=UTC)
    assert [Status.ARCHIVED, Status.ACTIVE] == [entries(bench)[text].status for text in (SALE, AIM)]
    before = page(bench)
    assert "- status: archived" not in before

    run_id = say_on(bench, 7)
    assert [("- status: active", "- status: archived")] == [
        pair
        for pair in zip(before.splitlines(), page(bench).splitlines(), strict=True)
        if pair[0] != pair[1] and not pair[0].startswith("- check:")
    ]
    undo(bench.engine, run_id)
    assert before == page(bench)


def test_a_last_day_that_nobody_said_is_left_out_and_counted(new_bench: NewBench) -> None:
    """The entry is written all the same: what was said is not lost for it."""
    text = "The boat shop sells at half price until then."
    bench: Workbench = new_bench(jobs=(JOB,), model=ScriptedModel(answer))
    bench.say(conversation("s", MORNING, [("owner", text)]))
    outcomes = bench.run_due()
    assert entries(bench)[text].until is None
    assert 1 == sum(outcome.skipped.get("unsaid_until", 0) for outcome in outcomes)
