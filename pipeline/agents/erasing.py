"""What the rest of a journal has to say when lines of it are gone for good."""

from collections.abc import Collection, Mapping, Sequence

from schemas.memory_change import ChangeWord, MemoryChange, Operation

_ENDS = frozenset({Operation.UPDATE, Operation.DELETE, Operation.WITHDRAW})
"""What takes a line away that stood before."""


def without_lines(changes: Sequence[MemoryChange], gone: Collection[str]) -> dict[str, MemoryChange]:
    """The changes that have to read otherwise without the lines in `gone`, by id.

    What replaced a line that goes is an addition. What took away a line that stays takes it away still, without the
    words: else the memory would believe again what it was corrected about.
    """
    known = {change.id: change for change in changes}
    changed = dict[str, MemoryChange]()
    for change in changes:
        before = known.get(change.target)
        if change.id in gone:
            if before and before.id not in gone and change.operation in _ENDS:
                changed[change.id] = _wordless(change, before)
        elif change.operation is Operation.UPDATE and before and before.id in gone:
            first = _first(change, known)
            changed[change.id] = change.model_copy(update={"operation": first.operation, "target": ""})
    return changed


def _first(change: MemoryChange, known: Mapping[str, MemoryChange]) -> MemoryChange:
    """The change that added the line which, after replacements, is that of `change`."""
    while change.target in known:
        change = known[change.target]
    return change if change.operation.adds else change.model_copy(update={"operation": Operation.CORE})


def _wordless(change: MemoryChange, before: MemoryChange) -> MemoryChange:
    """The removal of a line that stays, as a person's act; the line's own words are no secret."""
    evidence = {"quote": "", "session_id": "", "number": 0, "word": ChangeWord.PERSON, "asked_by": "owner"}
    return change.model_copy(
        update=evidence | {"operation": Operation.DELETE, "text": before.text, "over": "terminal", "before": ""}
    )
