"""A correction that a person made, as an entry in place of the one that it corrects."""

from collections.abc import Iterator

from jobs.resolution.drafting import named, references, title_for
from pipeline.drafts import Draft, EntryDraft, Skip, StatusDraft
from pipeline.entries.standing import Fold, fold
from pipeline.job import Run
from schemas.correction import CorrectionRequest
from schemas.entry import Status, Trust, correction_grounds

GONE, NOT_IN_FORCE = "gone", "not_in_force"
"""The reasons for which a correction is not written: there is no such entry any more, or it holds no more."""


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
