"""Sentences at their place, and what a text is about."""

import tracemalloc

import pytest

from pipeline.language.text import sentences, terms
from tests.support.builders.long_texts import busy_at_most
from tests.support.tables import table


def test_a_mark_inside_a_word_ends_no_sentence() -> None:
    """Versions, addresses and initials stay whole."""
    texts = [span.text for span in sentences("we stay on 4.5.1 of J. Doe. see ?page=2 later")]
    assert texts == ["we stay on 4.5.1 of J. Doe.", "see ?page=2 later"]


@table(
    ("text", "count"),
    [
        ("budżet to 20 tys. zł na rok. koniec", 2),
        ("use a queue, e.g. Redis, for that", 1),
        ("weź np. sosnę", 1),
        ("koszt 20 tys.\nnowy akapit", 2),
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str, count: int) -> None:
    """Unless more than a space follows it."""
    assert len(sentences(text)) == count


@pytest.mark.processor
def test_a_row_of_abbreviations_is_read_once() -> None:
    """All of them are one sentence, which is not read again for each."""
    with busy_at_most(10):
        assert len(sentences("np. " * 25_000)) == 1


def test_sentences_know_their_place() -> None:
    """A span's offsets lead back to its text."""
    text = " One.  Two! 三。四 "
    assert [text[span.start : span.end] for span in sentences(text)] == ["One.", "Two!", "三。", "四"]


def test_terms_compare_across_inflection_and_notation() -> None:
    """Numbers lose their zeros and long words their endings; Chinese is compared by pairs."""
    assert terms("w czwartek o 07:30") & terms("czwartku, 7:30") == {"czwar", "7", "30"}
    assert terms("木地板") & terms("用木地板吧") == {"木地", "地板"}


def test_what_has_no_end_takes_little_memory() -> None:
    """A megabyte that was pasted without a mark: the engine of patterns keeps nothing for each of its characters."""
    text = "many words " * 100_000
    tracemalloc.start()
    try:
        assert len(sentences(text)) == 1
        assert tracemalloc.get_traced_memory()[1] < 10 * len(text)
    finally:
        tracemalloc.stop()
