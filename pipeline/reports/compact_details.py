"""Stored details for programs that pay for each token: no more than a budget holds."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from pipeline.language.tokens import count_tokens
from schemas.detail import Detail
from schemas.detail_page import DetailPage
from schemas.json_line import json_line

_NOTE = "searched are descriptions and synopses; retrieve_memory with a query looks into a text"


def compact_details(details: Sequence[Detail], budget: int) -> dict[str, Any]:
    """What is known of details, as many as the budget holds; `left_out` is how many had no room."""
    hits = [_hit(detail) for detail in details]

    def answered(number: int) -> dict[str, Any]:
        left_out = {"left_out": len(hits) - number} if number < len(hits) else {}
        return {"hits": hits[:number], **left_out, "notes": [_NOTE]}

    return answered(_most(len(hits), lambda number: count_tokens(json_line(answered(number))) <= budget))


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


def _hit(detail: Detail) -> dict[str, Any]:
    command = detail.metadata.get("command")
    ended = {"command": command, "exit_code": detail.metadata.get("exit_code")} if command else {}
    return {
        "key": detail.key,
        "about": detail.description,
        "date": f"{detail.created_at:%Y-%m-%d %H:%M}",
        **ended,
        "text": detail.summary,
    }
