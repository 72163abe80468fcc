"""Lines by words that stand in them."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.details.notable import number_lines, spans_with
from pipeline.language.word_search import WordSearch

WORDS = ("ab", "b", "ca\t", "żb")


@given(st.text("abcż \t\n", max_size=60))
def test_it_is_every_line_with_one_of_the_words(text: str) -> None:
    """In order, as a look at all lines gives them."""
    all_lines = enumerate(text.split("\n"), 1)
    expected = [(number, line) for number, line in all_lines if any(word in line for word in WORDS)]
    marked = spans_with(text, WordSearch(WORDS))
    lines = [(number, text[start:end]) for start, end, number in number_lines(text, marked)]
    assert expected == lines


def test_numbers_go_on_from_the_first() -> None:
    """A text that comes in blocks has lines before."""
    assert [(2, 3, 8)] == list(number_lines("a\nb\n", spans_with("a\nb\n", WordSearch(["b"])), 7))
