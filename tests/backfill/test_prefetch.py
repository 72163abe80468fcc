"""Asking ahead: what is asked when, what it costs, and that failures ahead decide nothing."""

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
from pydantic import BaseModel

from jobs.daily_wrapup import JOB as WRAPUP
from jobs.micro_sync import JOB as SYNC
from pipeline.backfill.plan import Planned, in_days, work_through
from pipeline.backfill.prefetch import Limits, Prefetching
from pipeline.engine.runner import Runner
from pipeline.errors import Interrupted, ModelUnavailable
from pipeline.job import Job, Task
from pipeline.model.question import Readers
from pipeline.ports.engine import Question
from schemas.extraction import Candidate
from schemas.outcome import Outcome
from schemas.session_answer import SessionAnswer
from schemas.settings import Settings
from schemas.summary import Merged, Part, Point
from schemas.transcript import Origin, Session
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.ports.shown_rows import read_shown
from tests.support.processes.waiting import soon
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
FIRST = date(2026, 2, 2)
DAYS = 8
SETTINGS = Settings(timezone="UTC")
REASON = "it was the moon"
THINGS = [
    "roof",
    "lamp",
    "stove",
    "door",
    "gate",
    "well",
    "fence",
    "bench",
    "boat",
    "pier",
    "tub",
    "mast",
    "bell",
    "sled",
    "kiln",
    "loom",
]
"""Of each something else is said, so that no pair of entries is asked about."""


def sessions() -> list[Session]:
    """Two sessions a day, of which each says something to remember."""
    said = [(day, part) for day in range(DAYS) for part in ("a", "b")]
    return [
        conversation(
            f"s-{day}-{part}",
            datetime(2026, 2, 2, 8, tzinfo=UTC) + timedelta(days=day, minutes=30 * (part == "b")),
            [("owner", f"The {THINGS[2 * day + (part == 'b')]} of cabin {day}."), ("assistant", "Noted.")],
        )
        for day, part in said
    ]


def good(question: Question) -> BaseModel:
    """Remembers what is to be remembered, and tells it in the wrap-up."""
    if question.name == "daily_wrapup_merge":
        return Merged()
    asked = read_shown(question.input)
    said = [one for one in asked.messages if one.number >= asked.first_new and one.origin is Origin.OWNER]
    return SessionAnswer(
        candidates=tuple(_candidate(one.text, one.number) for one in said),
        points=tuple(Point(part=Part.TECHNICAL, text=one.text, numbers=(one.number,)) for one in said),
    )


def _candidate(quote: str, number: int) -> Candidate:
    return Candidate.model_validate(
        {"kind": "remember", "title": quote, "quote": quote, "quote_number": number, "confirmation": "stated"}
        | {"conclusion": quote, "confidence": 0.9}
    )


def bench_of(new_bench: NewBench, model: ScriptedModel, *jobs: Job) -> Workbench:
    """A bench whose days are said and looked at."""
    bench = new_bench(jobs=jobs, model=model, settings=SETTINGS)
    bench.say(*sessions())
    bench.engine.catalog.refresh()
    return bench


def plan_of(bench: Workbench) -> list[Planned]:
    """All partitions of the days."""
    return in_days(bench.engine, bench.engine.jobs, FIRST, FIRST + timedelta(days=DAYS - 1))


def filled(bench: Workbench, parallel: int, max_tokens: int | None = None) -> tuple[list[Outcome], Prefetching]:
    """Run all that is planned, asking ahead."""
    assert bench.model is not None
    plan = plan_of(bench)
    with Prefetching(bench.engine, Readers.only(bench.model), plan, Limits(parallel, max_tokens)) as ahead:
        return list(work_through(Runner(ahead.engine), plan, again=True, before=ahead.before)), ahead


def named(model: ScriptedModel) -> Counter[str]:
    """How often each question was asked."""
    return Counter(question.name for question in model.questions)


def test_every_question_is_asked_once_and_counted_with_its_run(new_bench: NewBench) -> None:
    """The merge of a day is asked ahead too; what a run needed is in its outcome and in the book as if it had asked."""
    model = ScriptedModel(good)
    bench = bench_of(new_bench, model, SYNC, WRAPUP)
    outcomes, ahead = filled(bench, 4)
    assert {"done", "empty"} == set(endings(outcomes))
    assert {"session": 2 * DAYS, "daily_wrapup_merge": DAYS} == named(model)
    assert [1, 2] == sorted({outcome.asked for outcome in outcomes} - {0})
    assert 2 * DAYS == sum(outcome.cached for outcome in outcomes)  # the wrap-ups take their part of kept answers
    total = sum(outcome.input_tokens + outcome.output_tokens for outcome in outcomes)
    booked = bench.engine.ledger.runs.tokens_since(datetime(2026, 1, 1, tzinfo=UTC))
    assert (ahead.tokens, ahead.tokens) == (total, booked)


def test_partitions_wait_for_one_another_no_more(new_bench: NewBench) -> None:
    """Questions of four days are under way at once, which no day could do alone."""
    meeting, numbers = threading.Barrier(8, timeout=60), count()

    def answer(question: Question) -> BaseModel:
        if 1 <= next(numbers) <= 8:
            meeting.wait()
        return good(question)

    outcomes, _ = filled(bench_of(new_bench, ScriptedModel(answer), SYNC), 8)
    assert DAYS == endings(outcomes).count("done")


def test_a_failure_ahead_decides_nothing(new_bench: NewBench) -> None:
    """A question that fails once is asked again by its own partition, and all is done."""
    asked = count()

    def answer(question: Question) -> BaseModel:
        if "cabin 3" in question.input and next(asked) == 0:  # two of them may come at once
            raise ModelUnavailable(question.name, REASON)
        return good(question)

    model = ScriptedModel(answer)
    outcomes, _ = filled(bench_of(new_bench, model, SYNC), 4)
    assert {"done", "empty"} == set(endings(outcomes))
    assert 2 * DAYS + 1 == len(model.questions)


def test_what_is_too_long_is_asked_ahead_in_parts(new_bench: NewBench) -> None:
    """Each part is asked once and counted with its run; what is too long is refused once."""
    turns = [("owner", f"The {thing} of the cabin is new.") for thing in THINGS]
    asked = list[int]()

    def answer(question: Question) -> BaseModel:
        messages = read_shown(question.input).messages
        if len(messages) > 6:
            raise ModelUnavailable(question.name, REASON, too_long=True)
        asked.append(len(messages))
        return good(question)

    model = ScriptedModel(answer)
    bench = new_bench(jobs=(SYNC,), model=model, settings=SETTINGS)
    bench.say(conversation("long", datetime(2026, 2, 2, 8, tzinfo=UTC), turns))
    bench.engine.catalog.refresh()
    outcomes, ahead = filled(bench, 4)
    [done] = [outcome for outcome in outcomes if outcome.written]
    assert (len(THINGS), len(asked)) == (len(done.written), done.asked)
    assert "longer than the model's context and answered in parts" in done.warning
    assert ahead.tokens == done.input_tokens + done.output_tokens
    assert len(model.questions) == len({question.input for question in model.questions})


def test_a_model_that_is_out_is_asked_twice(new_bench: NewBench) -> None:
    """Once ahead, once by the first partition, which waits; nobody asks for the others."""
    model = ScriptedModel.failing()
    outcomes, _ = filled(bench_of(new_bench, model, SYNC), 16)
    assert "waiting" == endings(outcomes)[-1]
    assert 1 == endings(outcomes).count("waiting")
    assert len(model.questions) <= 3  # the partition has two questions, and stops asking after the first failure


def test_nothing_beyond_the_cap_is_asked(new_bench: NewBench) -> None:
    """The partition whose questions would go beyond it is over budget, and asks none."""
    model = ScriptedModel(good)
    bench = bench_of(new_bench, model, SYNC)
    outcomes, ahead = filled(bench, 16, 1)
    assert ("over_budget", [], 0) == (endings(outcomes)[-1], model.questions, ahead.tokens)
    assert ahead.is_used_up
    assert "of this back-fill (--max-tokens)" in outcomes[-1].warning


def test_a_cap_that_suffices_stops_nothing(new_bench: NewBench) -> None:
    """It holds for what is used, not for what is estimated."""
    outcomes, ahead = filled(bench_of(new_bench, ScriptedModel(good), SYNC), 16, 1_000_000)
    assert (DAYS, False) == (endings(outcomes).count("done"), ahead.is_used_up)


def test_an_answer_is_kept_while_a_run_awaits_its_own(new_bench: NewBench) -> None:
    """A process that is killed in a long question of a run has lost no answer that was asked ahead."""
    asked, seen = threading.Event(), list[bool]()
    ahead_of = "The door of cabin 1."

    def answer(question: Question) -> BaseModel:
        if question.name == "of_the_run":
            asked.set()
            seen.append(soon(lambda: keeps(bench, ahead_of)))
            return Merged()
        if ahead_of in question.input:
            assert asked.wait(60)
        return good(question)

    bench = bench_of(new_bench, ScriptedModel(answer), SYNC)
    assert bench.model is not None
    with Prefetching(bench.engine, Readers.only(bench.model), plan_of(bench), Limits(4)) as ahead:
        ahead.before(0, lambda _: False)
        ahead.engine.asker()([Task("of_the_run", "", Merged(), Merged, Merged, frozenset())])
    assert [True] == seen


def keeps(bench: Workbench, words: str) -> bool:
    """Whether the ledger has an answer with these words; asked from any thread."""
    with closing(sqlite3.connect(bench.engine.ledger.store.path, timeout=30)) as ledger:
        [(number,)] = ledger.execute("SELECT COUNT(*) FROM answers WHERE instr(answer, ?)", (words,)).fetchall()
    return bool(number)


def test_what_was_asked_for_nobody_is_booked(new_bench: NewBench) -> None:
    """A back-fill that is stopped has spent what it asked ahead, and its answers are kept."""
    bench = bench_of(new_bench, ScriptedModel(good), SYNC)
    assert bench.model is not None
    plan = plan_of(bench)
    ahead = Prefetching(bench.engine, Readers.only(bench.model), plan, Limits(4))
    with pytest.raises(Interrupted), ahead:
        _stopped(work_through(Runner(ahead.engine), plan, again=True, before=ahead.before))
    booked = bench.engine.ledger.runs.tokens_since(datetime(2026, 1, 1, tzinfo=UTC))
    kept = bench.engine.ledger.store.value("SELECT SUM(input_tokens + output_tokens) FROM answers")
    assert kept == booked


def _stopped(outcomes: Iterable[Outcome]) -> None:
    """As by a signal, once something was written."""
    for outcome in outcomes:
        if outcome.written:
            raise Interrupted(2)
