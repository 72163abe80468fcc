"""Verdicts of weeks on entries, and the plans that hold them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter


class Ruling(StrEnum):
    """The ruling on an entry: on the page, in its daily file only, off the page, merged into another, or replaced."""

    PROMOTED = "promoted"
    KEPT = "kept"
    DEMOTED = "demoted"
    MERGED = "merged"
    OVERRIDDEN = "overridden"


Rank = tuple[str, float, str]
"""The order of promotion: the week, the score with a minus, the entry's id."""


@dataclass(frozen=True)
class Verdict:
    """The verdict of a plan on one entry.

    `score` is 0 to 1. `into` is the entry that stands for it (merged) or that holds instead (overridden). `subject` is
    the heading of a promoted entry, and `since` the ISO week, such as `2026-W06`, from which it has been promoted
    without a break.
    """

    entry_id: str
    ruling: Ruling
    reason: str
    score: float
    into: str = ""
    subject: str = ""
    since: str = ""

    @property
    def rank(self) -> Rank:
        """The place of a promoted entry among all that are."""
        return self.since, -self.score, self.entry_id


@dataclass(frozen=True)
class Plan:
    """A plan as read from its file; `week` is an ISO week such as `2026-W06`."""

    week: str
    verdicts: tuple[Verdict, ...]


def promotions(plans: Iterable[Plan]) -> list[Verdict]:
    """All verdicts that begin a promotion, in their order, which no later plan changes."""
    beginnings = (
        verdict
        for plan in plans
        for verdict in plan.verdicts
        if verdict.ruling is Ruling.PROMOTED and verdict.since == plan.week
    )
    return sorted(beginnings, key=attrgetter("rank"))


def last_verdicts(plans: Iterable[Plan]) -> dict[str, Verdict]:
    """The verdict of the latest plan on every entry, by id."""
    ordered = sorted(plans, key=attrgetter("week"))
    return {verdict.entry_id: verdict for plan in ordered for verdict in plan.verdicts}


def hot_verdicts(plans: Iterable[Plan]) -> dict[str, Verdict]:
    """The entries that belong on the page after all plans, by id, in the order of promotion."""
    promoted = (verdict for verdict in last_verdicts(plans).values() if verdict.ruling is Ruling.PROMOTED)
    return {verdict.entry_id: verdict for verdict in sorted(promoted, key=attrgetter("rank"))}
