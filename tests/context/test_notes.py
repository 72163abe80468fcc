"""The lines worth keeping word for word: which, why, and which of them when there is no room for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.context.notes import LONGEST, distinct, kinds_of, noted_lines, weight_of, weightiest
from schemas.conversation import NotedLine, NoteKind
from schemas.transcript import Role
from tests.support.builders.long_texts import is_linear
from tests.support.tables import table

K = NoteKind
LINES = [
    ("We will not use Redis", K.DENIAL),
    ("nie bierzemy Redisa", K.DENIAL),
    ("这里不用 Redis", K.DENIAL),
    ("Actually it lives in Porto", K.CORRECTION),
    ("zamiast tego Porto", K.CORRECTION),
    ("改成波尔图", K.CORRECTION),
    ("Let's go with the blue one", K.DECISION),
    ("zdecydowałem: niebieski", K.DECISION),
    ("我决定了", K.DECISION),
    ("see ticket #4411", K.IDENTIFIER),
    ("commit 3f9a1c2", K.IDENTIFIER),
    ("user_id and MAX_SIZE", K.IDENTIFIER),
    ("mail ana@firm.example", K.IDENTIFIER),
    ("in src/app/main.py", K.PATH),
    (r"on C:\data\in", K.PATH),
    ("12 marca rano", K.DATE),
    ("on Friday", K.DATE),
    ("3月12日", K.DATE),
    ("at 14:30", K.DATE),
    ("about 42 of them", K.NUMBER),
    ("三十二个人", K.NUMBER),
]


def test_why_a_line_is_kept() -> None:
    """In three languages; the table lists every wrong row."""
    wrong = [(line, kind, kinds_of(line)) for line, kind in LINES if kind not in kinds_of(line)]
    assert [] == wrong
    assert [] == kinds_of("a nice evening by the sea")


def test_what_a_user_says_is_a_statement_at_least() -> None:
    """A question is none; of others only what has a reason is kept."""
    assert [K.STATEMENT] == [line.kind for line in noted_lines(1, Role.USER, "My dog is a beagle.")]
    assert [] == noted_lines(1, Role.USER, "Is it a beagle?")
    assert [] == noted_lines(1, Role.ASSISTANT, "A beagle, how lovely.")


def test_a_short_line_is_kept_whole() -> None:
    """Of a long one the sentences are, word for word."""
    assert ["Train. Not by plane."] == [line.text for line in noted_lines(1, Role.USER, "Train. Not by plane.")]
    long = "We spoke about the sea and the wind for a while. " * 4 + "The key is K-17, never K-18."
    assert "The key is K-17, never K-18." in [line.text for line in noted_lines(1, Role.ASSISTANT, long)]


def test_code_and_output_decide_nothing() -> None:
    """Their identifiers count, their words do not."""
    code = "```\n# we decided to never raise it\npage_size = 500\n```"
    assert [("page_size = 500", K.IDENTIFIER)] == [(one.text, one.kind) for one in noted_lines(1, Role.USER, code)]
    assert [] == noted_lines(1, Role.TOOL, "decided: always keep it")


@given(st.text(st.characters(codec="utf-8")) | st.text("ab1 .?\n`nie不", max_size=2_000), st.sampled_from(Role))
def test_every_line_is_word_for_word(text: str, role: Role) -> None:
    """Whatever the text is, each line stands in it, on one line, and is no longer than it may be."""
    for line in noted_lines(1, role, text):
        assert line.text in text
        assert 0 < len(line.text) <= LONGEST
        assert len(line.text.splitlines()) == 1


def test_the_part_of_a_long_sentence_has_its_reason() -> None:
    """It is cut between words around what makes it worth keeping."""
    sentence = "and " * 200 + "we will never use Redis " + "and " * 200
    [line] = noted_lines(1, Role.USER, sentence)
    assert "we will never use Redis" in line.text
    assert {"and"} == {*line.text.split()} - {"we", "will", "never", "use", "Redis"}


def noted(text: str, number: int = 1, role: Role = Role.USER) -> NotedLine:
    """A line as a message has it."""
    return NotedLine(number=number, role=role, kind=K.STATEMENT, text=text)


def test_what_is_said_twice_stands_where_it_was_said_last() -> None:
    """So that what was settled, changed and settled again is the last word."""
    lines = [noted("Use blue.", 1), noted("Use red.", 2), noted("use BLUE.", 3)]
    assert [("Use red.", 2), ("use BLUE.", 3)] == [(line.text, line.number) for line in distinct(lines)]


def test_the_weightiest_get_the_room() -> None:
    """A person's denial before an assistant's number; of equals the earliest; all in their order."""
    lines = [noted("about 7", role=Role.ASSISTANT), noted("never 7"), noted("never 8"), noted("nice", role=Role.USER)]
    assert [1] == weightiest(lines, 5, [5, 5, 5, 5])
    assert [1, 2] == weightiest(lines, 10, [5, 5, 5, 5])
    assert [0, 1, 2, 3] == weightiest(lines, 20, [5, 5, 5, 5])
    assert weight_of(noted("use 7?")) < weight_of(noted("use 7"))


def test_a_long_statement_is_cut() -> None:
    """It has no cue to stand around, so its beginning is kept."""
    [line] = noted_lines(1, Role.USER, "birds walk along the shore and look at boats " * 10)
    assert (NoteKind.STATEMENT, True) == (line.kind, 0 < len(line.text) <= 300)


@pytest.mark.processor
@table("piece", ["x", "a-", "1-", "-a", "ż-1"])
def test_a_word_without_an_end_takes_no_longer_than_its_length(piece: str) -> None:
    """A pasted blob must not hold the service."""
    assert is_linear(lambda text: noted_lines(1, Role.USER, text), piece, 16_000)
