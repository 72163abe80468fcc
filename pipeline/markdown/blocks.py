"""Blocks: the parts of a Markdown file that we wrote, each ending with a check of its own text.

Two shapes. An *entry* is a heading, a `- id:` line and further `- key:` lines, closed by `- check: HEX`. An *item* of a
rewritten page is a heading, a paragraph of one line, or a list item with the lines indented under it, and ends with its
mark: `<!-- memory:NAME check:HEX -->`, or `<!--m:HASH HEX-->` where the name is a letter and a hash, as in `MEMORY.md`
(earlier versions wrote these long too; both are read). A page's front matter is an item too, which ends with a line
`check: HEX`. Everything else in a file is the person's.
Code fences are not looked at on purpose: a fence that somebody left open above must not hide our blocks.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice

CHECK_LENGTH = 6
FRONT_MATTER = "front-matter"
"""The name of the item that is a page's YAML."""
PIN = " (pinned)"
"""Stands behind a list item that a person has pinned."""
PAGE_NOTE = "about"
"""The name of the item that explains a page to its reader."""

_HEADING = re.compile(rb"#{1,6}[ \t]")
_ID = re.compile(rb"- id:[ \t]*(\S.*?)[ \t]*$")
_KEY = re.compile(rb"- [a-z_]+:|[ \t]+- [a-z_]+:")
_CHECK = re.compile(rb"- check:[ \t]*([0-9a-f]*)[ \t]*$")
_HASHED = r"[0-9a-f]{8}(?:[0-9a-f]{8})?"
_MARK = re.compile(
    rb"[ \t]*<!--(?: memory:(?P<name>[a-z0-9-]+) check:(?P<check>[0-9a-f]*) "
    rb"|(?P<letter>[a-z]):(?P<hash>" + _HASHED.encode() + rb") (?P<short>[0-9a-f]*))-->"
)
_INDENTED = re.compile(rb"[ \t]+\S")
_FENCE = b"---"
_FRONT_CHECK = re.compile(rb"check:[ \t]*([0-9a-f]*)[ \t]*$")
_NAME = re.compile(r"[a-z0-9-]+")
_SHORT_NAME = re.compile(rf"([a-z])-({_HASHED})")
_FORGED = re.compile(r"<!--(?= memory:|[a-z]:[0-9a-f])")  # in an item's text it would be taken for its mark
_ENTRY_ID = re.compile(r"(?<=- id):")  # at the beginning of an item it would be taken for an entry


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its bytes without the line end, and the offsets it spans, line end included."""

    body: bytes
    start: int
    end: int


@dataclass(frozen=True)
class Block:
    """A block at its place in a file.

    `start` and `end` are byte offsets, the line end of the last line included. `line` counts from 1. `text` is the
    block without its check, with LF line ends; `check` is the one in the file, empty when there is none.
    """

    name: str
    start: int
    end: int
    line: int
    text: str
    check: str
    item: bool = False

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text, in hex; the check is its beginning."""
        return digest(self.text)

    @property
    def intact(self) -> bool:
        """Whether the block is unchanged; a changed block has been adopted by a person."""
        return self.check == self.digest[:CHECK_LENGTH]

    @property
    def is_pinned(self) -> bool:
        """Whether it differs from how we wrote it by the word behind a pinned line alone."""
        return self.text.endswith(PIN) and digest(self.text.removesuffix(PIN))[:CHECK_LENGTH] == self.check


def digest(text: str) -> str:
    """SHA-256 of a block's text, in hex. Line ends do not count, so that an editor that changes them adopts nothing."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def seal_entry(text: str) -> str:
    """The whole block of an entry: `text` (no final newline) and its check line, with a final newline."""
    return f"{text}\n- check: {digest(text)[:CHECK_LENGTH]}\n"


def seal_item(name: str, text: str) -> str:
    """The whole block of a page's item, with a final newline.

    Raises:
        ValueError: the name is not of lower-case letters, digits and hyphens, so the item would not be found again.
    """
    if not _NAME.fullmatch(name):
        message = f"{name!r} cannot name an item: use lower-case letters, digits and hyphens"
        raise ValueError(message)
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()] or ["-"]
    if name == FRONT_MATTER:
        body = _FORGED.sub("&lt;!--", "\n".join(lines))
        return f"---\n{body}\ncheck: {digest(body)[:CHECK_LENGTH]}\n---\n"
    first, *more = lines
    if first.startswith("- "):
        body = "\n".join([_ENTRY_ID.sub("\\\\:", first, count=1) if first.startswith("- id:") else first,
                          *(f"  {line.strip()}" for line in more)])  # fmt: skip
    else:
        body = " ".join([first.lstrip(), *(line.strip() for line in more)])
    body = _FORGED.sub("&lt;!--", body)
    check, short = digest(body)[:CHECK_LENGTH], _SHORT_NAME.fullmatch(name)
    mark = f"<!--{short[1]}:{short[2]} {check}-->" if short else f"<!-- memory:{name} check:{check} -->"
    return f"{body} {mark}\n"


def with_pin(line: bytes, *, pinned: bool) -> bytes:
    """A list item as a file has it, with the word behind a pinned one, or without it."""
    words, begin, mark = line.rpartition(b"<!--")
    bare, pin = words.rstrip(b" \t").removesuffix(PIN.encode()), PIN if pinned else ""
    return bare + f"{pin} ".encode() + begin + mark


def marked_names(text: str) -> list[str]:
    """The names in all marks of items in a text, in their order."""
    if "<!--" not in text:
        return []
    return [_name_in(mark) for mark in _MARK.finditer(text.encode(errors="replace"))]


def is_intact(line: str) -> bool:
    """Whether a line is an item of ours as we wrote it, mark included."""
    blocks = find_blocks(line.encode(errors="replace"))
    return len(blocks) == 1 and blocks[0].item and blocks[0].intact


def without_marks(text: str) -> str:
    """A text without the marks of items, and without the blanks before them."""
    return _MARK.sub(b"", text.encode(errors="surrogatepass")).decode(errors="surrogatepass")


def _name_in(mark: re.Match[bytes]) -> str:
    return (mark["name"] or mark["letter"] + b"-" + mark["hash"]).decode()


@dataclass(frozen=True)
class _FileLines:
    """The lines of a file without their ends, and the offset at which each starts, the size of the file behind them.

    They are kept as two lists because files hold many thousands of lines, and nearly all of them are only passed over.
    """

    bodies: list[bytes]
    starts: list[int]

    def text(self, first: int, stop: int) -> str:
        return b"\n".join(self.bodies[first:stop]).decode(errors="replace")


def _lines_of(data: bytes) -> _FileLines:
    bodies = data.split(b"\n")
    starts = list(accumulate((len(body) + 1 for body in bodies), initial=0))
    if not bodies[-1]:
        del bodies[-1], starts[-1]
    starts[-1] = len(data)
    return _FileLines([body.removesuffix(b"\r") for body in bodies] if b"\r" in data else bodies, starts)


def split_lines(data: bytes) -> list[Line]:
    """The lines of a file; only LF and CRLF end a line."""
    lines = _lines_of(data)
    return [Line(*line) for line in zip(lines.bodies, lines.starts, lines.starts[1:], strict=False)]


def find_blocks(data: bytes) -> list[Block]:
    """All blocks of a file, intact or adopted, in their order. Never raises, whatever the bytes."""
    if b"- id:" not in data and b"<!--" not in data and not data.startswith(_FENCE):
        return []
    lines = _lines_of(data)
    return sorted(
        [*_find_front_matter(lines), *_find_entries(lines), *_find_items(lines)],
        key=lambda block: (block.start, block.end),
    )


def block_names(data: bytes | None) -> set[str]:
    """The names of all blocks of a file; empty for a missing file."""
    return {block.name for block in find_blocks(data or b"")}


def _find_entries(lines: _FileLines) -> Iterator[Block]:
    bodies = lines.bodies
    ids = {
        number: name for number, body in enumerate(bodies) if body.startswith(b"- id:") and (name := _ID.match(body))
    }
    for (at, name), stop in zip(ids.items(), [*islice(ids, 1, None), len(bodies)], strict=False):
        first = _heading_above(bodies, at)
        last, check = _last_line(bodies, at, stop)
        yield Block(
            name=name.group(1).decode(errors="replace"),
            start=lines.starts[first],
            end=lines.starts[last + 1],
            line=first + 1,
            text=lines.text(first, last + (check is None)),
            check=check or "",
        )


def _heading_above(bodies: list[bytes], at: int) -> int:
    above = at - 1
    while above >= 0 and not bodies[above].strip():
        above -= 1
    return above if above >= 0 and _HEADING.match(bodies[above]) else at


def _last_line(bodies: list[bytes], at: int, stop: int) -> tuple[int, str | None]:
    """The index of an entry's last line, and its check. A person's own lines inside the block belong to it."""
    end = stop
    for number in range(at, stop):
        body = bodies[number]
        if body.startswith(b"- check:") and (check := _CHECK.match(body)):
            return number, check.group(1).decode()
        if body.startswith(b"#") and _HEADING.match(body):
            end = number
            break
    return next(number for number in range(end - 1, at - 1, -1) if _KEY.match(bodies[number])), None


def drop_overlaps(blocks: Iterable[Block]) -> list[Block]:
    """Drop the blocks that share lines with an earlier block, as when a person has joined two lines."""
    separate: list[Block] = []
    for block in blocks:
        if not separate or block.start >= separate[-1].end:
            separate.append(block)
    return separate


def _find_front_matter(lines: _FileLines) -> Iterator[Block]:
    """The front matter, if it is ours: it ends with our check."""
    bodies = lines.bodies
    if not bodies or bodies[0].rstrip() != _FENCE:
        return
    end = next((number for number, body in enumerate(bodies[1:], 1) if body.rstrip() == _FENCE), 0)
    if end and (check := _FRONT_CHECK.match(bodies[end - 1])):
        text = lines.text(1, end - 1)
        yield Block(FRONT_MATTER, 0, lines.starts[end + 1], 1, text, check.group(1).decode(), item=True)


def _find_items(lines: _FileLines) -> Iterator[Block]:
    for number, body in enumerate(lines.bodies):
        for mark in _MARK.finditer(body) if b"<!--" in body else ():
            first = _first_line_of_item(lines.bodies, number)
            last = (body[: mark.start()] + body[mark.end() :]).decode(errors="replace")
            yield Block(
                name=_name_in(mark),
                start=lines.starts[first],
                end=lines.starts[number + 1],
                line=first + 1,
                text=f"{lines.text(first, number)}\n{last}" if first < number else last,
                check=(mark["check"] or mark["short"] or b"").decode(),
                item=True,
            )


def _first_line_of_item(bodies: list[bytes], last: int) -> int:
    """The first line of the list item that ends with the line `last`; `last` itself if it is not indented."""
    first = last
    while first > 0 and _INDENTED.match(bodies[first]) and not _MARK.search(bodies[first - 1]):
        first -= 1
    return first if bodies[first].startswith(b"- ") else last


BEGIN, END = "<!-- begin: memory agents connect -->", "<!-- end: memory agents connect -->"
"""The lines around the text of `memory agents connect` in the instructions of an agent."""


def without_ours(data: bytes) -> bytes:
    """A text without our blocks and instructions, each of its other lines where it was.

    An instruction without an end is ours to the end of the file: what follows it cannot be told from it.
    """
    spans = [(block.start, block.end) for block in drop_overlaps(find_blocks(data))]
    start = data.find(BEGIN.encode())
    while start >= 0:
        end = data.find(END.encode(), start)
        stop = end + len(END) if end >= 0 else len(data)
        spans.append((start, stop))
        start = data.find(BEGIN.encode(), stop)
    for start, stop in spans:
        blank = bytes(byte if byte in b"\r\n" else ord(" ") for byte in data[start:stop])
        data = data[:start] + blank + data[stop:]
    return data
