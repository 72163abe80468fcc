"""The parts of a synopsis, and how many of their lines a budget of tokens holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.details.placeholder import harmless
from pipeline.language.tokens import count_tokens

LONGEST = 240
"""Characters of a line."""


@dataclass(frozen=True)
class SynopsisPart:
    """Some lines, given in order as far as there is room. What is asked first has room first.

    `share` is the part of the budget that it may take at most; what others leave is not given to it.
    `rest` says how many lines had no room, such as `more errors`. With `from_end` the last lines have room first.
    """

    lines: tuple[str, ...]
    priority: int = 1
    share: float = 1.0
    rest: str = ""
    from_end: bool = False


def section(lines: Iterable[str], priority: int = 1, share: float = 1.0, rest: str = "") -> SynopsisPart:
    """A section of what is not empty, each line clipped and without a foreign placeholder."""
    return SynopsisPart(tuple(clipped(harmless(line)) for line in lines if line.strip()), priority, share, rest)


def fitted(sections: Sequence[SynopsisPart], budget: int) -> str:
    """The sections in their order, of each as many lines as fit."""
    left, given = budget, dict[int, list[str]]()
    for place, one in sorted(enumerate(sections), key=lambda pair: pair[1].priority):
        room = min(left, int(budget * one.share))
        given[place] = _first(one, room)
        left -= sum(map(cost, given[place]))
    return "\n".join(line for place in sorted(given) for line in given[place])


def cost(line: str) -> int:
    """The tokens of a line with its end."""
    return count_tokens(line) + 1


def clipped(line: str, longest: int = LONGEST) -> str:
    """A line that is not too long to be shown."""
    line = line.rstrip()
    return line if len(line) <= longest else f"{line[:longest]}…"


def _first(one: SynopsisPart, room: int) -> list[str]:
    if one.from_end:
        return _first(replace(one, lines=one.lines[::-1], from_end=False), room)[::-1]
    shown, used = list[str](), 0
    for line in one.lines:
        used += cost(line)
        if used > room:
            break
        shown.append(line)
    left = len(one.lines) - len(shown)
    if left and one.rest:
        note = f"… {left} {one.rest}"
        while shown and sum(map(cost, [*shown, note])) > room:
            shown.pop()
            note = f"… {len(one.lines) - len(shown)} {one.rest}"
        return [*shown, note] if cost(note) <= room else shown
    return shown
