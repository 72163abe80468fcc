"""What the questions of a run cost is kept with how it ended, however it ended."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel

from pipeline.drafts import Draft
from pipeline.errors import ModelUnavailable
from pipeline.job import Run, Task
from pipeline.ports.engine import Question
from schemas.outcome import Ending, Outcome
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)


class Number(BaseModel):
    """The number of a question."""

    number: int


class Fine(BaseModel):
    """An answer without content."""


def asking(run: Run) -> Sequence[Draft]:
    """The `note` job, which asks two questions first, the same in every window."""
    run.models.ask([Task("t", "p", Number(number=number), Fine, Fine, frozenset()) for number in (1, 2)])
    return JOB.run(run)


ASKING = replace(JOB, run=asking)


def bench_with(new_bench: NewBench, model: ScriptedModel) -> Workbench:
    """A bench with two windows in which something was said."""
    bench = new_bench(jobs=(ASKING,), model=model)
    for number in range(2):
        bench.say(conversation(f"s{number}", MORNING + timedelta(days=number), [("owner", f"note: {number}")]))
    return bench


def used(outcome: Outcome) -> tuple[int, int]:
    """How many questions were asked, and how many answers were known."""
    return outcome.asked, outcome.cached


def test_questions_and_known_answers_are_counted(new_bench: NewBench) -> None:
    """The second window asks the same again, which costs nothing; the ledger knows it too."""
    bench = bench_with(new_bench, ScriptedModel(lambda _: Fine()))
    first, second = [outcome for outcome in bench.run_due() if outcome.paths]
    assert [(2, 0), (0, 2)] == [used(first), used(second)]
    record = bench.engine.ledger.runs.find(first.run_id)
    assert record is not None
    assert (first, record.tokens) == (record.outcome, first.input_tokens + first.output_tokens)
    assert first.input_tokens > 0 < first.output_tokens


def test_a_failed_run_has_cost_as_well(new_bench: NewBench) -> None:
    """The model answers one question and is away for the other."""

    def answer(question: Question) -> Fine:
        if '"number":2' in question.input:
            raise ModelUnavailable(question.name, "it is away")
        return Fine()

    bench = bench_with(new_bench, ScriptedModel(answer))
    (waiting,) = [outcome for outcome in bench.run_due() if outcome.ending is Ending.WAITING]
    assert (1, 0) == used(waiting)
    assert waiting.input_tokens > 0


def test_a_run_whose_model_is_given_up_counts_both_ways(new_bench: NewBench) -> None:
    """What it asked before it went offline was asked."""
    bench = bench_with(new_bench, ScriptedModel(lambda _: "no JSON"))
    bench.run_due()
    bench.clock.move(bench.settings.model.give_up_after)
    degraded = [outcome for outcome in bench.run_due() if outcome.ending is Ending.DEGRADED]
    assert degraded[0].asked >= 2
