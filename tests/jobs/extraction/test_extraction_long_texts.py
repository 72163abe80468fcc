"""No text takes the extractor the time."""

from datetime import UTC, datetime

import pytest

from jobs.extraction.own_words import own_words
from pipeline.testing.long_texts import busy_at_most
from pipeline.testing.memory_source import message
from schemas.transcript import Message


def owner_says(text: str) -> Message:
    """A message of the owner's."""
    return message("m", 1, datetime(2026, 3, 2, tzinfo=UTC), ("owner", text))


@pytest.mark.parametrize("motif", ["a ", " ", "\t", "•", "a•", "决定", "```\n", '"a ', "x(", "1. a\n"])
def test_own_words_are_sought_in_time(motif: str) -> None:
    """A message of one clause, or of nothing but spaces, is read once."""
    with busy_at_most(10):
        own_words(owner_says(motif * 50_000))


def test_a_sentence_with_a_secret_is_left_out() -> None:
    """The whole sentence, and no other; the length stays."""
    sentence = " Remember this, the key is •••••••• as you know."
    text = f"We deploy on Friday.{sentence} We test first"
    assert text.replace(sentence, "\n" * len(sentence)) == own_words(owner_says(text))
