"""The options that an assistant shows, and the line that an answer makes of the picked one."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from collections.abc import Callable

from jobs.extraction.options import answer_question, options_of
from jobs.resolution.drafting import OFFLINE_LINE
from schemas.extraction import Candidate
from tests.support.tables import table

CandidatesOf = Callable[..., tuple[Candidate, ...]]

LISTED = "Two ways:\n1. one big table\n2. one table a tenant\nWhat do you prefer?"


@table(
    ("text", "options"),
    [
        (LISTED, ("one big table", "one table a tenant")),
        ("Option A: keep the domain. Option B: buy a new one. Which one?", ("keep the domain", "buy a new one")),
        ("We can (1) wait a day, (2) ship now. Well?", ("wait a day", "ship now")),
        ("Wariant A: kurier. Wariant B: odbiór osobisty. Który?", ("kurier", "odbiór osobisty")),
        ("方案A：用微信。方案B：用飞书。选哪个？", ("用微信", "用飞书")),
        ("方案一：刷漆。方案二：换新。选哪个？", ("刷漆", "换新")),
        ("Plan B: ship now.", ()),
        ("It is version 2. The old one was 3. Fine?", ()),
    ],
)
def test_options_stand_in_a_list_or_behind_marks(text: str, options: tuple[str, ...]) -> None:
    """Each goes to the next mark; the last one ends before what follows the list."""
    assert tuple(option for _, option in options_of(text)) == options


@table(
    ("asked", "answer"),
    [
        (LISTED, "2"),
        (LISTED, "the second one"),
        ("A: jedna duża tabela. B: one table a tenant. Która?", "B"),
        ("A: jedna duża tabela. B: one table a tenant. Która?", "druga"),
        ("A：一张大表。B：one table a tenant。选哪个？", "第二个"),
    ],
)
def test_the_picked_option_is_the_line(candidates_of: CandidatesOf, asked: str, answer: str) -> None:
    """By its mark or by its place, in the language of the answer."""
    [picked] = candidates_of(f"< {asked}", f"> {answer}", "< Ok, one table a tenant.")
    assert picked.conclusion == "one table a tenant"


@table("answer", ["both", "the third one"])
def test_what_picks_no_single_option_is_no_sure_line(candidates_of: CandidatesOf, answer: str) -> None:
    """Nobody can name it; it waits for a person."""
    assert [one for one in candidates_of(f"< {LISTED}", f"> {answer}", "< Ok.") if one.confidence >= OFFLINE_LINE] == []


@table(
    ("question", "words", "line"),
    [
        ("Should the assistant use REST or GraphQL?", "REST", "use REST"),
        ("Should the assistant use REST or GraphQL?", "GraphQL", "use GraphQL"),
        ("Should I sort the list by date or by name?", "by name", "sort the list by name"),
        ("Which database, SQLite or Postgres?", "Postgres", "Which database: Postgres"),
        ("Czy mam wysłać to kurierem czy pocztą?", "pocztą", "wysłać to pocztą"),
        ("用REST还是GraphQL？", "REST", "用 REST"),
        ("Tea or coffee?", "coffee", None),
        ("Should I ship on Monday or wait until the tests pass?", "on Monday", None),
        ("Should I ship on Monday?", "yes", None),
    ],
)
def test_an_answer_takes_the_place_of_the_alternatives(question: str, words: str, line: str | None) -> None:
    """A question with its answer glued behind it is no line; where the alternatives are not clear, none is made."""
    assert answer_question(question, words) == line
