"""Blocks: the parts of a Markdown file that we wrote, each ending with a check of its own text.

Two shapes. An *entry* is a heading, a `- id:` line and further `- key:` lines, closed by `- check: HEX`. A *section*
of a rewritten page stands between `<!-- memory:NAME -->` and `<!-- check: HEX -->`. Everything else in a file is the
person's.
Code fences are not looked at on purpose: a fence that somebody left open above must not hide our blocks.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

CHECK_LENGTH = 6

_HEADING = re.compile(rb"#{1,6}[ \t]")
_ID = re.compile(rb"- id:[ \t]*(\S.*?)[ \t]*$")
_KEY = re.compile(rb"- [a-z_]+:|[ \t]+- [a-z_]+:")
_CHECK = re.compile(rb"- check:[ \t]*([0-9a-f]*)[ \t]*$")
_OPEN = re.compile(rb"<!-- memory:([a-z0-9-]+) -->[ \t]*$")
_CLOSE = re.compile(rb"<!-- check: ([0-9a-f]*) -->[ \t]*$")
_NAME = re.compile(r"[a-z0-9-]+")
_MARK = re.compile(r"<!--(?= memory:| check:)")  # in a section's text it would end the section, or begin another


@dataclass(frozen=True)
class Line:
    """A line of a file: its bytes without the line end, and the offsets it spans, line end included."""

    body: bytes
    start: int
    end: int


@dataclass(frozen=True)
class Block:
    """A block as it stands in a file.

    `start` and `end` are byte offsets, the line end of the last line included. `line` counts from 1. `text` is the
    block without its check line, with LF line ends; `check` is what the file says, empty when there is none.
    """

    name: str
    start: int
    end: int
    line: int
    text: str
    check: str
    section: bool = False

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hex; the check is its beginning."""
        return digest(self.text)

    @property
    def intact(self) -> bool:
        """Whether nobody has changed it; a changed block has been adopted by a person."""
        return self.check == self.digest[:CHECK_LENGTH]


def digest(text: str) -> str:
    """SHA-256 of a block's text, in hex. Line ends do not count, so that an editor that changes them adopts nothing."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def seal_entry(text: str) -> str:
    """The whole block of an entry: `text` (no final newline) and its check line, with a final newline."""
    return f"{text}\n- check: {digest(text)[:CHECK_LENGTH]}\n"


def seal_section(name: str, text: str) -> str:
    """The whole block of a page's section, with a final newline.

    Raises:
        ValueError: the name is not of lower-case letters, digits and hyphens, so the block would not be found again.
    """
    if not _NAME.fullmatch(name):
        message = f"{name!r} cannot name a section: use lower-case letters, digits and hyphens"
        raise ValueError(message)
    body = f"<!-- memory:{name} -->\n{_MARK.sub('&lt;!--', text.strip())}"
    return f"{body}\n<!-- check: {digest(body)[:CHECK_LENGTH]} -->\n"


def split_lines(data: bytes) -> list[Line]:
    """The lines of a file; only LF and CRLF end a line."""
    lines, start = [], 0
    while start < len(data):
        found = data.find(b"\n", start)
        end = len(data) if found < 0 else found + 1
        lines.append(Line(data[start:end].removesuffix(b"\n").removesuffix(b"\r"), start, end))
        start = end
    return lines


def find_blocks(data: bytes) -> list[Block]:
    """All blocks of a file, intact or adopted, in their order. Never raises, whatever the bytes."""
    if b"- id:" not in data and b"<!-- memory:" not in data:
        return []
    lines = split_lines(data)
    return sorted([*_entries(lines), *_sections(lines)], key=lambda block: block.start)


def _entries(lines: list[Line]) -> Iterator[Block]:
    starts = [number for number, line in enumerate(lines) if _ID.match(line.body)]
    for position, at in enumerate(starts):
        stop = starts[position + 1] if position + 1 < len(starts) else len(lines)
        first = _heading_above(lines, at)
        last, check = _last_line(lines, at, stop)
        name = _ID.match(lines[at].body)
        yield _block(lines[first : last + 1], first, name.group(1) if name else b"", check)


def _heading_above(lines: list[Line], at: int) -> int:
    above = at - 1
    while above >= 0 and not lines[above].body.strip():
        above -= 1
    return above if above >= 0 and _HEADING.match(lines[above].body) else at


def _last_line(lines: list[Line], at: int, stop: int) -> tuple[int, str | None]:
    """The index of an entry's last line, and its check. A person's own lines inside the block belong to it."""
    last = at
    for number in range(at, stop):
        body = lines[number].body
        if check := _CHECK.match(body):
            return number, check.group(1).decode()
        if number > at and _HEADING.match(body):
            break
        if _KEY.match(body):
            last = number
    return last, None


def _sections(lines: list[Line]) -> Iterator[Block]:
    opened: tuple[int, bytes] | None = None
    for number, line in enumerate(lines):
        if found := _OPEN.match(line.body):
            opened = (number, found.group(1))
        elif opened and (closed := _CLOSE.match(line.body)):
            first, name = opened
            yield _block(lines[first : number + 1], first, name, closed.group(1).decode(), section=True)
            opened = None


def _block(lines: list[Line], first: int, name: bytes, check: str | None, *, section: bool = False) -> Block:
    body = lines if check is None else lines[:-1]
    text = "\n".join(line.body.decode(errors="replace") for line in body)
    return Block(
        name=name.decode(errors="replace"),
        start=lines[0].start,
        end=lines[-1].end,
        line=first + 1,
        text=text,
        check=check or "",
        section=section,
    )
