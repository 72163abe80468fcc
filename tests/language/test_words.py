"""The words of a text as they are written."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.analysis import terms
from pipeline.language.words import quote_words, words, words_of


def test_words_are_matched_by_their_stems_and_shown_as_written() -> None:
    """In the question's own spelling."""
    text = "Ile kosztów było?"
    assert ("kosztów",) == quote_words(text, words_of(text, terms("koszty")))


def test_chinese_pairs_that_overlap_are_one_stretch() -> None:
    """As they stand in the text, in either script."""
    text = "日誌保留期為什麼改了"
    assert ("日誌保留",) == quote_words(text, words_of(text, terms("日志保留")))


def test_one_word_is_shown_once() -> None:
    """However often it stands there."""
    text = "lamp and lamp"
    assert ("lamp",) == quote_words(text, words_of(text, terms("lamp")))


@given(st.text())
def test_words_stand_in_their_order_and_inside_the_text(text: str) -> None:
    """Whatever the text."""
    actual = list(words(text))
    assert all(0 <= word.start < word.end <= len(text) for word in actual)
    assert sorted(actual, key=lambda word: word.start) == actual
