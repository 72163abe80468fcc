"""Lines of memory and entries that rest on the same words."""

from pipeline.language.folding import folded_words
from schemas.entry import Entry


def rests_on_same_words(entry: Entry, quote: str, number: int) -> bool:
    """Whether a quote of message `number` of an entry's session has the words of the entry's quote, or is part of them.

    The quote of a correction stands in no message.
    """
    first, last = entry.source.message_range
    if entry.corrects or not first <= number <= last:
        return False
    ours, theirs = folded_words(quote), folded_words(entry.quote)
    return bool(ours and theirs) and (ours in theirs or theirs in ours)
