"""From a file's bytes to its passages. Nothing here raises but `NotText`, whatever the file holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pipeline.index.chunking.passages import Cutter, Recorded, RetainedFact, find_entries, find_facts
from pipeline.index.document import IndexedFile, Passage
from pipeline.markdown.encoding import readable_text
from pipeline.markdown.front_matter import front_lines, yaml_fields
from pipeline.workspace.layout import LOW, RAW, FileRole
from pipeline.workspace.listing import Listed

_DAY = re.compile(r"(?<!\d)(\d{4})(?:-(\d{2})-(\d{2})|(\d{2})(\d{2})|\u5e74(\d{1,2})\u6708(\d{1,2})\u65e5)(?!\d)")
_WEEK = re.compile(r"(?<!\d)(\d{4})-?W(\d{2})(?!\d)")
_MONTH = re.compile(r"(?<!\d)(\d{4})-(\d{2})(?!-?\d)")
_EARLIEST, _LATEST = 1900, 2199
_SUNDAY = 7


def day_in(text: str) -> date | None:
    """The first day in a text, or the Sunday of the first ISO week, or the first day of the first month.

    `None` when there is none of these.
    """
    for match in _DAY.finditer(text):
        year, *rest = (int(part) for part in match.groups() if part)
        if day := _parsed_day(year, rest[0], rest[1]):
            return day
    for match in _WEEK.finditer(text):
        if day := _sunday_of_week(int(match.group(1)), int(match.group(2))):
            return day
    for match in _MONTH.finditer(text):
        if day := _parsed_day(int(match.group(1)), int(match.group(2)), 1):
            return day
    return None


def _parsed_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if _EARLIEST <= year <= _LATEST else None
    except ValueError:
        return None


def _sunday_of_week(year: int, week: int) -> date | None:
    try:
        return date.fromisocalendar(year, week, _SUNDAY) if _EARLIEST <= year <= _LATEST else None
    except ValueError:
        return None


_CHECK = re.compile(r"check:[ \t]*[0-9a-f]{6}[ \t]*$")
_TITLES = ("title", "aliases", "tags", "keywords")
_WORD = 200


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`lines` is how many it takes, its fences included; `titles` what it says of the whole file."""

    lines: int = 0
    titles: tuple[str, ...] = ()
    day: date | None = None


def front_matter(lines: Sequence[str]) -> FrontMatter:
    """The front matter of a file; an empty one where there is none."""
    inner = front_lines(lines)
    if not inner:
        return FrontMatter()
    size = len(inner) + 2  # and the fences
    if _CHECK.match(inner[-1]):  # ours: it names nothing but counts
        return FrontMatter(size)
    header = yaml_fields("\n".join(inner))
    if header is None:
        return FrontMatter()
    titles = list[str]()
    for value in map(header.get, _TITLES):
        texts = (title for title in (value if isinstance(value, list) else [value]) if isinstance(title, str))
        titles.append(" ".join(" ".join(texts).split())[:_WORD])
    return FrontMatter(size, tuple(filter(None, titles)), _day_of_header(header))


def _day_of_header(header: dict[object, object]) -> date | None:
    value = header.get("date")
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else day_in(value) if isinstance(value, str) else None


_HOOK_TITLE = re.compile(r"# Session:")
_HOOK_KEY = re.compile(r"- \*\*Session (?:Key|ID)\*\*:")
_ROLE = re.compile(r"(?:user|assistant|system|tool|toolresult|human|owner|agent|model|developer)[ \t]*:", re.IGNORECASE)
_SPEAKER = re.compile(r"[^\W\d_][^:\n]{0,29}:[ \t]")
_TOP = 12  # lines in which a hook's file says what it is


def is_hook(lines: Sequence[str]) -> bool:
    """Whether an agent's hook wrote the file: a heading `# Session: ...`, the session's key, then its last messages."""
    top = [line for line in lines[:_TOP] if line.strip()]
    return bool(top) and bool(_HOOK_TITLE.match(top[0])) and any(map(_HOOK_KEY.match, top))


def first_turn(lines: Sequence[str]) -> int:
    """The line of a hook's file at which its messages begin, counted from 0; the number of lines when there is none."""
    return next((at for at, line in enumerate(lines) if _ROLE.match(line)), len(lines))


def turns(lines: Sequence[str], start: int) -> Iterator[tuple[int, int]]:
    """The first and last line of each message from the line `start` on."""
    first = start
    for at in range(start + 1, len(lines) + 1):
        if at == len(lines) or _ROLE.match(lines[at]):
            last = at - 1
            while last >= first and not lines[last].strip():
                last -= 1
            if last >= first:
                yield first, last
            first = at


def paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first and last line of each paragraph; one in which most lines begin with a speaker is cut line by line."""
    first = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or not lines[at].strip():
            if at > first:
                yield from _split_by_speaker(lines, first, at - 1)
            first = at + 1


def _split_by_speaker(lines: Sequence[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    spoken = [at for at in range(first, last + 1) if _SPEAKER.match(lines[at])]
    if spoken[:1] != [first] or 2 * len(spoken) <= last - first:
        yield first, last
        return
    yield from zip(spoken, [*(at - 1 for at in spoken[1:]), last], strict=True)


VERSION: Final = 8
"""Raised when the passages of some file change; a part of the index's identity."""


def read_document(listed: Listed, data: bytes, where: FileRole) -> IndexedFile:
    """The document of a file. `data` are its bytes, `where` is its role.

    Lines end with LF or CRLF, as everywhere in our reading of a page; a lone CR, a form feed or U+2028 ends none.

    Raises:
        NotText: it holds what no text has.
    """
    text = readable_text(data)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    front = front_matter(lines)
    cutter = Cutter(lines, front.titles)
    if is_hook(lines):
        where = FileRole(where.tier, RAW, LOW, where.agent)
        begin = first_turn(lines)
        cutter.add_markdown(0, begin)
        for first, last in turns(lines, begin):
            cutter.add_text(first, last)
    elif where.kind == RAW:
        for first, last in paragraphs(lines):
            cutter.add_text(first, last)
    else:
        _cut_markdown(cutter, data if b"\0" not in data else text.encode(), front.lines, listed.path)
    passages = cutter.finish()
    if not passages and front.titles:  # a file with front matter alone is found by its titles
        passages = [Passage(1, front.lines, "\n".join(lines[: front.lines]), "\n".join(front.titles))]
    return IndexedFile(
        path=listed.path,
        tier=listed.tier,
        kind=where.kind,
        trust=where.trust,
        day=day_in(listed.path.rpartition("/")[2]) or front.day or day_in(cutter.first_heading),
        agent=where.agent,
        passages=tuple(passages),
    )


def _cut_markdown(cutter: Cutter, data: bytes, start: int, path: str) -> None:
    at = start
    blocks: list[Recorded | RetainedFact] = [*find_entries(data)]
    # Facts are those of the workspace; they are not looked for in `index.extra_paths`.
    if b"retain" in data.lower() and ":" not in path.partition("/")[0]:
        blocks += find_facts(data, path, cutter.lines)
    for block in sorted(blocks, key=lambda block: block.first):
        if block.first < at:
            continue
        cutter.add_markdown(at, block.first)
        if isinstance(block, Recorded):
            cutter.add_entry(block)
        else:
            cutter.add_fact(block)
        at = block.last + 1
    cutter.add_markdown(at, len(cutter.lines))
