"""What holds for every history: of entries, links, removals and whatever a model says."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from itertools import cycle
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.consolidation.verdicts import Ruling, hot_verdicts
from pipeline.entries.standing import fold
from pipeline.job import Answer, Noted, Task
from schemas.entry import Kind, Status, Trust
from schemas.judgement import Judgement, Pair, Worth
from schemas.links import LinkQuestion, LinkVerdict
from tests.support.builders.link_rows import linked
from tests.support.marks import examples

History = Any  # the fixture of conftest.py, which is no module that could be imported

MONDAY = date(2026, 3, 2)
WEEKS = 3
TEXTS = [
    "never deploy the clinic after three in the afternoon",
    "the clinic is never deployed in the afternoon",
    "the clinic is deployed at four in the afternoon",
    "heron stays on 85 an hour until june",
    "from 1 march everybody pays 95 an hour",
    "klienci odbierają zamówienia od poniedziałku do soboty",
    "以后生产镜像不许用 latest",
]

entries = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(TEXTS),
            "day": st.integers(0, 7 * WEEKS - 1),
            "kind": st.sampled_from(Kind),
            "trust": st.sampled_from(Trust),
            "confidence": st.sampled_from([0.5, 0.8, 1.0]),
            "status": st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.ARCHIVED]),
            "as_written": st.booleans(),
            "supersedes": st.lists(st.integers(0, 7), max_size=1),
            "reinforces": st.lists(st.integers(0, 7), max_size=1),
        }
    ),
    max_size=8,
)
acts = st.lists(st.tuples(st.integers(1, WEEKS), st.sampled_from(["drop", "take_out"]), st.integers(0, 7)), max_size=3)
pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3)
answers = st.tuples(pairs, pairs, st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), max_size=4))


def named(number: int) -> str:
    """The id of the entry with this number in a history; there need not be one."""
    return f"E-{number}"


def week_of(noted: Noted) -> int:
    """The week, from 0, in which an entry was said."""
    return (noted.entry.date.date() - MONDAY).days // 7


def say_all(history: History, drawn: Sequence[dict[str, Any]]) -> None:
    """Says all of `drawn`."""
    for number, fields in enumerate(drawn):
        links = {key: tuple(map(named, fields[key])) for key in ("supersedes", "reinforces")}
        history.say(**(fields | links), id=named(number))


def judged(raw: tuple[Any, Any, Any]) -> Judgement:
    """What a model may say: of entries there are and are not, in any order."""
    same, contrary, worth = raw
    return Judgement(
        worth=tuple(Worth(id=named(number), value=value, subject="X\n# Y", why="w") for number, value in worth),
        same=tuple(Pair(later=named(one), earlier=named(other), why="- **promoted** [E-1]: x") for one, other in same),
        contradictions=tuple(Pair(later=named(one), earlier=named(other)) for one, other in contrary),
    )


def scripted(answer: Judgement) -> Callable[[Sequence[Task[Answer]]], list[Answer]]:
    """A model that always says this."""

    def ask(tasks: Sequence[Task[Answer]]) -> list[Answer]:
        verdicts = cycle([*LinkVerdict, None])
        return [
            cast(
                "Answer",
                linked(task.input, lambda *_: next(verdicts)) if isinstance(task.input, LinkQuestion) else answer,
            )
            for task in tasks
        ]

    return ask


@settings(max_examples=examples(8))
@given(drawn=entries, acts=acts, raw=answers)
def test_any_history(
    new_history: Callable[[], History],
    drawn: list[dict[str, Any]],
    acts: list[tuple[int, str, int]],
    raw: Any,  # noqa: ANN401 - as drawn
) -> None:
    """All is judged once, nothing unverified or superseded is promoted, the same input gives the same page."""
    history = new_history()
    say_all(history, drawn)
    ask = scripted(judged(raw))
    for week in range(WEEKS):
        for at, act, number in acts:
            if at == week:
                getattr(history, act)(named(number))
        before = {verdict.entry_id for plan in history.plans() for verdict in plan.verdicts}
        was_hot = set(history.hot())
        verdicts = history.plan(week, ask, "scripted")
        due = {noted.entry.id for noted in history.noted if week_of(noted) <= week}
        assert due - before <= verdicts.keys()
        assert was_hot <= verdicts.keys() or (not verdicts and was_hot == set(history.hot()))
        assert_sound(history, verdicts, due)
        assert history.drafts(week, ask, "scripted") == history.drafts(week, ask, "scripted")


def assert_sound(history: History, verdicts: dict[str, Any], due: set[str]) -> None:
    """What has to be true of the verdicts of a week."""
    entries = {noted.entry.id: noted.entry for noted in history.noted}
    states = fold(item.entry for item in history.noted if item.entry.id in due).states
    for entry_id, verdict in verdicts.items():
        if verdict.ruling is Ruling.PROMOTED:
            assert entries[entry_id].trust is not Trust.UNVERIFIED
            assert states[entry_id].status is Status.ACTIVE
            assert verdict.subject
            assert verdict.since
        if verdict.ruling in {Ruling.MERGED, Ruling.OVERRIDDEN}:
            assert verdict.into != entry_id
            assert verdict.into in due or not verdict.into
        if verdict.ruling is Ruling.MERGED:
            assert entries[verdict.into].trust is not Trust.UNVERIFIED
        if verdict.ruling is Ruling.OVERRIDDEN and verdict.into and entry_id in history.as_written() & due:
            assert verdict.into in history.as_written()
    plans = history.plans()
    assert hot_verdicts(plans) == hot_verdicts([*plans, *plans])
    assert not set(history.hot()) - {key for key, state in states.items() if state.status is Status.ACTIVE}


@settings(max_examples=examples(10))
@given(drawn=entries)
def test_week_by_week_or_at_one_go(new_history: Callable[[], History], drawn: list[dict[str, Any]]) -> None:
    """A back-fill that knows all the files from the beginning gives the plans that were made as time went by."""
    at_once, by_week = new_history(), new_history()
    say_all(at_once, drawn)
    everything = list(at_once.noted)
    for week in range(WEEKS):
        by_week.noted = [record for record in everything if week_of(record) <= week]
        at_once.plan(week)
        by_week.plan(week)
    assert at_once.pages == by_week.pages


@settings(max_examples=examples(10))
@given(drawn=entries, order=st.randoms(use_true_random=False))
def test_the_order_of_the_files_is_nothing(
    new_history: Callable[[], History],
    drawn: list[dict[str, Any]],
    order: Any,  # noqa: ANN401 - a random.Random
) -> None:
    """Only what was said, and when."""
    one, other = new_history(), new_history()
    say_all(one, drawn)
    other.noted = list(one.noted)
    order.shuffle(other.noted)
    for week in range(WEEKS):
        one.plan(week)
        other.plan(week)
    assert one.pages == other.pages


def test_one_verdict_for_every_entry(new_history: Callable[[], History]) -> None:
    """Names on a page are unique, so that the engine can tell its items apart."""
    history = new_history()
    for number in range(40):
        history.say(TEXTS[number % len(TEXTS)], number % 7, kind=list(Kind)[number % 4])
    names = Counter(item.name for item in history.drafts())
    assert set(names.values()) == {1}
