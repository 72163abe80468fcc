"""Headings: `some rules:` above a list, or `from now on:` before several sentences, holds for each of them.

A heading over orders addresses the reader, except over the rules of others (`rules at the pool:`).

A change under its heading (`change of plan: ...`) is a decision, as a line under `decision:` is.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Mapping

from jobs.extraction.addressed import is_rule_of_others
from jobs.extraction.exchanges import Turn
from jobs.extraction.profile import Profile
from jobs.extraction.signals import Signal
from pipeline.entries.authorship.cues import WORDS
from pipeline.language.folding import fold
from pipeline.language.text import Span

_COUNTED = re.compile(
    r"\b(?P<count>two|three|four|\d) (?:more )?(?:things|rules|facts|points)\W*$"
    r"|\b(?P<many>dwie|trzy|cztery|\d) (?:rzeczy|sprawy|zasady)\W*$"
    r"|(?P<several>[两三四\d])[件条点个](?:事|事情|规矩)?\W*$"
)
_COUNTS = {"two": 2, "dwie": 2, "两": 2, "three": 3, "trzy": 3, "三": 3, "four": 4, "cztery": 4, "四": 4}
_LEAD = re.compile(r"^[^:：\n]{1,70}[:：]")
_HEAD = re.compile(r"^[^:：，,\n]{2,40}(?:[:：](?=\s|[^\x00-\x7f])|(?<=变)，)")
_CHANGES = re.compile(r"\bchange of \w+$|\w change$|\bzmian[ay] \w+$|[变改]|调整")
_MOST = 12  # items; a longer list was hardly typed
_NAMES = 2  # words besides the label, from which on a lead is a sentence of its own


def heads_change(span: Span, profile: Profile) -> bool:
    """Whether a sentence begins by saying that something changes, before a colon with something behind it."""
    head = _head(span, profile)
    return _CHANGES.search(head[:-1]) is not None and not profile.finds("retract", head)


def is_labelled(span: Span, profile: Profile) -> bool:
    """Whether a sentence begins with a label such as `decision`, before a colon with something behind it."""
    return WORDS.finds("label", _head(span, profile))


def _head(span: Span, profile: Profile) -> str:
    """The folded words before the colon of a sentence; empty where there is none, or nothing follows."""
    head = None if span.asks else _HEAD.match(span.text)
    return fold(head[0]) if head and profile.names(span.text[head.end() :]) else ""


def headings(said: Turn) -> Mapping[Span, frozenset[Signal]]:
    """The items of the owner's lists, each with the signals of its heading; a heading itself says nothing."""
    by_span: dict[Span, frozenset[Signal]] = {}
    for place, span in enumerate(said.spans):
        signals = _lead_signals(span, said)
        items = _items_below(said, place) if signals else []
        if span not in by_span and items and len(items) <= _MOST:
            if _bare_lead(span):
                by_span[span] = frozenset({Signal.EMPTY})
            by_span |= dict.fromkeys(items, signals)
    return by_span


def _lead_signals(span: Span, said: Turn) -> frozenset[Signal]:
    """The signals of a lead that labels the sentences below; empty for any other sentence."""
    lead = _LEAD.match(span.text)
    if span.asks or not (lead or _announced_count(span)):
        return frozenset()
    folded = fold(lead[0]) if lead else span.folded
    kinds = {"remember": Signal.REMEMBER, "standing": Signal.STANDING, "decide": Signal.DECIDE}
    for function, signal in kinds.items():
        if said.profile.finds(function, folded):
            return _said_to_reader(signal, span)
    labels = lead is not None and WORDS.finds("label", folded) and len(said.profile.names(lead[0])) <= _NAMES
    return _said_to_reader(Signal.ORDER, span) if labels else frozenset()


def _said_to_reader(signal: Signal, lead: Span) -> frozenset[Signal]:
    return frozenset({signal} if is_rule_of_others(lead) else {signal, Signal.ADDRESSED})


def _bare_lead(span: Span) -> bool:
    """Whether the sentence is only a lead."""
    lead = _LEAD.match(span.text)
    return _announced_count(span) > 0 or (lead is not None and lead.end() == len(span.text))


def _announced_count(span: Span) -> int:
    """The number of things that a sentence announces: `remember three things.`; 0 without a number."""
    counted = _COUNTED.search(span.folded)
    word = next(filter(None, counted.groups()), "") if counted else ""
    return int(word) if word.isdecimal() else _COUNTS.get(word, 0)


def _items_below(said: Turn, place: int) -> list[Span]:
    """The sentences below a bare lead up to an empty line, or after a lead on its line, each closed by a semicolon.

    At most as many as the lead announces.
    """
    text, heading = said.text, said.spans[place]
    items = []
    for before, span in zip(said.spans[place:], said.spans[place + 1 :], strict=False):
        gap = text[before.end : span.start]
        goes_on = not gap.strip(" \n\r\t-*•–0123456789.)、") and gap.count("\n") <= 1
        if not goes_on or (not _bare_lead(heading) and before.text[-1] not in ";；"):
            break
        items.append(span)
    return items[: _announced_count(heading) or len(items)]
