"""What a plan will take: exact where it can be, an estimate where it says so, and nothing done to find out."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from jobs.daily_wrapup import JOB as WRAPUP
from jobs.micro_sync import JOB as SYNC
from pipeline.backfill.estimate import estimate, whole_to
from pipeline.backfill.foresee import OUTPUT_SHARE
from pipeline.backfill.plan import Planned, in_days, work_through
from pipeline.backfill.silence import Spoken
from pipeline.engine.runner import Runner
from pipeline.language.tokens import count_tokens
from schemas.links import LinkAnswer
from schemas.session_answer import SessionAnswer
from schemas.settings import ModelSettings, Settings
from schemas.window import Window
from tests.support.builders.long_texts import busy_at_most
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.fold_bench import fold_bench
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
FIRST = date(2026, 2, 2)
MORNING = datetime(2026, 2, 2, 8, tzinfo=UTC)
PRICED = ModelSettings(base_url="http://127.0.0.1:9", name="m", input_price=2.0, output_price=10.0, currency="EUR")


def spoken(new_bench: NewBench, days: int = 3, **fields: object) -> Workbench:
    """A bench on which the owner spoke for some minutes on each of some days."""
    given: dict[str, object] = {"jobs": (SYNC,), "settings": Settings(timezone="UTC")}
    bench = new_bench(**(given | fields))
    for day in range(days):
        said = [("owner", f"Remember that the key of day {day} hangs here."), ("assistant", "Noted.")]
        bench.say(conversation(f"s-{day}", MORNING + timedelta(days=day), said))
    bench.engine.catalog.refresh()
    return bench


def plan_of(bench: Workbench, days: int = 3) -> list[Planned]:
    """All partitions of the days."""
    return in_days(bench.engine, bench.engine.jobs, FIRST, FIRST + timedelta(days=days - 1))


def test_without_a_model_only_sizes_are_reported(new_bench: NewBench) -> None:
    """All windows, and the sessions that lie in them."""
    bench = spoken(new_bench)
    estimated = estimate(bench.engine, plan_of(bench, 2))
    assert (16, 2, "offline", 0, None) == (
        estimated.partitions,
        estimated.sessions,
        estimated.model,
        estimated.questions,
        estimated.cost,
    )


def test_the_input_is_counted_exactly(new_bench: NewBench) -> None:
    """What is estimated is sent afterwards, token for token; what is asked about its answers is not in it."""
    model = ScriptedModel(lambda asked: SessionAnswer() if asked.name == "session" else LinkAnswer())
    bench = spoken(new_bench, model=model)
    estimated = estimate(bench.engine, plan_of(bench))
    assert ([], {}) == (model.questions, bench.pages())
    list(work_through(Runner(bench.engine), plan_of(bench), again=True))
    sent = [question for question in model.questions if question.name == "session"]
    texts = [text for asked in sent for text in (asked.instructions, asked.input, json.dumps(asked.schema))]
    assert (3, sum(map(count_tokens, texts))) == (estimated.questions, estimated.input_tokens)
    assert round(estimated.input_tokens * OUTPUT_SHARE) == estimated.output_tokens


def test_cached_answers_are_distinguished(new_bench: NewBench) -> None:
    """They cost nothing: what one day asked before is asked no more when its run is taken back."""
    model = ScriptedModel(lambda _question: SessionAnswer())
    bench = spoken(new_bench, model=model)
    [*_, planned] = [
        planned_run for planned_run in plan_of(bench, 1) if Spoken(bench.engine).during(planned_run.window)
    ]
    list(work_through(Runner(bench.engine), [planned], again=True))
    bench.engine.ledger.store.write("DELETE FROM coverage")
    estimated = estimate(bench.engine, plan_of(bench))
    assert (2, 1) == (estimated.questions, estimated.answered)


def test_questions_that_build_on_answers_are_not_counted(new_bench: NewBench) -> None:
    """The piece of a day is asked about once, for all jobs; the merge of a wrap-up is not known before."""
    bench = spoken(new_bench, 1, jobs=(SYNC, WRAPUP), model=ScriptedModel.failing())
    assert 1 == estimate(bench.engine, plan_of(bench, 1)).questions


def test_money_by_the_million(new_bench: NewBench) -> None:
    """Both prices, in the currency of the settings."""
    settings = Settings(timezone="UTC", model=PRICED)
    bench = spoken(new_bench, model=ScriptedModel.failing(), settings=settings)
    estimated = estimate(bench.engine, plan_of(bench))
    assert estimated.cost == pytest.approx((estimated.input_tokens * 2 + estimated.output_tokens * 10) / 1_000_000)
    assert "EUR" == estimated.currency


def test_a_fold_cuts_no_week(new_bench: NewBench) -> None:
    """It takes everything, whatever days are named."""
    bench = fold_bench(new_bench)
    assert "" == whole_to(bench.engine, plan_of(bench), FIRST)


def test_when_anything_was_said(new_bench: NewBench) -> None:
    """A window is silent unless some session has messages on both of its sides, or inside."""
    bench = spoken(new_bench)
    known = Spoken(bench.engine)

    def window(hours: float, length: float) -> Window:
        start = MORNING + timedelta(hours=hours)
        return Window(start=start, end=start + timedelta(hours=length))

    assert [False, True, False, True] == [
        known.during(span) for span in (window(-2, 2), window(-1, 2), window(1, 22), window(23.5, 1))
    ]
    assert [0, 1, 2] == [
        known.sessions(group) for group in ([window(1, 2)], [window(0, 1)], [window(0, 1), window(24, 1)])
    ]


def test_sessions_of_machines_are_not_counted(new_bench: NewBench) -> None:
    """They yield nothing, so nothing is asked about them."""
    bench = spoken(new_bench)
    bench.say(conversation("check", MORNING, [("owner", "hourly check")], machine=True))
    day = Window(start=MORNING, end=MORNING + timedelta(days=3))
    before = Spoken(bench.engine).sessions([day])
    bench.engine.catalog.refresh()
    assert before == Spoken(bench.engine).sessions([day]) == 3


@pytest.mark.processor
def test_years_take_seconds(new_bench: NewBench) -> None:
    """Most windows are silent, and are not looked into."""
    bench = spoken(new_bench, 30, model=ScriptedModel.failing())
    plan = in_days(bench.engine, bench.engine.jobs, date(2021, 3, 1), date(2026, 3, 1))
    with busy_at_most(20):
        estimated = estimate(bench.engine, plan)
    assert (len(plan), 28) == (estimated.partitions, estimated.questions)
