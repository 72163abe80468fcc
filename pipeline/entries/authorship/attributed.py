"""Attributions without a colon: a sentence, a dash or a line that names the source or the speaker of a text."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator, Sequence

from pipeline.entries.authorship.cues import GENRES, WORDS
from pipeline.entries.authorship.lines import MessageLine
from pipeline.entries.authorship.requests import sentences_in
from pipeline.language.text import Span, weight

_LONGEST = 120  # in Latin letters, of a sentence that attributes
_LEAD = 60  # in Latin letters, of words before a dash, or alone in a line or a sentence
_DASH = re.compile(r"(?P<lead>[^\n—–]{2,60}?)(?:\s[—–-]{1,2}(?:\s|$)|\s?——\s?)")
_SENT_BY = GENRES.pattern("sent_by", r"\W{0,4}{}")
_OVER = re.compile(r"\b(?:via|over|przez)\b|[在从用]")
_DESCRIBED = re.compile(
    r"\s*[^\W\d]\w+(?: [^\W\d]\w+)? ?[(（][^()（）]{2,30}[)）]\s*"
)  # a person, and the person's role
_ONE = re.compile(r"\s*[A-ZŁŚŻŹĆ][^\W\d_]+(?<!s) (?:on|in|over|via|na|w|przez|po) [^\W\d_]+\s*")
_CAPITAL = re.compile(r"(?<=\s)[A-ZŁŚŻŹĆ][^\W\d]+")
_HANDLE = GENRES.pattern("acted", r"\s*@[\w.-]{1,30},?\s{1,3}(?:\w+ ){0,1}?{}")
_VOTES = GENRES.pattern("votes", r"[\s(\[（]*{}[\s)\]）.]*")


def attribution_place(lines: Sequence[MessageLine], place: int) -> int | None:
    """The place where an attribution begins, if one stands in the line and something follows it."""
    return min(_places(lines, place), default=None)


def of_others(lines: Sequence[MessageLine]) -> bool:
    """Whether the lines, from any of them on, are another speaker's: words to a group, or a post with its votes."""
    return any(_VOTES.fullmatch(line.folded) for line in lines if not line.blank) or any(
        GENRES.opens("group", sentence.folded) for line in lines for sentence in sentences_in(line)
    )


def _places(lines: Sequence[MessageLine], place: int) -> Iterator[int]:
    line = lines[place]
    below = any(not later.blank for later in lines[place + 1 :])
    said = sentences_in(line)
    for sentence in said:
        followed = below or sentence is not said[-1]
        if followed and not sentence.asks and weight(sentence.text) <= _LONGEST and _attributes(sentence):
            yield sentence.start
    dash = _DASH.match(line.text)
    if dash and (below or dash.end() < len(line.text)) and _credits(dash["lead"], line.folded[: dash.end("lead")]):
        yield line.start
    if below and (_HANDLE.match(line.folded) or _acclaims(line)):
        yield line.start


def _attributes(sentence: Span) -> bool:
    """Whether the sentence names the place of a text, the person who was asked for it, or its speaker."""
    folded = sentence.folded
    if WORDS.finds("label", folded) and not GENRES.finds("thus", folded):
        return False
    if GENRES.finds("thus", folded) or (GENRES.finds("posted", folded) and not GENRES.finds("placed", folded)):
        return True
    if _tells_where(sentence.text.rstrip(" .。"), folded.rstrip(" .。")):
        return True
    if GENRES.finds("asked", folded) and WORDS.finds("bot", folded):
        return True
    return _names_sender(sentence.text.rstrip(" .。"), folded.rstrip(" .。"))


def _names_sender(text: str, folded: str) -> bool:
    """Whether the words are nothing but a sender, with a channel or a place: `from Jonas on teams`."""
    plain = weight(text) <= _LEAD and not GENRES.finds("sentence", _SENT_BY.sub(" ", folded))
    return plain and _SENT_BY.match(folded) is not None


def _tells_where(text: str, folded: str) -> bool:
    """Whether the words have no verb and name the carrier of a text: `on the board`, `printed on the box`."""
    if weight(text) > _LEAD or GENRES.finds("sentence", folded):
        return False
    place = GENRES.pattern("where").match(folded)
    on = GENRES.finds("carrier", folded) or WORDS.finds("source", folded)
    return place is not None and on


def _credits(text: str, folded: str) -> bool:
    """Whether the words before a dash name the sender of the text behind it, or its speaker and channel."""
    if WORDS.finds("label", folded) or GENRES.finds("myself", folded):
        return False
    if _names_sender(text, folded) or _DESCRIBED.fullmatch(text):
        return True
    person = any(WORDS.finds(name, folded) for name in ("role", "name")) or _CAPITAL.search(text) is not None
    return GENRES.finds("channel", folded) and (
        person or _OVER.search(folded) is not None or _ONE.fullmatch(text) is not None
    )


def _acclaims(line: MessageLine) -> bool:
    """Whether the line names an answer or a comment by its rank, as a site does, and ends as a title."""
    return (
        line.weight <= _LONGEST
        and GENRES.finds("acclaimed", line.folded)
        and not line.text.rstrip().endswith((".", "?", "。", "？"))
        and not GENRES.finds("myself", line.folded)
    )
