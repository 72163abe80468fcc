"""No text takes the extractor the time."""

from datetime import UTC, datetime

import pytest

from jobs.extraction.exchanges import own_words
from schemas.transcript import Message
from tests.support.builders.long_texts import busy_at_most
from tests.support.ports.memory_source import message
from tests.support.tables import table


def owner_says(text: str) -> Message:
    """A message of the owner's."""
    return message("m", 1, datetime(2026, 3, 2, tzinfo=UTC), ("owner", text))


@pytest.mark.processor
@table("motif", ["a ", " ", "\t", "•", "a•", "决定", "```\n", '"a ', "x(", "1. a\n"])
def test_own_words_are_sought_in_time(motif: str) -> None:
    """A message of one clause, or of nothing but spaces, is read once."""
    with busy_at_most(10):
        own_words(owner_says(motif * 50_000))


def test_a_clause_with_a_secret_is_left_out() -> None:
    """The clause, up to its commas, and no other; the length stays."""
    clause = " the key is •••••••• as you know"
    text = f"we deploy on Friday,{clause}; we test first"
    assert text.replace(clause, "\n" * len(clause)) == own_words(owner_says(text))
