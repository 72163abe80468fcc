"""Questions that are too long for a model: they are asked in parts, and nothing that was answered is asked again."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BudgetSpent, ModelUnavailable
from pipeline.job import Task
from pipeline.model.ask import Asker
from pipeline.model.question import Readers
from pipeline.ports.engine import Question
from schemas.base import Value
from schemas.divisible_input import DivisibleInput
from schemas.entry import Kind
from schemas.extraction import Conversation
from schemas.judgement import Judged, ModelQuestion, SummaryRequest
from schemas.summary import Gathered, Gathering, Part
from tests.model.test_ask import Allowance, MemoryCache
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.ports.shown_rows import read_shown
from tests.support.tables import table

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
TURNS = st.lists(st.tuples(st.sampled_from(["owner", "assistant"]), st.text(max_size=60)), min_size=1, max_size=12)


class MessageNumbers(Value):
    """The answer to a task about messages."""

    numbers: tuple[int, ...] = ()


def talk(turns: Sequence[tuple[str, str]], first_new: int = 1) -> Conversation:
    """A conversation that is asked about from message `first_new` on."""
    messages = conversation("s", START, turns).messages
    return Conversation(session_id="s", first_new=first_new, messages=messages)


def task(asked: Conversation) -> Task[MessageNumbers]:
    """A question about a conversation, whose answer are the numbers that it is asked about."""
    return Task("numbers", "Which messages?", asked, MessageNumbers, MessageNumbers, frozenset())


def asked_of(question: Question) -> list[int]:
    """The numbers of the messages that a question asks about."""
    shown = read_shown(question.input)
    return [one.number for one in shown.messages if one.number >= shown.first_new]


class SmallModel(ScriptedModel):
    """A model whose context has room for so many characters of messages; it may fail about one message."""

    def __init__(self, room: int, failing: int = 0) -> None:
        super().__init__(self._numbers_of)
        self.room, self.bad = room, failing
        self.answered = list[list[int]]()

    def _numbers_of(self, question: Question) -> MessageNumbers:
        size = sum(len(one.text) for one in read_shown(question.input).messages)
        if size > self.room:
            raise ModelUnavailable(self.name, f"{size} characters are too long", too_long=True)
        numbers = asked_of(question)
        if self.bad in numbers:
            raise ModelUnavailable(self.name, "it has gone")
        self.answered.append(numbers)
        return MessageNumbers(numbers=tuple(numbers))


LONG = talk([("owner" if number % 3 == 0 else "assistant", "x" * 100) for number in range(20)])


def asker(model: SmallModel, cache: MemoryCache) -> Asker:
    """The way to a model, one question at a time."""
    return Asker(Readers.only(model), cache, Allowance(), 1)


@table("parallel", [1, 4])
def test_a_question_that_is_too_long_is_asked_in_parts(parallel: int) -> None:
    """Each message is asked about once, in the order of the session; the next run asks nothing."""
    model, cache = SmallModel(700), MemoryCache()
    ask = Asker(Readers.only(model), cache, Allowance(), parallel)
    everything = [MessageNumbers(numbers=tuple(range(1, 21)))]
    assert everything == ask([task(LONG)])
    assert list(range(1, 21)) == sorted(number for numbers in model.answered for number in numbers)
    assert (len(model.answered), 0, 1) == (ask.usage.asked, ask.usage.cached, ask.divided)
    again = Asker(Readers.only(SmallModel(0)), cache, Allowance(), parallel)
    assert everything == again([task(LONG)])
    assert (0, 1) == (again.usage.asked, again.usage.cached)


def test_parts_that_were_answered_are_not_asked_again() -> None:
    """A server that goes away in between costs no answer; not even the whole is asked again, whatever fits by then."""
    cache, gone, back = MemoryCache(), SmallModel(700, failing=13), SmallModel(10_000)
    with pytest.raises(ModelUnavailable, match="has gone"):
        asker(gone, cache)([task(LONG)])
    assert [MessageNumbers(numbers=tuple(range(1, 21)))] == asker(back, cache)([task(LONG)])
    assert gone.answered
    assert {1} == {*Counter(number for numbers in gone.answered + back.answered for number in numbers).values()}


def test_with_a_longer_context_a_question_is_asked_whole() -> None:
    """Where no part of it was answered."""
    cache, longer = MemoryCache(), SmallModel(10_000)
    with pytest.raises(ModelUnavailable, match="too long"):
        asker(SmallModel(50), cache)([task(LONG)])
    assert [MessageNumbers(numbers=tuple(range(1, 21)))] == asker(longer, cache)([task(LONG)])
    assert 1 == len(longer.answered)


def test_a_message_that_alone_is_too_long_is_named() -> None:
    """With its number and session; all context is left out before."""
    asked = talk([("owner", "a" * 10), ("assistant", "b" * 20), ("owner", "c" * 90)], first_new=3)
    assert [MessageNumbers(numbers=(3,))] == asker(SmallModel(90), MemoryCache())([task(asked)])
    with pytest.raises(ModelUnavailable, match="even with message 3 of session s alone, 90 characters are too long"):
        asker(SmallModel(89), MemoryCache())([task(asked)])


def test_the_budget_ends_the_parts_too() -> None:
    """Many parts do not go beyond what may be spent; those answered are kept."""
    model, cache = SmallModel(700), MemoryCache()
    with pytest.raises(BudgetSpent):
        Asker(Readers.only(model), cache, Allowance(4), 1)([task(LONG)])
    assert 1 <= len(model.answered) <= 3
    assert len(model.answered) == sum(bool(reply.text) for reply in cache.kept.values())


@given(TURNS, st.data())
def test_parts_of_a_conversation_lose_nothing(turns: list[tuple[str, str]], data: st.DataObject) -> None:
    """They are smaller, to the last: each new message is asked about once, and its context is what came before."""
    whole = talk(turns, data.draw(st.integers(1, len(turns))))
    waiting, alone = [whole], list[int]()
    while waiting:
        one = waiting.pop()
        numbers = [message.number for message in one.messages]
        assert list(range(numbers[0], numbers[-1] + 1)) == numbers
        assert numbers[0] <= one.first_new <= numbers[-1]
        parts = one.parts()
        assert all(len(part.messages) < len(one.messages) or part.first_new > one.first_new for part in parts)
        waiting += parts[::-1]
        alone += [] if parts else numbers
    assert list(range(whole.first_new, len(turns) + 1)) == alone


def _divisible() -> list[DivisibleInput]:
    points = (Gathered(ref=f"p{number}", session_id="s", part=Part.LOOP, text="x") for number in range(5))
    entries = (
        Judged(id=str(number), kind=Kind.RULE, date="2026-03-02", title="x", conclusion="x", hot=False)
        for number in range(5)
    )
    return [
        Gathering(points=tuple(points)),
        ModelQuestion(today="2026-03-02", entries=tuple(entries)),
    ]


@table("whole", _divisible())
def test_lists_are_halved_down_to_their_items(whole: DivisibleInput) -> None:
    """Every item stands in one part, in order."""
    [(name, items)] = [(name, value) for name, value in whole if isinstance(value, tuple) and value]
    waiting, alone = [whole], list[object]()
    while waiting:
        one = waiting.pop()
        parts = one.parts()
        waiting += parts[::-1]
        alone += [] if parts else getattr(one, name)
    assert list(items) == alone


def test_texts_to_sum_up_share_the_paragraphs() -> None:
    """No more paragraphs than were asked for, from all texts; a single text loses its middle, until it is short."""
    whole = SummaryRequest(language="en", most=5, texts=tuple(f"{number} " + "x" * 900 for number in range(3)))
    first, second = whole.parts()
    assert (5, whole.texts) == (first.most + second.most, first.texts + second.texts)
    [shorter] = first.parts()
    assert [text[:2] for text in first.texts] == [text[:2] for text in shorter.texts]
    [shortest] = shorter.parts()
    assert ((), True) == (shortest.parts(), len(shortest.texts[0]) < len(shorter.texts[0]) < len(first.texts[0]))
