"""The observation of signals in the owner's words."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import zip_longest

from jobs.extraction.addressed import bids_whenever, has_we, is_addressed, is_rule_of_others, words_before_bid
from jobs.extraction.exchange_signals import signals_after, signals_before
from jobs.extraction.exchanges import Exchange
from jobs.extraction.headings import headings, heads_change
from jobs.extraction.profile import PROFILES, Profile
from jobs.extraction.signals import Signal
from jobs.extraction.stand_alone import without_lead, without_tag
from jobs.extraction.standing_orders import closes_only, only_tells_of, rule_signals, without_exceptions
from pipeline.entries.authorship.cues import WORDS
from pipeline.language.detection import Language
from pipeline.language.folding import fold
from pipeline.language.text import Span, terms, weight

_WORDS = (
    Signal.UNIVERSAL,
    Signal.ORDER,
    Signal.LASTING,
    Signal.STANDING,
    Signal.DECIDE,
    Signal.SETTLE,
    Signal.DIRECTIVE,
    Signal.COUNTERFACTUAL,
    Signal.CONDITION,
    Signal.HEDGE,
    Signal.DEFER,
    Signal.MOMENTARY,
    Signal.REPORTED,
    Signal.OTHERS,
    Signal.PAST,
    Signal.TASK,
    Signal.MOOD,
    Signal.FEELING,
    Signal.ATTEMPT,
)
_ORDERS = frozenset({Signal.ORDER, Signal.STANDING})
_OF_OTHERS = (Signal.REPORTED, Signal.PAST, Signal.OTHERS, Signal.INTERROGATIVE)
_OF_TIME = frozenset({Signal.PAST, Signal.MOMENTARY, Signal.DEFER, Signal.TASK})
_LAUGHS = re.compile(
    r"[\U0001f602\U0001f605\U0001f606\U0001f61c-\U0001f61d\U0001f923\U0001f92a]|(?<!\w)[:;x]-?[DPp)](?!\w)"
)
# Verbs of the past; in Chinese the complement of a mishap, or an amount behind `了`.
_NARRATES = {
    Language.ENGLISH: re.compile(
        r"\b(?:was|were|went|got|came|gave|forgot|broke|sold|took|lost|ate|fell|ran|hit|bought"
        r"|(?<!is )(?<!are )(?<!be )(?<!gets )(?<!get )\w{2,}[^aeiou\W]ed)\b"
    ),
    Language.POLISH: re.compile(r"^[^,]*\b\w{2,}[aiuy](?:l|la|lo|li|ly|lismy|lysmy)\b"),
    Language.CHINESE: re.compile(r"了 ?\d|[断坏丢]了"),
}
# A line of a shell: at most three words, one of them with a path, a tag or an extension.
_COMMAND = re.compile(r"(?=.*(?:[a-z]\w*[./:]\w|\w[./:]\w*[a-z]))\S+(?: \S+){0,2}\s*$")
_CLOCK = re.compile(r" ?(?:(?:at|by|o) )?(?:[早晚上下午]{1,2})?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m|点半?)?[,，]? ?")
_STEPS = re.compile(r"\b(?:first|najpierw|potem)\b|先")
_PREFACE = re.compile(r"^[^:：\n]{2,40}(?::\s+|：\s*)(?=\S)")
_HEADS = ("remember", "standing", "decide", "announcing", "retract")
_UNFINISHED = ("…", "...", "——", "--")
_AT_ONCE = 500  # in Latin letters: who settles something says it in few words
_LINES = 8
_NAMES = 2
_BARE = 24  # in Latin letters; with a single name, so short a sentence only goes on
_MEANT = frozenset({Signal.LABEL, Signal.ACCEPTS_PROPOSAL, Signal.ACCEPTS_OFFER, Signal.CONFIRMS_SUMMARY})
_OBEYED = frozenset({Signal.RESTATED, Signal.TAKEN_ON})
_AGREES = frozenset({Signal.ACCEPTS_PROPOSAL, Signal.CONFIRMS_SUMMARY, Signal.LABEL})


@dataclass(frozen=True)
class ObservedSentence:
    """A sentence of the owner's message with its signals."""

    span: Span
    signals: frozenset[Signal]
    named: bool
    """Whether it names a matter of its own."""


def observe_sentences(exchange: Exchange) -> list[ObservedSentence]:
    """The sentences of the owner's message, in order."""
    said, sentences = exchange.said, []
    heads, closing = headings(said), None
    for span, following in zip_longest(said.spans, said.spans[1:]):
        talk = exchange.read_as(span)
        profile = talk.said.profile
        plain = _without_preface(span, profile)
        ordered = _order_signals(plain, following, profile)
        words = ordered or _word_signals(plain, profile)
        if span in heads:  # an item holds as its heading says, whatever it says of time
            words = (words - _OF_TIME) | heads[span]
        signals = _signals_in_talk(words, span, talk) - ({Signal.LONG} if span in heads else set())
        named = span != closing and _has_own_matter(span, talk, listed=span in heads)
        sentences.append(ObservedSentence(span, signals, named))
        closing = following if ordered and closes_only(span, following, profile) else None
    return sentences


def _has_own_matter(span: Span, exchange: Exchange, *, listed: bool) -> bool:
    """Whether a sentence could be a line of its own; `never on Fridays` belongs to the sentence before it."""
    profile = exchange.said.profile
    words = without_lead(span.text, profile)
    names = len(profile.names(words))
    return names >= _NAMES or (names > 0 and (listed or weight(words) > _BARE))


def _without_preface(span: Span, profile: Profile) -> Span:
    """The sentence without a preface that only announces it: `I'll say it once: ...`."""
    preface = _PREFACE.match(span.text)
    if preface is None or not WORDS.finds("own_saying", fold(preface[0])):
        return span
    heads = (profile.first(function, span.folded) for function in _HEADS)
    if any(head is not None and head.start() < preface.end() for head in heads):
        return span
    return Span(span.start + preface.end(), span.end, span.text[preface.end() :])


def _order_signals(span: Span, following: Span | None, profile: Profile) -> frozenset[Signal]:
    """The signals of an order, without noise of the clauses that name its cases; empty if it is no order."""
    orders = set[Signal]()
    if not only_tells_of(span, profile.code):
        orders.update(signal for signal in _ORDERS if profile.finds(signal.value, span.folded))
    orders |= rule_signals(span, following, profile)
    if bids_whenever(span, profile):
        orders.add(Signal.ORDER)
    plain = without_exceptions(span, profile.code)
    asks = span.asks and without_tag(span.folded) == span.folded
    if not orders or (asks and plain != span.folded):
        return frozenset()
    signals = (
        _word_signals(Span(span.start, span.start + len(plain), plain), profile) | orders | _form_signals(span, profile)
    )
    return signals - _step_signals(signals, plain, profile) - _noise_of_object(span, profile)


def _noise_of_object(span: Span, profile: Profile) -> set[Signal]:
    """The noise that is only in the object of a bid: `always send me what he said`."""
    before = words_before_bid(span, profile)
    if before is None:
        return set()
    ordered = {Signal.TASK} if _stands_before("order", "task", span, profile) else set()
    return ordered | {signal for signal in _OF_OTHERS if not profile.finds(signal.value, before)}


def _word_signals(span: Span, profile: Profile) -> frozenset[Signal]:
    signals = _signals_in(span, profile) | _form_signals(span, profile)
    if signals & {Signal.REPORTED, Signal.PAST}:
        signals.discard(Signal.DECIDE)  # the decision is theirs, or of another day
    if _stands_before("remember", "reported", span, profile):
        signals.discard(Signal.REPORTED)  # `remember that Ela says ...`
    if _asks_to_remember(span):
        signals.add(Signal.REMEMBER)
        if profile.finds("request", span.folded) or without_tag(span.folded) != span.folded:
            return frozenset(signals)
    if span.text.endswith(_UNFINISHED):
        signals.add(Signal.HEDGE)
    plain = without_tag(span.folded)
    if span.asks and plain == span.folded:
        signals.add(Signal.ASKS)
    elif profile.finds("interrogative", plain.rstrip(".。 …")):
        signals.add(Signal.INTERROGATIVE)
    return frozenset(signals)


def _signals_in(span: Span, profile: Profile) -> set[Signal]:
    """The signals whose words are in the sentence, with those of its tone."""
    signals = {signal for signal in _WORDS if profile.finds(signal.value, span.folded)}
    if heads_change(span, profile):
        signals.add(Signal.DECIDE)
        if not profile.finds("momentary", span.folded.replace(" now ", " ")):
            signals.discard(Signal.MOMENTARY)  # `the worker now reads from a queue` is what changes
    if signals & _ORDERS:
        signals -= _step_signals(signals, span.folded, profile)
        if only_tells_of(span, profile.code):
            signals -= _ORDERS
    if _COMMAND.match(span.folded) or _asks_behind_a_time(span, profile):
        signals.add(Signal.TASK)
    if _stands_before("decide", "condition", span, profile):
        signals.discard(Signal.CONDITION)  # `we decided that if ...`, and not a threat before it
    if _LAUGHS.search(span.text):
        signals.add(Signal.MOOD)
    if _NARRATES[profile.code].search(span.folded):
        signals.add(Signal.NARRATED)
    return signals


def _step_signals(signals: AbstractSet[Signal], folded: str, profile: Profile) -> set[Signal]:
    """The signals of time that only order the steps of an order: `always ask first`."""
    rest = _STEPS.sub(" ", folded)
    return {signal for signal in signals & {Signal.MOMENTARY, Signal.DEFER} if not profile.finds(signal.value, rest)}


def _form_signals(span: Span, profile: Profile) -> set[Signal]:
    """Signals of form: the sentence bids somebody to act, tells what the owner's side does, or a rule of others."""
    form = (
        (Signal.ADDRESSED, is_addressed(span, profile)),
        (Signal.WE, has_we(span, profile)),
        (Signal.RULE_OF_OTHERS, is_rule_of_others(span)),
    )
    return {signal for signal, present in form if present}


def _asks_behind_a_time(span: Span, profile: Profile) -> bool:
    """Whether it begins with a repeated time, and asks for something: `every morning at 7 remind me ...`."""
    again = profile.first("lasting", span.folded)
    if again is None or span.folded[: again.start()].strip():
        return False
    rest = span.folded[again.end() :]
    clock = _CLOCK.match(rest)
    return profile.finds("task", rest[clock.end() :] if clock else rest)


def _stands_before(former: str, latter: str, span: Span, profile: Profile) -> bool:
    """Whether it has words of both functions, the first word of the former before that of the latter."""
    first, second = profile.first(former, span.folded), profile.first(latter, span.folded)
    return first is not None and second is not None and first.start() < second.start()


def _asks_to_remember(span: Span) -> bool:
    """Whether it asks to remember, in any language: people mix them."""
    profiles = (known for code, known in PROFILES.items() if code is not Language.CHINESE or not span.text.isascii())
    return any(profile.finds("remember", span.folded) for profile in profiles)


def _signals_in_talk(words: frozenset[Signal], span: Span, exchange: Exchange) -> frozenset[Signal]:
    """The signals of a sentence, with those of its place in the talk."""
    said, before = exchange.said, signals_before(span, exchange)
    signals = words | before | signals_after(span, exchange, accepted=bool(before & _AGREES))
    if signals & _ORDERS and signals & _OBEYED and said.profile.finds("request", span.folded):
        signals = (signals - {Signal.ASKS}) | {Signal.HEDGE}  # `could you always ...?`, `yes, always`: a person decides
    # In words that take back, `mind` and `forget` are no subject.
    takes_back = said.profile.finds_any(("retract", "hesitate", "withdraw"), span.folded)
    if not ((said.profile.content(span.text) if takes_back else terms(span.text)) or before & _MEANT):
        signals |= {Signal.EMPTY}
    if weight(said.text) > _AT_ONCE or said.text.count("\n") > _LINES:
        signals |= {Signal.LONG}
    return signals
