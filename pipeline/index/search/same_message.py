"""One thing that was said once: a fact or a decision, and the lines that cite its message or have its words."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pipeline.index.chunking.plain_text import is_ours
from pipeline.index.schema import CORRECTS, ENTRY, FACT, SAID, TEXT
from pipeline.language.analysis import terms
from pipeline.language.text import weight

SHARED = 0.6
"""The share of the words of a fact that a line of the same message has when it says the same: one message may say
several things."""
_NUMBERS = r"[0-9]+(?:-[0-9]+)?"
_CITED = re.compile(rf"session `?(?P<session>[^\s`,]+)`?, messages? (?P<numbers>{_NUMBERS}(?:, {_NUMBERS})*)")
_AROUND = re.compile(r"(?m)^- (?:why|finding|impact):.*\n?")
"""The lines of an entry that quote what was said around it, which is not what it says."""
_OWN = re.compile(r"(?m)^- (?:quote|conclusion|impact): (?!not stated$)(.*)$")
"""The lines of an entry that hold what it says, and the answer that took note of it."""
_TELLING = 12
"""The weight from which words, without anything between them, are an entry's own."""
_BARE = re.compile(r"[\W_]+")
_LONGEST_RANGE = 50


def says_again(payload: Mapping[str, Any], fact: Mapping[str, Any]) -> bool:
    """Whether an entry, or a line of our pages, says what a fact says; all are payloads of passages.

    The words of a correction stand in no message.
    """
    messages = set(fact.get(SAID) or ())
    if payload.get(CORRECTS) or not messages or messages.isdisjoint(said_of(payload)):
        return False
    text, quote = str(payload[TEXT]), _bare(fact[FACT].get("quote", ""))
    text = _AROUND.sub("", text) if payload.get(ENTRY) else text
    if quote and quote in _bare(text):
        return True
    words = _terms(fact[FACT]["text"])
    return len(words & _terms(text)) >= SHARED * max(len(words), 1)


def says_entry(payload: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a line of our pages says what an entry says: in its words, or by the message that both rest on.

    `entry` is the payload of the entry's own block. What people wrote by themselves is theirs, whatever it says.
    """
    text = str(payload[TEXT])
    if not is_ours(text):
        return False
    said, bare = _OWN.findall(str(entry[TEXT])), _bare(text)
    if any(weight(own) >= _TELLING and own in bare for own in map(_bare, said)):
        return True
    if set(entry.get(SAID) or ()).isdisjoint(said_of(payload)):
        return False
    return any(len(words & _terms(text)) >= SHARED * len(words) > 0 for words in map(_terms, said))


def has_words(text: str, payload: Mapping[str, Any]) -> bool:
    """Whether words of a transcript, or a part of them, are those of an entry or a fact that rests on their message."""
    fact = payload.get(FACT)
    said = [fact["text"], fact.get("quote", "")] if fact else _OWN.findall(str(payload[TEXT]))
    held = _terms(text)
    return any(len(words & held) >= SHARED * min(len(words), len(held)) > 0 for words in map(_terms, said))


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
