"""Documents: personas and skills, pages with headings, and pastes that only their layout shows."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Sequence

from pipeline.entries.authorship.lines import WORDS, MessageLine
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


def laid_out(text: str) -> bool:
    """Whether a text looks like a pasted page: long, or with a layout that no person types."""
    unlabelled = "\n".join(line for line in text.split("\n") if not _EMPHASISED_LABEL.match(line.lower()))
    marks = sum(pattern.search(unlabelled) is not None for pattern in _MARKS)
    size = weight(text)
    return marks >= _FEW or (marks > 0 and size > _LARGE) or size > _PAGE
