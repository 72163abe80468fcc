"""Arithmetic of half-open time intervals."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise

from schemas.window import Window


def merge(windows: Iterable[Window]) -> list[Window]:
    """The same time as the fewest windows, in order."""
    merged: list[Window] = []
    for window in sorted(windows, key=lambda window: window.start):
        if window.start >= window.end:
            continue
        if merged and window.start <= merged[-1].end:
            merged[-1] = Window(start=merged[-1].start, end=max(merged[-1].end, window.end))
        else:
            merged.append(window)
    return merged


def subtract(whole: Window, covered: Iterable[Window]) -> list[Window]:
    """The parts of `whole` that no window of `covered` covers, in order."""
    left, start = [], whole.start
    for window in merge(covered):
        if window.end <= start:
            continue
        if window.start >= whole.end:
            break
        if window.start > start:
            left.append(Window(start=start, end=window.start))
        start = max(start, window.end)
    if start < whole.end:
        left.append(Window(start=start, end=whole.end))
    return left


def cut(window: Window, moments: Sequence[datetime]) -> list[Window]:
    """`window` cut at the moments that lie inside it."""
    inside = sorted({moment for moment in moments if window.start < moment < window.end})
    edges = [window.start, *inside, window.end]
    return [Window(start=first, end=last) for first, last in pairwise(edges)]
