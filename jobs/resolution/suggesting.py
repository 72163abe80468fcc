"""Claims that are not sure enough to be written by themselves, as suggestions for a person."""

from collections.abc import Iterable, Sequence

from jobs.resolution.drafting import draft
from jobs.resolution.recognition import Recognition
from jobs.resolution.relation import statement
from jobs.resolution.similarity import Weights
from jobs.resolution.validation import Claim, Reservation, reservation
from pipeline.drafts import Skip, SuggestionDraft
from pipeline.job import OFFLINE, Run
from schemas.entry import Entry, Trust

OFFLINE_LINE = 0.8
"""The confidence from which what is read without a model becomes an entry; below it is a suggestion."""

MODEL_LINE = 0.6
"""The same of what a model answered."""


def parted(run: Run, claims: Iterable[Claim]) -> tuple[list[Claim], list[tuple[Claim, Reservation]]]:
    """The claims that are sure enough, and the others with the reason why not."""
    line = OFFLINE_LINE if run.way == OFFLINE else MODEL_LINE
    judged = [(claim, reservation(claim, line)) for claim in claims]
    return [claim for claim, why in judged if why is None], [(claim, why) for claim, why in judged if why]


def undeclined(run: Run, claims: Iterable[Claim]) -> tuple[list[Claim], list[Skip]]:
    """The claims that no person has turned down as a suggestion, and a skip for each other one."""
    judged = [(claim, run.declined(claim.identity)) for claim in claims]
    return [claim for claim, gone in judged if not gone], [Skip("declined") for _, gone in judged if gone]


def suggested(
    run: Run, doubtful: Sequence[tuple[Claim, Reservation]], new: Iterable[Entry]
) -> tuple[list[SuggestionDraft], list[Skip]]:
    """Suggestions, without links, and what was seen before: as an entry, also a `new` one, or as another suggestion."""
    if not doubtful:
        return [], []
    known = [*(entry for entry in run.entries if entry.trust is not Trust.UNVERIFIED), *new]
    drafts = [(claim, why, draft(claim, ())) for claim, why in doubtful]
    weights = Weights(statement(entry) for entry in (*known, *(entry for _, _, entry in drafts)))
    recognition = Recognition(known, run.forgotten, weights, run.kinds)
    suggestions, skips = list[SuggestionDraft](), list[Skip]()
    for claim, why, entry in drafts:
        if seen := recognition.seen(claim, entry):
            skips.append(Skip(seen.value))
            continue
        recognition.add(entry)
        suggestions.append(SuggestionDraft(entry, claim.identity, why.value))
    return suggestions, skips
