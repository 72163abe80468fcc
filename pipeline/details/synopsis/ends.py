"""What all synopses have: the lines that tell of trouble or of a result, and the first and the last lines."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from pipeline.details.notable import Notable, Severity
from pipeline.details.scan import Excerpt
from pipeline.details.synopsis.sections import SynopsisPart, section

_FIRST, _LAST = 6, 8


def trouble(excerpt: Excerpt, *, frames: bool = True) -> SynopsisPart:
    """The lines that tell of errors, then those of warnings, each with its number."""
    notes = [(note, note.severity is Severity.ERROR) for note in excerpt.notable]
    ordered = [*(note for note, bad in notes if bad), *(note for note, bad in notes if not bad)]
    return section((line for note in ordered for line in _shown(note, frames=frames)), 1, 0.7, "more lines of trouble")


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


def size_of(excerpt: Excerpt, *, reports: bool = True) -> str:
    """How much it is, and, where it `reports` trouble, how much of it: `512 lines, 3 errors`."""
    return ", ".join(_amounts(excerpt, reports=reports))


def _amounts(excerpt: Excerpt, *, reports: bool) -> Iterator[str]:
    yield f"{excerpt.lines} lines" if excerpt.lines != 1 else f"1 line, {_bytes(excerpt.size)}"
    if excerpt.size >= _MANY and excerpt.lines != 1:
        yield _bytes(excerpt.size)
    for severity, times in excerpt.counts.items() if reports else ():
        if times:
            yield f"{times} {severity.value}{'s' if times > 1 else ''}"
    if excerpt.binary:
        yield "binary"


def _bytes(size: int) -> str:
    for unit, many in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= many:
            return f"{size / many:.1f} {unit}"
    return f"{size} bytes"


def _shown(note: Notable, *, frames: bool) -> Iterator[str]:
    times = f" (x{note.times})" if note.times > 1 else ""
    yield f"{note.number}: {note.text}{times}"
    if frames:
        yield from (f"    {frame}" for frame in note.frames)


_MANY = 100_000
