"""The versions of entries that stand in several blocks."""

from collections.abc import Iterable

from pipeline.entries.standing import Fold
from pipeline.job import Noted


def counting(noted: Iterable[Noted], folded: Fold) -> dict[str, Noted]:
    """The version of each id that counts, by the order of the messages; of equal ones the first by its path."""
    counted: dict[str, Noted] = {}
    for version in sorted(noted, key=lambda version: version.path):
        if folded.counts(version.entry):
            counted.setdefault(version.entry.id, version)
    return {entry_id: counted[entry_id] for entry_id in folded.states}
