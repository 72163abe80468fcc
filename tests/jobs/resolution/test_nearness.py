"""The index of entries finds exactly those that can be related, and orders them as a look at all entries would."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.resolution.nearness import EntryIndex, LastIndex, can_be_related, rank_near
from jobs.resolution.relation import relation, statement
from jobs.resolution.same_thing import Weights, features
from schemas.entry import Entry, Kind, Source
from tests.support.marks import examples

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
WORDS = (
    *("remember", "that", "logs", "archive", "node", "invoices", "deposit", "cabins", "not", "now", "back to"),
    *("14 days", "30 days", "20 percent", "12.50", "zł 40", "at 14:30", "on monday", "4 May", "never", "as before"),
    *("faktury", "wysyłamy", "w 7 dni", "日志", "保留", "30天", "改成60天", "周五不发版"),
)
SAYINGS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    """Entries of a few words, so that many share some, with a quote that may be more or less than the rest."""
    made = list[Entry]()
    for number in range(draw(st.integers(2, 12))):
        quote, day = draw(SAYINGS), draw(st.integers(0, 9))
        session = draw(st.sampled_from(("s1", "s2", f"own-{number}")))
        where = Source(session_id=session, session_path="m:x", message_range=(1, 1), entry_ids=(f"e{number}",))
        made.append(
            Entry(
                id=f"E-{number}",
                title=draw(st.sampled_from((quote, draw(SAYINGS)))),
                kind=draw(st.sampled_from(Kind)),
                date=START + timedelta(days=day),
                source=where,
                quote=quote,
                finding=draw(SAYINGS),
                conclusion=draw(st.sampled_from((quote, draw(SAYINGS)))),
                confidence=0.8,
            )
        )
    return made


@settings(max_examples=examples(60))
@given(entries(), st.data())
def test_the_index_gives_the_pairs_and_the_order_of_a_look_at_all(every: list[Entry], data: st.DataObject) -> None:
    """Whatever it held before, and in whatever order the entries came."""
    index = EntryIndex({one.id: one for one in data.draw(st.lists(st.sampled_from(every)))})
    named = {one.id: one for one in data.draw(st.permutations(every))}
    changed = every[0].model_copy(update={"quote": every[1].quote})
    index.put(changed.id, changed)
    index.hold(named)
    weights = index.weights([])
    plain = Weights(map(statement, every))
    for entry in every:
        expected = rank_near(entry, [other for other in every if can_be_related(entry, other)], plain)
        assert expected == rank_near(entry, [index.entries[name] for name in index.near(entry)], weights)


@settings(max_examples=examples(60))
@given(entries())
def test_what_has_a_relation_is_near(every: list[Entry]) -> None:
    """No relation of two entries needs a look at others than those that the index gives."""
    index, weights = EntryIndex(dict(enumerate(every))), Weights(map(statement, every))
    for entry in every:
        near = set(index.near(entry))
        assert all(place in near for place, other in enumerate(every) if relation(entry, other, weights))


def test_a_word_of_all_and_a_unit_are_enough() -> None:
    """What has a value of the same unit is near, and nothing else of all that is remembered."""
    index = EntryIndex({text: _remembered(text) for text in ("deposit is 30 %", "coal is 30 kg", "tea")})

    assert ["deposit is 30 %"] == list(index.near(_remembered("rent is 20 %")))


def test_entries_that_only_share_a_common_word_are_not_looked_at() -> None:
    """The work for an entry is the same, however many others begin as it does."""
    few, many = _count_calls(10), _count_calls(500)

    assert few == many


def test_an_index_is_left_to_the_next_run() -> None:
    """A run with one entry more puts only that into the index, however many others there are."""

    def count_calls(size: int) -> int:
        last, known = LastIndex[int](), {number: _remembered(f"w{number:04}x") for number in range(size)}
        with last.take_index(known):
            known[size] = _remembered("something")
        features(statement(known[size]))  # what it says is read once
        calls = Counter[str]()
        with counting(calls), last.take_index(known) as index:
            pass
        assert known == index.entries
        return calls["call"]

    assert count_calls(10) == count_calls(500)


def _count_calls(size: int) -> int:
    """The calls of functions by which an index of so many entries is asked for what is near another one."""
    known = {number: _remembered(f"w{number:04}x") for number in range(size)}
    index, calls = EntryIndex(known), Counter[str]()
    entry = _remembered("something")
    list(index.near(entry))  # what it says is read once
    with counting(calls):
        near = list(index.near(entry))
    assert near == []
    return calls["call"] + calls["c_call"]


@contextmanager
def counting(calls: Counter[str]) -> Iterator[None]:
    """Count the calls of functions, by their kind."""
    before = sys.getprofile()
    sys.setprofile(lambda _, event, __: calls.update([event]))
    try:
        yield
    finally:
        sys.setprofile(before)


def _remembered(word: str) -> Entry:
    quote = f"remember the {word}"
    where = Source(session_id=word, session_path="m:x", message_range=(1, 1), entry_ids=(word,))
    about = {"title": quote, "quote": quote, "conclusion": quote}
    return Entry(id=word, kind=Kind.REMEMBER, date=START, source=where, confidence=0.8, **about)
