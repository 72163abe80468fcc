"""Words that are looked for together are found as each alone is."""

from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.language.word_search import WordSearch

LETTERS = "ab\u017c\u5bc6 \ud800"


@example(["ż", "密a", "a密"], "a密a密aż")
@given(st.lists(st.text(LETTERS[:-1], min_size=1, max_size=3)), st.text(LETTERS, max_size=40))
def test_words_may_overlap(words: list[str], text: str) -> None:
    """Also where words overlap, and between characters of every alphabet."""
    expected = {word: [at for at in range(len(text)) if text.startswith(word, at)] for word in words}
    assert {word: places for word, places in expected.items() if places} == WordSearch(words).places(text)


def test_words_of_a_long_text() -> None:
    """It is searched in pieces, and a word may stand in two of them."""
    text = "ab" * 100_000
    expected = {"ab": [*range(0, 200_000, 2)], "babab": [*range(1, 199_996, 2)]}
    assert expected == WordSearch(expected).places(text)
