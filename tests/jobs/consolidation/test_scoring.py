"""What an entry is worth."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.consolidation.scoring import HALF_LIFE, KEEP, OPINION, PROMOTE, ScoreSignals, is_passing, says_it_lasts, score
from schemas.entry import Kind, Trust
from tests.support.builders.entries import noted
from tests.support.tables import table

SIGNALS = st.builds(
    ScoreSignals,
    kind=st.sampled_from(Kind),
    confidence=st.floats(0, 1),
    trust=st.sampled_from([Trust.OWNER, Trust.ACCEPTED]),
    times=st.integers(1, 50),
    days=st.integers(1, 50),
    returns=st.integers(0, 50),
    lasting=st.booleans(),
    replaces=st.booleans(),
    passing=st.booleans(),
    age=st.integers(0, 5000),
    value=st.none() | st.floats(0, 1),
)


def made(kind: Kind = Kind.RULE, confidence: float = 0.9, **fields: object) -> ScoreSignals:
    """Signals of something the owner said once, this week."""
    return ScoreSignals(kind, confidence, Trust.OWNER, **fields)  # type: ignore[arg-type]  # checked by the dataclass


@given(SIGNALS)
def test_a_score_is_a_number_of_two_decimals_that_a_page_can_hold(signals: ScoreSignals) -> None:
    """Above 0, which stands for what could not be judged, and at most 1."""
    worth = score(signals)
    assert worth == float(f"{worth:.2f}")
    assert 0.01 <= worth <= 1


@given(SIGNALS, st.floats(0, 1))
def test_a_model_moves_a_score_towards_its_own_by_its_share(signals: ScoreSignals, value: float) -> None:
    """Whatever it says: the rest is what the signals say. Of the end of a thing the model alone decides."""
    alone = score(replace(signals, passing=False, value=None))
    expected = (1 - OPINION) * alone + OPINION * value
    assert expected == pytest.approx(score(replace(signals, value=value)), abs=0.011)


@table(
    ("signals", "promoted"),
    [
        (made(Kind.RULE, 0.5), True),
        (made(Kind.REMEMBER, 0.5), True),
        (made(Kind.ARCHITECTURE, 0.9), True),
        (made(Kind.ARCHITECTURE, 0.4), False),
        (made(Kind.DECISION, 1.0), False),
        (made(Kind.DECISION, 0.9, lasting=True), True),
        (made(Kind.DECISION, 0.9, replaces=True), True),
        (made(Kind.DECISION, 0.7, times=2, days=2), True),
        (made(Kind.DECISION, 0.95, returns=1), False),
        (made(Kind.DECISION, 0.95, returns=3), True),
        (made(Kind.DECISION, 0.6, returns=3), False),
        (made(Kind.REMEMBER, 1.0, passing=True), False),
        (made(Kind.DECISION, 1.0, lasting=True, times=2, days=2, passing=True), False),
    ],
)
def test_what_gets_on_the_page(signals: ScoreSignals, promoted: bool) -> None:  # noqa: FBT001 - a table of cases
    """What lasts, what is said again, what comes up again; not what was chosen once, nor what is over soon."""
    assert promoted == (score(signals) >= PROMOTE)


@table(
    ("signals", "value", "promoted"),
    [
        (made(Kind.DECISION), 0.9, True),
        (made(Kind.DECISION), 0.5, False),
        (made(Kind.DECISION, passing=True), 0.9, True),
        (made(Kind.REMEMBER), 0.2, False),
        (made(Kind.RULE), 0.5, True),
        (made(Kind.RULE), 0.1, False),
        (made(Kind.RULE, times=3, days=3), 0.25, True),
    ],
)
def test_what_gets_on_the_page_with_a_model(signals: ScoreSignals, value: float, promoted: bool) -> None:  # noqa: FBT001 - as above
    """It puts a plain choice on the page and keeps a passing line off; a rule of many days it cannot keep off."""
    assert promoted == (score(replace(signals, value=value)) >= PROMOTE)


def test_said_again_counts_by_days() -> None:
    """Twice on one day is once."""
    assert score(made(times=3, days=1)) == score(made())
    assert score(made(confidence=0.2, times=2, days=2)) > score(made(confidence=0.2))


def test_a_proposal_that_was_only_accepted_counts_a_little_less() -> None:
    """The owner's own words are worth more."""
    assert score(ScoreSignals(Kind.RULE, 0.9, Trust.ACCEPTED)) < score(made())


def test_age_counts_by_whole_weeks_and_by_how_long_a_thing_lasts() -> None:
    """Within its week nothing ages; a plain decision is worth half sooner than a rule, or than one that lasts."""
    assert score(made(age=6)) == score(made(age=0))
    assert score(made(age=7)) < score(made(age=6))
    assert score(made(age=365 - 365 % 7)) == pytest.approx(score(made()) / 2, abs=0.02)
    assert HALF_LIFE[False] < HALF_LIFE[True]
    assert score(made(Kind.DECISION, age=91)) == pytest.approx(score(made(Kind.DECISION)) / 2, abs=0.02)
    assert score(made(Kind.DECISION, lasting=True, age=91)) > score(made(Kind.DECISION, lasting=True)) / 1.3


def test_staying_takes_less_than_getting_on() -> None:
    """So that nothing comes and goes from week to week."""
    assert KEEP < PROMOTE


@table(
    ("quote", "conclusion", "lasts"),
    [
        ("from now on every migration comes with a downgrade", "Migrations have a downgrade.", True),
        ("the deposit goes up to 30 percent from april", "The deposit is 30 percent.", True),
        ("od kwietnia faktury wystawia biuro", "Faktury wystawia biuro.", True),
        ("nigdy nie zmieniamy konta dostawcy z maila", "Konto zostaje.", True),
        ("以后生产镜像不许用 latest", "镜像用 sha。", True),
        ("以後一律用簡體中文", "用簡體中文。", True),
        ("the Windows box is gone", "Windows is no longer used.", True),
        ("papierowy wyrzucony", "Papierowego kalendarza już się nigdy nie używa.", True),
        ("9.99, no launch discount", "It costs 9.99.", False),
        ("to ujemny dwumianowy, park losowo", "Model jest dwumianowy.", False),
        ("就這麼做", "照這個做。", False),
        ("hall 3 minutes is plenty", "The hall light goes off after 3 minutes.", False),
        ("yes, perfect", "The sample of the daily mail is approved.", False),
    ],
)
def test_words_that_say_it_lasts(quote: str, conclusion: str, lasts: bool) -> None:  # noqa: FBT001 - a table of cases
    """In the three languages; a time in the conclusion alone may be anything."""
    assert lasts == says_it_lasts(noted("DECISION-1", quote=quote, conclusion=conclusion).entry)


@table(
    ("quote", "conclusion", "passing"),
    [
        ("it's pouring today", "It rains on 2 March 2026.", True),
        ("the fair is on Saturday", "The fair is on 7 March 2026.", True),
        ("no lifting until the end of the month", "The owner lifts nothing until 31 March.", True),
        ("dziś boli mnie głowa", "2 marca właściciela boli głowa.", True),
        ("明天请假", "用户 3 月 3 日请假。", True),
        ("the lease runs until 30 June 2027", "The lease runs until 30 June 2027.", False),
        ("from today we live in Leeds", "The owner lives in Leeds from 2 March 2026.", False),
        ("we moved to Leeds", "The owner moved to Leeds on 2 March 2026.", False),
        ("I moved to Leeds yesterday", "The owner moved to Leeds on 1 March 2026.", False),
        ("we run Debian", "Since 2 March 2026 all machines run Debian.", False),
        ("we run Debian now, all of us", "On 2 March 2026 all machines run Debian.", False),
        ("this week all machines went to Debian", "All machines run Debian.", False),
        ("we meet on Wednesday at two, always", "The group meets every Wednesday at 14:00.", False),
        ("from this week I work for Dray", "From 2 March 2026 the owner works for Dray.", False),
        ("my sister is Ola", "The owner's sister is Ola.", False),
    ],
)
def test_what_is_over_soon(quote: str, conclusion: str, passing: bool) -> None:  # noqa: FBT001 - a table of cases
    """The day of a thing that ends, and not the day from which something holds."""
    entry = noted("REMEMBER-1", kind=Kind.REMEMBER, quote=quote, conclusion=conclusion).entry
    assert passing == is_passing(entry, date(2026, 3, 8))


def test_what_has_an_end_is_over_after_it() -> None:
    """A price until the end of June leaves the page in July."""
    words = "we pay 85 until the end of June"
    entry = noted("DECISION-1", quote=words, conclusion=words, date=datetime(2026, 3, 2, 9, tzinfo=UTC)).entry
    assert [False, True] == [is_passing(entry, day) for day in (date(2026, 6, 28), date(2026, 7, 5))]


def test_a_rule_holds_whatever_day_it_names() -> None:
    """Its day is when it applies."""
    entry = noted("RULE-1", kind=Kind.RULE, quote="no deploys today or any other Friday").entry
    assert not is_passing(entry, date(2026, 3, 8))


def test_signals_read_as_a_line() -> None:
    """Every signal that says something is named."""
    signals = ScoreSignals(
        Kind.RULE,
        0.861,
        Trust.OWNER,
        times=3,
        days=2,
        returns=1,
        lasting=True,
        replaces=True,
        passing=True,
        age=1,
        value=0.5,
    )
    expected = (
        "rule, confidence 0.86, owner, said 3 times on 2 days, came up on 1 later day, its words say that it lasts, "
        "it replaces an earlier entry, it is over soon, a model gives it 0.50"
    )
    assert f"{expected}, 1 day old" == str(signals)
    assert "decision, confidence 0.50, accepted, 0 days old" == str(ScoreSignals(Kind.DECISION, 0.5, Trust.ACCEPTED))
