"""Drafts of claims: entries with id, date and source, or suggestions with the reason for which they wait."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from jobs.extraction.candidate_text import TITLE_LIMIT, title_of
from jobs.resolution.recognition import Recognition
from jobs.resolution.relation import statement
from jobs.resolution.same_thing import Weights
from jobs.resolution.validation import Claim, Reservation, reservation, unsaid_value, with_said_title
from pipeline.drafts import Notice, Skip, SuggestionDraft
from pipeline.job import OFFLINE, Run
from schemas.entry import NOT_STATED, Entry, Source, Trust
from schemas.extraction import ProposedCandidate
from schemas.suggestion import AcceptedEntry, suggestion_id

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
    messages = (claim.message, *claim.supports)
    numbers = [message.number for message in messages]
    ids = dict.fromkeys(entry_id for message in messages for entry_id in message.entry_ids)
    candidate = claim.candidate
    source = Source(
        session_id=claim.session.session_id,
        session_path=claim.message.session_path or claim.session.session_path,
        message_range=(min(numbers), max(numbers)),
        entry_ids=tuple(ids)[:MOST_ENTRY_IDS],
    )
    local = claim.message.time.astimezone(ZoneInfo(claim.session.zone)).replace(microsecond=0)
    date = datetime.fromisoformat(local.isoformat())  # with a fixed offset it is equal to what is read from the file
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
    return with_id(entry, claim.identity, taken)


def with_id(entry: Entry, identity: str, taken: Collection[str]) -> Entry:
    """The entry with an id of its kind, its day and its title. `taken` are the ids that are in use."""
    stem = f"{entry.kind.value.upper()}-{entry.date:%Y%m%d}-{slug(entry.title) or identity[: SUFFIXES[0]]}"
    names = (stem, *(f"{stem}-{identity[:digits]}" for digits in SUFFIXES))
    return entry.model_copy(update={"id": next((name for name in names if name not in taken), names[-1])})


def apply_edit(accepted: AcceptedEntry) -> Entry:
    """The accepted entry, in the person's own words if they gave some; its confidence is 1 then."""
    update: dict[str, object] = {"confidence": 1.0} if accepted.by_person else {}
    if text := " ".join(accepted.text.split()):
        update |= {"conclusion": text, "title": title_for(text), "until": None}
    return accepted.entry.model_copy(update=update)


def title_for(text: str) -> str:
    """The title of an entry with these words of a person."""
    return title_of(text) or text[:TITLE_LIMIT]


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


OFFLINE_LINE = 0.8
"""The confidence from which a candidate read without a model becomes an entry; below it is a suggestion."""

MODEL_LINE = 0.6
"""The confidence from which a candidate of a model becomes an entry."""


def separate_doubtful(run: Run, claims: Iterable[Claim]) -> tuple[list[Claim], list[tuple[Claim, str]]]:
    """The claims that are sure enough, and the doubtful claims with their reasons."""
    named = [claim if _is_offline(run, claim) else with_said_title(claim) for claim in claims]
    judged = [(claim, doubt_of(run, claim)) for claim in named]
    return [claim for claim, why in judged if not why], [(claim, why) for claim, why in judged if why]


def doubt_of(run: Run, claim: Claim) -> str:
    """The reason for which a person decides about a claim, with the value that was not said; empty when it is sure."""
    if isinstance(claim.candidate, ProposedCandidate) and claim.candidate.waits:
        return claim.candidate.waits
    offline = _is_offline(run, claim)
    if why := reservation(claim, OFFLINE_LINE if offline else MODEL_LINE):
        return why.value
    value = None if offline else unsaid_value(claim)
    return "" if value is None else f"{Reservation.UNSAID_VALUE.value}: {value}"


def _is_offline(run: Run, claim: Claim) -> bool:
    """Whether no model has read the session of a claim."""
    return run.models.way_of(claim.session.sources) == OFFLINE


def skip_for(why: str) -> Skip:
    """The skip for a fact in doubt, of which no suggestion is made."""
    unsaid = why.startswith(Reservation.UNSAID_VALUE.value)
    return Skip(Reservation.UNSAID_VALUE.value if unsaid else "not_sure")


def drop_declined(run: Run, claims: Iterable[Claim]) -> tuple[list[Claim], list[Skip]]:
    """The claims without those that a person has declined as suggestions, and a skip for each of these."""
    judged = [(claim, run.refusals.declined(claim.identity)) for claim in claims]
    return [claim for claim, gone in judged if not gone], [Skip("declined") for _, gone in judged if gone]


def draft_suggestions(
    run: Run, doubtful: Sequence[tuple[Claim, str]], new: Iterable[Entry]
) -> tuple[list[SuggestionDraft | Notice], list[Skip]]:
    """Suggestions, without links, and skips for claims that repeat an entry, a `new` entry or another suggestion.

    A claim that was perhaps taken back has a notice as well, so that the run shows it.
    """
    if not doubtful:
        return [], []
    known = [*(entry for entry in run.written.entries if entry.trust is not Trust.UNVERIFIED), *new]
    drafts = [(claim, why, draft(claim, ())) for claim, why in doubtful]
    weights = Weights(statement(entry) for entry in (*known, *(entry for _, _, entry in drafts)))
    recognition = Recognition([claim for claim, _ in doubtful], known, run.refusals, weights, run.inputs.kinds)
    suggestions, skips = list[SuggestionDraft | Notice](), list[Skip]()
    for claim, why, entry in drafts:
        if seen := recognition.recognise(claim, entry):
            skips.append(Skip(seen.value))
            continue
        recognition.add(entry)
        suggestions.append(SuggestionDraft(entry, claim.identity, why))
        if why == Reservation.TAKEN_BACK:
            where = f"message {claim.message.number} of session {claim.session.session_id}"
            suggestions.append(Notice(f"perhaps taken back: {where}; suggestion {suggestion_id(claim.identity)[:8]}"))
    return suggestions, skips
