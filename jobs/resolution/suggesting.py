"""Claims that are not sure enough to be written by themselves, as suggestions for a person."""

from collections.abc import Iterable, Sequence

from jobs.resolution.drafting import draft
from jobs.resolution.recognition import Recognition
from jobs.resolution.relation import statement
from jobs.resolution.similarity import Weights
from jobs.resolution.validation import Claim, Reservation, reservation, unsaid_value, with_title_said
from pipeline.drafts import Notice, Skip, SuggestionDraft
from pipeline.job import OFFLINE, Run
from schemas.entry import Entry, Trust
from schemas.extraction import ProposedCandidate
from schemas.suggestion import suggestion_id

OFFLINE_LINE = 0.8
"""The confidence from which what is read without a model becomes an entry; below it is a suggestion."""

MODEL_LINE = 0.6
"""The same of what a model answered."""


def parted(run: Run, claims: Iterable[Claim]) -> tuple[list[Claim], list[tuple[Claim, str]]]:
    """The claims that are sure enough, and the others with the reason why not."""
    named = [claim if _is_offline(run, claim) else with_title_said(claim) for claim in claims]
    judged = [(claim, doubt(run, claim)) for claim in named]
    return [claim for claim, why in judged if not why], [(claim, why) for claim, why in judged if why]


def doubt(run: Run, claim: Claim) -> str:
    """Why a person is to decide about a claim, with the value that nobody said; empty when it is sure."""
    if isinstance(claim.candidate, ProposedCandidate) and claim.candidate.waits:
        return claim.candidate.waits
    offline = _is_offline(run, claim)
    if why := reservation(claim, OFFLINE_LINE if offline else MODEL_LINE):
        return why.value
    value = None if offline else unsaid_value(claim)
    return "" if value is None else f"{Reservation.UNSAID_VALUE.value}: {value}"


def _is_offline(run: Run, claim: Claim) -> bool:
    """Whether no model has read the session of a claim."""
    return run.way_of(claim.session.sources) == OFFLINE


def passed_over(why: str) -> Skip:
    """The skip for a fact in doubt, of which no suggestion is made."""
    unsaid = why.startswith(Reservation.UNSAID_VALUE.value)
    return Skip(Reservation.UNSAID_VALUE.value if unsaid else "not_sure")


def undeclined(run: Run, claims: Iterable[Claim]) -> tuple[list[Claim], list[Skip]]:
    """The claims that no person has turned down as a suggestion, and a skip for each other one."""
    judged = [(claim, run.declined(claim.identity)) for claim in claims]
    return [claim for claim, gone in judged if not gone], [Skip("declined") for _, gone in judged if gone]


def suggested(
    run: Run, doubtful: Sequence[tuple[Claim, str]], new: Iterable[Entry]
) -> tuple[list[SuggestionDraft | Notice], list[Skip]]:
    """Suggestions, without links, and what was seen before: as an entry, also a `new` one, or as another suggestion.

    Of what was perhaps taken back a notice tells besides, so that the run shows it.
    """
    if not doubtful:
        return [], []
    known = [*(entry for entry in run.entries if entry.trust is not Trust.UNVERIFIED), *new]
    drafts = [(claim, why, draft(claim, ())) for claim, why in doubtful]
    weights = Weights(statement(entry) for entry in (*known, *(entry for _, _, entry in drafts)))
    recognition = Recognition(known, run.forgotten, weights, run.kinds)
    suggestions, skips = list[SuggestionDraft | Notice](), list[Skip]()
    for claim, why, entry in drafts:
        if seen := recognition.seen(claim, entry):
            skips.append(Skip(seen.value))
            continue
        recognition.add(entry)
        suggestions.append(SuggestionDraft(entry, claim.identity, why))
        if why == Reservation.TAKEN_BACK:
            where = f"message {claim.message.number} of session {claim.session.session_id}"
            suggestions.append(Notice(f"perhaps taken back: {where}; suggestion {suggestion_id(claim.identity)[:8]}"))
    return suggestions, skips
