"""Which entries name which entities."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from jobs.bank.known import KnownFacts
from pipeline.entries.reference import item_name
from pipeline.entries.standing import fold
from pipeline.facts.mentions import MentionFinder, all_names
from pipeline.facts.names import same_name
from pipeline.job import Noted
from schemas.entry import Status, Trust


@dataclass(frozen=True)
class NamedEntry:
    """An entry that names an entity. It `holds`, or another one took its place `until` then.

    Of a `corrected` one that is the time of the correction.
    """

    noted: Noted
    holds: bool
    until: datetime | None = None
    corrected: bool = False

    @property
    def name(self) -> str:
        """The name of its item."""
        return item_name(self.noted.entry.id)


def entries_by_entity(noted: Sequence[Noted], known: KnownFacts) -> Mapping[str, list[NamedEntry]]:
    """The entries that hold or were replaced, in the order of their messages, by the keys of what they name.

    Nothing of an entry that does not verify is shown.
    """
    named = defaultdict[str, list[NamedEntry]](list)
    ours = {same_name(mention) for one in known.standings.all if one.fact.id for mention in one.fact.entities}
    finder = MentionFinder(all_names(known.names) | ours)
    now = fold(one.entry for one in noted)
    counting = {one.entry.id: one for one in reversed(noted) if now.counts(one.entry)}
    for name, state in now.states.items():
        entry = state.entry
        if name not in counting or entry.trust is Trust.UNVERIFIED:
            continue
        if state.status not in {Status.ACTIVE, Status.SUPERSEDED}:
            continue
        after = next((now.states[other].entry.moment for other in state.superseded_by if other in now.states), None)
        one = NamedEntry(counting[name], state.status is Status.ACTIVE, after, name in now.corrected)
        said = finder.named_in(f"{entry.title}\n{entry.conclusion}\n{entry.quote}")
        for key in dict.fromkeys(map(known.key_for, said)):
            named[key].append(one)
    return named
