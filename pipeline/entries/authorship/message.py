"""An owner's message as a whole: which stretches of it came from elsewhere."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from pipeline.entries.authorship.attributed import attribution_place, of_others
from pipeline.entries.authorship.cues import WORDS
from pipeline.entries.authorship.data import data
from pipeline.entries.authorship.documents import (
    laid_out,
    opens_alternating,
    opens_document,
    opens_record,
    opens_titled,
    page,
)
from pipeline.entries.authorship.enclosed import closing_lines, enclosed_stretches, is_rich
from pipeline.entries.authorship.lines import MessageLine, Reduced, Stretch, cover_stretches, lines_of, merge_stretches
from pipeline.entries.authorship.mail import end_of_letter, opens_mail
from pipeline.entries.authorship.requests import plays, request_after, request_before, request_end
from pipeline.entries.authorship.speech import (
    announcement_place,
    answers_question,
    hands_over,
    is_dictation,
    one_liner,
    opens_speech,
)

TYPED = 8000
"""Characters of a message that are read, besides text between marks: no person types more, and the rest is foreign."""

_LINES = 400  # of a message that are read
_DOCUMENTS = (opens_document, opens_record, opens_alternating, opens_titled)


@lru_cache(maxsize=256)
def foreign(text: str) -> tuple[Stretch, ...]:
    """The stretches of an owner's message that came from elsewhere, in order; none touches another."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")  # as systems and terminals end lines; its length stays
    if is_dictation(text):
        return ()
    apart = merge_stretches(enclosed_stretches(text))
    read = Reduced(text, apart)
    lines = lines_of(read.text[:TYPED])[:_LINES]
    shown = read.text[: lines[-1].end]
    stretches = [
        *data(shown, lines),
        *_stretches_below(lines),
        *_requested_stretches(lines),
        (len(shown), len(read.text)),
    ]
    own = cover_stretches(shown, stretches, " ")
    if of_others(lines_of(own)):
        return ((0, len(text)),)
    if laid_out(own, shown, rich=is_rich(text)):
        stretches.append(page(own))
    return tuple(merge_stretches([*apart, *map(read.origin, stretches)]))


def said_by_owner(quote: str, text: str) -> Stretch | None:
    """The first place of the quote in an owner's message at which nothing of it is foreign; `None` without one."""
    start = text.find(quote)
    while quote and start >= 0:
        if not any(begin < start + len(quote) and start < end for begin, end in foreign(text)):
            return start, start + len(quote)
        start = text.find(quote, start + 1)
    return None


@dataclass(frozen=True)
class _Opening:
    """The start of a foreign stretch; whether the owner may return with a decision, and whether it stands below."""

    start: int
    returns: bool
    below: bool = False


def _stretches_below(lines: Sequence[MessageLine]) -> Iterator[Stretch]:
    """The stretches below a line that opens something foreign, up to where the owner clearly speaks again."""
    ends = closing_lines(lines)
    place = 0
    while place < len(lines):
        opening = _opening_at(lines, place)
        if opening is None:
            place += 1
            continue
        end, place = _end_of(lines, place, opening, ends)
        yield opening.start, end


def _opening_at(lines: Sequence[MessageLine], place: int) -> _Opening | None:
    """The opening of a foreign stretch at the line, if there is one."""
    line = lines[place]
    if line.blank or line.hidden or answers_question(line):
        return None
    if any(opens(lines, place) for opens in _DOCUMENTS):
        return _Opening(line.start, returns=False)
    if opens_mail(lines, place) or opens_speech(lines, place):
        return _Opening(line.start, returns=one_liner(line))
    credited = attribution_place(lines, place)
    if credited is not None:
        return _Opening(credited, returns=True)
    return _announced_opening(lines, place)


def _announced_opening(lines: Sequence[MessageLine], place: int) -> _Opening | None:
    """The words of the line that announce a text below it."""
    line = lines[place]
    if hands_over(lines, place):
        return _Opening(line.start, returns=False, below=True)
    play = plays(line)
    if play is not None:
        return _Opening(play, returns=False)
    below = line.text.rstrip().endswith((":", "："))
    starts = [start for start in (announcement_place(line), request_end(line)) if start is not None]
    return _Opening(min(starts), returns=not below, below=below) if starts else None


def _end_of(lines: Sequence[MessageLine], place: int, opening: _Opening, ends: AbstractSet[int]) -> tuple[int, int]:
    """The end of the stretch, as a place in the text, and the index of the line from which to look on."""
    below = next((later for later in range(place + 1, len(lines)) if not lines[later].blank), None)
    if opening.below and below is not None and lines[below].is_set_apart:
        apart = next((later for later in range(below, len(lines)) if not lines[later].is_set_apart), len(lines))
        return lines[apart - 1].end, apart
    for later in range(place + 1, len(lines)):
        if later in ends:
            return lines[later].end, later + 1
        if opening.returns and WORDS.opens("returning", lines[later].folded):
            return lines[later - 1].end, later
    return lines[-1].end, len(lines)


def _requested_stretches(lines: Sequence[MessageLine]) -> Iterator[Stretch]:
    """The stretches that a request at the beginning or the end is about."""
    start = request_before(lines)
    if start is not None:
        yield start, lines[-1].end
        return
    ends = [end for end in (request_after(lines), end_of_letter(lines)) if end is not None]
    if ends:
        yield 0, max(ends)
