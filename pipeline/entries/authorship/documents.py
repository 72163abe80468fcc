"""Documents: personas and skills, pages with headings, and pastes that only their layout shows."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence
from itertools import groupby

from pipeline.entries.authorship.cues import WORDS
from pipeline.entries.authorship.lines import MessageLine, Stretch, lines_of
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
    groups = groups[groups[0][0] : len(groups) - groups[-1][0]]
    gaps = [len(lines) for blank, lines in groups if blank]
    paragraphs = [lines for blank, lines in groups if not blank]
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
