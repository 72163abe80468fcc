"""The relations of many entries."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from jobs.resolution.linking import relations
from jobs.resolution.relation import Relation
from schemas.entry import Entry, Kind, Source

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
LOGS = "access logs are kept for {} days on the archive node"


def entry(name: str, text: str, day: int = 0) -> Entry:
    """A rule in a session of its own."""
    source = Source(session_id=name, session_path="m:x", message_range=(1, 1), entry_ids=(name,))
    return Entry(
        id=name,
        title=text,
        kind=Kind.RULE,
        date=START + timedelta(days=day),
        source=source,
        quote=text,
        conclusion=text,
        confidence=0.8,
    )


OLD = entry("old", LOGS.format(30))
NEW = entry("new", LOGS.format(14), 1)
AGAIN = entry("again", LOGS.format(14) + ", as before", 2)


def test_the_later_entry_comes_first_whichever_list_it_is_in() -> None:
    """An entry that was written late stands before those it is compared with."""
    expected = [(NEW, OLD, Relation.REPLACES)]

    assert expected == relations([NEW], [OLD])
    assert expected == relations([OLD], [NEW])
    assert expected == relations([NEW, OLD], [])


def test_old_entries_are_not_compared_with_one_another() -> None:
    """They were, when they were new."""
    assert relations([entry("other", "the office plants get water on mondays", 2)], [OLD, NEW]) == []


def test_what_was_said_at_one_moment_has_no_order() -> None:
    """Nothing replaces what is not before it."""
    assert relations([NEW], [entry("same", LOGS.format(30), 1)]) == []


@given(st.permutations([OLD, NEW, AGAIN, entry("else", "tea at five", 3)]))
def test_the_order_given_does_not_matter(entries: list[Entry]) -> None:
    """The same entries give the same relations."""
    actual = relations(entries, [])

    assert actual == relations(sorted(entries, key=lambda member: member.id), [])
    assert (AGAIN, NEW, Relation.REPEATS) in actual


def test_nothing_comes_of_nothing() -> None:
    """No entries, no relations."""
    assert relations([], [OLD, NEW]) == []
