"""The number of questions under way follows what the server bears."""

import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ModelUnavailable
from pipeline.model.limiter import ConcurrencyLimiter, HeldBack, Pace, WhileWell
from pipeline.ports.engine import Question, Reply
from tests.support.tables import table

QUESTION = Question("q", "instructions", "input", {})


class Counting:
    """A model that counts how many questions are with it at once, and answers as it is told."""

    name = background = "counting"

    def __init__(self, answer: Callable[[int], Reply]) -> None:
        """`answer` is given how many questions came so far, from 1."""
        self._answer = answer
        self._lock = threading.Lock()
        self.asked = self.inside = self.most = 0

    def answer(self, question: Question) -> Reply:
        """As told."""
        assert question == QUESTION
        with self._lock:
            self.asked += 1
            self.inside += 1
            number, self.most = self.asked, max(self.most, self.inside)
        try:
            return self._answer(number)
        finally:
            with self._lock:
                self.inside -= 1


def busy() -> ModelUnavailable:
    """What a model says that is overrun."""
    return ModelUnavailable("counting", "429", busy=True)


def test_it_is_halved_and_grows_by_one() -> None:
    """16, 8; then one more after as many good answers as may be under way, and never beyond where it began."""
    pace = Pace(16)
    pace.note_overload(pace.begin())
    assert 8 == pace.limit
    for _ in range(8):
        pace.note_answer()
    assert 9 == pace.limit
    for _ in range(1000):
        pace.note_answer()
    assert 16 == pace.limit


def test_questions_of_one_moment_halve_it_once() -> None:
    """Those that were under way together tell the same thing; one that began later tells another."""
    pace = Pace(16)
    began = [pace.begin() for _ in range(16)]
    for start in began:
        pace.note_overload(start)
    assert 8 == pace.limit
    pace.note_overload(pace.begin())
    assert 4 == pace.limit


def test_the_slowest_pace_is_that_at_which_a_question_began() -> None:
    """A question sent beside another is no failure when the other one's refusal comes first; the next one is."""
    pace = Pace(2)
    began = [pace.begin() for _ in range(2)]
    pace.note_overload(began[0])
    assert [False, False] == [start.is_slowest for start in began]
    assert pace.begin().is_slowest


@given(st.integers(1, 32), st.lists(st.booleans()))
def test_it_never_leaves_its_bounds(most: int, endings: list[bool]) -> None:
    """At least one, at most where it began, whatever happens."""
    pace = Pace(most)
    for good in endings:
        if good:
            pace.note_answer()
        else:
            pace.note_overload(pace.begin())
        assert 1 <= pace.limit <= most


def in_threads(number: int, ask: Callable[[], Reply]) -> list[Reply | ModelUnavailable]:
    """What so many threads get that ask at once."""
    heard: list[Reply | ModelUnavailable] = []

    def one() -> None:
        try:
            heard.append(ask())
        except ModelUnavailable as failure:
            heard.append(failure)

    threads = [threading.Thread(target=one) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return heard


def test_no_more_than_the_pace_are_let_through() -> None:
    """Twelve that come at once are asked four at a time, after the first has gone alone; their tokens are counted."""
    meeting = threading.Barrier(4, timeout=60)

    def answer(number: int) -> Reply:
        if 1 < number <= 9:
            meeting.wait()
        return Reply("{}", 10, 2)

    model = Counting(answer)
    limiter = ConcurrencyLimiter(model, Pace(4))
    assert 12 == len(in_threads(12, lambda: limiter.answer(QUESTION)))
    assert (4, 12 * 12) == (model.most, limiter.tokens)


def test_the_first_goes_alone() -> None:
    """A key that the server refuses is refused once before anybody else asks."""
    model = Counting(lambda _number: (_ for _ in ()).throw(ModelUnavailable("counting", "401")))
    limiter = ConcurrencyLimiter(model, Pace(8))
    face = WhileWell(limiter)
    heard = in_threads(8, lambda: face.answer(QUESTION))
    assert (1, 1, False) == (model.asked, model.most, limiter.well)
    assert 7 == sum(isinstance(reply, HeldBack) for reply in heard)


def test_what_is_refused_for_being_busy_is_asked_again_more_slowly() -> None:
    """Three refusals on the way from 8 to 1 are no failure; the answer makes it 2."""

    def answer(number: int) -> Reply:
        if number in {2, 3, 4}:
            raise busy()
        return Reply("{}", 1, 1)

    model, pace = Counting(answer), Pace(8)
    limiter = ConcurrencyLimiter(model, pace)
    limiter.answer(QUESTION)
    assert Reply("{}", 1, 1) == limiter.answer(QUESTION)
    assert (5, 2, True) == (model.asked, pace.limit, limiter.well)


def test_at_the_slowest_pace_busy_is_a_failure() -> None:
    """A server that is busy for one question alone is out."""
    limiter = ConcurrencyLimiter(Counting(lambda _number: (_ for _ in ()).throw(busy())), Pace(4))
    with pytest.raises(ModelUnavailable, match="429"):
        limiter.answer(QUESTION)
    assert not limiter.well


@table(
    ("failure", "limit"),
    [(ModelUnavailable("m", "late", late=True), 4), (ModelUnavailable("m", "refuses"), 8)],
)
def test_a_failure_is_passed_on(failure: ModelUnavailable, limit: int) -> None:
    """One that came late slows down, one about the answer does not; neither is asked again."""

    def answer(_number: int) -> Reply:
        raise failure

    model, pace = Counting(answer), Pace(8)
    with pytest.raises(ModelUnavailable):
        ConcurrencyLimiter(model, pace).answer(QUESTION)
    assert (1, limit) == (model.asked, pace.limit)


def test_retries_of_the_client_slow_down_too() -> None:
    """An answer that the client got at its second attempt is good, and tells that the server was overrun."""
    pace = Pace(8)
    assert "{}" == ConcurrencyLimiter(Counting(lambda _number: Reply("{}", retries=1)), pace).answer(QUESTION).text
    assert 4 == pace.limit


def test_closing_sends_those_away_that_wait() -> None:
    """Nobody is asked any more once the limiter is closed; who is through gets the answer."""
    inside, closed = threading.Event(), threading.Event()

    def answer(_number: int) -> Reply:
        inside.set()
        closed.wait(60)
        return Reply("{}")

    model = Counting(answer)
    limiter = ConcurrencyLimiter(model, Pace(1))
    heard: list[list[Reply | ModelUnavailable]] = []
    asking = threading.Thread(target=lambda: heard.append(in_threads(3, lambda: limiter.answer(QUESTION))))
    asking.start()
    assert inside.wait(60)
    limiter.close()
    closed.set()
    asking.join(60)
    assert (1, 2) == (model.asked, sum(isinstance(reply, HeldBack) for reply in heard[0]))
