"""Documents: personas and skills, pages with headings, and pastes that only their layout shows.

Texts under a title are recipes, care sheets, house rules and advertisements: a title opens them, and nothing marks
them. Records are tickets with their fields, minutes and agendas, and chats in which names stand alone.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from pipeline.entries.authorship.cues import GENRES, WORDS, PastedGenre
from pipeline.entries.authorship.lines import MessageLine, Stretch, lines_of
from pipeline.entries.authorship.requests import sentences_in
from pipeline.language.text import weight

_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+\S")
_FILE = re.compile(r"\W{0,8}[\w./-]{1,60}\.(?:md|mdc|txt|rst|py|js|ts|json|ya?ml|toml|html?|docx?|pdf)\W{0,8}")
_PROVISION = re.compile(
    r"\s*(?:§ ?\d|(?:Art(?:icle|\.|ykuł)|Section|Clause|Paragraf) ?(?:\d{1,3}|[IVX]+)[.:)]"
    r"|第[一二三四五六七八九十\d]{1,3}[条款])",
    re.IGNORECASE,
)
_MENU = re.compile(r"[^|\n]{1,40}(?:\|[^|\n]{1,40}){2,}|.{0,80}[©®]")
_FIELD = re.compile(r"(?:name|title|description|author|date|tags|model|tools|version|layout|slug|globs): \S")
_PERSONA = WORDS.pattern("persona", r"[\s>*_#\-]{0,12}{}")
_MARKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"\\[-_*{}\[\]#.()~>|+]",  # escaped Markdown
        r"\n[ \t]{0,8}\n[ \t]{0,8}\n",  # two blank lines
        r"\[[^\[\]\n]{1,80}\]\(https?://[^()\n]{1,200}\)",
        r"^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])?[ \t]{0,8}\*\*[^*\n]{2,80}\*\*",
        r"^[ \t]{0,8}[•▪◦●■✅❌🔹🔸👉➡⚠📌]",
        r"^[ \t]{0,8}[一二三四五六七八九十]{1,2}、",
        r"^[ \t]{0,8}\d{1,2}\.\d{1,2}\.? ",
    )
)
# Marks of a list, a heading or a ruler that were escaped when rich text was pasted. Nobody types them.
_ESCAPED = re.compile(
    r"^[ \t]{0,8}(?:\\(?:[-+>]|\*|#{1,6})[ \t]|\\[*#]\\[*#]|\\[-*#][-*#\\]{1,9}[ \t]{0,8}$|\d{1,2}\\\.[ \t])",
    re.MULTILINE,
)
_ESCAPE = re.compile(r"\\[_{}\[\]*`]")
_ESCAPES = 4  # in a text: rich text, and no path or pattern
_HEADS = re.compile(r"\s*(?:\\#|\\\*\\\*|\*\*[^*\n]{1,80}\*\*[\s:：]*$)")  # a heading that has its text below
_SPACED = re.compile(r"\n(?:[ \t]{0,8}\n){2}(?!\s{0,40}\Z)")  # two blank lines, and something below
_RHYTHM = 2  # such places: a page, and not a pause
_EMPHASISED_LABEL = WORDS.pattern("label", r"[\W_]*{}[\W_]*[:：]")
_FEW = 2  # kinds of marks
_LARGE = 900  # in Latin letters, with a mark
_PAGE = 2500  # in Latin letters: hardly anybody types as much into a chat


def opens_document(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether a document begins at the line: a heading, a persona, a file's name above its text."""
    line = lines[place]
    if any(pattern.match(line.text) for pattern in (_HEADING, _PROVISION, _MENU)) or _PERSONA.match(line.folded[:200]):
        return True
    if all(_FIELD.match(field_line.folded) for field_line in lines[place : place + 2]) and place + 1 < len(lines):
        return True
    return _FILE.fullmatch(line.text) is not None and any(not below.blank for below in lines[place + 1 :])


def laid_out(text: str, shown: str, *, rich: bool) -> bool:
    """Whether a text looks like a pasted page: long, or with a layout that no person types.

    It is what is left of the message in `shown`, without what is known to be foreign. `rich` says that the name of a
    fence tells rich text.
    """
    unlabelled = "\n".join(line for line in text.split("\n") if not _EMPHASISED_LABEL.match(line.lower()))
    marks = sum(pattern.search(unlabelled) is not None for pattern in _MARKS) + rich
    size = weight(text)
    spaced = _SPACED.search(unlabelled) is not None and len(_SPACED.findall(shown)) >= _RHYTHM
    escaped = _ESCAPED.search(unlabelled) is not None or len(_ESCAPE.findall(unlabelled)) >= _ESCAPES
    return spaced or escaped or marks >= _FEW or (marks > 0 and size > _LARGE) or size > _PAGE


def page(text: str) -> Stretch:
    """The stretch of a text that looks like a pasted page: all of it but a line that was typed above or below it."""
    groups = [(blank, [*lines]) for blank, lines in groupby(lines_of(text), key=lambda line: line.blank)]
    paragraphs = [lines for blank, lines in groups if not blank]
    gaps = [len(lines) for blank, lines in groups[1:-1] if blank]  # between paragraphs
    start, end = 0, len(text)
    if gaps and _is_typed(paragraphs[0], gaps[0], gaps[1:]):
        start = paragraphs[1][0].start
    if gaps and not _HEADS.match(paragraphs[-2][-1].text) and _is_typed(paragraphs[-1], gaps[-1], gaps[:-1]):
        end = paragraphs[-2][-1].end
    return (start, end) if start < end else (0, len(text))


def _is_typed(paragraph: Sequence[MessageLine], gap: int, others: Sequence[int]) -> bool:
    """Whether the first or the last paragraph was typed beside a page.

    It is one line without a mark. It is nearer to the page than the page's paragraphs are to each other, or it is not
    in their distance and says what holds from now on, or the owner decides in it.
    """
    line = paragraph[0]
    if len(paragraph) > 1 or line.text.rstrip().endswith((":", "：")) or any(mark.search(line.text) for mark in _MARKS):
        return False
    nearer = gap == 1 and all(other > 1 for other in others)
    lasting = WORDS.finds("lasting", line.folded)
    return WORDS.opens("returning", line.folded) or (nearer and (bool(others) or lasting))


_TITLE = 60  # in Latin letters
_ENDED = re.compile(r"[.,;:!?。，；：！？…]\s*$")
_ITEM = r"[\s\-*•]{0,6}"
_CAPITAL = re.compile(r"\W*(?:[^\W\d_a-z]|\d+\W)")
_LABELLED = WORDS.pattern("label", r"\W*{}[^:：]{0,30}[:：]")
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
    quantities = [line for line in below if line.weight <= _QUANTITY and _MEASURE.match(line.folded)]
    if len(quantities) >= _LINES:
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


def _address(folded: str) -> int:
    """The certainty with which a sentence addresses its reader: manual work, an offer, or a mere imperative."""
    return max((points for name, points in _WEIGHTS.items() if GENRES.opens(name, folded)), default=0)


_KEYED = re.compile(
    r"\s*\[?(?:[A-Z][A-Z0-9]{1,9}-\d{1,6}|(?:[^\W\d_]{2,12} )?#\d{1,6})\]?(?:\s*|[:：.\s-]{1,4}\S.{2,})"
)
_BEFORE_FIELD = r"[\s>*_\-•]{0,6}"
_TICKET_FIELD = GENRES.pattern("field", _BEFORE_FIELD + r"{}[*_ ]{0,3}[:：]")
_PERSON = GENRES.pattern("person", _BEFORE_FIELD + r"{}(?:[*_ ]{0,3}[:：]|(?<=by)\s|(?<=przez)\s)\s*\S")
_NAME = re.compile(r"\s*(?:[A-ZÀ-ŽŁŚŻŹĆ][^\W\d_]{1,15}(?: [A-ZÀ-ŽŁŚŻŹĆ][^\W\d_]{0,15}\.?)?|[\u4e00-\u9fff]{2,4})\s*")
_HEAD = 6  # lines at the beginning of a message that may be fields
_NEAR = 4  # of them, lines that may name the author
_SHORT = 100  # in Latin letters, of a line with a field or that names minutes
_FEWEST = 2  # fields that nothing stands above; times that a name stands alone
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
    return len(again) >= _FEWEST and again[-1] + 1 < len(said) and bool(others)


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
    fields = sum(_TICKET_FIELD.match(line.folded) is not None for line in head)
    return fields >= _FEWEST or (fields == 1 and not speaks and _TICKET_FIELD.match(said[1].folded) is not None)


def _minutes(said: Sequence[MessageLine]) -> bool:
    """Whether the first sentence names minutes, an agenda or a plan by kind and owner, and more text follows."""
    first = sentences_in(said[0])[:1]
    if not first:
        return False
    named, colon, _ = first[0].folded.replace("：", ":").partition(":")
    if len(said) == 1 and not colon and first[0].end >= said[0].end:
        return False
    match = GENRES.pattern("minutes").search(named)
    if match is None or first[0].asks:
        return False
    beside = named[: match.start()] + named[match.end() :]
    return len(beside) <= _BESIDE and not WORDS.finds("label", beside)
