"""A claim as an entry: its id, its date, its source."""

import re
import unicodedata
from collections.abc import Collection
from datetime import datetime
from zoneinfo import ZoneInfo

from jobs.extraction.candidate_text import TITLE_LIMIT, title_of
from jobs.resolution.validation import Claim
from schemas.entry import NOT_STATED, Entry, Source, Trust
from schemas.suggestion import AcceptedEntry

SLUG = 60
"""Characters of a title that an id keeps."""

SUFFIXES = (6, 12, 32)
"""Digits of the identity that distinguish two entries of one day and one title."""

MOST_ENTRY_IDS = 24
MOST_REFS = 5

_WORD = re.compile(r"[^\W_]+")
_REFERENCE = re.compile(
    r"https?://[^\s<>\"',\u3000-\u303f\uff00-\uffef\u4e00-\u9fff]+"
    r"|(?<![\w/.~-])(?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]+)+"
    r"|(?<![\w/.~-])(?:~|\.{1,2})/[\w.@-]+"
    r"|(?<![\w/.~@-])[\w.@-]+(?:/[\w.@-]+)*/[\w@-]+\.[a-z]\w{0,7}\b",
    re.ASCII,
)


def draft(claim: Claim, taken: Collection[str]) -> Entry:
    """The entry for a claim, without links. `taken` are the ids that are in use."""
    candidate, source = claim.candidate, _source(claim)
    date = local_time(claim)
    title = " ".join(candidate.title.split())
    entry = Entry(
        id=claim.identity,
        title=title,
        kind=candidate.kind,
        date=date,
        source=source,
        quote=claim.quote,
        why=candidate.why.strip() or NOT_STATED,
        finding=candidate.finding.strip() or NOT_STATED,
        conclusion=candidate.conclusion.strip(),
        impact=candidate.impact.strip() or NOT_STATED,
        confidence=round(candidate.confidence, 2),
        trust=Trust.ACCEPTED if candidate.confirmation == "accepted" else Trust.OWNER,
        refs=references(claim.quote),
        until=claim.until,
        goal=candidate.goal,
        project=claim.session.project_of(claim.message),
    )
    return named(entry, claim.identity, taken)


def named(entry: Entry, identity: str, taken: Collection[str]) -> Entry:
    """The entry with an id of its kind, its day and its title. `taken` are the ids that are in use."""
    stem = f"{entry.kind.value.upper()}-{entry.date:%Y%m%d}-{slug(entry.title) or identity[: SUFFIXES[0]]}"
    return entry.model_copy(update={"id": _free(stem, identity, taken)})


def edited(accepted: AcceptedEntry) -> Entry:
    """The entry that a person accepted, in the person's own words if they gave some; a person is sure of it."""
    update: dict[str, object] = {"confidence": 1.0} if accepted.by_person else {}
    if text := " ".join(accepted.text.split()):
        update |= {"conclusion": text, "title": title_for(text), "until": None}
    return accepted.entry.model_copy(update=update)


def title_for(text: str) -> str:
    """The title of an entry with these words of a person."""
    return title_of(text) or text[:TITLE_LIMIT]


def local_time(claim: Claim) -> datetime:
    """The time of the quoted message, in whole seconds, in the session's zone with a fixed offset."""
    local = claim.message.time.astimezone(ZoneInfo(claim.session.zone)).replace(microsecond=0)
    # With a fixed offset it is equal to what is read back from the file.
    return datetime.fromisoformat(local.isoformat())


def slug(title: str) -> str:
    """The letters and digits of `title` in lower case, joined by hyphens, cut at a word."""
    words = _WORD.findall(unicodedata.normalize("NFC", title.lower()))
    whole = "-".join(words)
    if len(whole) <= SLUG:
        return whole
    kept = whole[: SLUG + 1].rpartition("-")[0]
    return kept or whole[:SLUG]


def references(quote: str) -> tuple[str, ...]:
    """The addresses and paths that a quote names, in order, each once."""
    addresses = dict.fromkeys(match.rstrip(".,;:!?)]}'\"") for match in _REFERENCE.findall(quote))
    return tuple(addresses)[:MOST_REFS]


def _source(claim: Claim) -> Source:
    messages = (claim.message, *claim.supports)
    numbers = [message.number for message in messages]
    ids = dict.fromkeys(entry_id for message in messages for entry_id in message.entry_ids)
    return Source(
        session_id=claim.session.session_id,
        session_path=claim.message.session_path or claim.session.session_path,
        message_range=(min(numbers), max(numbers)),
        entry_ids=tuple(ids)[:MOST_ENTRY_IDS],
    )


def _free(stem: str, identity: str, taken: Collection[str]) -> str:
    names = (stem, *(f"{stem}-{identity[:digits]}" for digits in SUFFIXES))
    return next((name for name in names if name not in taken), names[-1])
