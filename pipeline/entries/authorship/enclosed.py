"""Text between marks: fences, triple quotes, tags, comments, `begin` and `end`, long quotations.

When marks are not in pairs, one of them belongs to the text, and it is not known which: everything from the first on is
foreign.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator, Sequence

from pipeline.entries.authorship.cues import WORDS
from pipeline.entries.authorship.lines import HIDDEN, MessageLine, Stretch, cover_stretches, lines_of
from pipeline.language.lexicon import cues
from pipeline.language.text import weight

_FENCE = re.compile(r"`{3,}|^[ \t>]*(~{3,})", re.MULTILINE)
_RICH = re.compile(r"```[ \t]*PLAIN_TEXT\b", re.IGNORECASE)  # so a copy of rich text names its fences
_INFO = re.compile(r"[ \t]*[\w+.#-]")
_TRIPLE = re.compile("\"{3}|'{3}|“{3}|”{3}")
_COMMENT = re.compile(r"<!--|-->")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]{0,40})(?:\s[^<>\n]{0,300})?/?>")
_HTML = frozenset(
    cues(
        "html; head; body; div; p; span; h1; h2; h3; h4; h5; h6; ul; ol; li; table; tr; td; th; a; script; style",
        "section; article",
    )
)
_RULE = re.compile(r"[ \t]*([-=*_~#+<>])\1{2,}[ \t]*")
_KEY = re.compile(r"[\w-]{1,40}:(?: .*)?")  # of front matter
_FRAMED = r"[ \t]*(?:[-=*_~#<>]{2,}|[\[【(（<])[ \t]*(?:\w+ ){0,2}{}.{0,60}"
_QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』\n]+)[\"”“»」』]|(?<!`)`([^`\n]+)`(?!`)")
_OPENED = re.compile(r"^[ \t]*[\"“„«「『](?=\S)(?=[^\"“”„«»「」『』\n]*$)", re.MULTILINE)
_CLOSED = re.compile(r"[\"”“»」』][ \t.!?。！？]*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]{1,600})\][(\[][^()\[\]\n]{0,400}[)\]]")
_LONG = 60  # in Latin letters; a quotation of this length is another's words, a shorter one a name or a term
_TITLE = 30  # in Latin letters; what is longer is no title or name, if it is a link, a sentence or opens a line
_BEFORE = 40  # characters before a quotation that may name its speaker
_LINE = 100  # characters of a line that announces a beginning or an end
_SAID = 12  # in Latin letters


def enclosed_stretches(text: str) -> list[Stretch]:
    """The stretches of the text that marks set apart."""
    stretches: list[Stretch] = []
    for part in (fences, _triples, _comments, _tags, _framed_stretches, _ruled_stretches):
        stretches += part(cover_stretches(text, stretches, HIDDEN))
    rest = cover_stretches(text, stretches, HIDDEN)
    links = (match.span() for match in _LINK.finditer(rest) if weight(match.group(1)) > _TITLE)
    return [*stretches, *_quotations(rest), *links]


def is_rich(text: str) -> bool:
    """Whether a fence has the name that a copy of rich text gives it."""
    return _RICH.search(text) is not None


def fences(text: str) -> list[Stretch]:
    """Fenced blocks; a fence with a language inside another opens one of its own.

    What stands between two fences of rich text is of the same copy.
    """
    marks = [(match.start(), match.end(), (match.group(1) or match.group())) for match in _FENCE.finditer(text)]
    stretches: list[Stretch] = []
    opened: list[tuple[int, str]] = []
    for start, end, mark in marks:
        named = _INFO.match(text, end) is not None
        closes = bool(opened) and mark[0] == opened[-1][1][0] and len(mark) >= len(opened[-1][1]) and not named
        if closes:
            first, _ = opened.pop()
            if not opened:
                stretches.append((first, end))
        elif not opened or (named and mark[0] == opened[-1][1][0]):
            opened.append((start, mark))
    if opened:
        return [(stretches[0][0] if stretches else opened[0][0], len(text))]
    rich = [stretch for stretch in stretches if _RICH.match(text, stretch[0])]
    return [*stretches, (rich[0][0], rich[-1][1])] if rich else stretches


def _triples(text: str) -> list[Stretch]:
    places = [(match.start(), match.end()) for match in _TRIPLE.finditer(text)]
    if len(places) % 2:
        return [(places[0][0], len(text))]
    return [(start, end) for (start, _), (_, end) in zip(places[::2], places[1::2], strict=True)]


def _comments(text: str) -> list[Stretch]:
    marks = list(_COMMENT.finditer(text))
    first = next((mark.start() for mark in marks if mark.group() == "<!--"), None)
    if first is None:
        return []
    last = marks[-1]
    return [(first, last.end() if last.group() == "-->" else len(text))]


def _tags(text: str) -> list[Stretch]:
    """From the first mark of a tag to its last; a closing mark without an opening one ends the text before it.

    An HTML tag without a closing one opens a page.
    """
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    stretches: list[Stretch] = []
    for match in _TAG.finditer(text):
        name = match.group(2).lower()
        if match.group(1):
            last[name] = match.end()
        elif name in _HTML or not match.group().endswith("/>"):
            first.setdefault(name, match.start())
    stretches += [(0, end) for name, end in last.items() if name not in first]
    for name, start in first.items():
        if last.get(name, 0) > start:
            stretches.append((start, last[name]))
        elif name in _HTML:
            stretches.append((start, len(text)))
    return stretches


def _framed_stretches(text: str) -> list[Stretch]:
    """From a line such as `--- begin ---` to the last such as `--- end ---`."""
    lines = lines_of(text)
    begin = WORDS.pattern("begin", _FRAMED)
    end = WORDS.pattern("end", _FRAMED)
    first = next((line for line in lines if len(line.text) < _LINE and begin.match(line.folded)), None)
    if first is None:
        return []
    last = [line for line in lines if line.start > first.start and len(line.text) < _LINE and end.match(line.folded)]
    return [(first.start, last[-1].end if last else len(text))]


def _ruled_stretches(text: str) -> list[Stretch]:
    """From the first ruler to the last; to the end where there is one only, or where they underline or open a page."""
    lines = lines_of(text)
    rulers = [place for place, line in enumerate(lines) if _RULE.fullmatch(line.text)]
    if not rulers:
        return []
    first = rulers[0]
    underlines = any(_underlines(lines, place) for place in rulers)
    keyed = first + 1 < len(lines) and _KEY.fullmatch(lines[first + 1].text) is not None
    if underlines or keyed or len(rulers) == 1:
        return [(lines[first].start, len(text))]
    return [(lines[first].start, lines[rulers[-1]].end)]


def _underlines(lines: Sequence[MessageLine], place: int) -> bool:
    """Whether the ruler stands below a heading: text just above it, nothing just below."""
    above = place > 0 and not lines[place - 1].blank
    return above and (place + 1 == len(lines) or lines[place + 1].blank)


def _quotations(text: str) -> Iterator[Stretch]:
    """Quotations that are long, or whose speaker is named before them; those over several lines."""
    for match in _QUOTED.finditer(text):
        size = weight(match.group())
        whole = size > _TITLE and (match.group()[-2] in ".!。！" or _begins_line(text, match.start()))
        if size > _LONG or whole or (size > _SAID and _is_introduced(text, match.start())):
            yield match.span()
    opening = _OPENED.search(text)
    if opening:
        closing = _CLOSED.search(text, opening.end())
        yield opening.start(), closing.end() if closing else len(text)


def long_quotations(text: str) -> Iterator[Stretch]:
    """Quotations so long that they are another's words, with or without a speaker."""
    return (match.span() for match in _QUOTED.finditer(text) if weight(match.group()) > _LONG)


def _begins_line(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _is_introduced(text: str, start: int) -> bool:
    before = lines_of(text[max(0, start - _BEFORE) : start])[-1].folded
    said = WORDS.pattern("own_saying").sub(" ", before)
    return WORDS.finds("says", said) or WORDS.finds("bot", said)


def closing_lines(lines: Sequence[MessageLine]) -> set[int]:
    """The indices of lines that end a pasted text: `--- end ---`, `(koniec)`."""
    end = WORDS.pattern("end", r"[ \t]*[-=*_~#<\[\]【(（|]+[ \t]*{}[^\w]*")
    return {place for place, line in enumerate(lines) if len(line.text) < _LINE and end.fullmatch(line.folded)}
