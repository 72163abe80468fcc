"""Markdown of the workspace as a person reads it: without the marks of our blocks, with signs for hidden characters."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from posixpath import join, normpath
from urllib.parse import quote, unquote

from markupsafe import Markup, escape

from pipeline.reports.entry_book import EntryTitle
from pipeline.workspace.layout import Layout
from schemas.entry import Kind

_MARK = re.compile(r"<!--m:([0-9a-f]+)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d+[.)])\s+(.*)")
_QUOTE = re.compile(r"\s{0,3}>\s?(.*)")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_RULE = re.compile(r"\s{0,3}([-*_])(?:\s*\1){2,}\s*")
_NAME = rf"(?:{'|'.join(kind.name for kind in Kind)})-\d{{8}}-[^\s\[\](){{}};,<>\"]+"
_INLINE = re.compile(
    r"(?P<tick>`{1,3})(?P<code>[^`]+)(?P=tick)|\*\*(?P<bold>[^*\s](?:[^*]*[^*\s])?)\*\*|\\(?P<plain>[!-/:-@\[-`{-~])"
    rf"|!?\[(?P<words>[^\[\]]*)\]\((?P<target>[^()\s]*)\)|(?P<entry>{_NAME})"
)
_ENTRY = re.compile(_NAME)
_INDENT = 2  # spaces of a level of a list
_DEEPEST = 4
_TOGETHER = ("item", "quote", "code", "fields", "text")
NO_TITLES: Mapping[str, EntryTitle] = {}
LONGEST = 5_000
"""Characters of a line that are shown."""


@dataclass(frozen=True)
class ReadLine:
    """A line of a file: a `heading` of a level, an `item` of a list, a `quote`, `code`, a `rule`, `fields` or `text`.

    `number` is that in the file, from 1. `entry` names the entry that our mark tells of.
    """

    sort: str
    text: str
    number: int
    level: int = 0
    entry: str = ""


def page_lines(text: str) -> Iterator[ReadLine]:
    """The lines of a file that say something; `fields` are those of front matter."""
    bare = without_comments(text).split("\n")
    marks = [_MARK.search(line) for line in text.split("\n")]
    matter, fence = bare[0].rstrip() == "---", ""
    for number, (line, mark) in enumerate(zip(bare, marks, strict=True), 1):
        words, opened = line.rstrip()[:LONGEST] + ("…" if len(line) > LONGEST else ""), _FENCE.match(line)
        if matter:
            if words != "---":
                yield ReadLine("fields", words, number)
            matter = words != "---" or number == 1
        elif fence:
            if opened and words.strip().startswith(fence):
                fence = ""
            else:
                yield ReadLine("code", words, number)
        elif opened:
            fence = opened[1]
        elif words.strip():
            yield _read_line(words, number, f"m-{mark[1]}" if mark else "")


def _read_line(words: str, number: int, entry: str) -> ReadLine:
    if heading := _HEADING.fullmatch(words):
        return ReadLine("heading", heading[2], number, len(heading[1]))
    if _RULE.fullmatch(words):
        return ReadLine("rule", "", number)
    if item := _ITEM.fullmatch(words):
        return ReadLine("item", item[2], number, min(len(item[1].expandtabs()) // _INDENT, _DEEPEST), entry)
    if quoted := _QUOTE.fullmatch(words):
        return ReadLine("quote", quoted[1], number)
    return ReadLine("text", words.strip(), number, entry=entry)


Leads = Callable[[str], str]
"""Gives the address of the target of a link; empty where it leads to nothing that is shown."""
Part = tuple[str, list[tuple[ReadLine, Markup]]]
"""What its lines are, and each line with its words."""


def group_lines(lines: Sequence[ReadLine], leads: Leads) -> list[Part]:
    """The lines in parts that stand together: a list, a quote, a paragraph; a heading and a rule stand alone.

    No heading is more than a level below the heading before it.
    """
    keys = [
        (line.sort, line.number - at if line.sort == "text" else 0 if line.sort in _TOGETHER else line.number)
        for at, line in enumerate(lines)
    ]
    parts, level = list[Part](), 0
    for (sort, _), group in groupby(zip(keys, lines, strict=True), itemgetter(0)):
        of_part = [line for _, line in group]
        if sort == "heading":
            level = min(of_part[0].level, level + 1)
            of_part = [replace(of_part[0], level=level)]
        parts.append((sort, [(line, inline(line.text, leads=leads)) for line in of_part]))
    return parts


def inline(text: str, titles: Mapping[str, EntryTitle] = NO_TITLES, leads: Leads = lambda _: "") -> Markup:
    """The text with its code, bold words and links; an entry with a title is named by it."""
    made, at = Markup(""), 0
    for match in _INLINE.finditer(text := visible(text)):
        made += escape(text[at : match.start()]) + _inline_part(match, titles, leads)
        at = match.end()
    return made + escape(text[at:])


def _inline_part(match: re.Match[str], titles: Mapping[str, EntryTitle], leads: Leads) -> Markup:
    if match["code"] is not None:
        return Markup("<code>{}</code>").format(match["code"].strip())
    if match["bold"] is not None:
        return Markup("<strong>{}</strong>").format(inline(match["bold"], titles, leads))
    if match["plain"] is not None:
        return escape(match["plain"])
    words = match["entry"] or match["words"]
    if not _ENTRY.fullmatch(words):
        address = leads(match["target"])
        return Markup('<a href="{}"><bdi>{}</bdi></a>').format(address, words) if address else escape(words)
    short = words if match["entry"] else "-".join(words.split("-")[:2])  # the words of the entry stand beside it
    title = titles.get(words)
    shown = visible(f"{title.words} ({title.day})") if title else short
    return Markup('<a href="/entries/{}" title="{}"><bdi>{}</bdi></a>').format(quote(words), words, shown)


def leads_from(path: str, layout: Layout) -> Leads:
    """The addresses of the targets of a file's links, as far as these are texts of the workspace."""

    def leads(target: str) -> str:
        place, _, anchor = target.partition("#")
        meant = normpath(join(path, "..", unquote(place))) if place else path
        shown = ":" not in place and layout.has_text(meant)
        return f"/files/{quote(meant)}{f'#{quote(anchor)}' if anchor else ''}" if shown else ""

    return leads


def without_comments(text: str) -> str:
    """The text without its comments, line by line."""
    pieces, at = list[str](), 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces += [text[at:start].rstrip(" \t"), "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*pieces, text[at:]])


_JOINED = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_TAGS = "\U000e0000-\U000e007f"
_STEERING = re.compile(
    # The flags of England and others: a black flag and tags. Other tags are invisible text.
    rf"(?P<flag>\N{{WAVING BLACK FLAG}}[{_TAGS}]{{2,8}})"
    # Controls, but for line ends and the tab; marks, overrides and isolates of direction; what has no width.
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    # Joiners belong into Persian, Hindi and emoji; between Latin letters they only make words look equal.
    rf"\ufff9-\ufffb{_TAGS}]|(?<![^\x00-\u024f])[{_JOINED}]"
)
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(0x20)} | {"\x7f": "\N{SYMBOL FOR DELETE}"}
"""Controls of a terminal, and the characters that picture them."""


def visible(text: str) -> str:
    """The text with visible signs for characters that steer the text around it; line ends and tabs stay."""
    return _STEERING.sub(lambda match: match[0] if match["flag"] else _visible_sign(match[0]), text)


def _visible_sign(character: str) -> str:
    return _PICTURES.get(character) or f"[U+{ord(character):04X}]"
