"""How much each signal speaks for something having been settled, and what follows for the confidence."""

import math
from collections.abc import Set as AbstractSet

from jobs.extraction.grounds import agreed, asked, decided, ordered
from jobs.extraction.signals import Signal

BIAS = -2.0
THRESHOLD = 0.34

WEIGHTS = {
    Signal.REMEMBER: 3.0,
    Signal.DECIDE: 2.4,
    Signal.APPROVES: 2.2,
    Signal.LABEL: 2.1,
    Signal.ORDER: 2.0,
    Signal.CONFIRMS_SUMMARY: 1.6,
    Signal.RESTATED_VALUE: 1.6,
    Signal.STANDING: 1.5,
    Signal.DIRECTIVE: 1.4,
    Signal.CHOICE: 1.3,
    Signal.SETTLE: 1.1,
    Signal.LASTING: 1.0,
    Signal.ACKNOWLEDGED: 1.0,
    Signal.ASIDE: 0.9,
    Signal.NOTED: 0.9,
    Signal.UNIVERSAL: 0.8,
    Signal.COUNTERS: 0.7,
    Signal.ACCEPTS_PROPOSAL: 0.7,
    Signal.ADOPT: 0.6,
    Signal.SCOPE: 0.5,
    Signal.RESTATED: 0.5,
    Signal.DELIBERATED: 0.4,
    Signal.BRIEF: -0.2,
    Signal.QUESTIONED: -0.2,
    Signal.OBJECTED: -0.3,
    Signal.DISMISS: -0.5,
    Signal.RETRACT: -0.5,
    Signal.OTHERS: -0.6,
    Signal.PAST: -0.8,
    Signal.MASKED: -0.8,
    Signal.OFFERED: -0.8,
    Signal.WORKED: -0.8,
    Signal.CONDITION: -0.9,
    Signal.HEDGE: -0.9,
    Signal.ACCEPTS_OFFER: -0.9,
    Signal.MOOD: -1.1,
    Signal.INQUIRES: -1.1,
    Signal.ATTEMPT: -1.5,
    Signal.IMPERATIVE: -0.6,
    Signal.DEFER: -1.6,
    Signal.TASK: -1.6,
    Signal.MOMENTARY: -1.9,
    Signal.FEELING: -2.2,
    Signal.INTERROGATIVE: -3.0,
    Signal.DECLINES: -3.0,
    Signal.EMPTY: -3.0,
    Signal.COUNTERFACTUAL: -5.0,
    Signal.REPORTED: -6.0,
    Signal.ASKS: -6.0,
}


_SAID_AGAIN = frozenset({Signal.RESTATED, Signal.RESTATED_VALUE})

GROUNDS = {asked: 0.95, ordered: 0.93, decided: 0.9, agreed: 0.87}
"""What makes words explicit, with the share of such words that settle something."""

CONFIRMED = 0.03
"""What an answer that says them again adds."""

UNCERTAIN = 0.75
"""The highest confidence in what nothing makes explicit."""


def confidence(signals: AbstractSet[Signal]) -> float:
    """How sure it is that the words settle something, from 0 to 1: above `UNCERTAIN` only what is explicit."""
    explicit = max((share for ground, share in GROUNDS.items() if ground(signals)), default=0.0)
    if explicit:
        return explicit + CONFIRMED * (not signals.isdisjoint(_SAID_AGAIN))
    return UNCERTAIN * evidence(signals)


def evidence(signals: AbstractSet[Signal]) -> float:
    """The weights of the signals, as a number from 0 to 1 (a logistic sum)."""
    # An exact sum: a set has no order, and the last bit must not decide.
    return 1 / (1 + math.exp(-math.fsum([BIAS, *(WEIGHTS.get(signal, 0.0) for signal in signals)])))
