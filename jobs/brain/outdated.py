"""Lines of a journal whose words hold no more, by the entries that rest on the same message."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pipeline.agents.journal import session_word
from pipeline.agents.standing import MemoryLine, Replaced
from pipeline.entries.same_words import rests_on_same_words
from pipeline.entries.standing import EntryState, Fold
from schemas.entry import Status
from schemas.memory_change import Operation

_ENDED = frozenset({Status.SUPERSEDED, Status.ARCHIVED})


def outdated(lines: Iterable[MemoryLine], entries: Fold) -> Iterator[Replaced]:
    """The lines that rest on the words of an entry which ended, each with the removal that follows from it.

    A line that a person wrote, accepted or pinned stays, and so does what was said again since, or was corrected.
    """
    by_session: dict[str, list[EntryState]] = defaultdict(list)
    for state in entries.states.values():
        by_session[session_word(state.entry.source.session_id)].append(state)
    for line in lines:
        change = line.change
        if change is None or line.by_person or not change.quote:
            continue
        said = by_session[change.session_id]
        about = [state for state in said if rests_on_same_words(state.entry, change.quote, change.number)]
        if any(state.entry.id in entries.corrected for state in about):
            continue
        if about and all(state.status in _ENDED for state in about):
            successors = (name for state in about for name in state.superseded_by if name in entries.states)
            at = max((entries.states[name].entry.moment for name in successors), default=line.at)
            if line.at <= at:
                update = {"operation": Operation.DELETE, "target": line.id, "at": at}
                yield Replaced(line, change.model_copy(update=update))
