"""The lines of a summary that no model writes, and the room they get."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from jobs.session_summary.pages import WORDS, ArchivedSession, lines, units
from schemas.window import Window
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

AT = datetime(2026, 3, 3, 8, tzinfo=UTC)
WINDOW = Window(start=AT, end=AT + timedelta(hours=2))


def lines_of(*turns: tuple[str, str], language: str = "en") -> list[str]:
    """The lines of a session of these turns."""
    session = conversation("s", AT, list(turns))
    return lines(ArchivedSession("2026-03-03_001", session, WINDOW, "2026-03-03"), WORDS[language])


def test_what_was_settled_comes_first_and_once() -> None:
    """The assistant's words that say it again are left out."""
    turns = (
        ("owner", "From now on the bakery closes at 18 on Fridays, always."),
        ("assistant", "Noted: the bakery closes at 18 on Fridays."),
    )
    assert 1 == len(lines_of(*turns))


def test_who_says_what_is_named() -> None:
    """A line without a speaker is the owner's decision, so no other has none; the assistant's words are no line."""
    asked, thanked = "How long does the import take?", "Good, that is fast enough for the shop."
    turns = (("owner", asked), ("assistant", "The import takes 12 minutes for 3,000 rows."), ("owner", thanked))
    assert [f"Owner: {asked}", f"Owner: {thanked}"] == lines_of(*turns)


@table(("language", "who"), [("en", "Owner"), ("pl", "Właściciel"), ("zh", "本人")])
def test_of_a_session_that_says_little_the_first_words_are_given(language: str, who: str) -> None:
    """With the owner's name in the language of the agent."""
    assert [f"{who}: hm"] == lines_of(("owner", "hm"), ("assistant", "?"), language=language)


ORDER = "From now on invoices always go to Anna."
MAIL = f"Hi Tom,\n{ORDER}\nBest,\nBob"
MEMO = f"{ORDER} " + "The second part of the memo tells the reader at length why the plan was made. " * 24
TYPED = ("hi there", "run the tests", "what failed?", "fix it", "and the other one")


@table(
    ("said", "expected"),
    [
        ((MAIL,), []),
        ((MAIL, "is that so?", MAIL), ["is that so?"]),
        ((f"What does he want?\n\n{MAIL}", "thanks"), ["What does he want?", "thanks"]),
        (("hm", f"```\n{ORDER}\n```"), ["hm"]),
        ((*TYPED, MEMO), [TYPED[0], TYPED[-1]]),
    ],
)
def test_what_was_pasted_is_not_the_owners(said: Sequence[str], expected: list[str]) -> None:
    """Neither as what was settled nor as the first and the last words; words typed beside it are."""
    assert [f"Owner: {words}" for words in expected] == lines_of(*(("owner", text) for text in said))


@table(
    ("paragraph", "expected"),
    [
        ("2026-03-03: One. Two.", ["2026-03-03: One.", "Two."]),
        ("Owner: Why? → Assistant: Because. Three.", ["Owner: Why? → Assistant: Because.", "Three."]),
        ("One. → Two. → Three. Four.", ["One. → Two. → Three.", "Four."]),
        ("一。二。", ["一。", "二。"]),
        ("", []),
    ],
)
def test_a_matter_stays_with_its_outcome(paragraph: str, expected: list[str]) -> None:
    """A summary of summaries takes whole ones."""
    assert expected == units(paragraph)
