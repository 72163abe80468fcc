"""A claim as an entry."""

import unicodedata
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.resolution.drafting import MOST_ENTRY_IDS, SLUG, draft, references, slug
from jobs.resolution.validation import Claim
from schemas.entry import Kind, Source, Trust
from schemas.extraction import Candidate
from schemas.transcript import Session
from tests.support.builders.long_texts import busy_at_most
from tests.support.ports.memory_source import conversation, message
from tests.support.tables import table

START = datetime(2026, 3, 1, 23, 5, 11, 123000, tzinfo=UTC)
SESSION = conversation(
    "s",
    START,
    [("assistant", "Embedded?"), ("owner", "ok, embedded it is"), ("owner", "see docs/a.md")],
    zone="Asia/Shanghai",
)


def claim(session: Session = SESSION, **fields: object) -> Claim:
    """A claim on the second message that rests on the first."""
    base = Candidate(
        kind=Kind.DECISION, title="Use it", quote="embedded", quote_number=2, conclusion="c", confidence=0.876
    )
    return Claim(base.model_copy(update=fields), session, session.messages[1], (4, 12), (session.messages[0],))


def test_an_entry_says_where_its_words_stand() -> None:
    """The quoted message's id comes first, the range covers all messages, and the time is the owner's local time."""
    entry = draft(claim(confirmation="accepted"), ())

    assert entry.id == "DECISION-20260302-use-it"
    assert entry.date.isoformat() == "2026-03-02T07:06:11+08:00"
    assert entry.source == Source(
        session_id="s", session_path="memory:s.jsonl", message_range=(1, 2), entry_ids=("s-2", "s-1")
    )
    assert (entry.quote, entry.trust, entry.confidence) == ("embedded", Trust.ACCEPTED, 0.88)


def test_an_id_that_is_taken_gets_a_suffix_from_the_identity() -> None:
    """The first six digits, and more when those are taken too."""
    one = claim()
    plain = draft(one, ()).id
    longer = draft(one, {plain}).id

    assert longer == f"{plain}-{one.identity[:6]}"
    assert draft(one, {plain, longer}).id == f"{plain}-{one.identity[:12]}"


def test_a_title_without_letters_is_named_by_the_identity() -> None:
    """An id always has a slug."""
    assert draft(claim(title="?!"), ()).id == f"DECISION-20260302-{claim().identity[:6]}"


def test_a_title_stands_on_one_line() -> None:
    """White space in it is folded."""
    assert draft(claim(title=" a\n b\tc "), ()).title == "a b c"


def test_the_list_of_ids_has_an_end() -> None:
    """However many messages take part."""
    supports = tuple(message(f"m{number}", number, START, ("owner", "x")) for number in range(3, 60))
    one = claim()
    many = Claim(one.candidate, one.session, one.message, one.span, supports)

    assert len(draft(many, ()).source.entry_ids) == MOST_ENTRY_IDS


@table(
    ("title", "expected"),
    [
        ("Żółć, a potem: NIC!", "żółć-a-potem-nic"),
        ("日志保留 14 天", "日志保留-14-天"),
        ("Cafe\u0301", "café"),
        ("word " * 20, "-".join(["word"] * 12)),
        ("字" * 80, "字" * SLUG),
    ],
)
def test_slugs(title: str, expected: str) -> None:
    """Letters of any language, cut at a word where there is one."""
    assert slug(title) == expected


@given(st.text())
def test_a_slug_is_short_and_plain(title: str) -> None:
    """For any title: composed, no white space, no hyphen at an end, at most 60 characters."""
    actual = slug(title)

    assert len(actual) <= SLUG
    assert actual == unicodedata.normalize("NFC", actual).strip("-")
    assert actual.split() == ([actual] if actual else [])


def test_addresses_and_paths_become_references() -> None:
    """In order, each once, without the punctuation behind them."""
    quote = (
        "see https://example.org/a?b=1, ./run.sh and data-raw/x.csv, ~/notes/a.md; /etc/hosts. ./run.sh and/or 7/8 /new"
    )

    assert references(quote) == (
        "https://example.org/a?b=1",
        "./run.sh",
        "data-raw/x.csv",
        "~/notes/a.md",
        "/etc/hosts",
    )


@pytest.mark.processor
def test_references_are_sought_in_time() -> None:
    """However long a quote is."""
    for motif in ("@", "a@", "/a", "~/", "a.b-", "http://"):
        with busy_at_most(10):
            references(motif * 50_000)


def test_an_entry_has_the_project_of_its_message() -> None:
    """That of the session where the message has none of its own."""
    session = SESSION.model_copy(update={"project": "~/code/shop"})
    moved = session.messages[1].model_copy(update={"project": "~/code/blog"})
    one = claim(session)
    assert "~/code/shop" == draft(one, ()).project
    assert "~/code/blog" == draft(replace(one, message=moved), ()).project


@table(
    ("said", "until", "known"),
    [
        ("only until Friday, then as before", "2026-03-06", True),
        ("until the end of April", "2026-04-30", True),
        ("the old price holds until 2026-05-01", "2026-05-01", True),
        ("the old price holds before 1 May", "2026-04-30", True),
        ("for two weeks", "2026-03-16", True),
        ("do piątku włącznie", "2026-03-06", True),
        ("do końca kwietnia", "2026-04-30", True),
        ("obowiązuje do 1 maja", "2026-05-01", True),
        ("到五月一日为止", "2026-05-01", True),
        ("到本周五为止", "2026-03-06", True),
        ("only until Friday, then as before", "2026-03-27", False),
        ("until the end of April", "2026-05-31", False),
        ("for some time", "2026-03-16", False),
        ("na razie", "2026-03-16", False),
        ("暂时这样", "2026-03-16", False),
        ("it has held since 1 February", "2026-02-01", False),
    ],
)
def test_the_last_day_was_said(said: str, until: str, known: bool) -> None:  # noqa: FBT001 - a table
    """By its date or by what leads to it; a day that nobody said, or that is over by then, is not known."""
    session = conversation("s", START, [("owner", said)], zone="Asia/Shanghai")
    candidate = Candidate.model_validate(
        {"kind": "rule", "title": "t", "quote": said, "quote_number": 1, "conclusion": "c", "confidence": 0.9}
        | {"until": until}
    )
    entry = draft(Claim(candidate, session, session.messages[0], (0, len(said))), ())
    assert (date.fromisoformat(until) if known else None) == entry.until


def test_a_word_that_is_no_day_costs_no_candidate() -> None:
    """A model may answer anything there."""
    given: dict[str, object] = dict(claim().candidate)
    for word in ("soon", "", None, 7, "2026-02-30", ["2026-02-03"]):
        assert Candidate.model_validate(given | {"until": word}).until is None
