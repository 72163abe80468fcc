"""A second judgement of links in files: links that today's judgement would not make, and the links that it makes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jobs.resolution.judging import MODEL, Judge, Ranked, code_judge, judge_of
from jobs.resolution.linking import Timeline, verified_entries
from jobs.resolution.nearness import EntryIndex
from jobs.resolution.relation import Relation, statement
from jobs.resolution.same_thing import Weights
from pipeline.job import Run
from schemas.entry import Entry, Status, Trust
from schemas.links import is_kept

_KINDS = {
    "supersedes": Relation.REPLACES,
    "superseded_by": Relation.REPLACES,
    "supersedes_part": Relation.REPLACES_PART,
    "reinforces": Relation.REPEATS,
}
"""The relation that each key of an entry states."""


@dataclass(frozen=True)
class WrittenLink:
    """A link of an entry: `carrier` is the entry with the line, `key` the line's name."""

    carrier: Entry
    key: str
    target: str

    def pair(self, known: Mapping[str, Entry]) -> tuple[Entry, Entry]:
        """The later and the earlier entry."""
        one, other = sorted((self.carrier, known[self.target]), key=lambda entry: entry.date)
        return other, one


def relink_entries(run: Run) -> list[Entry]:
    """Link again the entries of a run with a link that today's judgement would not make."""
    known = verified_entries(run.written.entries)
    links = _our_links(known)
    if not links:
        return []
    weights = Weights(statement(entry) for entry in known.values())
    doubted = _find_fallen(links, known, code_judge(weights))
    if not doubted:
        return []
    timeline = Timeline(EntryIndex(_without_links(known, doubted)), weights, run.refusals.unlinked)
    judge = judge_of(run, weights, lambda: _rank_doubted(known, doubted, timeline))
    fallen = [link for link in doubted if not _is_confirmed(link, known, judge)]
    left = _without_links(known, fallen)
    timeline, linked = Timeline(EntryIndex(left), weights, run.refusals.unlinked), list[Entry]()
    for entry in _carriers(left, fallen):
        without = not any(getattr(entry, key) for key in _KINDS)
        linked.append(timeline.link_entry(entry, judge) if without else entry)
        timeline.add(linked[-1])
    return linked


def _rank_doubted(known: Mapping[str, Entry], doubted: Sequence[WrittenLink], timeline: Timeline) -> Iterator[Ranked]:
    """The entries of links in doubt, each with its targets first, and then with those that they may be linked to."""
    for entry, others in timeline.rank_pairs(_carriers(known, doubted)):
        targets = {link.target: known[link.target] for link in doubted if link.carrier.id == entry.id}
        yield entry, [*targets.values(), *(other for other in others if other.id not in targets)]


def _carriers(known: Mapping[str, Entry], links: Iterable[WrittenLink]) -> list[Entry]:
    carriers = {link.carrier.id for link in links}
    return sorted((known[entry_id] for entry_id in carriers), key=lambda entry: (entry.date, entry.id))


def _without_links(known: Mapping[str, Entry], fallen: Iterable[WrittenLink]) -> dict[str, Entry]:
    """The entries without these links."""
    left = dict(known)
    for link in fallen:
        left[link.carrier.id] = without_link(left[link.carrier.id], link.key, link.target)
    return left


def without_link(entry: Entry, key: str, target: str) -> Entry:
    """An entry without this link; without any link it has no grounds, and is active."""
    kept = tuple(name for name in getattr(entry, key) if name != target)
    left = entry.model_copy(update={key: kept})
    update: dict[str, object] = {}
    if key == "superseded_by" and not kept and entry.status is Status.SUPERSEDED:
        update["status"] = Status.ACTIVE
    if not any(getattr(left, name) for name in _KINDS):
        update["grounds"] = ""
    return left.model_copy(update=update)


def drop_unsound_links(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without the links that code's judgement of today would not make; a person's links stay."""
    if not any(entry.supersedes or entry.superseded_by for entry in entries):
        return list(entries)
    known = verified_entries(entries)
    fallen = _find_fallen(_our_links(known), known, code_judge(Weights(statement(entry) for entry in known.values())))
    left = _without_links(known, fallen)
    changed = {link.carrier.id for link in fallen}
    return [left[entry.id] if entry.id in changed and entry == known.get(entry.id) else entry for entry in entries]


def _our_links(known: Mapping[str, Entry]) -> list[WrittenLink]:
    """The links of entries of ours but those that a model judged."""
    ours = (entry for entry in known.values() if entry.trust.level > Trust.QUOTED.level)
    return [link for entry in ours if not entry.grounds.startswith(MODEL) for link in _links_of(entry, known)]


def _find_fallen(links: Iterable[WrittenLink], known: Mapping[str, Entry], judge: Judge) -> list[WrittenLink]:
    """The links that this judge would not make; those that a person kept are left out."""
    loose = (
        link
        for link in links
        if not is_kept(link.carrier.grounds, link.target) and not is_kept(known[link.target].grounds, link.carrier.id)
    )
    return [link for link in loose if not _is_confirmed(link, known, judge)]


def _links_of(entry: Entry, known: Mapping[str, Entry]) -> Iterator[WrittenLink]:
    for key in _KINDS:
        for target in getattr(entry, key):
            # Of an entry that a person changed only the quote is known: too little to judge a link by.
            other = known.get(target)
            if other and other.trust.level > Trust.QUOTED.level and other.date != entry.date:
                yield WrittenLink(entry, key, target)


def _is_confirmed(link: WrittenLink, known: Mapping[str, Entry], judge: Judge) -> bool:
    """Whether a judge makes the link, or the first link of its line, which brought the others along."""
    if link.key == "superseded_by" and link.carrier.id in known[link.target].supersedes:
        link = WrittenLink(known[link.target], "supersedes", link.carrier.id)
    wanted = _KINDS[link.key]
    if _makes(judge, link.pair(known), wanted):
        return True
    first = WrittenLink(link.carrier, link.key, getattr(link.carrier, link.key)[0])
    came_along = link.key == "supersedes" and first.target in known and first.target != link.target
    return came_along and _makes(judge, first.pair(known), wanted)


def _makes(judge: Judge, pair: tuple[Entry, Entry], wanted: Relation) -> bool:
    made = judge.link_of(*pair)
    return made is not None and made.kind is wanted
