"""What becomes of candidates: checked, recognised, linked and drafted, in the order of the messages they quote."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from jobs.resolution.drafting import draft
from jobs.resolution.linking import Timeline
from jobs.resolution.pairs import Related, relations
from jobs.resolution.recognition import Recognition
from jobs.resolution.relation import Relation, statement
from jobs.resolution.similarity import Weights
from jobs.resolution.validation import Claim, check
from pipeline.entries.standing import fold
from pipeline.job import Draft, EntryDraft, Run, Skip, StatusDraft
from schemas.entry import Entry, Status, Trust
from schemas.extraction import Candidate
from schemas.outcome import Rejection
from schemas.transcript import Session

__all__ = ["Related", "Relation", "relations", "resolve"]

Proposal = tuple[Session, Candidate]

UNSETTLED = timedelta(days=1)
"""How long after its day a file may still be written by people and agents at work, so that we leave its lines alone."""


def resolve(run: Run, proposals: Iterable[Proposal]) -> list[Draft]:
    """Drafts for all proposals, whatever order they come in: rejections, new entries and skips, then new states."""
    checked = [check(candidate, session, run.window) for session, candidate in proposals]
    rejections = [result for result in checked if isinstance(result, Rejection)]
    skips = [result for result in checked if isinstance(result, Skip)]
    claims = sorted((result for result in checked if isinstance(result, Claim)), key=_place)
    entries, late = _written(run, claims) if claims else ([], [])
    return [
        *sorted(
            rejections,
            key=lambda rejection: (rejection.session_id, rejection.number, rejection.reason, rejection.detail),
        ),
        *entries,
        *sorted([*skips, *late], key=lambda skip: skip.reason),
        *_restated(run, [confirmed.entry for confirmed in entries]),
    ]


def _place(claim: Claim) -> tuple[object, ...]:
    """Where a claim stands in time; the rest only makes the order total."""
    session, candidate = claim.session, claim.candidate
    return (
        claim.message.time,
        session.archived,
        session.session_id,
        session.session_path,
        claim.message.number,
        claim.span,
        -candidate.confidence,
        candidate.model_dump_json(),
    )


def _written(run: Run, claims: Sequence[Claim]) -> tuple[list[EntryDraft], list[Skip]]:
    """New entries with their links, and what was seen before."""
    taken = {entry.id for entry in run.entries}
    # An unverified entry may be anybody's: it takes no part, so that nothing is left out or linked because of it.
    sure = fold(entry for entry in run.entries if entry.trust is not Trust.UNVERIFIED)
    known = [state.entry for state in sure.states.values()]
    drafts = [draft(claim, ()) for claim in claims]
    weights = Weights(statement(entry) for entry in (*known, *drafts))
    recognition = Recognition(known, run.forgotten, weights)
    timeline = Timeline(known, weights)
    written: list[EntryDraft] = []
    skips: list[Skip] = []
    for claim in claims:
        entry = draft(claim, taken)
        seen = recognition.seen(claim, entry)
        if seen is not None:
            skips.append(Skip(seen.value))
            continue
        entry = timeline.linked(entry)
        for memory in (recognition, timeline):
            memory.add(entry)
        taken.add(entry.id)
        written.append(EntryDraft(entry, claim.identity))
    return written, skips


def _restated(run: Run, new: Sequence[Entry]) -> list[StatusDraft]:
    """Entries of settled files whose `status:` line is out of date. An entry that a person archived stays."""
    everything = (*run.entries, *new)
    if not any(entry.supersedes or entry.superseded_by or entry.status is not Status.ACTIVE for entry in everything):
        return []
    settled = _last_day(run) - UNSETTLED
    states = fold(everything).states
    own = {entry.id for entry in run.entries}
    return [
        StatusDraft(entry_id, state.status, state.superseded_by)
        for entry_id, state in states.items()
        if entry_id in own and state.entry.date.date() < settled and state.status is not state.entry.status
    ]


def _last_day(run: Run) -> date:
    """The local day on which the run's window ends: the clock would make a late back-fill write other bytes."""
    return (run.window.end - timedelta(microseconds=1)).astimezone(run.now.tzinfo).date()
