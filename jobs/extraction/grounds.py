"""The grounds: what makes words explicit, so that they settle something without a reader's judgement.

Weights add up: three hints may sum to as much as one clear word. Grounds do not add up. Each is a conjunction of
signals that settles something by itself, and that any noise undoes.
"""

from collections.abc import Set as AbstractSet

from jobs.extraction.signals import Signal

Signals = AbstractSet[Signal]

_ASKS = frozenset({Signal.ASKS, Signal.INTERROGATIVE, Signal.COUNTERFACTUAL, Signal.REPORTED})
_UNDOES = _ASKS | {
    Signal.HEDGE,
    Signal.DEFER,
    Signal.OTHERS,
    Signal.MOOD,
    Signal.FEELING,
    Signal.ATTEMPT,
    Signal.TASK,
    Signal.PAST,
    Signal.MOMENTARY,
    Signal.DECLINES,
    Signal.EMPTY,
    Signal.LONG,
}
_IN_PASSING = frozenset({Signal.MOMENTARY, Signal.OTHERS})
_RECEIVED = frozenset({Signal.NOTED, Signal.RESTATED, Signal.RESTATED_VALUE})
_UNSETTLED = frozenset({Signal.QUESTIONED, Signal.OBJECTED, Signal.WORKED})
_OPEN = frozenset(
    {
        Signal.OFFERED,
        Signal.COUNTERS,
        Signal.CHOICE,
        Signal.LABEL,
        Signal.ACCEPTS_PROPOSAL,
        Signal.ACCEPTS_OFFER,
        Signal.CONFIRMS_SUMMARY,
    }
)
_LASTS = frozenset({Signal.UNIVERSAL, Signal.LASTING, Signal.STANDING, Signal.ORDER})
_ACCEPTS = frozenset({Signal.APPROVES, Signal.CONFIRMS_SUMMARY, Signal.LABEL, Signal.CHOICE})
_VALUED = frozenset({Signal.COUNTERS, Signal.LABEL, Signal.CONFIRMS_SUMMARY})
_SETTLES = frozenset(
    {
        Signal.SETTLE,
        Signal.DECIDE,
        Signal.ADOPT,
        Signal.SCOPE,
        Signal.UNIVERSAL,
        Signal.LASTING,
        Signal.STANDING,
        Signal.ORDER,
        Signal.DIRECTIVE,
    }
)
_MATTERS = _OPEN | _SETTLES
"""What shows that a number which opens a talk was settled, and not only told."""


def asked(signals: Signals) -> bool:
    """Whether the owner asks to remember it."""
    return Signal.REMEMBER in signals and not signals & {*_ASKS, Signal.EMPTY}


def ordered(signals: Signals) -> bool:
    """Whether it is an order that says how long or how widely it holds."""
    if signals & _undoing(signals):
        return False
    if signals & {Signal.ORDER, Signal.STANDING}:
        return True
    lasts = Signal.LASTING in signals and bool(signals & {Signal.SETTLE, Signal.DIRECTIVE})
    return lasts and bool(signals & _RECEIVED) and not signals & _UNSETTLED


def decided(signals: Signals) -> bool:
    """Whether a word decides it by being said."""
    return Signal.DECIDE in signals and not signals & {*_undoing(signals), Signal.CONDITION}


def agreed(signals: Signals) -> bool:
    """Whether the assistant says it again, asking nothing: a value, an order, a choice, or its own proposal."""
    narrated = Signal.NARRATED in signals and not signals & (_OPEN | _LASTS)  # an assistant repeats stories too
    if narrated or signals & (_UNSETTLED | _UNDOES - {Signal.OTHERS}) or Signal.CONFIRMED not in signals:
        return False
    if Signal.IMPERATIVE in signals and not signals & (_OPEN | _LASTS):
        return False
    if Signal.RESTATED_VALUE in signals:
        # `it is 38 degrees`, and the assistant says it again
        mentioned = Signal.OPENS in signals and not signals & _MATTERS
        return not mentioned and (Signal.NAMELESS not in signals or bool(signals & _VALUED))
    if Signal.OTHERS in signals or not signals & {Signal.ACKNOWLEDGED, Signal.NOTED}:
        return False
    if Signal.RESTATED not in signals:
        return Signal.NOTED in signals and bool(signals & _LASTS)
    return bool(signals & (_ACCEPTS | _LASTS if Signal.NOTED not in signals else _OPEN | _SETTLES))


def outright(signals: Signals) -> bool:
    """Whether the owner's words are explicit by themselves, whatever the assistant makes of them."""
    return any(ground(signals) for ground in (asked, ordered, decided))


def undone(signals: Signals) -> bool:
    """Whether noise undoes what words would settle, however explicit they are: a question, a hedge, a report."""
    return bool(signals & (_undoing(signals) - {Signal.LONG, Signal.EMPTY}))


def _undoing(signals: Signals) -> Signals:
    """The noise that counts: beside `from now on`, or where the assistant takes note, `today` is said in passing."""
    standing = signals & {Signal.STANDING, Signal.ORDER}
    undoes = _UNDOES - {Signal.TASK} if standing else _UNDOES
    return undoes - _IN_PASSING if Signal.STANDING in signals or signals & _RECEIVED else undoes
