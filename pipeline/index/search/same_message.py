"""One thing that was said once: a fact, the decision of the same message, and the lines that cite that message."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pipeline.index.chunking.plain_text import is_ours
from pipeline.index.schema import ENTRY, FACT, SAID, TEXT
from pipeline.language.analysis import terms

SHARED = 0.6
"""The share of the words of a fact that a line of the same message has when it says the same: one message may say
several things."""
_NUMBERS = r"[0-9]+(?:-[0-9]+)?"
_CITED = re.compile(rf"session `?(?P<session>[^\s`,]+)`?, messages? (?P<numbers>{_NUMBERS}(?:, {_NUMBERS})*)")
_AROUND = re.compile(r"(?m)^- (?:why|finding|impact):.*\n?")
"""The lines of an entry that quote what was said around it, which is not what it says."""
_BARE = re.compile(r"[\W_]+")
_LONGEST_RANGE = 50


def says_again(payload: Mapping[str, Any], fact: Mapping[str, Any]) -> bool:
    """Whether an entry, or a line of our pages, says what a fact says; all are payloads of passages."""
    messages = set(fact.get(SAID) or ())
    if not messages or messages.isdisjoint(said_of(payload)):
        return False
    text, quote = str(payload[TEXT]), _bare(fact[FACT].get("quote", ""))
    text = _AROUND.sub("", text) if payload.get(ENTRY) else text
    if quote and quote in _bare(text):
        return True
    words = _terms(fact[FACT]["text"])
    return len(words & _terms(text)) >= SHARED * max(len(words), 1)


def repeats(payload: Mapping[str, Any], fact: Mapping[str, Any]) -> bool:
    """Whether a passage has the whole sentence of a fact."""
    return _bare(fact[FACT]["text"]) in _bare(str(payload[TEXT]))


def said_of(payload: Mapping[str, Any]) -> list[str]:
    """The messages that a passage rests on, as `SAID` has them; of an item of ours, those that it cites."""
    if known := payload.get(SAID):
        return list(known)
    text = str(payload[TEXT])
    return list(_cited(text)) if "session " in text and is_ours(text) else []


def _cited(text: str) -> Iterator[str]:
    for match in _CITED.finditer(text):
        for numbers in match["numbers"].split(", "):
            first, _, last = numbers.partition("-")
            end = min(int(last or first), int(first) + _LONGEST_RANGE)
            yield from (f"{match['session']}#{number}" for number in range(int(first), end + 1))


@lru_cache(maxsize=1 << 10)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _bare(text: str) -> str:
    return _BARE.sub("", text).casefold()
