"""Titled texts: recipes, care sheets, house rules and advertisements, which a title opens and nothing marks."""

import re
from collections.abc import Mapping, Sequence

from pipeline.entries.authorship.cues import GENRES, WORDS, PastedGenre
from pipeline.entries.authorship.lines import MessageLine
from pipeline.entries.authorship.requests import sentences_in

_TITLE = 60  # in Latin letters
_ENDED = re.compile(r"[.,;:!?。，；：！？…]\s*$")  # noqa: RUF001
_ITEM = r"[\s\-*•]{0,6}"
_CAPITAL = re.compile(r"\W*(?:[^\W\d_a-z]|\d+\W)")
_LABELLED = WORDS.pattern("label", r"\W*{}[^:：]{0,30}[:：]")  # noqa: RUF001
_MEASURE = GENRES.pattern("measure", _ITEM + "{}")
_QUANTITY = 80  # in Latin letters, of a line that gives a quantity
_LINES = 2  # with quantities
_ENOUGH = 2
_SEVERAL = 2  # sentences below a title that names such a text, or is set off: no person types that into a chat
_WEIGHTS: Mapping[PastedGenre, int] = {"handles": 2, "offers": 2, "bids": 1}


def opens_titled(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether the line is a title of a text: the text is set off, addresses its reader, or has quantities."""
    if place > 0 and not lines[place - 1].blank:
        return False
    below = [line for line in lines[place + 1 :] if not line.blank]
    if not below or not _is_title(lines[place]):
        return False
    if sum(_gives_quantity(line) for line in below) >= _LINES:
        return True
    spoken = [sentence.folded for line in below for sentence in sentences_in(line)]
    if any(GENRES.finds("myself", folded) for folded in spoken):
        return False
    named = GENRES.finds("title", lines[place].folded)
    set_off = lines[place + 1].blank and _CAPITAL.match(lines[place].text) is not None
    if (named or set_off) and len(spoken) >= _SEVERAL and not _LABELLED.match(below[0].folded):
        return True
    return named + sum(map(_address, spoken)) >= _ENOUGH


def _is_title(line: MessageLine) -> bool:
    """Whether it is short, ends without a mark, and has no verb, no speaker, and nothing the owner dictates under."""
    if line.is_set_apart or line.weight > _TITLE or _ENDED.search(line.text):
        return False
    if GENRES.finds("title", line.folded):
        return True
    return not GENRES.finds("sentence", line.folded) and not WORDS.finds("label", line.folded)


def _gives_quantity(line: MessageLine) -> bool:
    return line.weight <= _QUANTITY and _MEASURE.match(line.folded) is not None


def _address(folded: str) -> int:
    """The certainty with which a sentence addresses its reader: manual work, an offer, or a mere imperative."""
    return max((points for name, points in _WEIGHTS.items() if GENRES.opens(name, folded)), default=0)
