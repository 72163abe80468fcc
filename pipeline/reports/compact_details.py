"""Stored details for programs that pay for each token: no more than a budget holds."""

from bisect import bisect_right
from collections.abc import Callable

from pipeline.language.tokens import count_tokens
from schemas.detail_page import DetailPage


def compact_page(page: DetailPage, budget: int) -> str:
    """A page as an agent reads it, cut where the budget ends, with how to go on."""
    if count_tokens(page.shown) <= budget:
        return page.shown
    lines = page.text.rstrip("\n").split("\n")

    def of_lines(number: int) -> str:
        return _cut(page, "\n".join(lines[:number]), number)

    if number := _most(len(lines) - 1, lambda number: count_tokens(of_lines(number)) <= budget):
        return of_lines(number)
    return _cut(page, lines[0][: _most(len(lines[0]), lambda most: count_tokens(lines[0][:most]) <= budget)], 0)


def _cut(page: DetailPage, text: str, lines: int) -> str:
    start = page.first_line + lines
    advice = (
        "Ask for it with a larger budget, or for less."
        if page.matches is not None or not lines
        else f'Go on with lines="{start}-{page.lines}".'
    )
    return f"{page.key}: {page.heading}\n{text}\nCut where the budget ends. {advice}"


def _most(number: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to this one that fits; 0 when none does."""
    return bisect_right(range(1, number + 1), False, key=lambda tried: not fits(tried))  # noqa: FBT003
