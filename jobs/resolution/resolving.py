"""The drafts for candidates: checked, recognised and linked, in the order of the messages that they quote."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from jobs.resolution.drafting import (
    apply_edit,
    draft,
    draft_suggestions,
    drop_declined,
    references,
    separate_doubtful,
    title_for,
    with_id,
)
from jobs.resolution.linking import link, verified_entries
from jobs.resolution.nearness import EntryIndex, LastIndex
from jobs.resolution.proposed import judge_proposals
from jobs.resolution.recognition import Recognition, Seen
from jobs.resolution.relation import statement
from jobs.resolution.validation import Claim, check
from pipeline.drafts import Draft, EntryDraft, Skip, StatusDraft
from pipeline.entries.standing import Fold, find_linked, fold
from pipeline.job import Run
from schemas.correction import CorrectionRequest
from schemas.entry import Entry, Status, Trust, correction_grounds
from schemas.extraction import Candidate, ProposedCandidate, WishedCandidate
from schemas.outcome import Rejection
from schemas.suggestion import AcceptedEntry
from schemas.transcript import Session

_VERIFIED = LastIndex[str]()
"""The entries of the files that verify, by id."""

ReadCandidate = tuple[Session, Candidate]

REFUSED = "link_refused"
"""The reason of a skip: a model named a link that cannot be."""

UNSAID_END = "unsaid_until"
"""The reason of a skip: a model named a last day of an entry that was not said."""

GONE, NOT_IN_FORCE = "gone", "not_in_force"
"""The reasons for which a correction is not written: its entry is deleted, or is in force no more."""

SETTLING_TIME = timedelta(days=1)
"""The time after its day in which people and agents may still write a file, so that its lines are not changed."""


def resolve(run: Run, proposals: Iterable[ReadCandidate]) -> list[Draft]:
    """Draft all candidates, in whatever order they come, and the proposals of agents.

    First rejections, then new entries, suggestions and skips, then new states.
    """
    asked_for = judge_proposals(run)
    every = (*proposals, *asked_for.candidates)
    checked = [check(candidate, session, run.window) for session, candidate in every]
    rejections = [result for result in checked if isinstance(result, Rejection)]
    skips = [result for result in checked if isinstance(result, Skip)]
    claims = sorted((result for result in checked if isinstance(result, Claim)), key=_order_key)
    claims, declined = drop_declined(run, claims)
    sure, doubtful = separate_doubtful(run, claims)
    entries, late = list[EntryDraft](), list[Skip]()
    if sure:
        with _VERIFIED.take_index(verified_entries(run.written.entries)) as known:
            entries, late = _draft_entries(run, sure, known)
    suggestions, seen = draft_suggestions(run, [*doubtful, *asked_for.doubtful], [draft.entry for draft in entries])
    return [
        *sorted(
            rejections,
            key=lambda rejection: (rejection.session_id, rejection.number, rejection.reason, rejection.detail),
        ),
        *entries,
        *suggestions,
        *sorted([*skips, *declined, *late, *seen], key=lambda skip: skip.reason),
        *_draft_statuses(run, [confirmed.entry for confirmed in entries]),
        *asked_for.drafts,
    ]


def accept(run: Run) -> list[Draft]:
    """Draft an accepted suggestion as an entry with its links, then new states; a skip when it is written already."""
    wanted = AcceptedEntry.model_validate_json(run.request)
    if wanted.identity in run.refusals.forgotten or any(
        _quotes_same_words(wanted.entry, entry) for entry in run.written.entries
    ):
        return [Skip(Seen.KNOWN.value)]
    entry = with_id(apply_edit(wanted), wanted.identity, {entry.id for entry in run.written.entries})
    with _VERIFIED.take_index(verified_entries(run.written.entries)) as known:
        [linked], refused = link(run, [entry], known, known.weights([statement(entry)]))
    return [EntryDraft(linked, wanted.identity), *[Skip(REFUSED)] * refused, *_draft_statuses(run, [linked])]


def correct(run: Run) -> list[Draft]:
    """Draft the entry that corrects another entry, and the new states of all that it replaces.

    Entries that repeat the corrected entry are replaced with it. There is only a skip when that is in force no more.
    """
    wanted = CorrectionRequest.model_validate_json(run.request)
    state = fold(run.written.entries)
    if wanted.identity in run.refusals.forgotten or wanted.corrects not in state.states:
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
            # Later than what it corrects, also where a clock is behind, or in the same second: the later one holds.
            "grounds": correction_grounds(max(wanted.at, old.entry.moment + timedelta(seconds=1))),
            "refs": references(wanted.words.conclusion),
            "until": None,
            "corrects": old.entry.id,
        }
    )
    # Not the id of a deleted entry that was corrected either: the correction would be taken for what it led away from.
    taken = {name for written in run.written.entries for name in (written.id, written.corrects)}
    entry = with_id(entry, wanted.identity, taken)
    replaced = (old.entry.id, *entry.supersedes)
    return [
        EntryDraft(entry, wanted.identity),
        *(
            StatusDraft(entry_id, Status.SUPERSEDED, (*state.states[entry_id].superseded_by, entry.id))
            for entry_id in replaced
        ),
    ]


def _repetitions(state: Fold, entry_id: str) -> Iterator[str]:
    """The active entries that repeat an entry, by their links, in the order of their messages."""
    group, fresh = {entry_id}, {entry_id}
    while fresh:
        near = {later for fresh_id in fresh for later in state.states[fresh_id].reinforced_by}
        for fresh_id in fresh:
            earlier = (state.states.get(other) for other in state.states[fresh_id].entry.reinforces)
            near |= {known.entry.id for known in earlier if known and fresh_id in known.reinforced_by}
        fresh = near - group
        group |= fresh
    group.remove(entry_id)
    return (other for other, known in state.states.items() if other in group and known.status is Status.ACTIVE)


def _quotes_same_words(one: Entry, other: Entry) -> bool:
    """Whether two entries rest on the same words of the same message."""
    sources = one.source.session_id == other.source.session_id and one.source.entry_ids[0] == other.source.entry_ids[0]
    return sources and one.quote == other.quote and other.trust is not Trust.UNVERIFIED


def _order_key(claim: Claim) -> tuple[object, ...]:
    """The sort key of a claim: its time; the rest only makes the order total."""
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


def _draft_entries(run: Run, claims: Sequence[Claim], known: EntryIndex[str]) -> tuple[list[EntryDraft], list[Skip]]:
    """New entries with their links, and skips for claims that are written already."""
    taken = {entry.id for entry in run.written.entries}
    weights = known.weights(statement(draft(claim, ())) for claim in claims)
    recognition = Recognition(claims, known.entries.values(), run.refusals, weights, run.inputs.kinds)
    written: list[EntryDraft] = []
    skips: list[Skip] = []
    for claim in claims:
        entry = draft(claim, taken)
        seen = recognition.recognise(claim, entry)
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


def _draft_statuses(run: Run, new: Sequence[Entry]) -> list[StatusDraft]:
    """New states of entries in settled files that were replaced or are over. Archived entries stay as they are."""
    everything = (*run.written.entries, *new)
    ids = {entry.id for entry in find_linked(everything)}
    ids.update(entry.id for entry in everything if entry.until or entry.status is not Status.ACTIVE)
    if not ids:
        return []
    # The local day on which the window ends, and not the clock's: a late back-fill writes the same bytes.
    day = (run.window.end - timedelta(microseconds=1)).astimezone(run.now.tzinfo).date()
    settled, states = day - SETTLING_TIME, fold((entry for entry in everything if entry.id in ids), day).states
    own = {entry.id for entry in run.written.entries}
    return [
        StatusDraft(entry_id, state.status, state.superseded_by)
        for entry_id, state in states.items()
        if entry_id in own and state.entry.date.date() < settled and state.status is not state.entry.status
    ]
