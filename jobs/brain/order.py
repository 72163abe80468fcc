"""The order of the lines: whose word counts more comes first, then what is newer."""

from collections.abc import Iterable

from pipeline.agents.standing import MemoryLine
from schemas.memory_change import BrainSection

_ASKED = 5
"""The importance of what the owner asked to be remembered."""


def ordered(lines: Iterable[MemoryLine]) -> list[MemoryLine]:
    """The lines in the order in which they find room."""
    return sorted(lines, key=lambda line: (_rank(line), -line.place))


def _rank(line: MemoryLine) -> int:
    """Pinned, accepted by a person, asked for, corrected, agreed on, repeated, said once; not confirmed last."""
    grounds = (
        line.pinned,
        line.word.decided,
        line.importance == _ASKED,
        line.corrected,
        line.section is BrainSection.AGREEMENTS,
        line.said > 1,
        True,
    )
    return len(grounds) if not line.confirmed else grounds.index(True)
