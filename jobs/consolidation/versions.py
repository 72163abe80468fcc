"""Versions of entries that count, and the ids by which they are called."""

from collections.abc import Iterable

from pipeline.entries.reference import ids_by_reference
from pipeline.entries.standing import Fold
from pipeline.job import Noted


def select_counting(noted: Iterable[Noted], folded: Fold) -> dict[str, Noted]:
    """The version of each id that counts, by the order of the messages; of equal ones the first by its path.

    Words that a person corrected are not among them.
    """
    counted: dict[str, Noted] = {}
    for version in sorted(noted, key=lambda version: version.path):
        if folded.counts(version.entry):
            counted.setdefault(version.entry.id, version)
    return {entry_id: counted[entry_id] for entry_id in folded.states if entry_id not in folded.corrected}


def names_in_force(entry_ids: Iterable[str], folded: Fold) -> dict[str, str]:
    """The ids of entries by all their names: a corrected entry is called by the id of its correction."""
    return {name: folded.in_force(entry_id) for name, entry_id in ids_by_reference(entry_ids).items()}
