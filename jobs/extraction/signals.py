"""The signals: what is observed about the owner's words and about the exchange they stand in."""

from enum import StrEnum


class Signal(StrEnum):
    """One observation. `grounds` tells which of them together settle something, and what undoes it."""

    # The words themselves; each is the class of that name in the language's profile.
    REMEMBER = "remember"
    UNIVERSAL = "universal"
    ORDER = "order"
    LASTING = "lasting"
    STANDING = "standing"
    DECIDE = "decide"
    SETTLE = "settle"
    DIRECTIVE = "directive"
    COUNTERFACTUAL = "counterfactual"
    CONDITION = "condition"
    HEDGE = "hedge"
    DEFER = "defer"
    MOMENTARY = "momentary"
    REPORTED = "reported"
    OTHERS = "others"
    PAST = "past"
    TASK = "task"
    MOOD = "mood"
    FEELING = "feeling"
    ATTEMPT = "attempt"
    # Their form.
    ASKS = "asks"
    INTERROGATIVE = "interrogative"
    NARRATED = "narrated"
    EMPTY = "empty"
    LONG = "long"
    # What came before.
    OPENS = "opens"
    LABEL = "label"
    CHOICE = "choice"
    COUNTERS = "counters"
    OFFERED = "offered"
    ACCEPTS_PROPOSAL = "accepts_proposal"
    APPROVES = "approves"
    ACCEPTS_OFFER = "accepts_offer"
    DECLINES = "declines"
    CONFIRMS_SUMMARY = "confirms_summary"
    # What the answer made of them.
    RESTATED = "restated"
    RESTATED_VALUE = "restated_value"
    CONFIRMED = "confirmed"
    NOTED = "noted"
    QUESTIONED = "questioned"
    OBJECTED = "objected"
    WORKED = "worked"
