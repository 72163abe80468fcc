"""The splitting of long text: at lines, and inside a line at the ends of sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

LIMIT = 1200
"""The most that a passage holds, in characters of an alphabet. A Chinese character weighs two."""

BUDGET = 500_000
"""Characters that the parts of one long line may repeat.

A passage shows whole lines, so each part of a line carries all of it. The longer the line, the longer therefore its
parts: 1,200 characters up to a line of 24,000, 20,000 in one of 100,000.
"""

_EAST = re.compile(r"[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]|[\U00020000-\U0003fffd]")
_SENTENCE = re.compile(r"[.!?\u2026][\"')\]\u201d\u2019]*[ \t]|[\u3002\uff01\uff1f\uff1b][\u201d\u300d\u300f]?")
_PAUSE = re.compile(r"[\s,;:\uff0c\u3001\uff1a]")
_FULL = 0.7  # of a part: from here on it ends where a sentence or a paragraph does
_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of some lines: its first and last line, counted from 0, both inside, and its text."""

    first: int
    last: int
    text: str


def weight(text: str) -> int:
    """The weight of a text, in characters of an alphabet; a Chinese character weighs two."""
    return len(text) if text.isascii() else 2 * len(text) - len(_EAST.sub("", text))


def cut_lines(lines: Sequence[str], first: int, last: int, limit: int = LIMIT) -> Iterator[TextPart]:
    """The parts of the lines from `first` to `last`, of about the same size, none much above `limit`."""
    weights = [weight(lines[at]) + 1 for at in range(first, last + 1)]
    total = sum(weights)
    if total <= limit + 1:
        yield _trim_part(lines, first, last)
        return
    wanted = total / ceil(total / limit)
    begin, size = first, 0
    for at, heavy in enumerate(weights, first):
        above = lines[at - 1]
        ends = not lines[at].strip() or not above.strip() or above.rstrip().endswith(_ENDS)  # a paragraph
        if size and (size + heavy > limit or (size >= _FULL * wanted and ends)):
            yield _trim_part(lines, begin, at - 1)
            begin, size = at, 0
        size += heavy
        if heavy > limit + 1:
            yield from (TextPart(at, at, text) for text in sentences(lines[at], limit))
            begin, size = at + 1, 0
    if size:
        yield _trim_part(lines, begin, last)


def sentences(line: str, limit: int) -> Iterator[str]:
    """The parts of one line, each ending with a sentence where there is one."""
    most = max(limit * len(line) // max(weight(line), 1), len(line) ** 2 // BUDGET, 1)
    wanted = min(most, ceil(len(line) / ceil(len(line) / most)) + most // 8)
    at = 0
    while len(line) - at > wanted:
        end = at + (_last_end(_SENTENCE, line[at : at + wanted]) or _last_end(_PAUSE, line[at : at + wanted]) or wanted)
        yield line[at:end]
        at = end
    yield line[at:]


def _trim_part(lines: Sequence[str], first: int, last: int) -> TextPart:
    """Some lines, without empty ones at the edges."""
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last].strip():
        last -= 1
    return TextPart(first, last, "\n".join(lines[first : last + 1]))


def _last_end(pattern: re.Pattern[str], window: str) -> int:
    """The end of the last match that is not in the first half; 0 without a match."""
    half = len(window) // 2
    return max((match.end() for match in pattern.finditer(window, half)), default=0)
