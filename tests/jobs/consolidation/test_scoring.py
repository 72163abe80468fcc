"""What an entry is worth."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.consolidation.scoring import HALF_LIFE, KEEP, KIND, PROMOTE, VALUE, ScoreSignals, says_it_lasts, score
from schemas.entry import Kind, Trust

SIGNALS = st.builds(
    ScoreSignals,
    kind=st.sampled_from(Kind),
    confidence=st.floats(0, 1),
    trust=st.sampled_from([Trust.OWNER, Trust.ACCEPTED]),
    times=st.integers(1, 50),
    days=st.integers(1, 50),
    returns=st.integers(0, 50),
    lasting=st.booleans(),
    age=st.integers(0, 5000),
)


def made(kind: Kind = Kind.RULE, confidence: float = 0.9, **fields: object) -> ScoreSignals:
    """Signals of something the owner said once, this week."""
    return ScoreSignals(kind, confidence, Trust.OWNER, **fields)  # type: ignore[arg-type]  # checked by the dataclass


@given(SIGNALS, st.floats(0, 1))
def test_a_score_is_a_number_of_two_decimals_that_a_page_can_hold(signals: ScoreSignals, value: float) -> None:
    """Above 0, which stands for what could not be judged, and at most 1."""
    worth = score(signals, value)
    assert worth == float(f"{worth:.2f}")
    assert 0.01 <= worth <= 1


@given(SIGNALS, st.floats(0, 1))
def test_a_model_moves_a_score_by_so_much_and_no_more(signals: ScoreSignals, value: float) -> None:
    """Whatever it says."""
    assert abs(score(signals, value) - score(signals)) <= VALUE + 0.01


def test_kinds_are_worth_what_they_are_needed_for() -> None:
    """Rules and things to remember most, a plain decision least."""
    order = [Kind.RULE, Kind.REMEMBER, Kind.ARCHITECTURE, Kind.DECISION]
    assert all(KIND[one] >= KIND[other] for one, other in pairwise(order))


@pytest.mark.parametrize(
    ("signals", "promoted"),
    [
        (made(Kind.RULE, 0.5), True),
        (made(Kind.REMEMBER, 0.5), True),
        (made(Kind.ARCHITECTURE, 0.9), True),
        (made(Kind.ARCHITECTURE, 0.6), False),
        (made(Kind.DECISION, 1.0), False),
        (made(Kind.DECISION, 0.9, lasting=True), True),
        (made(Kind.DECISION, 0.7, times=2, days=2), True),
        (made(Kind.DECISION, 0.95, returns=1), False),
        (made(Kind.DECISION, 0.95, returns=2), True),
        (made(Kind.DECISION, 0.6, returns=2), False),
    ],
)
def test_what_gets_on_the_page(signals: ScoreSignals, promoted: bool) -> None:  # noqa: FBT001 - a table of cases
    """What lasts, what is said again, what comes up again; not what was chosen once."""
    assert promoted == (score(signals) >= PROMOTE)


def test_said_again_counts_by_days() -> None:
    """Twice on one day is once."""
    assert score(made(times=3, days=1)) == score(made())
    assert score(made(confidence=0.2, times=2, days=2)) > score(made(confidence=0.2))


def test_a_proposal_that_was_only_accepted_counts_a_little_less() -> None:
    """The owner's own words are worth more."""
    assert score(ScoreSignals(Kind.RULE, 0.9, Trust.ACCEPTED)) < score(made())


def test_age_counts_by_whole_weeks_and_by_kind() -> None:
    """Within its week nothing ages; a decision is worth half after its half-life, sooner than a rule."""
    assert score(made(age=6)) == score(made(age=0))
    assert score(made(age=7)) < score(made(age=6))
    assert HALF_LIFE[Kind.DECISION] < HALF_LIFE[Kind.REMEMBER] < HALF_LIFE[Kind.RULE]
    assert score(made(age=365 - 365 % 7)) == pytest.approx(score(made()) / 2, abs=0.02)


def test_staying_takes_less_than_getting_on() -> None:
    """So that nothing comes and goes from week to week."""
    assert KEEP < PROMOTE


@pytest.mark.parametrize(
    "words",
    [
        "from now on every migration comes with a downgrade",
        "the deposit goes up to 30 percent from april",
        "od kwietnia faktury wystawia biuro",
        "nigdy nie zmieniamy konta dostawcy z maila",
        "以后生产镜像不许用 latest",
        "以後一律用簡體中文",
    ],
)
def test_words_that_say_it_lasts(words: str) -> None:
    """In the three languages."""
    assert says_it_lasts(words)


@pytest.mark.parametrize("words", ["9.99, no launch discount", "to ujemny dwumianowy, park losowo", "就這麼做", "A."])
def test_words_that_do_not(words: str) -> None:
    """A plain choice does not say how long it holds."""
    assert not says_it_lasts(words)


def test_signals_read_as_a_line() -> None:
    """Every signal that says something is named."""
    signals = ScoreSignals(Kind.RULE, 0.861, Trust.OWNER, times=3, days=2, returns=1, lasting=True, age=1)
    expected = (
        "rule, confidence 0.86, owner, said 3 times on 2 days, came up on 1 later day, its words say that it lasts"
    )
    assert f"{expected}, 1 day old" == str(signals)
    assert "decision, confidence 0.50, accepted, 0 days old" == str(ScoreSignals(Kind.DECISION, 0.5, Trust.ACCEPTED))
