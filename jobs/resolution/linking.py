"""The links of new entries to all other entries, in whatever order they were written."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from jobs.resolution.judging import Judge, PairLink, Ranked, judge_of
from jobs.resolution.nearness import EntryIndex, is_likely, leads, rank_near
from jobs.resolution.relation import Relation, relation, statement
from jobs.resolution.same_thing import Weights, same_message
from pipeline.entries.standing import LinkBars, find_linked, fold, versions
from pipeline.job import Run
from schemas.entry import Entry, Status, Trust
from schemas.links import LinkBar

COMMON = 200
"""Entries that may hold a feature before it is too common to lead from one entry to another."""


EntryPair = tuple[Entry, Entry]
"""The later entry, then the earlier one."""


def verified_entries(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The entries that verify, by id, in the version that counts.

    An unverified entry may be anybody's: nothing is left out or linked because of it.
    """
    return versions([entry for entry in entries if entry.trust is not Trust.UNVERIFIED])


def relations(new: Sequence[Entry], old: Sequence[Entry]) -> list[tuple[Entry, Entry, Relation]]:
    """The relations of the `new` entries to each other and to the `old` entries: the later, the earlier, and the kind.

    They are in the order of the later messages.

    Give entries that hold; ids are distinct. Pairs of `old` are not looked at, nor pairs of one moment.
    """
    known = {entry.id: entry for entry in (*old, *new)}
    weights = Weights(statement(entry) for entry in known.values())
    related: list[tuple[Entry, Entry, Relation]] = []
    for one, other in _pairs([entry.id for entry in new], known):
        earlier, later = sorted((one, other), key=lambda entry: entry.date)
        kind = relation(later, earlier, weights) if earlier.date < later.date else None
        if kind is not None:
            related.append((later, earlier, kind))
    return sorted(related, key=lambda pair: (pair[0].date, pair[0].id, pair[1].date, pair[1].id))


def proposals(new: Sequence[Entry], old: Sequence[Entry], named: Iterable[EntryPair]) -> list[Ranked]:
    """The pairs of `new` entries, with each other and with `old` entries, to ask a model about, by the later entry.

    Pairs that are `named` come first, then similar pairs, the most similar first.
    """
    known = {entry.id: entry for entry in (*old, *new)}
    weights = Weights(statement(entry) for entry in known.values())
    meeting: dict[str, dict[str, Entry]] = defaultdict(dict)
    alike = list[tuple[float, Entry, Entry]]()
    for one, other in _pairs([entry.id for entry in new], known):
        if one.moment != other.moment and is_likely(one, other, weights):
            earlier, later = sorted((one, other), key=lambda entry: entry.moment)
            alike.append((-weights.likeness(statement(later), statement(earlier)).cosine, later, earlier))
    alike.sort(key=lambda pair: (pair[0], pair[2].id))
    for later, earlier in (*named, *((later, earlier) for _, later, earlier in alike)):
        meeting[later.id].setdefault(earlier.id, earlier)
    ordered = sorted(meeting, key=lambda name: (known[name].moment, name))
    return [(known[name], list(meeting[name].values())) for name in ordered]


def _pairs(new: Sequence[str], known: dict[str, Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs that share two rare features, or all the owner's words or those of the subject, each pair once."""
    holders: dict[str, list[str]] = defaultdict(list)
    for entry_id, entry in known.items():
        for feature in leads(entry):
            holders[feature].append(entry_id)
    done: set[str] = set()
    for entry_id in new:
        done.add(entry_id)
        rare = (holders[feature] for feature in leads(known[entry_id]))
        shared = Counter(other for group in rare if len(group) <= COMMON for other in group)
        for other, count in sorted(shared.items()):
            if count > 1 and other not in done:
                yield known[entry_id], known[other]


def link(run: Run, new: Sequence[Entry], known: EntryIndex[str], weights: Weights) -> tuple[list[Entry], int]:
    """Link new entries, in the order of their messages; the number is that of the refused links.

    A model is asked about all of them at once, before the first link is made; the links are then made in order.
    """
    timeline, linked = Timeline(known, weights, run.refusals.unlinked), list[Entry]()
    judge = judge_of(run, weights, lambda: timeline.rank_pairs(new))
    for entry in new:
        linked.append(timeline.link_entry(entry, judge))
        timeline.add(linked[-1])
    return linked, judge.refused


class Timeline:
    """All entries with their states, up to the last entry that this run has linked."""

    def __init__(self, known: EntryIndex[str], weights: Weights, bars: Iterable[LinkBar]) -> None:
        """`known` are the entries of the files that verify, by id; the drafts of the run are added later.

        `bars` are the pairs that a person took apart.
        """
        folded = fold(find_linked(known.entries.values()))
        states = folded.states
        self._chain = folded.chain
        self._corrected = {
            old: correction
            for correction in folded.corrected.values()
            for old in (states[correction].entry.corrects, *states[correction].entry.supersedes)
        }
        self._weights, self._bars, self._known = weights, LinkBars(bars), known
        self._stated = {entry_id: state.status for entry_id, state in states.items()}
        self._again = defaultdict(set, {entry_id: set(state.reinforced_by) for entry_id, state in states.items()})

    def add(self, entry: Entry) -> None:
        """Add a drafted entry, and the states of the entries that it replaces."""
        self._known.put(entry.id, entry)
        self._stated[entry.id] = entry.status
        self._again[entry.id] = set()
        for repeated in entry.reinforces:
            self._again[repeated].add(entry.id)
        for replaced in entry.supersedes:
            self._stated[replaced] = Status.SUPERSEDED

    def _status(self, entry_id: str) -> Status:
        return self._stated.get(entry_id) or self._known.entries[entry_id].status

    def rank_pairs(self, new: Sequence[Entry]) -> Iterator[Ranked]:
        """New entries, each with the entries that it may be linked to and that are similar enough to ask a model.

        Two new entries of one session are no pair: the answer that both come from lists only what holds at its end.
        """
        drafted = EntryIndex(dict(enumerate(new)))
        for place, entry in enumerate(new):
            before = (new[other] for other in drafted.near(entry) if other < place)
            elsewhere = (other for other in before if other.source.session_id != entry.source.session_id)
            others = rank_near(entry, (*self._open_to(entry), *elsewhere), self._weights)
            yield entry, [other for other in others if is_likely(entry, other, self._weights)]

    def _open_to(self, entry: Entry) -> Iterator[Entry]:
        """The entries near this entry that may be linked to it: of earlier ones, those in force and those corrected."""
        for other in map(self._known.entries.__getitem__, self._known.near(entry)):
            status = self._status(other.id)
            if other.moment < entry.moment:
                holds = status is Status.ACTIVE or other.id in self._corrected
            else:
                holds = other.moment > entry.moment and status not in {Status.ARCHIVED, Status.IN_REVIEW}
            if holds and not self._bars.hold(entry, other):
                yield other

    def link_entry(self, entry: Entry, judge: Judge) -> Entry:
        """Link `entry`; a link always goes from the later message to the earlier message.

        Its status is superseded when a later entry replaces it already, because it is written late, or when a person
        has corrected an entry that says the same since then.
        """
        allowed = rank_near(entry, self._open_to(entry), self._weights)
        earlier = [
            other for other in allowed if other.moment < entry.moment and self._status(other.id) is Status.ACTIVE
        ]
        later = [other for other in allowed if other.moment > entry.moment]
        links = self._link_to_earlier(entry, earlier, judge)
        successors = ((other, judge.link_of(other, entry)) for other in later if not same_message(entry, other))
        first = next(((other, link) for other, link in successors if link and link.kind is Relation.REPLACES), None)
        first = first or self._find_correction(entry, allowed, judge)
        if first is not None:
            successor, link = first
            links |= {"status": Status.SUPERSEDED, "superseded_by": (successor.id,)}
            links.setdefault("grounds", link.grounds)
        return entry.model_copy(update=links)

    def _find_correction(self, entry: Entry, others: Iterable[Entry], judge: Judge) -> tuple[Entry, PairLink] | None:
        """The correction, later than `entry`, of an entry that says the same."""
        for other in others:
            correction = self._known.entries.get(self._corrected.get(other.id, ""))
            if correction and correction.moment > entry.moment:
                earlier, later = sorted((entry, other), key=lambda either: either.moment)
                link = judge.link_of(later, earlier)
                if link and link.kind is Relation.REPEATS:
                    return correction, link
        return None

    def _link_to_earlier(self, entry: Entry, earlier: Iterable[Entry], judge: Judge) -> dict[str, object]:
        for other in earlier:
            link = judge.link_of(entry, other)
            if link and link.kind is Relation.REPLACES and not same_message(entry, other):
                return {"supersedes": self._with_repetitions(other, entry.moment), "grounds": link.grounds}
            if link and link.kind is Relation.REPLACES_PART and not same_message(entry, other):
                return {"supersedes_part": (other.id,), "grounds": link.grounds}
            elsewhere = other.source.session_id != entry.source.session_id
            if link and link.kind is Relation.REPEATS and elsewhere:
                return {"reinforces": (other.id,), "grounds": link.grounds}
        return {}

    def _with_repetitions(self, replaced: Entry, before: datetime) -> tuple[str, ...]:
        """`replaced` and its repetitions, in either direction: they are in force together, or not at all."""
        group = {replaced.id}
        # By the fold, and not by the links in the entries: a link of an unverified entry does not count.
        pairs = [(target, other) for target, again in self._again.items() for other in again]
        grown = True
        while grown:
            linked = {entry_id for pair in pairs if group.intersection(pair) for entry_id in pair} - group
            active = {entry_id for entry_id in linked if self._status(entry_id) is Status.ACTIVE}
            added = {entry_id for entry_id in active if self._known.entries[entry_id].moment < before}
            grown = bool(added)
            group |= added
        group.update(
            earlier for entry_id in tuple(group) for earlier in self._chain(entry_id)
        )  # an undo must not free these
        return (replaced.id, *sorted(group - {replaced.id}))
