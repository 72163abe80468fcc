"""Verdicts: what a weekly plan says about entries, and what all plans together come to."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Ruling(StrEnum):
    """What becomes of an entry: on the page, in its daily file only, off the page, said by another, or replaced."""

    PROMOTED = "promoted"
    KEPT = "kept"
    DEMOTED = "demoted"
    MERGED = "merged"
    OVERRIDDEN = "overridden"


@dataclass(frozen=True)
class Verdict:
    """A plan's word on one entry.

    `score` is 0 to 1. `into` is the entry that says the same (merged) or that holds instead (overridden). `subject` is
    the heading under which a promoted entry stands, and `since` the ISO week, such as `2026-W06`, from which it has
    been promoted without a break.
    """

    entry_id: str
    ruling: Ruling
    reason: str
    score: float
    into: str = ""
    subject: str = ""
    since: str = ""


@dataclass(frozen=True)
class Plan:
    """One week's plan as read from its file; `week` is an ISO week such as `2026-W06`."""

    week: str
    verdicts: tuple[Verdict, ...]


Rank = tuple[str, float, str]
"""The order of promotion: the week, the score with a minus, the entry's id."""


def promotions(plans: Iterable[Plan]) -> list[tuple[Rank, Verdict]]:
    """All verdicts that begin a promotion, in their order. A later plan changes nothing of this order."""
    ranked = [
        ((plan.week, -verdict.score, verdict.entry_id), verdict)
        for plan in plans
        for verdict in plan.verdicts
        if verdict.ruling is Ruling.PROMOTED and verdict.since == plan.week
    ]
    return sorted(ranked, key=lambda pair: pair[0])


def hot(plans: Iterable[Plan]) -> dict[str, Verdict]:
    """The entries that belong on the page after all plans, in the order of promotion: the last word on each counts."""
    last: dict[str, Verdict] = {}
    for plan in sorted(plans, key=lambda plan: plan.week):
        last |= {verdict.entry_id: verdict for verdict in plan.verdicts}
    promoted = [verdict for verdict in last.values() if verdict.ruling is Ruling.PROMOTED]
    ordered = sorted(promoted, key=lambda verdict: (verdict.since, -verdict.score, verdict.entry_id))
    return {verdict.entry_id: verdict for verdict in ordered}


def item_name(entry_id: str) -> str:
    """The name of the item that stands for an entry in MEMORY.md."""
    return f"m-{hashlib.sha256(entry_id.encode()).hexdigest()[:8]}"
