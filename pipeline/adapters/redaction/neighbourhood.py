"""The lines around what was masked: a second look at them tells whether a second look at all of the text finds more."""

import re
from collections.abc import Iterable, Iterator

from pipeline.adapters.redaction.spans import Span

_LINES, _BEFORE, _BEHIND = 10, 600, 400
"""The most lines with something in them, and characters, between what a finder needs and what it finds."""
_FAR = re.compile("-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY")  # thousands of characters behind it may be a secret
_VISIBLE = re.compile(r"\S")


def neighbourhood(text: str, spans: Iterable[Span]) -> str:
    """The lines around these spans, all that can decide what else is a secret now that they are masked."""
    if _FAR.search(text):
        return text
    return "\n\n".join(text[start:end] for start, end in _joined(text, spans))


def _joined(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    start, end = 0, 0
    for first, last in sorted(spans):
        if first >= end:
            if end:
                yield start, end
            start = _start(text, first, end)
        if last + _BEHIND > end:  # a long line is looked through once
            end = _end(text, last)
    yield start, end


def _start(text: str, place: int, least: int) -> int:
    """The begin of a line before a place, and not before `least`."""
    near, lines = place - _BEFORE, 0
    place = text.rfind("\n", least, place) + 1
    while place > least and (lines < _LINES or place > near):
        before = max(least, text.rfind("\n", least, place - 1) + 1)
        lines += bool(_VISIBLE.search(text, before, place))
        place = before
    return max(least, place)


def _end(text: str, place: int) -> int:
    end = text.find("\n", place + _BEHIND)
    return end if end >= 0 else len(text)
