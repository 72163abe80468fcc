"""The relations of many entries to many others: replacement and repetition."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jobs.resolution.judging import Ranked, likely
from jobs.resolution.relation import Relation, relation, statement, verbatim
from jobs.resolution.same_thing import bare_subject
from jobs.resolution.similarity import Weights, features
from schemas.entry import Entry

COMMON = 200
"""Entries that may hold a feature before it is too common to lead from one entry to another."""


EntryPair = tuple[Entry, Entry]
"""The later entry, then the earlier one."""


@dataclass(frozen=True)
class Related:
    """A pair of entries and what the later of them does to the earlier one."""

    later_id: str
    earlier_id: str
    kind: Relation


def relations(new: Sequence[Entry], old: Sequence[Entry] = ()) -> list[Related]:
    """The relations of the entries of `new` to each other and to those of `old`, in the order of the later messages.

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
    related.sort(key=lambda pair: (pair[0].date, pair[0].id, pair[1].date, pair[1].id))
    return [Related(later.id, earlier.id, kind) for later, earlier, kind in related]


def proposals(new: Sequence[Entry], old: Sequence[Entry] = (), named: Iterable[EntryPair] = ()) -> list[Ranked]:
    """The pairs of `new` entries with each other and with `old` ones that a model is asked about, by the later entry.

    Pairs that are `named` come first, then those that are alike, the most alike first.
    """
    known = {entry.id: entry for entry in (*old, *new)}
    weights = Weights(statement(entry) for entry in known.values())
    meeting: dict[str, dict[str, Entry]] = defaultdict(dict)
    alike = list[tuple[float, Entry, Entry]]()
    for one, other in _pairs([entry.id for entry in new], known):
        if one.moment != other.moment and likely(one, other, weights):
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
        for feature in _leads(entry):
            holders[feature].append(entry_id)
    done: set[str] = set()
    for entry_id in new:
        done.add(entry_id)
        rare = (holders[feature] for feature in _leads(known[entry_id]))
        shared = Counter(other for group in rare if len(group) <= COMMON for other in group)
        for other, count in sorted(shared.items()):
            if count > 1 and other not in done:
                yield known[entry_id], known[other]


def _leads(entry: Entry) -> frozenset[str]:
    """The features by which related entries are looked up; the whole quote counts as two, and so does its subject."""
    wholes = {"=": verbatim(entry), "~": bare_subject(entry.quote)}
    return features(statement(entry)) | {mark * n + text for mark, text in wholes.items() if text for n in (1, 2)}
