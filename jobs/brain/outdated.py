"""Lines of a journal whose words hold no more, or are others, by the entries that rest on the same message."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pipeline.agents.journal import session_word
from pipeline.agents.standing import MemoryLine, Replaced
from pipeline.entries.standing import EntryState, Fold, fold
from pipeline.job import Noted
from pipeline.language.folding import folded_words
from schemas.entry import Status, Trust
from schemas.memory_change import MemoryChange, Operation

_ENDED = frozenset({Status.SUPERSEDED, Status.ARCHIVED})


def outdated(lines: Iterable[MemoryLine], noted: Sequence[Noted]) -> Iterator[Replaced]:
    """The lines that rest on the words of an entry which ended, each with the removal that follows from it.

    A line that a person wrote, accepted or pinned stays, and so does what was said again since, or was corrected.
    """
    folded = _folded(noted)
    states, by_session = folded.states, _by_session(folded)
    for line in lines:
        change = line.change
        if change is None or line.by_person or not change.quote:
            continue
        about = [state for state in by_session[change.session_id] if _rests_on(change, state)]
        if any(state.entry.id in folded.corrected for state in about):
            continue
        if about and all(state.status in _ENDED for state in about):
            ends = [states[name].entry.moment for state in about for name in state.superseded_by if name in states]
            at = max(ends, default=line.at)
            if line.at <= at:
                update = {"operation": Operation.DELETE, "target": line.id, "at": at}
                yield Replaced(line, change.model_copy(update=update))


def corrected(lines: Iterable[MemoryLine], noted: Sequence[Noted]) -> dict[str, str]:
    """The words that hold in place of those of lines, by their ids: a person corrected the entry of the same words."""
    folded, words = _folded(noted), dict[str, str]()
    by_session = _by_session(folded) if folded.corrected else {}
    for line in lines if folded.corrected else ():
        change = line.change
        about = by_session.get(change.session_id, ()) if change and change.quote else ()
        for state in about:
            last = folded.states[folded.in_force(state.entry.id)]
            if change and last is not state and line.at <= last.entry.moment and _rests_on(change, state):
                words[line.id] = last.entry.conclusion
    return words


def _folded(noted: Sequence[Noted]) -> Fold:
    return fold(one.entry for one in noted if one.entry.trust is not Trust.UNVERIFIED)


def _by_session(folded: Fold) -> dict[str, list[EntryState]]:
    by_session: dict[str, list[EntryState]] = defaultdict(list)
    for state in folded.states.values():
        if not state.entry.corrects:  # its quote stands in no message
            by_session[session_word(state.entry.source.session_id)].append(state)
    return by_session


def _rests_on(change: MemoryChange, state: EntryState) -> bool:
    """Whether a change and an entry quote the same words of one message."""
    first, last = state.entry.source.message_range
    ours, theirs = folded_words(change.quote), folded_words(state.entry.quote)
    return first <= change.number <= last and bool(ours and theirs) and (ours in theirs or theirs in ours)
