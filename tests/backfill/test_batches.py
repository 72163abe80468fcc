"""What is sent in batches, and what becomes of their replies, with a server in this process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

import pytest
from pydantic import BaseModel

from jobs.micro_sync import JOB as SYNC
from pipeline.backfill.batches import BatchedQuestions
from pipeline.backfill.plan import Planned, in_days, work_through
from pipeline.corrections.forget_topic import forget_topic, topic
from pipeline.engine.runner import Runner
from pipeline.errors import BatchRefused, Held, ModelUnavailable
from pipeline.events import Event
from pipeline.model.ask import Asker
from pipeline.model.limiter import BatchedModel
from pipeline.model.question import Readers
from pipeline.ports.engine import BatchLook, Question, Reply
from schemas.extraction import Candidate
from schemas.outcome import Outcome, Usage
from schemas.session_answer import SessionAnswer
from schemas.settings import ModelSettings, Settings
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.ports.shown_rows import read_shown
from tests.support.workspaces.workbench import Workbench, endings

NewBench = Callable[..., Workbench]
FIRST = datetime(2026, 2, 2, 8, tzinfo=UTC)
SAID = (
    "Remember that the boat lies in the harbour.",
    "We fire the kiln on Mondays from now on.",
    "New rule: no loom is sold.",
)
"""Of each something else is said, so that no pair of entries is asked about."""


class MemoryBatches:
    """A `BatchServer` that answers by a model when a test ends its batches."""

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        self.sent: dict[str, Mapping[str, Question]] = {}
        self.ended: dict[str, BatchLook] = {}
        self.failure: ModelUnavailable | None = None

    def send(self, batch: str, questions: Mapping[str, Question]) -> str:
        """Take it, unless it fails."""
        if self.failure:
            raise self.failure
        self.sent[batch] = questions
        return batch

    def find(self, batch: str) -> str:
        """Its id, if it was taken."""
        return batch if batch in self.sent else ""

    def look(self, remote: str) -> BatchLook:
        """As the test has it."""
        return self.ended.get(remote, BatchLook(ended=False))

    def cancel(self, remote: str) -> None:
        """End it without a reply."""
        self.ended.setdefault(remote, BatchLook(ended=True))

    def end(self) -> None:
        """Answer all."""
        for batch, questions in self.sent.items():
            replies = {name: self.model.answer(question) for name, question in questions.items()}
            self.ended.setdefault(batch, BatchLook(ended=True, replies=replies))


@dataclass
class Batched:
    """A bench with a talk on each of three days, and the server of its batches."""

    bench: Workbench
    server: MemoryBatches
    direct: ScriptedModel
    questions: BatchedQuestions = field(init=False)

    def __post_init__(self) -> None:
        self.questions = BatchedQuestions(self.bench.engine, self.server, self.direct, self.plan())

    def plan(self) -> list[Planned]:
        """All that is to run."""
        return in_days(self.bench.engine, self.bench.engine.jobs, FIRST.date(), date(2026, 2, 4))

    def run(self) -> list[Outcome]:
        """Run it."""
        return [
            one for one in work_through(Runner(self.bench.engine), self.plan(), again=True) if one.ending != "empty"
        ]

    def heard(self, event: Event) -> list[dict[str, object]]:
        """What was announced so."""
        return [fields for known, fields in self.bench.events if known is event]


def answer(question: Question) -> BaseModel:
    """Remembers every message."""
    shown = read_shown(question.input)
    new = [one for one in shown.messages if one.number >= shown.first_new]
    return SessionAnswer(candidates=tuple(_candidate(one.text, one.number) for one in new if one.origin == "owner"))


def _candidate(quote: str, number: int) -> Candidate:
    fields = {"kind": "remember", "title": quote, "quote": quote, "quote_number": number, "conclusion": quote}
    return Candidate.model_validate({**fields, "confirmation": "stated", "confidence": 0.9})


@pytest.fixture
def batched(new_bench: NewBench) -> Batched:
    """Nothing sent yet."""
    model = ModelSettings(base_url="http://127.0.0.1:9", name="scripted", batch=True)
    bench, direct = new_bench(jobs=(SYNC,), settings=Settings(timezone="UTC", model=model)), ScriptedModel(answer)
    for day, text in enumerate(SAID):
        bench.say(conversation(f"s-{day}", FIRST + timedelta(days=day), [("owner", text), ("assistant", "Noted.")]))
    bench.engine.catalog.refresh()
    given = bench.engine.asker()

    def asker(*, offline: bool = False) -> Asker:
        model = BatchedModel(direct, bench.engine.ledger.answers.batches, "UTC")
        return Asker(Readers.only(model) if model and not offline else None, given.cache, given.budget, 1)

    bench.engine = replace(bench.engine, asker=asker)
    return Batched(bench, MemoryBatches(ScriptedModel(answer)), direct)


def test_a_question_is_sent_once_and_taken_once(batched: Batched) -> None:
    """The run takes the reply, counts it under a name of its own, and forgets the copy."""
    for _ in range(2):
        batched.questions.send(None)
    assert [3] == [len(questions) for questions in batched.server.sent.values()]
    assert ["waiting"] == endings(batched.run())
    batched.server.end()
    batched.questions.settle()
    assert ["done"] * 3 == endings(batched.run())
    assert [] == batched.direct.questions
    ledger = batched.bench.engine.ledger
    spent = ledger.spending.since(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    assert {("scripted (batch)", 1)} == {(one.model, one.usage.asked) for one in spent if one.usage.asked}
    assert set() == ledger.answers.batches.question_ids()


def test_a_limit_of_tokens_holds_for_a_batch(batched: Batched) -> None:
    """What does not fit is not sent, nor anything while a batch is under way whose cost nobody knows."""
    batched.questions.send(1)
    assert {} == batched.server.sent
    batched.questions.send(3_000_000)
    batched.bench.say(conversation("s-9", FIRST + timedelta(hours=5), [("owner", "Remember the pier.")]))
    batched.bench.engine.catalog.refresh()
    batched.questions.send(3_000_000)
    assert 1 == len(batched.server.sent)


def test_two_processes_do_not_send_at_once(batched: Batched) -> None:
    """The second is told that another is at work."""
    engine = batched.bench.engine
    with engine.locks.hold(("model_batches",), "r", engine.clock.now()), pytest.raises(Held):
        batched.questions.send(None)
    assert {} == batched.server.sent


def test_a_batch_that_may_have_been_made_is_looked_for(batched: Batched) -> None:
    """Its questions wait; what the server never got goes into another batch once it cannot be on its way any more."""
    batched.server.failure = ModelUnavailable("scripted", "no answer", late=True)
    with pytest.raises(ModelUnavailable):
        batched.questions.send(None)
    batched.server.failure = None
    batched.questions.settle()
    batched.questions.send(None)
    assert ({}, ["waiting"]) == (batched.server.sent, endings(batched.run()))
    batched.bench.clock.move(timedelta(minutes=2))
    batched.questions.settle()
    batched.questions.send(None)
    assert [3] == [len(questions) for questions in batched.server.sent.values()]


def test_a_server_that_refuses_is_asked_directly(batched: Batched) -> None:
    """With the reason told."""
    batched.server.failure = BatchRefused("scripted", "it knows no batches")
    batched.questions.send(None)
    assert ["it knows no batches"] == [fields["reason"] for fields in batched.heard(Event.BATCH_ENDED)]
    assert ["done"] * 3 == endings(batched.run())
    assert 3 == len(batched.direct.questions)


def test_a_batch_that_never_ends_is_cancelled(batched: Batched) -> None:
    """After `model.give_up_after`; then its questions are asked directly."""
    batched.questions.send(None)
    batched.bench.clock.move(timedelta(days=2))
    batched.questions.settle()
    assert ["waiting"] == endings(batched.run())
    batched.bench.clock.move(timedelta(seconds=1))
    batched.questions.settle()
    batched.questions.send(None)
    assert (1, ["done"] * 3) == (len(batched.server.sent), endings(batched.run()))


def test_an_answer_that_does_not_fit_is_asked_again_directly(batched: Batched) -> None:
    """Once; both are counted."""
    batched.questions.send(None)
    batched.server.model = ScriptedModel(lambda _question: "garbage")
    batched.server.end()
    batched.questions.settle()
    assert ["done"] * 3 == endings(batched.run())
    assert 3 == len(batched.direct.questions)
    assert all("could not be used" in question.instructions for question in batched.direct.questions)


def test_what_was_forgotten_meanwhile_is_not_kept(batched: Batched) -> None:
    """Its reply is paid for and counted, and no word of it stays; the other replies count."""
    ledger = batched.bench.engine.ledger
    batched.questions.send(None)
    ledger.runs.begin("r-0", "note", batched.plan()[0].partition, batched.bench.clock.now())
    forget_topic(batched.bench.engine, topic(["boat"]))
    batched.server.end()
    batched.questions.settle(all_of_them=False)
    assert 1 == len(ledger.answers.batches.open())
    batched.questions.settle()
    assert ["done"] * 2 == endings(batched.run())[-2:]
    pages = b"".join(batched.bench.pages().values())
    assert (False, True, True) == tuple(text.encode() in pages for text in SAID)
    assert [] == [row for row in ledger.store.column("SELECT text FROM batched") if row and "boat" in row]
    assert 1 == ledger.spending.of_run("r-0")["scripted (batch)"].asked


def test_answers_that_could_not_be_read_are_counted(batched: Batched) -> None:
    """With the newest run, as no run will take them."""
    batched.questions.send(None)
    engine = batched.bench.engine
    engine.ledger.runs.begin("r-0", "note", batched.plan()[0].partition, engine.clock.now())
    (batch,) = batched.server.sent
    batched.server.ended[batch] = BatchLook(ended=True, spent=Usage(asked=3, input_tokens=7))
    batched.questions.settle()
    assert {"scripted (batch)": Usage(asked=3, input_tokens=7)} == engine.ledger.spending.of_run("r-0")
    assert Reply("x").usage.asked == 1
