"""The parts of a synopsis, and the choice of their lines within a budget of tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pipeline.details.notable import Severity
from pipeline.details.placeholder import harmless
from pipeline.details.scan import Excerpt
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
    priority: int
    share: float
    rest: str
    from_end: bool = False


def section(lines: Iterable[str], priority: int = 1, share: float = 1.0, rest: str = "") -> SynopsisPart:
    """A section of what is not empty, each line clipped and without a foreign placeholder."""
    return SynopsisPart(tuple(clip_line(harmless(line)) for line in lines if line.strip()), priority, share, rest)


def fit_sections(sections: Sequence[SynopsisPart], budget: int) -> str:
    """The sections in their order, of each as many lines as fit."""
    left, given = budget, dict[int, list[str]]()
    for place, part in sorted(enumerate(sections), key=lambda pair: pair[1].priority):
        room = min(left, int(budget * part.share))
        given[place] = _first_lines(part, room)
        left -= sum(map(cost, given[place]))
    return "\n".join(line for place in sorted(given) for line in given[place])


def cost(line: str) -> int:
    """The tokens of a line with its end."""
    return count_tokens(line) + 1


def clip_line(line: str) -> str:
    """A line that is not too long to be shown."""
    line = line.rstrip()
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _first_lines(part: SynopsisPart, room: int) -> list[str]:
    if part.from_end:
        return _first_lines(replace(part, lines=part.lines[::-1], from_end=False), room)[::-1]
    shown, used = list[str](), 0
    for line in part.lines:
        used += cost(line)
        if used > room:
            break
        shown.append(line)
    left = len(part.lines) - len(shown)
    if left and part.rest:
        note = f"… {left} {part.rest}"
        while shown and sum(map(cost, [*shown, note])) > room:
            shown.pop()
            note = f"… {len(part.lines) - len(shown)} {part.rest}"
        return [*shown, note] if cost(note) <= room else shown
    return shown


_FIRST, _LAST = 6, 8
_MANY = 100_000
"""Bytes from which on the size is given after the number of lines."""


def trouble(excerpt: Excerpt) -> SynopsisPart:
    """The lines that tell of errors, then those of warnings, each with its number."""
    notes = [(note, note.severity is Severity.ERROR) for note in excerpt.notable]
    ordered = [*(note for note, bad in notes if bad), *(note for note, bad in notes if not bad)]
    lines = list[str]()
    for note in ordered:
        times = f" (x{note.times})" if note.times > 1 else ""
        lines.append(f"{note.number}: {note.text}{times}")
        lines += [f"    {frame}" for frame in note.frames]
    return section(lines, 1, 0.7, "more lines of trouble")


def results(excerpt: Excerpt) -> SynopsisPart:
    """The summaries of tests, builds and installations."""
    return section(excerpt.results, 0, 0.3)


def end_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The first and the last lines; between them a mark."""
    if excerpt.whole:
        lines = excerpt.head.split("\n")
        first = list(islice(filter(str.strip, lines), _FIRST + _LAST))
        last = list(islice(filter(str.strip, reversed(lines)), max(0, len(first) - _FIRST)))[::-1]
    else:
        first = list(filter(str.strip, excerpt.head[:20_000].split("\n")))
        last = list(filter(str.strip, excerpt.tail.split("\n")))
    # The end is worth more than the beginning, and of it the last lines.
    return [section(first[:_FIRST], 4, 0.3), replace(section(last[-_LAST:], 3, 0.4), from_end=True)]


def log_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """First lines, trouble, results, last lines."""
    first, last = end_sections(excerpt)
    return [first, trouble(excerpt), results(excerpt), last]


def size_of(excerpt: Excerpt, *, reports: bool = True) -> str:
    """The size of a text, and, where it `reports` trouble, the number of errors and warnings: `512 lines, 3 errors`."""
    amounts = [f"{excerpt.lines} lines" if excerpt.lines != 1 else f"1 line, {_render_size(excerpt.size)}"]
    if excerpt.size >= _MANY and excerpt.lines != 1:
        amounts.append(_render_size(excerpt.size))
    if reports:
        counts = excerpt.counts.items()
        amounts += [f"{times} {severity.value}{'s' if times > 1 else ''}" for severity, times in counts if times]
    if excerpt.binary:
        amounts.append("binary")
    return ", ".join(amounts)


def _render_size(size: int) -> str:
    for unit, many in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= many:
            return f"{size / many:.1f} {unit}"
    return f"{size} bytes"
