"""The drafts for candidates: checked, recognised and linked, in the order of the messages that they quote."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from jobs.resolution.drafting import draft, edited, named, parted, references, suggested, title_for, undeclined
from jobs.resolution.linking import link
from jobs.resolution.proposed import judge_proposals
from jobs.resolution.recognition import Recognition, Seen
from jobs.resolution.relation import statement
from jobs.resolution.same_thing import Weights
from jobs.resolution.validation import Claim, check
from pipeline.drafts import Draft, EntryDraft, Skip, StatusDraft
from pipeline.entries.standing import Fold, fold
from pipeline.job import Run
from schemas.correction import CorrectionRequest
from schemas.entry import Entry, Status, Trust, correction_grounds
from schemas.extraction import Candidate, ProposedCandidate, WishedCandidate
from schemas.outcome import Rejection
from schemas.suggestion import AcceptedEntry
from schemas.transcript import Session

Proposal = tuple[Session, Candidate]

REFUSED = "link_refused"
"""The reason under which a link is counted that a model named, and that cannot be."""

UNSAID_END = "unsaid_until"
"""The reason under which the last day of an entry is counted that a model named, and that nobody said."""

GONE, NOT_IN_FORCE = "gone", "not_in_force"
"""The reasons for which a correction is not written: there is no such entry any more, or it holds no more."""

UNSETTLED = timedelta(days=1)
"""How long after its day a file may still be written by people and agents at work, so that we leave its lines alone."""


def resolve(run: Run, proposals: Iterable[Proposal]) -> list[Draft]:
    """Drafts for all proposals, whatever order they come in, and for what agents proposed.

    First rejections, then new entries, suggestions and skips, then new states.
    """
    asked_for = judge_proposals(run)
    every = (*proposals, *asked_for.candidates)
    checked = [check(candidate, session, run.window) for session, candidate in every]
    rejections = [result for result in checked if isinstance(result, Rejection)]
    skips = [result for result in checked if isinstance(result, Skip)]
    claims = sorted((result for result in checked if isinstance(result, Claim)), key=_place)
    claims, declined = undeclined(run, claims)
    sure, doubtful = parted(run, claims)
    entries, late = _written(run, sure) if sure else ([], [])
    suggestions, seen = suggested(run, [*doubtful, *asked_for.doubtful], [draft.entry for draft in entries])
    return [
        *sorted(
            rejections,
            key=lambda rejection: (rejection.session_id, rejection.number, rejection.reason, rejection.detail),
        ),
        *entries,
        *suggestions,
        *sorted([*skips, *declined, *late, *seen], key=lambda skip: skip.reason),
        *_restated(run, [confirmed.entry for confirmed in entries]),
        *asked_for.drafts,
    ]


def accepted(run: Run) -> list[Draft]:
    """What a person accepted, as an entry with its links, then new states; nothing when it stands already."""
    wanted = AcceptedEntry.model_validate_json(run.request)
    if wanted.identity in run.forgotten or any(_same_words(wanted.entry, entry) for entry in run.entries):
        return [Skip(Seen.KNOWN.value)]
    sure = fold(entry for entry in run.entries if entry.trust is not Trust.UNVERIFIED)
    known = [state.entry for state in sure.states.values()]
    entry = named(edited(wanted), wanted.identity, {entry.id for entry in run.entries})
    weights = Weights(statement(one) for one in (*known, entry))
    [linked], refused = link(run, [entry], known, weights)
    return [EntryDraft(linked, wanted.identity), *[Skip(REFUSED)] * refused, *_restated(run, [linked])]


def correct(run: Run) -> list[Draft]:
    """The entry that corrects another one, and the new states of all that it replaces; none when that holds no more.

    What says the same as the corrected entry falls with it.
    """
    wanted = CorrectionRequest.model_validate_json(run.request)
    state = fold(run.entries)
    if wanted.identity in run.forgotten or wanted.corrects not in state.states:
        return [Skip(GONE)]
    old = state.states[wanted.corrects]
    if old.status is not Status.ACTIVE or old.entry.trust is Trust.UNVERIFIED:
        return [Skip(NOT_IN_FORCE)]
    entry = old.entry.model_copy(
        update={
            **wanted.words.model_dump(),
            "title": wanted.words.title or title_for(wanted.words.conclusion),
            "confidence": 1.0,
            "trust": wanted.trust,
            "superseded_by": (),
            "supersedes": tuple(_repetitions(state, old.entry.id)),
            "reinforces": (),
            "grounds": correction_grounds(wanted.at),
            "refs": references(wanted.words.conclusion),
            "until": None,
            "corrects": old.entry.id,
        }
    )
    entry = named(entry, wanted.identity, {one.id for one in run.entries})
    replaced = (old.entry.id, *entry.supersedes)
    return [
        EntryDraft(entry, wanted.identity),
        *(
            StatusDraft(entry_id, Status.SUPERSEDED, (*state.states[entry_id].superseded_by, entry.id))
            for entry_id in replaced
        ),
    ]


def _repetitions(state: Fold, entry_id: str) -> Iterator[str]:
    """The active entries that say the same as one, by their links, in the order of their messages."""
    group, fresh = {entry_id}, {entry_id}
    while fresh:
        near = {other for one in fresh for other in _neighbours(state, one)}
        fresh = near - group
        group |= fresh
    return (other for other, one in state.states.items() if other in group - {entry_id} and one.status is Status.ACTIVE)


def _neighbours(state: Fold, entry_id: str) -> Iterator[str]:
    """The entries that repeat one, and those that it repeats, as far as these links count."""
    yield from state.states[entry_id].reinforced_by
    for earlier in state.states[entry_id].entry.reinforces:
        if earlier in state.states and entry_id in state.states[earlier].reinforced_by:
            yield earlier


def _same_words(one: Entry, other: Entry) -> bool:
    """Whether two entries rest on the same words of the same message."""
    sources = one.source.session_id == other.source.session_id and one.source.entry_ids[0] == other.source.entry_ids[0]
    return sources and one.quote == other.quote and other.trust is not Trust.UNVERIFIED


def _place(claim: Claim) -> tuple[object, ...]:
    """Where a claim stands in time; the rest only makes the order total."""
    session, candidate = claim.session, claim.candidate
    return (
        claim.message.time,
        session.archived,
        session.session_id,
        session.session_path,
        claim.message.number,
        # Of the same words, a model's are written, then those of code, then those of the agent of the session.
        isinstance(candidate, WishedCandidate) + 2 * isinstance(candidate, ProposedCandidate),
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
    recognition = Recognition(known, run.forgotten, weights, run.kinds)
    written: list[EntryDraft] = []
    skips: list[Skip] = []
    for claim in claims:
        entry = draft(claim, taken)
        seen = recognition.seen(claim, entry)
        if seen is not None:
            skips.append(Skip(seen.value))
            continue
        recognition.add(entry)
        taken.add(entry.id)
        written.append(EntryDraft(entry, claim.identity))
    linked, refused = link(run, [new.entry for new in written], known, weights)
    unsaid = sum(claim.candidate.until is not None and claim.until is None for claim in claims)
    skips += [Skip(REFUSED)] * refused + [Skip(UNSAID_END)] * unsaid
    return [replace(new, entry=entry) for new, entry in zip(written, linked, strict=True)], skips


def _restated(run: Run, new: Sequence[Entry]) -> list[StatusDraft]:
    """Entries of settled files whose `status:` line is out of date: replaced, or over. What a person archived stays."""
    everything = (*run.entries, *new)
    if not any(
        one.supersedes or one.superseded_by or one.corrects or one.until or one.status is not Status.ACTIVE
        for one in everything
    ):
        return []
    # The local day on which the window ends, and not the clock's: a late back-fill writes the same bytes.
    day = (run.window.end - timedelta(microseconds=1)).astimezone(run.now.tzinfo).date()
    settled, states = day - UNSETTLED, fold(everything, day).states
    own = {entry.id for entry in run.entries}
    return [
        StatusDraft(entry_id, state.status, state.superseded_by)
        for entry_id, state in states.items()
        if entry_id in own and state.entry.date.date() < settled and state.status is not state.entry.status
    ]
