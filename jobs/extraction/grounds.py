"""The grounds: conjunctions of signals that make the owner's words explicit, or worth a question to a person.

Any noise undoes a ground. Only words that ask to remember something, or that order how it is from now on, are written
by themselves. All else is a guess: its ground says how good a suggestion it makes.
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
_SAID_AGAIN = frozenset({Signal.RESTATED, Signal.RESTATED_VALUE})
_ORDERS = frozenset({Signal.ORDER, Signal.STANDING, Signal.CLOSED})
_RULES = _ORDERS - {Signal.STANDING}
_RECEIVED = _SAID_AGAIN | {Signal.NOTED}
_OPPOSED = frozenset({Signal.QUESTIONED, Signal.OBJECTED})
_UNSETTLED = _OPPOSED | {Signal.WORKED}
_TAKEN = frozenset({Signal.APPROVES, Signal.CONFIRMS_SUMMARY})
_ANSWERS = _TAKEN | {
    Signal.COUNTERS,
    Signal.CHOICE,
    Signal.LABEL,
    Signal.OFFERED,
    Signal.ACCEPTS_PROPOSAL,
    Signal.ACCEPTS_OFFER,
}
_LASTS = frozenset({Signal.UNIVERSAL, Signal.LASTING, *_ORDERS})
_SETTLES = _LASTS | {Signal.SETTLE, Signal.DECIDE, Signal.DIRECTIVE}


def asks_to_remember(signals: Signals) -> bool:
    """Whether the owner asks to remember it, and is not laughing."""
    return Signal.REMEMBER in signals and not signals & {*_ASKS, Signal.EMPTY, Signal.MOOD}


def is_order(signals: Signals) -> bool:
    """Whether it says how long or how widely it holds, and bids somebody to act or was taken on as an order."""
    lasts = signals & {Signal.ORDER, Signal.STANDING}
    bids = lasts and signals & {Signal.ADDRESSED, Signal.WE}
    meant = bids or (Signal.CONFIRMED in signals and _is_taken_on(signals))
    return bool(signals & _ORDERS and meant) and not signals & {
        *_undoing(signals),
        Signal.RULE_OF_OTHERS,
        Signal.OBJECTED,
    }


def _is_taken_on(signals: Signals) -> bool:
    """Whether the assistant repeats the order, or tells its own doing in its words; a bare yes answers news too.

    Words that only last from now on may be news that it repeats, so it has to do both.
    """
    if signals & _RULES:
        return bool(signals & {*_SAID_AGAIN, Signal.TAKEN_ON})
    return bool(signals & _SAID_AGAIN) and Signal.TAKEN_ON in signals


def may_be_explicit(signals: Signals) -> bool:
    """Whether it has the words of an order, in whatever mood, and is no question; or asks to remember in a mood."""
    noise = _ASKS - {Signal.REPORTED} if Signal.ADDRESSED in signals else _ASKS
    return bool(signals & _ORDERS and not signals & {*noise, Signal.EMPTY}) or asks_to_remember(signals - {Signal.MOOD})


def is_decided(signals: Signals) -> bool:
    """Whether a word decides it: `decided`."""
    return Signal.DECIDE in signals and not signals & {*_undoing(signals), Signal.CONDITION}


def picks_option(signals: Signals) -> bool:
    """Whether it picks one of the options that the assistant showed."""
    return Signal.LABEL in signals and not signals & _undoing(signals)


def takes_proposal(signals: Signals) -> bool:
    """Whether it takes a proposal, or says that the assistant's summary is right."""
    return bool(signals & _TAKEN) and not signals & _undoing(signals)


def is_said_again(signals: Signals) -> bool:
    """Whether the assistant repeats it, without a question, and it answers or settles something."""
    story = Signal.NARRATED in signals and not signals & (_ANSWERS | _LASTS)  # an assistant repeats stories too
    if story or signals & (_UNSETTLED | _undoing(signals)) or Signal.CONFIRMED not in signals:
        return False
    settles = bool(signals & (_ANSWERS | _SETTLES))
    if Signal.RESTATED_VALUE in signals:
        return settles or Signal.OPENS not in signals  # `it is 38 degrees`, and the assistant says it again
    return Signal.RESTATED in signals and (settles or Signal.NOTED in signals)


def is_lasting(signals: Signals) -> bool:
    """Whether it is meant for more than this once, in words that might also only describe."""
    again = {Signal.TASK, Signal.WORKED} if Signal.LASTING in signals else set()  # it is set up at once
    meant = signals & {Signal.ADDRESSED, Signal.WE, Signal.TASK, Signal.SETTLE, Signal.DIRECTIVE, Signal.NOTED}
    lasts = signals & {Signal.LASTING, Signal.UNIVERSAL}
    return bool(meant and lasts) and not signals & (
        {*_undoing(signals), Signal.NARRATED, Signal.CONDITION, *_UNSETTLED} - again
    )


def is_rule(signals: Signals) -> bool:
    """Whether it rules acts without a word of duration, and the assistant agrees."""
    return {Signal.RULES, Signal.CONFIRMED} <= signals and not signals & (_UNDOES | _OPPOSED)


EXPLICIT = {asks_to_remember: 0.95, is_order: 0.93}
"""The grounds of lines that are written by themselves, with the share of such words that settle something."""

WORTH_ASKING = {
    is_decided: 0.75,
    picks_option: 0.72,
    is_said_again: 0.7,
    may_be_explicit: 0.68,
    takes_proposal: 0.65,
    is_lasting: 0.6,
    is_rule: 0.55,
}
"""The grounds of suggestions, with the share of such words that a person who knows the talk wants to keep."""

UNCERTAIN = 0.75
"""The highest confidence without an explicit ground."""


def confidence(signals: Signals) -> float:
    """The confidence that words settle something, 0 to 1: above `UNCERTAIN` the explicit, 0 without a ground."""
    every = {**EXPLICIT, **WORTH_ASKING}
    return max((share for ground, share in every.items() if ground(signals)), default=0.0)


def is_explicit(signals: Signals) -> bool:
    """Whether the owner's words are explicit by themselves, whatever the assistant makes of them."""
    return any(ground(signals) for ground in EXPLICIT)


def is_undone(signals: Signals) -> bool:
    """Whether noise undoes the words, however explicit they are: a question, a hedge, a report."""
    return bool(signals & (_undoing(signals) - {Signal.LONG, Signal.EMPTY}))


def _undoing(signals: Signals) -> Signals:
    """The noise that counts: beside `from now on`, or where the assistant takes note, `today` is said in passing."""
    if Signal.STANDING in signals:
        return _UNDOES - _IN_PASSING - {Signal.TASK}
    return _UNDOES - _IN_PASSING if signals & _RECEIVED else _UNDOES
