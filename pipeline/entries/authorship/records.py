"""Records: tickets with their fields, minutes and agendas, and chats in which names stand alone."""

import re
from collections.abc import Sequence

from pipeline.entries.authorship.cues import GENRES, WORDS
from pipeline.entries.authorship.lines import MessageLine
from pipeline.entries.authorship.requests import sentences_in

_KEYED = re.compile(
    r"\s*\[?(?:[A-Z][A-Z0-9]{1,9}-\d{1,6}|(?:[^\W\d_]{2,12} )?#\d{1,6})\]?(?:\s*|[:：.\s-]{1,4}\S.{2,})"  # noqa: RUF001
)
_MARKS = r"[\s>*_\-•]{0,6}"
_FIELD = GENRES.pattern("field", _MARKS + r"{}[*_ ]{0,3}[:：]")  # noqa: RUF001
_PERSON = GENRES.pattern("person", _MARKS + r"{}(?:[*_ ]{0,3}[:：]|(?<=by)\s|(?<=przez)\s)\s*\S")  # noqa: RUF001
_NAME = re.compile(r"\s*(?:[A-ZÀ-ŽŁŚŻŹĆ][^\W\d_]{1,15}(?: [A-ZÀ-ŽŁŚŻŹĆ][^\W\d_]{0,15}\.?)?|[\u4e00-\u9fff]{2,4})\s*")
_HEAD = 6  # lines at the beginning of a message that may be fields
_NEAR = 4  # of them, lines that may name the author
_SHORT = 100  # in Latin letters, of a line with a field or that names minutes
_SEVERAL = 2  # fields that nothing stands above; times that a name stands alone
_BESIDE = 60  # in Latin letters: what else the words that name minutes may stand with


def opens_record(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether a ticket, or another's minutes or plan, begins a message at the line."""
    said = [line for line in lines if not line.blank]
    if said[0] is not lines[place]:
        return False
    return _ticket(said) or _minutes(said)


def opens_alternating(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether names alternate alone in their lines from here on, with their words between them."""
    name = lines[place].text.strip()
    if not _NAME.fullmatch(lines[place].text):
        return False
    said = [line.text.strip() for line in lines[place:] if not line.blank]
    again = [index for index, text in enumerate(said) if text == name]
    between = said[1 : again[-1]]
    others = [text for index, text in enumerate(between, 1) if text != name and _NAME.fullmatch(text) and index > 1]
    return len(again) >= _SEVERAL and again[-1] + 1 < len(said) and bool(others)


def _ticket(said: Sequence[MessageLine]) -> bool:
    """Whether the first lines have a key and a title, or the fields of a ticket."""
    if len(said) == 1:
        return False
    first = said[0]
    speaks = WORDS.finds("speaking", first.folded) or WORDS.finds("label", first.folded)
    if _KEYED.fullmatch(first.text) and not speaks and not first.text.rstrip().endswith((".", "。")):
        return True
    head = [line for line in said[:_HEAD] if line.weight <= _SHORT]
    if any(_PERSON.match(line.folded) for line in head[:_NEAR]):
        return True
    fields = sum(_FIELD.match(line.folded) is not None for line in head)
    return fields >= _SEVERAL or (fields == 1 and not speaks and _FIELD.match(said[1].folded) is not None)


def _minutes(said: Sequence[MessageLine]) -> bool:
    """Whether the first sentence names minutes, an agenda or a plan by kind and owner, and more text follows."""
    first = sentences_in(said[0])[:1]
    if not first:
        return False
    named, colon, _ = first[0].folded.replace("：", ":").partition(":")  # noqa: RUF001
    if len(said) == 1 and not colon and first[0].end >= said[0].end:
        return False
    match = GENRES.pattern("minutes").search(named)
    if match is None or first[0].asks:
        return False
    beside = named[: match.start()] + named[match.end() :]
    return len(beside) <= _BESIDE and not WORDS.finds("label", beside)
