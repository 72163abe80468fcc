"""The cost of the model, for programs."""

from dataclasses import dataclass
from datetime import datetime

from schemas.outcome import Usage


@dataclass(frozen=True)
class CostLine:
    """The cost of a job, a day, a model or an entry, which `name` names; `usage` is empty of a single entry.

    `entries` is how many entries were written, and `cost` the price; `None` when it is not known.
    """

    name: str
    usage: Usage
    entries: int
    cost: float | None


@dataclass(frozen=True)
class TokenLimit:
    """A limit of the settings, in tokens in and out, and how many of them are used."""

    setting: str
    used: int
    limit: int


@dataclass(frozen=True)
class DueCost:
    """The estimate of what is due now: counted tokens in, a guess of tokens out. `cost` is `None` when not known."""

    windows: int
    questions: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True)
class CostReport:
    """The cost of the runs that began at or after `since` and before `until`.

    `lines` are by job, day, model or entry, as `by` says. `currency` is empty when no price is known. `per_entry` is
    the price of one entry on average.
    """

    since: datetime
    until: datetime
    by: str
    lines: tuple[CostLine, ...]
    total: CostLine
    currency: str
    per_entry: float | None
    due: DueCost
    limits: tuple[TokenLimit, ...]
