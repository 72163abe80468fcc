"""Patterns over one whole sentence, folded as `fold` does: what leads to a phrase, the phrase, and what follows it."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator

_BETWEEN = r"(?:\s*[,，、;；:：—–-]\s*|\s+)(?:(?:so|and|but|a|i|wiec|ale|bo)\s+)?"
"""What stands between two phrases of a sentence."""


def any_of(*phrases: str) -> str:
    """One of these phrases."""
    return f"(?:{'|'.join(phrases)})"


def sequence(phrase: str, aside: str) -> str:
    """One or more of a phrase, among any number of asides, with a mark or a space between two."""
    # A named group may stand once in a pattern, so the further phrases have none.
    more = re.sub(r"\?P<\w+>", "?:", phrase)
    return rf"(?:{aside}{_BETWEEN})*{phrase}(?:{_BETWEEN}(?:{more}|{aside}))*"


def command(lead: str, tail: str, *phrases: str) -> Iterator[re.Pattern[str]]:
    """A pattern for each phrase, with what may stand before it and behind it."""
    yield from (re.compile(f"{lead}(?:{phrase}){tail}") for phrase in phrases)
