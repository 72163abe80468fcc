"""The score of an entry for the page that an agent reads first: a number from 0 to 1, from named signals.

The present date is not used. `docs/explanation/weekly.md` has all numbers with their reasons.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from jobs.extraction.profile import profile_of
from pipeline.language.folding import fold
from pipeline.language.time_ranges.reading import time_range
from schemas.entry import Entry, Kind, Trust

PROMOTE = 0.55
"""The score from which an entry gets on the page."""

KEEP = 0.45
"""The score down to which it stays there: lower, so that entries do not come and go from week to week."""

# The weights were set on 20 labelled weeks and measured on 29 others: see "Measured" in docs/explanation/weekly.md.
# A plain decision scores 0.50 at most and needs one more reason.
STANDING, CHOICE = 0.40, 0.20  # a rule, a thing to remember or a structure; a decision
CONFIDENCE = 0.30  # times the confidence that the owner meant it
LASTING = 0.10  # the words say that it holds for good
REPLACES = 0.10  # it took the place of another entry: an agent that knows that one would do wrong
AGAIN, MORE, MOST_AGAIN = 0.15, 0.05, 0.25  # a second day on which it was said, each further one, at most
RETURNED, MOST_RETURNED = 0.03, 0.09  # each later day whose wrap-up comes back to it, at most
ACCEPTED = -0.05  # the owner only said yes to a proposal
PASSING = -0.35  # what it speaks of is over, or will be within `SOON`; a model that was asked sees that itself
OPINION = 0.40  # the share of a model's judgement, where one was asked

SOON = timedelta(days=31)
"""The time within which a thing that ends is over too soon for a page that is read for weeks."""

HALF_LIFE = {True: 365, False: 90}
"""The days after which the score of an entry that did not come up again is halved: one that lasts, another."""

_WEEK = 7
_FOR_GOOD = ("standing", "universal", "order")


@dataclass(frozen=True)
class ScoreSignals:
    """The signals of a score.

    `times` counts its entries, `days` their days; `returns` are later days whose wrap-up comes back to it; `age` are
    the whole days from the last of these days to the end of the week. `value` is a model's judgement from 0 to 1.
    """

    kind: Kind
    confidence: float
    trust: Trust
    times: int = 1
    days: int = 1
    returns: int = 0
    lasting: bool = False
    replaces: bool = False
    passing: bool = False
    age: int = 0
    value: float | None = None

    def __str__(self) -> str:
        """The signals on one line, for people."""
        parts = [self.kind.value, f"confidence {self.confidence:.2f}", self.trust.value]
        if self.times > 1:
            parts.append(f"said {self.times} times on {_count(self.days, 'day')}")
        if self.returns:
            parts.append(f"came up on {_count(self.returns, 'later day')}")
        if self.lasting:
            parts.append("its words say that it lasts")
        if self.replaces:
            parts.append("it replaces an earlier entry")
        if self.passing:
            parts.append("it is over soon")
        if self.value is not None:
            parts.append(f"a model gives it {self.value:.2f}")
        return ", ".join([*parts, f"{_count(self.age, 'day')} old"])


def score(signals: ScoreSignals) -> float:
    """The score, to two decimals."""
    stands = signals.kind is not Kind.DECISION
    again = AGAIN + MORE * (signals.days - 2) if signals.days > 1 else 0.0
    worth = (STANDING if stands else CHOICE) + CONFIDENCE * signals.confidence
    worth += min(again, MOST_AGAIN) + min(RETURNED * signals.returns, MOST_RETURNED)
    worth += LASTING * signals.lasting + REPLACES * signals.replaces + ACCEPTED * (signals.trust is Trust.ACCEPTED)
    worth += PASSING * (signals.passing and signals.value is None)
    # By whole weeks, so that the day of the week makes no difference.
    weeks = signals.age // _WEEK
    worth = min(worth, 1.0) * float(0.5 ** (weeks * _WEEK / HALF_LIFE[stands or signals.lasting]))
    if signals.value is not None:
        worth += OPINION * (signals.value - worth)
    return round(min(max(worth, 0.01), 1.0), 2)


def says_it_lasts(entry: Entry) -> bool:
    """Whether the owner's words, in English, Polish or Chinese, make something hold for good or for a time.

    Of the conclusion only what says `for good` counts: a time that somebody else worded may be anything.
    """
    return _has(entry.quote, ("lasting", *_FOR_GOOD)) or _has(entry.conclusion, _FOR_GOOD)


def _has(words: str, functions: Sequence[str]) -> bool:
    return profile_of(words).finds_any(functions, fold(words))


def is_passing(entry: Entry, today: date) -> bool:
    """Whether what an entry speaks of is over by `today`, or soon after it was said."""
    end = entry.until or _named_end(entry)
    return end is not None and end <= max(today, entry.date.date() + SOON)


def _named_end(entry: Entry) -> date | None:
    """The end of what a decision or a thing to remember speaks of, by the time that its words name.

    A conclusion has its dates written out, so a time that it leaves out is no part of what holds. A day that the quote
    does not name has to be still to come: else it may be that of a change that lasts.
    """
    if entry.kind not in {Kind.DECISION, Kind.REMEMBER}:
        return None
    said = entry.date.date()
    quoted, concluded = time_range(entry.quote, said), time_range(entry.conclusion, said)
    if concluded is None or concluded.last is None or (quoted and quoted.last is None):
        return None
    return concluded.last if concluded.last >= (said if quoted else said + timedelta(days=1)) else None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
