"""Deduplication: candidates with the same content become one finding."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pipeline.entries.reference import ids_by_reference
from pipeline.index.chunking.plain_text import plain
from pipeline.index.schema import KIND, TEXT
from pipeline.index.search.entry_lookup import Entries, EntryStanding
from pipeline.index.search.scoring import ScoredPassage

OURS = frozenset({"memory", "summary", "plan"})
"""Kinds of files whose items are about one entry; in other kinds, a passage with the id of an entry has a content of
its own."""
EQUAL_BYTES = 24
"""Two passages with the same words are duplicates only from this length on: "Thanks!" is common."""

NO_NAMES: Mapping[str, str] = MappingProxyType({})

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Finding:
    """One result with its duplicates. `lead` is the best passage; `parts`, with the lead, are adjacent in its file.

    `elsewhere` are passages with the same content. `entry_id` is the entry that it is about, `replaced` are the
    superseded entries among the results, which the lead replaces.
    """

    lead: ScoredPassage
    score: float
    parts: tuple[ScoredPassage, ...] = ()
    elsewhere: tuple[ScoredPassage, ...] = ()
    entry_id: str = ""
    standing: EntryStanding = field(default_factory=EntryStanding)
    replaced: tuple[str, ...] = ()


def collapsed(candidates: Sequence[ScoredPassage], items: Mapping[str, str] = NO_NAMES) -> list[Finding]:
    """Candidates about one entry, or with the same words, as one finding; in the order of their best.

    `items` has the ids of entries by the names of their items.
    """
    own = {**ids_by_reference({candidate.entry_id for candidate in candidates if candidate.entry_id}), **items}
    groups: dict[tuple[str, str], list[ScoredPassage]] = {}
    for candidate in candidates:
        groups.setdefault(_key(candidate, own), []).append(candidate)
    return [
        Finding(group[0], group[0].score, (group[0],), tuple(group[1:]), entry_id=name if sort == "entry" else "")
        for (sort, name), group in groups.items()
    ]


def subject(candidate: ScoredPassage, own: Mapping[str, str] = NO_NAMES) -> str:
    """The id of the entry that a passage is, or repeats; empty when it has a content of its own.

    An item of ours may be about several: `own` are those to prefer, the ids of candidates by all their names.
    """
    if candidate.entry_id:
        return candidate.entry_id
    if candidate.payload.get(KIND) not in OURS or not candidate.about:
        return ""
    return next((own[name] for name in candidate.about if name in own), candidate.about[0])


def saying(entries: Entries, entry_id: str, own: Mapping[str, str] = NO_NAMES) -> Iterator[ScoredPassage]:
    """The passages that are an entry, or repeat it; `own` as in `subject`."""
    names = {**entries.items(entries.about(entry_id)), **own}
    return (passage for passage in entries.about(entry_id) if subject(passage, names) == entry_id)


def _key(candidate: ScoredPassage, own: Mapping[str, str]) -> tuple[str, str]:
    if entry_id := subject(candidate, own):
        return "entry", entry_id
    text = candidate.payload[TEXT]
    words = " ".join(_WORD.findall(plain(text) if "](" in text or "<!--" in text else text)).casefold()
    return ("words", words) if len(words.encode("utf-8", "replace")) >= EQUAL_BYTES else ("point", candidate.id)
