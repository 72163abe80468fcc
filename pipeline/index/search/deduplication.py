"""Deduplication: candidates with the same content become one finding."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pipeline.entries.reference import ids_by_reference
from pipeline.index.chunking.plain_text import is_fact_name, is_ours, plain_words
from pipeline.index.schema import AGENT, CORRECTS, ENTRY, FACT, KIND, SAID, TEXT, TRUST
from pipeline.index.search.entry_lookup import Entries, EntryStanding
from pipeline.index.search.scoring import ScoredPassage
from pipeline.language.analysis import terms
from pipeline.language.text import weight
from pipeline.markdown.blocks import find_blocks
from schemas.entry import Status, Trust

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
_ARCHIVED = re.compile(r"^- [0-9]{4}-[0-9]{2}-[0-9]{2}: |[ \t]*<!--.*")


def says_again(payload: Mapping[str, Any], fact: Mapping[str, Any]) -> bool:
    """Whether an entry, or a line of our pages, says what a fact says; all are payloads of passages.

    The words of a correction stand in no message.
    """
    messages = set(fact.get(SAID) or ())
    if payload.get(CORRECTS) or not messages or messages.isdisjoint(said_of(payload)):
        return False
    text, quote = str(payload[TEXT]), _letters_of(fact[FACT].get("quote", ""))
    text = _AROUND.sub("", text) if payload.get(ENTRY) else text
    if quote and quote in _letters_of(text):
        return True
    words = _terms_of(fact[FACT]["text"])
    return len(words & _terms_of(text)) >= SHARED * max(len(words), 1)


def says_entry(payload: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a line of our pages says what an entry says: in its words, or by the message that both rest on.

    `entry` is the payload of the entry's own block. What people wrote by themselves is theirs, whatever it says.
    """
    text = str(payload[TEXT])
    if not is_ours(text):
        return False
    said, bare = _OWN.findall(str(entry[TEXT])), _letters_of(text)
    if any(weight(own) >= _TELLING and own in bare for own in map(_letters_of, said)):
        return True
    if set(entry.get(SAID) or ()).isdisjoint(said_of(payload)):
        return False
    return any(len(words & _terms_of(text)) >= SHARED * len(words) > 0 for words in map(_terms_of, said))


def says_line(payload: Mapping[str, Any], line: str) -> bool:
    """Whether a line of our pages about an agent has the words of a line of its archive."""
    words = _letters_of(_ARCHIVED.sub("", line))
    if not payload.get(AGENT) or weight(words) < _TELLING:
        return False
    text = str(payload[TEXT])
    return is_ours(text) and words in _letters_of(text)


def has_words(text: str, payload: Mapping[str, Any]) -> bool:
    """Whether words of a transcript, or a part of them, are those of an entry or a fact that cites their message."""
    fact = payload.get(FACT)
    said = [fact["text"], fact.get("quote", "")] if fact else _OWN.findall(str(payload[TEXT]))
    held = _terms_of(text)
    return any(len(words & held) >= SHARED * min(len(words), len(held)) > 0 for words in map(_terms_of, said))


def repeats(payload: Mapping[str, Any], fact: Mapping[str, Any]) -> bool:
    """Whether a passage has the whole sentence of a fact."""
    return _letters_of(fact[FACT]["text"]) in _letters_of(str(payload[TEXT]))


def said_of(payload: Mapping[str, Any]) -> list[str]:
    """The messages that a passage rests on, as `SAID` has them; of an item of ours, those that it cites."""
    if known := payload.get(SAID):
        return list(known)
    text = str(payload[TEXT])
    return list(_cited_messages(text)) if "session " in text and is_ours(text) else []


def _cited_messages(text: str) -> Iterator[str]:
    for match in _CITED.finditer(text):
        for numbers in match["numbers"].split(", "):
            first, _, last = numbers.partition("-")
            end = min(int(last or first), int(first) + _LONGEST_RANGE)
            yield from (f"{match['session']}#{number}" for number in range(int(first), end + 1))


@lru_cache(maxsize=1 << 10)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _letters_of(text: str) -> str:
    return _BARE.sub("", text).casefold()


OURS = frozenset({"memory", "summary", "plan", "article"})
"""Kinds of files whose items are about one entry; in other kinds, a passage with the id of an entry has a content of
its own."""
EQUAL_BYTES = 24
"""Two passages with the same words are duplicates only from this length on: "Thanks!" is common."""

NO_NAMES: Mapping[str, str] = MappingProxyType({})

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Finding:
    """A result with its duplicates. `lead` is the best passage; `parts`, with the lead, are adjacent in its file.

    `elsewhere` are passages with the same content. `entry_id` is the entry that it is about, `replaced` are the
    findings of superseded entries, which the lead replaces. `says` is the superseded entry whose words it holds
    without being an item about it. `confidence` is that of a fact by all evidence, and `sureness` the same in a word.
    """

    lead: ScoredPassage
    score: float
    parts: tuple[ScoredPassage, ...] = ()
    elsewhere: tuple[ScoredPassage, ...] = ()
    entry_id: str = ""
    standing: EntryStanding = field(default_factory=EntryStanding)
    replaced: tuple["Finding", ...] = ()
    says: str = ""
    confidence: float | None = None
    sureness: str = ""

    @property
    def has_ended_words(self) -> bool:
        """Whether it holds words that were superseded, without being an item about their entry."""
        return bool(self.says) or (not self.entry_id and self.standing.status == Status.SUPERSEDED)

    @property
    def fact_id(self) -> str:
        """The fact of ours that it is, and no entry says."""
        return "" if self.entry_id else self.lead.fact_id


def collapse(candidates: Sequence[ScoredPassage], items: Mapping[str, str]) -> list[Finding]:
    """Candidates about one entry, or with the same words, as one finding; in the order of their best.

    `items` has the ids of entries by the names of their items, and of the facts that say the same of one message.
    """
    own = {**ids_by_reference({candidate.entry_id for candidate in candidates if candidate.entry_id}), **items}
    groups: dict[tuple[str, str], list[ScoredPassage]] = {}
    facts = [candidate for candidate in candidates if candidate.fact_id]
    for candidate in candidates:
        groups.setdefault(_group_key(candidate, own, facts), []).append(candidate)
    findings = []
    for (sort, name), group in groups.items():
        # The fact itself comes before the lines that say it again.
        lead, *others = sorted(group, key=lambda passage: not passage.fact_id) if sort == "fact" else group
        entry_id = name if sort == "entry" else ""
        findings.append(Finding(lead, group[0].score, (lead,), tuple(others), entry_id=entry_id))
    return findings


def subject(candidate: ScoredPassage, own: Mapping[str, str] = NO_NAMES) -> str:
    """The id of the entry that a passage is, or repeats; empty when it has a content of its own, as an edited item has.

    An item of ours may be about several: `own` are those to prefer, the ids of candidates by all their names.
    """
    if candidate.entry_id:
        return candidate.entry_id
    if candidate.is_fact:
        return own.get(candidate.fact_id, "")
    about = [name for name in candidate.about if not is_fact_name(name)]
    if candidate.payload.get(KIND) not in OURS or not about or _is_edited(candidate):
        return ""
    return next((own[name] for name in about if name in own), about[0])


def _is_edited(candidate: ScoredPassage) -> bool:
    """Whether a person has changed an item of ours, which then says what that person says."""
    return any(not block.intact for block in find_blocks(str(candidate.payload[TEXT]).encode(errors="replace")))


def _fact_said_again(candidate: ScoredPassage, facts: Sequence[ScoredPassage]) -> str:
    """The fact that a line of our pages says again, by its name or by the message that both cite; perhaps none.

    Anybody may write such a name into a page that shows what other hands wrote: there the line has to say the same.
    """
    if candidate.is_fact or not facts:
        return ""
    sure = candidate.payload.get(TRUST) == Trust.ACCEPTED
    named = (fact for fact in facts if fact.fact_id in candidate.about)
    same = (fact.fact_id for fact in named if sure or repeats(candidate.payload, fact.payload))
    return next(same, "") or next((fact.fact_id for fact in facts if says_again(candidate.payload, fact.payload)), "")


def saying(entries: Entries, entry_id: str, own: Mapping[str, str] = NO_NAMES) -> Iterator[ScoredPassage]:
    """The passages that are an entry, or repeat it; `own` as in `subject`."""
    names = {**entries.items(entries.about(entry_id)), **own}
    return (passage for passage in entries.about(entry_id) if subject(passage, names) == entry_id)


def _group_key(candidate: ScoredPassage, own: Mapping[str, str], facts: Sequence[ScoredPassage]) -> tuple[str, str]:
    if entry_id := subject(candidate, own):
        return "entry", entry_id
    if fact_id := candidate.fact_id or _fact_said_again(candidate, facts):
        return "fact", fact_id
    text = candidate.payload[TEXT]
    words = " ".join(_WORD.findall(plain_words(text) if "](" in text or "<!--" in text else text)).casefold()
    return ("words", words) if len(words.encode("utf-8", "replace")) >= EQUAL_BYTES else ("point", candidate.id)
