"""Pages that are rendered again and again: our items brought up to date, and every line of a person kept in its place.

A heading or a paragraph of ours is led in by one empty line, which goes with it; a list item by none.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from pipeline.markdown.blocks import (
    FRONT_MATTER,
    Block,
    drop_overlaps,
    find_blocks,
    seal_item,
    split_lines,
    with_pin,
)
from pipeline.markdown.splice import newline_of

_FENCE = b"---"


@dataclass(frozen=True)
class Item:
    """A named part of a page: a heading, a paragraph of one line, or a list item; `front-matter` is its YAML."""

    name: str
    text: str

    @property
    def is_list_item(self) -> bool:
        """Whether it is an item of a list."""
        return _begins_list(self.text.strip())

    @property
    def heads(self) -> bool:
        """Whether it is a heading."""
        return self.text.lstrip().startswith("#")


@dataclass
class _Additions:
    """The places of missing items: after a present item, before the first present item, or at the end."""

    after: dict[str, list[Item]] = field(default_factory=lambda: defaultdict(list))
    before: dict[str, list[Item]] = field(default_factory=dict)
    end: list[Item] = field(default_factory=list)


def render_page(
    data: bytes,
    items: Sequence[Item],
    deleted: Collection[str] = frozenset(),
    ours: Collection[str] | None = None,
) -> bytes:
    """A page with our items brought up to date.

    An item that a person changed is theirs and stays, wherever it is; one that is only pinned is brought up to date in
    its place if it is wanted. One that a person deleted (its name is in `deleted`) does not come back; one that is no
    longer wanted goes; a new one is put after the item before it. A list item whose heading goes, or that gets a new
    one, goes with it. With `ours`, the names that we have put into this page, any other item was brought here by a
    person and is theirs too.
    """
    newline = newline_of(data)
    own_items = [block for block in find_blocks(data) if block.item]
    moving = _moving_names(data, own_items, items, deleted)
    present, blocks = {block.name for block in own_items} - moving, drop_overlaps(own_items)
    wanted = {item.name: item for item in items if item.name not in moving}
    pinned = {block.name for block in blocks if block.is_pinned}
    additions = _additions([item for item in items if item.name not in {FRONT_MATTER, *pinned}], present, deleted)
    page = _PageBuilder(newline)
    if FRONT_MATTER in wanted.keys() - present - set(deleted) and not _has_front_matter(data):
        page.put_item(_seal(wanted[FRONT_MATTER], newline))
    starts = [*(block.start for block in blocks[1:]), len(data)]
    sections = list[Item]()
    page.write(data[: blocks[0].start] if blocks else data)
    for place, (block, next_start) in enumerate(zip(blocks, starts, strict=bool(blocks))):
        page.insert(additions.before.pop(block.name, ()), lead=True)
        is_ours = ours is None or block.name in wanted or block.name in ours
        if block.is_pinned and block.name in wanted:
            sealed = _seal(wanted[block.name], newline_of(data[block.start : block.end]))
            page.put_item(with_pin(sealed, pinned=True))
        elif not block.intact or not (block.name in moving or is_ours):
            page.put_item(data[block.start : block.end])
        elif block.name in wanted:
            page.put_item(_seal(wanted[block.name], newline_of(data[block.start : block.end])))
        else:
            page.leave_out(led_in=not _is_listed(block))
        between = data[block.end : next_start]
        added = additions.after.pop(block.name, [])  # once, where a person has copied an item
        listed = list(takewhile(lambda item: item.is_list_item, added))
        own = _paragraph_length(between) if listed and not _is_listed(block) else 0
        page.write(between[:own])
        page.insert(listed)
        sections += added[len(listed) :]
        if sections and not _has_changed_item_below(data, blocks[place:], wanted):
            page.insert(sections)
            sections = []
        page.write(between[own:])
    page.insert(additions.end)
    return page.end()


def under_headings(data: bytes, blocks: Sequence[Block]) -> dict[int, Block]:
    """The unchanged heading of ours above each list item, by the place of the item among `blocks`, all of a page.

    What stands under a heading of a person, or under one that a person has changed, has none.
    """
    above: dict[int, Block] = {}
    head, end = None, 0
    for place, block in enumerate(blocks):
        if any(line.body.startswith(b"#") for line in split_lines(data[end : block.start])):
            head = None
        if block.text.startswith("#"):
            head = block if block.intact else None
        elif head and _is_listed(block):
            above[place] = head
        end = max(end, block.end)
    return above


def _moving_names(data: bytes, blocks: Sequence[Block], items: Sequence[Item], deleted: Collection[str]) -> set[str]:
    """The names of the list items that move with their headings: the heading above is removed, or another is new."""
    wanted, last = dict[str, str](), ""
    for item in items:
        last = item.name if item.heads else last
        if item.is_list_item:
            wanted[item.name] = last
    copies = Counter(block.name for block in blocks)
    heads = {item.name for item in items if item.heads}
    new = heads - copies.keys() - set(deleted)
    standing = ((blocks[place], head.name) for place, head in under_headings(data, blocks).items())
    single = ((block, head) for block, head in standing if block.intact and copies[block.name] == 1)
    return {
        block.name
        for block, head in single
        if head != wanted.get(block.name, head) and (head not in heads or wanted[block.name] in new)
    }


def _has_changed_item_below(data: bytes, blocks: Sequence[Block], wanted: Collection[str]) -> bool:
    """Whether the section of the first block has an item further down that a person changed."""
    for before, block in pairwise(blocks):
        between = split_lines(data[before.end : block.start])
        if not _is_listed(block) or block.name in wanted or any(line.body.startswith(b"#") for line in between):
            return False
        if not block.intact:
            return True
    return False


def persons_part(data: bytes) -> bytes:
    """The page without our unchanged items."""
    return render_page(data, ())


def disown_items(data: bytes, ours: Collection[str]) -> bytes:
    """Remove the marks of items that a person copied from another page: they become plain text."""
    for block in reversed(drop_overlaps([block for block in find_blocks(data) if block.item and block.intact])):
        if block.name not in ours:
            newline = newline_of(data[block.start : block.end])
            text = newline.join(line.encode() for line in block.text.split("\n")) + newline
            data = data[: block.start] + text + data[block.end :]
    return data


@dataclass
class _PageBuilder:
    """The page under construction.

    `persons` means that it ends with text from between our items, and `gap` that the item after its last empty line is
    gone.
    """

    newline: bytes
    out: bytearray = field(default_factory=bytearray)
    persons: bool = False
    gap: bool = False

    def write(self, data: bytes) -> None:
        """Append the text between our items."""
        if data:
            self.put_item(data)
            self.persons = True

    def put_item(self, data: bytes) -> None:
        """Append an item."""
        self._close_gap(data)
        self.out += data
        self.persons = False

    def leave_out(self, *, led_in: bool) -> None:
        """Pass over an item."""
        self.gap = self.gap or (led_in and self.persons)

    def insert(self, items: Sequence[Item], *, lead: bool = False) -> None:
        """Insert new items; with `lead`, before an empty line that leads in the next item."""
        if not items:
            return
        self._close_gap(self.newline)
        kept = self.newline if lead and self.out.endswith(self.newline) else b""
        del self.out[len(self.out) - len(kept) :]
        for item in items:
            closed = self.out.endswith(b"\n") or not self.out
            if self.out and not (item.is_list_item and closed):
                self.out += self.newline
            self.out += _seal(item, self.newline)
        self.out += kept
        self.persons = False

    def end(self) -> bytes:
        """The whole page."""
        self._close_gap(self.newline)
        return bytes(self.out)

    def _close_gap(self, follows: bytes) -> None:
        """Remove the empty line before a removed item, unless a person's lines would run together."""
        mark = self.newline if self.out.endswith(self.newline) else b"\n"
        if self.gap and self.out.endswith(mark):
            bare = self.out[: len(self.out) - len(mark)]
            glues = not follows.startswith((b"\n", b"\r\n")) and bare and not bare.endswith(b"\n")
            self.out = self.out if glues else bare
        self.gap = False


def _additions(items: Sequence[Item], present: set[str], deleted: Collection[str]) -> _Additions:
    additions, previous = _Additions(), ""
    for item in items:
        if item.name in present:
            if additions.end:
                additions.before[item.name], additions.end = additions.end, []
            previous = item.name
        elif item.name not in deleted:
            (additions.after[previous] if previous else additions.end).append(item)
    return additions


def _seal(item: Item, newline: bytes) -> bytes:
    return seal_item(item.name, item.text).encode().replace(b"\n", newline)


def _is_listed(block: Block) -> bool:
    return _begins_list(block.text)


def _begins_list(text: str) -> bool:
    return text.startswith("- ") or text == "-"


def _has_front_matter(data: bytes) -> bool:
    """Whether the page begins with a person's front matter: a rule alone is none."""
    lines = data.splitlines()
    return bool(lines) and lines[0].rstrip() == _FENCE and _FENCE in (line.rstrip() for line in lines[1:])


def _paragraph_length(data: bytes) -> int:
    """The length of a person's text directly under a heading: a list item before it would swallow it."""
    length = 0
    for line in data.splitlines(keepends=True):
        if not line.strip() or line.startswith(b"#"):
            break
        length += len(line)
    return length
