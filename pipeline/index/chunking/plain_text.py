"""The words of a piece of Markdown that are searched, without the parts that only machines read."""

import re
from collections.abc import Iterator

from pipeline.entries.reference import is_item_name
from pipeline.markdown.blocks import marked_names

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?)\)")
# What stands before the words of a line: `> `, `- [x] `, `12. `, `## `.
_BEFORE = re.compile(
    r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.MULTILINE)
_BOLD = re.compile(r"\*\*|`+")
_TAG = re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>]*)?>")
# Names: of an entry, `DEC-20260302-ab12cd34`; of a fact, `f-1f7e039a`; of its line in the bank; in a link.
_ID = re.compile(r"(?<![\w-])[A-Z]+-[0-9]{8}-[\w-]+")
_FACT = re.compile(r"f-[0-9a-f]{8}(?:[0-9a-f]{4}|[0-9a-f]{8})?")
_LINE_OF_FACT = re.compile(rf"({_FACT.pattern})(?:-[0-9a-f]{{12}})?")
_IN_AN_ID = re.compile(r"-[0-9]{8}-")
_NAMED = re.compile(r"\[([^\s\[\]]+)\]\(")
_DAY = re.compile(r"[A-Z]+-[0-9]{8}|\d{4}-\d\d-\d\d")
_LABELLED_ID = re.compile(r"\[(?:[A-Z]+-[0-9]{8}-[\w-]+|[^\s\[\]]+(?=\]\())\](?:\((?:<[^<>\n]*>|[^()\s]*)\))?")
# The sources and sums in items of our pages: `, session s-1, messages 3-4, owner`, `session s-1, messages 3`,
# `, 2026-03-02, confidence 0.80, said on 2 days`, `([2026-03-02](a.md)) <!--`, and a line `  score 0.72`.
_MACHINE = re.compile(
    r", session \S+, messages? [0-9]+(?:-[0-9]+)?, (?:owner(?: asked)?|accepted|agent)(?:; [a-z]+: f-[0-9a-f, f-]+)*"
    r"|\bsession (?:`[^`\n]*`|\S+), messages? [0-9]+(?:-[0-9]+)?(?:, [0-9]+(?:-[0-9]+)?)*"
    r"|, \d{4}-\d\d-\d\d, confidence [01]\.\d\d(?:, said on \d+ days)?"
    r"|[ \t]*\(\[\d{4}-\d\d-\d\d\]\([^()\s]*\)\)(?=[ \t]*<!--)"
    r"|^[ \t]+score [01]\.\d\d(?::.*)?$",
    re.MULTILINE,
)
_EMPTY = re.compile(r"\([\s;,]*\)|[\s;,]+(?=\))")
_LABEL = re.compile(r"([^\W\d_][^:\uff1a\n]{0,39}?)[ \t]*(?::(?=\s|\Z)|\uff1a)")  # the full-width colon too
_LABEL_WORDS = 4


def plain_words(text: str) -> str:
    """The words of some lines of Markdown, without marks, comments and the targets of links that have a text."""
    if "-->" in text:
        text = without_comments(text)
    words = _LINK.sub(r"\1", text) if "](" in text else text
    words = _BEFORE.sub("", words)
    if "`" in words or "**" in words:
        words = _BOLD.sub("", words)
    return _tidy(words) or _text_with_letters(text)


def of_code(text: str) -> str:
    """The words of a code block: all but its fences."""
    return _tidy(_FENCE.sub("", text))


def of_html(text: str) -> str:
    """The words of an HTML block: all but comments and tags."""
    seen = without_comments(text)
    return _tidy(_TAG.sub(" ", seen)) or _text_with_letters(seen)


def of_item(text: str) -> str:
    """The words of an item of our pages: without ids, and without where it was said."""
    bare = _EMPTY.sub("", _MACHINE.sub("", _LABELLED_ID.sub("", text)))
    return plain_words(bare).replace(" :", ":", 1) or plain_words(text)


def of_heading(text: str) -> str:
    """The words of a heading, of either sort, on one line."""
    *above, last = text.rstrip().split("\n")
    if above and not last.strip(" \t=-"):
        text = "\n".join(above)
    elif (bare := last.rstrip("#")).endswith((" ", "\t")):
        text = "\n".join([*above, bare])
    words = " ".join(plain_words(text).split())
    return words if words.strip("#") else ""


def is_fact_name(name: str) -> bool:
    """Whether a name has the form of that of a fact."""
    return _FACT.fullmatch(name) is not None


def without_comments(text: str) -> str:
    """The text without its comments; an unclosed one is none."""
    end = text.rfind("-->") + 3
    return _COMMENT.sub("", text[:end]) + text[end:] if end > 2 else text  # noqa: PLR2004 - the length of the mark


def is_ours(text: str) -> bool:
    """Whether the text contains an item of our pages."""
    return bool(marked_names(text))


def entry_names(text: str) -> Iterator[str]:
    """The names of entries in the text; in an item of ours that of its entry or its fact, and whatever it links."""
    marked = marked_names(text)
    yield from filter(is_item_name, marked)
    # A page of the bank names the item of a fact by its id, the page and the section.
    yield from (match[1] for match in map(_LINE_OF_FACT.fullmatch, marked) if match)
    if "](" in text and marked:
        yield from (name for name in _NAMED.findall(text) if not _DAY.fullmatch(name))
    if _IN_AN_ID.search(text):
        yield from _ID.findall(text)


def label(words: str) -> str:
    """The label that the words begin with, before a colon; empty without a short one."""
    match = _LABEL.match(words)
    return match.group(1) if match and len(match.group(1).split()) <= _LABEL_WORDS else ""


def _text_with_letters(text: str) -> str:
    """The text as it is, when it has a letter, so that no readable text is left out; else empty."""
    return text.strip() if any(map(str.isalnum, text)) else ""


def _tidy(text: str) -> str:
    return "\n".join(filter(None, map(str.strip, text.split("\n")))) if "\n" in text else text.strip()
