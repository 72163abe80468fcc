"""Recalled facts as lines, and as many of them as a budget of tokens holds."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.language.tokens import count_tokens
from schemas.entry import Status
from schemas.reports.recall import Basis

Recalled = Mapping[str, Any]
"""A `schemas.reports.recall.RecalledFact` in JSON."""
_MARKS = {
    Basis.ACCEPTED.value: "accepted",
    Basis.INFERRED.value: "inferred",
    Basis.UNKNOWN.value: "unverified",
}
"""What a line says of a fact that nobody said in these words."""


def fact_line(fact: Recalled) -> str:
    """A fact on one line: kind, day, entities and content, then why to doubt it, how sure it is, and its place."""
    named = f" {', '.join(fact['entities'])}" if fact["entities"] else ""
    doubts = [_MARKS.get(fact["basis"], ""), "the agent says so" if fact["holder"] == "agent" else ""]
    doubts += [fact["status"] if fact["status"] != Status.ACTIVE else ""]
    sure = f"{fact.get('sureness', '')} {fact['confidence']:.2f}".lstrip()
    noted = ", ".join([*filter(None, doubts), sure, fact["source"]])
    return f"{fact['kind']} {fact['timestamp'] or 'no date'}{named}: {fact['content']} [{noted}]"


def within(lines: Sequence[str], budget: int | None) -> int:
    """How many of the first lines a budget of tokens (o200k_base) holds, the ends of lines counted."""
    if budget is None:
        return len(lines)
    sizes = range(1, len(lines) + 1)
    return bisect_right(sizes, budget, key=lambda number: count_tokens("".join(f"{line}\n" for line in lines[:number])))
