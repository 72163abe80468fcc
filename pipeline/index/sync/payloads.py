"""What the index keeps of an entry and of a fact, and a fact back from it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from pipeline.agents.journal import session_word
from pipeline.facts.confidence import confidence
from pipeline.index import schema as layout
from pipeline.index.chunking.plain_text import is_fact_name
from schemas.entry import Entry
from schemas.fact import Fact, FactWord

MOST_MESSAGES = 50
"""Messages of a passage that are noted; what rests on more is about a whole session."""
_PLACE = frozenset({"day", "path", "line"})
_TRUST = {FactWord.ASKED: FactWord.OWNER.value}
"""The trust of a fact by its word, where it has another name."""


def of_entry(entry: Entry) -> dict[str, Any]:
    """The fields of an entry."""
    return {
        layout.KIND: entry.kind.value,
        layout.TRUST: entry.trust.value,
        layout.ENTRY: entry.id,
        layout.CONFIDENCE: entry.confidence,
        layout.SUPERSEDES: list(entry.supersedes),
        layout.SUPERSEDED_BY: list(entry.superseded_by),
        layout.WRITTEN_STATUS: entry.status.value,
        layout.MOMENT: entry.date.isoformat(),
        layout.SAID: list(messages_of(entry.source.session_id, entry.source.message_range)),
        **({layout.SUPERSEDES_PART: list(entry.supersedes_part)} if entry.supersedes_part else {}),
        **({layout.CORRECTS: entry.corrects, layout.GROUNDS: entry.grounds} if entry.corrects else {}),
    }


def of_fact(fact: Fact, about: Sequence[str]) -> dict[str, Any]:
    """The fields of a fact; `about` are the names of entries in its lines."""
    refers = (*fact.supports, *fact.contradicts, *fact.replaces)
    said = list(messages_of(fact.session_id, fact.numbers)) if fact.id else []
    return {
        layout.KIND: fact.kind.term,
        layout.TRUST: _TRUST.get(fact.word, fact.word.value),
        layout.CONFIDENCE: confidence(fact).hundredths / 100,
        layout.FACT: fact.model_dump(mode="json", exclude=set(_PLACE), exclude_defaults=True),
        layout.ABOUT: [*([fact.id] if fact.id else []), *(name for name in about if not is_fact_name(name))],
        **({layout.SAID: said} if said else {}),
        **({layout.REFERS: list(dict.fromkeys(refers))} if refers else {}),
    }


def fact_of(payload: Mapping[str, Any]) -> Fact:
    """The fact of a passage; without a known day it is older than all others."""
    day = date.fromordinal(payload[layout.DAY]) if layout.DAY in payload else date.min
    place = {"day": day, "path": payload[layout.PATH], "line": payload.get(layout.ORDINAL, 0)}
    return Fact.model_validate({**payload[layout.FACT], **place})


def messages_of(session_id: str, numbers: tuple[int, int]) -> Iterator[str]:
    """Messages of a session as an entry or a fact names them, of many the first ones."""
    first, last = numbers
    session = session_word(session_id)
    return (f"{session}#{number}" for number in range(first, min(last, first + MOST_MESSAGES - 1) + 1))
