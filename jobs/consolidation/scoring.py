"""The score of an entry for the page that an agent reads first: a number from 0 to 1, from named signals.

No model and no present date is used. `docs/explanation/weekly.md` has all numbers with their reasons.
"""

from dataclasses import dataclass

from jobs.extraction.profiles import profile_of
from pipeline.language.folding import fold
from schemas.entry import Kind, Trust

PROMOTE = 0.55
"""The score from which an entry gets on the page."""

KEEP = 0.40
"""The score down to which it stays there: lower, so that entries do not come and go from week to week."""

KIND = {Kind.RULE: 0.40, Kind.REMEMBER: 0.40, Kind.ARCHITECTURE: 0.30, Kind.DECISION: 0.18}
"""The score of a kind by itself."""

CONFIDENCE = 0.35
"""The weight of the confidence that the owner meant it."""

LASTING = 0.10
"""For words of the owner about a lasting rule: from now on, always, never, every week, from April."""

AGAIN = 0.15
MORE = 0.05
MOST_AGAIN = 0.25
"""For a second day on which it was said, for each further one, and at most."""

RETURNED = 0.03
MOST_RETURNED = 0.09
"""For each later day whose wrap-up comes back to it, and at most."""

ACCEPTED = 0.05
"""The deduction when the owner only said yes to a proposal."""

VALUE = 0.20
"""How far a model's judgement may move a score, up or down."""

NEUTRAL = 0.5
"""The value of an entry on which no model was asked."""

HALF_LIFE = {Kind.RULE: 365, Kind.ARCHITECTURE: 365, Kind.REMEMBER: 180, Kind.DECISION: 90}
"""The days after which the score of an entry that did not come up again is halved."""

_WEEK = 7
_SAYS_IT_LASTS = ("lasting", "standing", "universal", "order")


@dataclass(frozen=True)
class ScoreSignals:
    """The signals of a score.

    `times` counts its entries, `days` their days; `returns` are later days whose wrap-up comes back to it; `age` are
    the whole days from the last of these days to the end of the week.
    """

    kind: Kind
    confidence: float
    trust: Trust
    times: int = 1
    days: int = 1
    returns: int = 0
    lasting: bool = False
    age: int = 0

    def __str__(self) -> str:
        """The signals on one line, for people."""
        parts = [self.kind.value, f"confidence {self.confidence:.2f}", self.trust.value]
        if self.times > 1:
            parts.append(f"said {self.times} times on {_count(self.days, 'day')}")
        if self.returns:
            parts.append(f"came up on {_count(self.returns, 'later day')}")
        if self.lasting:
            parts.append("its words say that it lasts")
        return ", ".join([*parts, f"{_count(self.age, 'day')} old"])


def score(signals: ScoreSignals, value: float = NEUTRAL) -> float:
    """The score, to two decimals; `value` is a model's judgement from 0 to 1."""
    again = AGAIN + MORE * (signals.days - 2) if signals.days > 1 else 0.0
    worth = KIND[signals.kind] + CONFIDENCE * signals.confidence
    worth += min(again, MOST_AGAIN) + min(RETURNED * signals.returns, MOST_RETURNED)
    worth += LASTING if signals.lasting else 0.0
    worth -= ACCEPTED if signals.trust is Trust.ACCEPTED else 0.0
    # By whole weeks, so that the day of the week makes no difference.
    weeks = signals.age // _WEEK
    worth = min(worth, 1.0) * float(0.5 ** (weeks * _WEEK / HALF_LIFE[signals.kind]))
    return round(min(max(worth + VALUE * (2 * value - 1), 0.01), 1.0), 2)


def says_it_lasts(words: str) -> bool:
    """Whether words of the owner, in English, Polish or Chinese, make something hold for good or for a time."""
    profile, folded = profile_of(words), fold(words)
    return any(profile.finds(function, folded) for function in _SAYS_IT_LASTS)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
