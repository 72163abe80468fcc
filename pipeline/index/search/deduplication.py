"""Deduplication: candidates with the same content become one finding."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pipeline.entries.reference import ids_by_reference
from pipeline.index.chunking.plain_text import is_fact_name, plain
from pipeline.index.schema import KIND, TEXT, TRUST
from pipeline.index.search.entry_lookup import Entries, EntryStanding
from pipeline.index.search.same_message import repeats, says_again
from pipeline.index.search.scoring import ScoredPassage
from schemas.entry import Trust

OURS = frozenset({"memory", "summary", "plan", "article"})
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
    superseded entries among the results, which the lead replaces. `says` is the superseded entry whose words it holds
    without being an item about it. `confidence` is that of a fact by all evidence, and `sureness` the same in a word.
    """

    lead: ScoredPassage
    score: float
    parts: tuple[ScoredPassage, ...] = ()
    elsewhere: tuple[ScoredPassage, ...] = ()
    entry_id: str = ""
    standing: EntryStanding = field(default_factory=EntryStanding)
    replaced: tuple[str, ...] = ()
    says: str = ""
    confidence: float | None = None
    sureness: str = ""

    @property
    def fact_id(self) -> str:
        """The fact of ours that it is, and no entry says."""
        return "" if self.entry_id else self.lead.fact_id


def collapsed(candidates: Sequence[ScoredPassage], items: Mapping[str, str] = NO_NAMES) -> list[Finding]:
    """Candidates about one entry, or with the same words, as one finding; in the order of their best.

    `items` has the ids of entries by the names of their items, and of the facts that say the same of one message.
    """
    own = {**ids_by_reference({candidate.entry_id for candidate in candidates if candidate.entry_id}), **items}
    groups: dict[tuple[str, str], list[ScoredPassage]] = {}
    facts = [candidate for candidate in candidates if candidate.fact_id]
    for candidate in candidates:
        groups.setdefault(_key(candidate, own, facts), []).append(candidate)
    return [
        Finding(lead, group[0].score, (lead,), tuple(others), entry_id=name if sort == "entry" else "")
        for (sort, name), group in groups.items()
        for lead, *others in [_fact_first(group) if sort == "fact" else group]
    ]


def subject(candidate: ScoredPassage, own: Mapping[str, str] = NO_NAMES) -> str:
    """The id of the entry that a passage is, or repeats; empty when it has a content of its own.

    An item of ours may be about several: `own` are those to prefer, the ids of candidates by all their names.
    """
    if candidate.entry_id:
        return candidate.entry_id
    if candidate.is_fact:
        return own.get(candidate.fact_id, "")
    about = [name for name in candidate.about if not is_fact_name(name)]
    if candidate.payload.get(KIND) not in OURS or not about:
        return ""
    return next((own[name] for name in about if name in own), about[0])


def _repeated(candidate: ScoredPassage, facts: Sequence[ScoredPassage]) -> str:
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


def _fact_first(group: Sequence[ScoredPassage]) -> Sequence[ScoredPassage]:
    """The passages with the fact itself in front of the lines that say it again."""
    return sorted(group, key=lambda passage: not passage.fact_id)


def _key(candidate: ScoredPassage, own: Mapping[str, str], facts: Sequence[ScoredPassage]) -> tuple[str, str]:
    if entry_id := subject(candidate, own):
        return "entry", entry_id
    if fact_id := candidate.fact_id or _repeated(candidate, facts):
        return "fact", fact_id
    text = candidate.payload[TEXT]
    words = " ".join(_WORD.findall(plain(text) if "](" in text or "<!--" in text else text)).casefold()
    return ("words", words) if len(words.encode("utf-8", "replace")) >= EQUAL_BYTES else ("point", candidate.id)
