"""Quotes located and checked in their messages, and the identity that follows."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from pipeline.entries.provenance import (
    earlier_id,
    earlier_identities,
    id_by_place,
    identities_at,
    identity,
    identity_of,
    locate,
    message_part,
    quoted_message,
)
from schemas.entry import Entry, Kind, Source
from schemas.transcript import MASK
from tests.support.ports.memory_source import conversation, message
from tests.support.tables import table

START = datetime(2026, 2, 20, 13, 5, tzinfo=UTC)
SESSION = conversation("s", START, [("assistant", "Server or embedded?"), ("owner", "ok, embedded it is, no server")])


def entry(quote: str, session_id: str = "s", entry_ids: tuple[str, ...] = ("s-2", "s-1")) -> Entry:
    """An entry that claims to rest on the session."""
    source = Source(session_id=session_id, session_path="memory:s.jsonl", message_range=(1, 2), entry_ids=entry_ids)
    return Entry(
        id="DECISION-20260220-x",
        title="x",
        kind=Kind.DECISION,
        date=START,
        source=source,
        quote=quote,
        conclusion="c",
        confidence=0.9,
    )


def test_a_quote_is_located_at_its_first_place() -> None:
    """The span is that of the first occurrence."""
    assert locate("ab", message("m", 1, START, ("owner", "xabab"))) == (1, 3)


def test_a_quote_is_not_folded() -> None:
    """Another case or another accent is another text."""
    said = message("m", 1, START, ("owner", "Łódź w piątek"))

    assert locate("łódź", said) is None
    assert locate("Łódź w piatek", said) is None


def test_nothing_is_located_for_an_empty_quote() -> None:
    """An empty quote stands nowhere."""
    assert locate("", message("m", 1, START, ("owner", "text"))) is None


@given(st.text(), st.text(min_size=1), st.text())
def test_the_span_gives_back_the_quote(before: str, quote: str, after: str) -> None:
    """Whatever the text, the span that is found holds exactly the quote."""
    said = message("m", 1, START, ("owner", before + quote + after))

    span = locate(quote, said)

    assert span is not None
    assert said.text[slice(*span)] == quote


Parts = tuple[str, tuple[str, ...], tuple[int, int]]
PARTS: st.SearchStrategy[Parts] = st.tuples(
    st.text(max_size=4),
    st.lists(st.text(max_size=4), max_size=3).map(tuple),
    st.tuples(st.integers(0, 20), st.integers(0, 20)),
)


@given(PARTS, PARTS)
def test_identities_are_equal_exactly_when_their_parts_are(one: Parts, other: Parts) -> None:
    """No two different places share an identity, however ids are cut."""
    assert (identity(*one) == identity(*other)) == (one == other)


def test_an_identity_is_stable() -> None:
    """The value stands in people's files: 48 hex digits that must never change, the first 16 for the message."""
    assert identity("8f1c2d", ("a1b2c3d4",), (4, 18)) == "9d4135283703d7c507d51431b9a098f3e1c0e0ed81753f3f"


def test_an_identity_tells_the_message_whatever_the_words() -> None:
    """Another span, or a copy of the session under another id: still the same message."""
    whole = message_part(identity("s", ("s-1",), (0, 30)))
    assert whole == message_part(identity("copy", ("s-1",), (4, 18)))
    assert whole != message_part(identity("s", ("s-2",), (0, 30)))


def test_the_raw_and_the_redacted_text_give_one_identity() -> None:
    """Redaction keeps lengths, so a quote after a secret keeps its identity."""
    raw = conversation("s", START, [("owner", "key hunter2 and always use UTC")])
    redacted = conversation("s", START, [("owner", f"key {MASK * 7} and always use UTC")])
    claim = entry("always use UTC", entry_ids=("s-1",))

    assert identity_of(claim, raw) == identity_of(claim, redacted) == identity("s", ("s-1",), (16, 30))


def test_an_entry_verifies_where_its_quote_stands() -> None:
    """The first entry id names the message, and the quote is in it."""
    assert SESSION.messages[1] == quoted_message(entry("embedded it is"), SESSION)


def test_an_invented_quote_does_not_verify() -> None:
    """Words that were not said have no identity."""
    assert quoted_message(entry("server it is"), SESSION) is None
    assert identity_of(entry("server it is"), SESSION) is None


def test_only_the_owners_words_verify() -> None:
    """The assistant's words in an entry are nobody's decision."""
    assert quoted_message(entry("Server or embedded?", entry_ids=("s-1",)), SESSION) is None


PASTED = "> pay on Friday\n> Bob"


def test_words_that_the_owner_pasted_do_not_verify() -> None:
    """They stand in the owner's message, and nobody says them there."""
    talk = conversation("s", START, [("owner", f"look\n{PASTED}")])
    claim = entry("pay on Friday", entry_ids=("s-1",))

    assert quoted_message(claim, talk) is None
    assert identity_of(claim, talk) is None
    assert [(identity("s", ("s-1",), (7, 20)), talk.messages[0])] == list(identities_at(claim, talk))


def test_a_quote_that_was_pasted_and_said_stands_where_it_was_said() -> None:
    """Its identity is that of the owner's place; what earlier versions made of the first place is known as well."""
    talk = conversation("s", START, [("owner", f"{PASTED}\n\nyes, pay on Friday")])
    claim = entry("pay on Friday", entry_ids=("s-1",))
    first, own = identity("s", ("s-1",), (2, 15)), identity("s", ("s-1",), (28, 41))

    assert own == identity_of(claim, talk)
    assert [first, own] == [text for text, _ in identities_at(claim, talk)]


def test_every_place_of_a_quote_has_an_identity() -> None:
    """Also places that overlap; an empty quote, the assistant's words and another session's have none."""
    talk = conversation("s", START, [("owner", "aXaXa"), ("assistant", "aXa")])
    places = [identity("s", ("s-1",), span) for span in ((0, 3), (2, 5))]

    assert places == [text for text, _ in identities_at(entry("aXa", entry_ids=("s-1",)), talk)]
    assert not [*identities_at(entry("", entry_ids=("s-1",)), talk)]
    assert not [*identities_at(entry("aXa", entry_ids=("s-2",)), talk)]
    assert not [*identities_at(entry("aXa", session_id="t", entry_ids=("s-1",)), talk)]


def test_a_place_has_the_identities_that_earlier_versions_gave() -> None:
    """Of a record without an id of its own: by its number alone, too."""
    made = id_by_place(2, START, RECORD)
    talk = SESSION.model_copy(update={"messages": (message(made, 2, START, ("owner", "embedded it is")),)})
    expected = [identity("s", ids, (0, 8)) for ids in ((made,), ("line2",))]

    assert expected == [text for text, _ in identities_at(entry("embedded", entry_ids=("line2",)), talk)]


def test_the_first_id_counts() -> None:
    """A quote in a message that the entry names only as support does not verify."""
    assert quoted_message(entry("embedded it is", entry_ids=("s-1", "s-2")), SESSION) is None


def test_another_session_does_not_verify() -> None:
    """The ids of sessions must agree."""
    assert quoted_message(entry("embedded it is", session_id="t"), SESSION) is None


RECORD = {"type": "message", "message": {"role": "user", "content": "ok"}}


def test_a_record_without_an_id_is_named_by_its_place_and_contents() -> None:
    """A copy has the same id; another number, time or text has another, and no other session's record has it."""
    first = id_by_place(2, START, RECORD)
    others = [
        id_by_place(3, START, RECORD),
        id_by_place(2, START + timedelta(seconds=1), RECORD),
        id_by_place(2, None, RECORD),
        id_by_place(2, START, RECORD | {"type": "other"}),
    ]

    assert first == id_by_place(2, START.astimezone(ZoneInfo("Asia/Shanghai")), dict(reversed(RECORD.items())))
    assert 5 == len({first, *others})
    assert "line2" == earlier_id(first)


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none() | st.lists(st.text())))
def test_the_id_of_a_record_is_a_hash_of_its_json(record: dict[str, object]) -> None:
    """In a form that stays: entries in people's files name it."""
    written = json.dumps([START.isoformat(), json.dumps(record, sort_keys=True)], separators=(",", ":"))
    assert f"line7-{hashlib.sha256(written.encode()).hexdigest()[:12]}" == id_by_place(7, START, record)


@given(st.text())
def test_ids_of_records_are_left_as_they_are(entry_id: str) -> None:
    """Only an id that was made by place has an earlier form."""
    assert entry_id == earlier_id(entry_id)


@given(st.text(min_size=1), st.data())
def test_earlier_identities_hold_the_same_quote_a_word_longer_or_shorter(text: str, data: st.DataObject) -> None:
    """That of the span itself always, and each that begins and ends at an edge of words nearby."""
    end = data.draw(st.integers(1, len(text)))
    said = message(id_by_place(2, START, RECORD), 2, START, ("owner", text))

    assert identity("s", ("line2",), (0, end)) in set(earlier_identities("s", said, (0, end)))
    assert identity("s", ("line2",), (0, len(text))) in set(earlier_identities("s", said, (0, end)))


@table("text", ["以后一律用这个库" * 5000, "always use this one " * 5000, "." * 40000])
def test_a_long_message_has_few_earlier_identities(text: str) -> None:
    """However long the quote is: each claim of a forgotten message is compared with all of them."""
    said = message(id_by_place(2, START, RECORD), 2, START, ("owner", text))

    assert 20_000 > len([*earlier_identities("s", said, (100, len(text) - 100))])


def test_a_record_with_an_id_has_no_earlier_identity() -> None:
    """What it was made of has not changed."""
    assert not [*earlier_identities("s", SESSION.messages[1], (0, 2))]


def test_an_entry_of_an_earlier_version_verifies() -> None:
    """By the number of the line alone, in its own session."""
    made = id_by_place(2, START, RECORD)
    talk = SESSION.model_copy(update={"messages": (message(made, 2, START, ("owner", "embedded it is")),)})

    assert talk.messages[0] == quoted_message(entry("embedded", entry_ids=("line2",)), talk)
    assert talk.messages[0] == quoted_message(entry("embedded", entry_ids=(made,)), talk)
    assert quoted_message(entry("embedded", entry_ids=("line3",)), talk) is None
    assert quoted_message(entry("embedded", entry_ids=(f"{made[:-1]}x",)), talk) is None


def test_an_entry_of_a_copy_verifies() -> None:
    """A record that repeats the message names it as well; the identity is that of the message."""
    said = SESSION.messages[1].model_copy(update={"aliases": ("copy", "said-1")})
    talk = SESSION.model_copy(update={"messages": (said,)})
    claim = entry("embedded", entry_ids=("copy",))
    span = (4, 12)

    assert said == quoted_message(claim, talk)
    assert identity("s", said.entry_ids, span) == identity_of(claim, talk)
    assert {identity("s", ids, span) for ids in (said.entry_ids, ("copy",))} <= {
        item for item, _ in identities_at(claim, talk)
    }
