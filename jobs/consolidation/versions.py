"""Entries that stand in several blocks: which of these counts."""

from collections.abc import Iterable

from pipeline.entries.standing import Fold
from pipeline.job import Noted


def counting(noted: Iterable[Noted], folded: Fold) -> dict[str, Noted]:
    """The version of each id that counts, by the order of the messages; of equal ones the first by its path."""
    found: dict[str, Noted] = {}
    for each in sorted(noted, key=lambda each: each.path):
        if folded.counts(each.entry):
            found.setdefault(each.entry.id, each)
    return {entry_id: found[entry_id] for entry_id in folded.states}
