"""The order in which suggestions are shown."""

from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import rank_suggestions
from schemas.extraction import WordsDoubt
from schemas.suggestion import NewEntry
from tests.support.builders.entries import noted


def kept(name: str, confidence: float, reason: str) -> KeptSuggestion:
    """A suggestion of a new entry."""
    entry = noted(name, confidence=confidence).entry
    return KeptSuggestion("micro_sync", NewEntry(entry=entry), name, reason, "r-1")


def test_words_that_were_perhaps_taken_back_are_shown_last() -> None:
    """However clear they were: the person has just said that they do not hold."""
    given = [
        kept("gone", 0.95, WordsDoubt.TAKEN_BACK),
        kept("clear", 0.7, "below_the_line"),
        kept("dim", 0.5, "routine"),
    ]
    assert ["clear", "dim", "gone"] == [one.identity for one in rank_suggestions(given)]
