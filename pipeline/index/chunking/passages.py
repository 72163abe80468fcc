"""The passages of a Markdown file: its entries as we wrote them, and between them what Markdown takes for a unit."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto
from itertools import accumulate, groupby
from typing import Any

import pyromark

from pipeline.entries.reference import item_name, wordless
from pipeline.facts.sections import facts_in
from pipeline.index.chunking import plain_text as wording
from pipeline.index.chunking.splitting import LIMIT, cut_lines, weight
from pipeline.index.document import Passage
from pipeline.markdown.blocks import PAGE_NOTE, Block, find_blocks, is_intact, marked_names
from pipeline.markdown.entries import parse_entry
from schemas.entry import NOT_STATED, Entry
from schemas.fact import Fact

DEPTH = 8
"""Nested lists are distinguished down to this depth."""


class BlockSort(Enum):
    """The sort of a block; `REST` are lines that the parser has no block for, such as the target of a link."""

    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()
    ITEM = auto()
    QUOTE = auto()
    TABLE = auto()
    CODE = auto()
    HTML = auto()
    RULE = auto()
    REST = auto()


@dataclass(slots=True)
class Node:
    """A block. `first` and `last` are its lines, counted from 0, both inside, empty ones at its end left out.

    `level` is that of a heading. A list holds items, and an item the lists in it; other nested blocks are not
    distinguished.
    """

    sort: BlockSort
    first: int
    last: int
    level: int = 0
    children: list["Node"] = field(default_factory=list)


_Event = tuple[BlockSort | None, int, int, int]
"""A block that begins, with its first and last line and its level; without a sort, the end of the one begun last."""

_END: _Event = (None, 0, 0, 0)
_SORTS = {
    "Heading": BlockSort.HEADING,
    "Paragraph": BlockSort.PARAGRAPH,
    "List": BlockSort.LIST,
    "Item": BlockSort.ITEM,
    "BlockQuote": BlockSort.QUOTE,
    "Table": BlockSort.TABLE,
    "CodeBlock": BlockSort.CODE,
    "HtmlBlock": BlockSort.HTML,
}


def outline(lines: Sequence[str], start: int, end: int) -> list[Node]:
    """The blocks of the lines from `start` up to, not including, `end`. Every line that is not empty is in one.

    Lines end where the caller says; a lone CR inside one ends none, though to CommonMark it would.
    """
    if not any(line.strip() for line in lines[start:end]):
        return []
    return fill_gaps(_build_tree(lines, _read_events(lines, start, end)), lines, start, end)


def fill_gaps(nodes: Sequence[Node], lines: Sequence[str], start: int, end: int) -> list[Node]:
    """The blocks, and the lines between them, from the line `start` up to, not including, `end`."""
    filled_nodes, at = list[Node](), start
    for node in nodes:
        filled_nodes += _rest_nodes(lines, at, node.first)
        filled_nodes.append(node)
        at = max(at, node.last + 1)
    return [*filled_nodes, *_rest_nodes(lines, at, end)]


def _rest_nodes(lines: Sequence[str], start: int, end: int) -> Iterator[Node]:
    """The lines that say something, in runs that no empty line parts."""
    at = start
    while at < end:
        first = at
        while at < end and lines[at].strip():
            at += 1
        if at > first:
            yield Node(BlockSort.REST, first, at - 1)
        at += 1


def _build_tree(lines: Sequence[str], events: Iterator[_Event]) -> list[Node]:
    top, path, within = list[Node](), list[Node](), 0
    for sort, first, last, level in events:
        if within:
            within += -1 if sort is None else 1
        elif sort is None:
            path.pop()
        else:
            node = Node(sort, first, _last_filled_line(lines, first, last), level)
            nests = (sort is BlockSort.LIST or sort is BlockSort.ITEM) and len(path) < 2 * DEPTH
            if nests or not path:
                siblings = path[-1].children if path else top
                _end_siblings_before(siblings, node.first)
                siblings.append(node)
            if nests:
                path.append(node)
            else:
                within = 1
    return top


def _end_siblings_before(siblings: Sequence[Node], first: int) -> None:
    """End a block before the next begins: the parser lets an empty list item reach into the line below it."""
    while siblings and siblings[-1].last >= first:
        siblings[-1].last = max(siblings[-1].first, first - 1)
        siblings = siblings[-1].children


def _last_filled_line(lines: Sequence[str], first: int, last: int) -> int:
    while last > first and not lines[last].strip():
        last -= 1
    return last


def _read_events(lines: Sequence[str], start: int, end: int) -> Iterator[_Event]:
    text = "\n".join(lines[start:end]).replace("\r", " ")
    starts = list(accumulate((len(line) + 1 for line in text.encode().split(b"\n")), initial=0))
    events: Iterator[tuple[Any, Any]] = pyromark.events_with_range(text, options=pyromark.Options.ENABLE_TABLES)
    for event, where in events:
        if isinstance(event, str):
            if event == "Rule":
                line = start + bisect_right(starts, where["start"]) - 1
                yield BlockSort.RULE, line, line, 0
                yield _END
        elif "Start" in event:
            tag = event["Start"]
            name = tag if isinstance(tag, str) else next(iter(tag))
            if sort := _SORTS.get(name):
                first = start + bisect_right(starts, where["start"]) - 1
                last = start + bisect_right(starts, max(where["end"] - 1, where["start"])) - 1
                yield sort, first, last, int(tag["Heading"]["level"][1]) if name == "Heading" else 0
        elif "End" in event:
            tag = event["End"]
            if (tag if isinstance(tag, str) else next(iter(tag))) in _SORTS:
                yield _END


_HEADING = re.compile(r"(#{1,6})[ \t]")
_FIELD = re.compile(r"\s*- ([a-z_]+):")
_FIELDS = frozenset(Entry.model_fields) | {"session_id", "session_path", "message_range", "entry_ids", "check"}
_MACHINE = _FIELDS - {"quote", "why", "finding", "conclusion", "impact", "refs"}
_LONGEST = 4000  # characters of what can still be taken for one entry
_BARE = re.compile(r"[\W_]+")
_MARK = re.compile(rb"<!--(?: memory|[a-z]):")
_MARKS = 8  # on one line; a page has one
_BLANKS = re.compile(rb"[ \t]{1000}")


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry's block: its lines, counted from 0, both inside, and the level of its heading, 0 where it has none.

    `entry` is `None` where it cannot be read any more; `about` begins with its id and its other names.
    """

    first: int
    last: int
    level: int
    title: str
    words: str
    entry: Entry | None
    about: tuple[str, ...]


def find_entries(data: bytes) -> list[Recorded]:
    """The entries of a file in their order, none inside another. Never raises, whatever the bytes."""
    if b"- id:" not in data or not is_plain(data):
        return []
    entries, end = list[Recorded](), -1
    for block in find_blocks(data):
        if block.item:
            continue
        first = block.line - 1
        last = first + data.count(b"\n", block.start, max(block.end - 1, block.start))
        entry = parse_entry(block)
        was_entry = bool(block.check) and len(block.text) <= _LONGEST
        if first > end and (entry or was_entry):
            entries.append(_make_recorded(block, first, last, entry))
            end = last
    return entries


def is_plain(data: bytes) -> bool:
    """Whether blocks can be looked for: lines made to keep a reader busy for hours hold none."""
    marked = b"<!--" in data and any(len(_MARK.findall(line)) > _MARKS for line in data.split(b"\n"))
    return not marked and not _BLANKS.search(data)


def _make_recorded(block: Block, first: int, last: int, entry: Entry | None) -> Recorded:
    heading = _HEADING.match(block.text)
    title = block.text.partition("\n")[0].lstrip("#").strip() if heading else ""
    own = entry.id if entry else block.name
    linked = (
        (*entry.supersedes, *entry.superseded_by, *entry.supersedes_part, *entry.reinforces, entry.corrects)
        if entry
        else ()
    )
    return Recorded(
        first=first,
        last=last,
        level=len(heading.group(1)) if heading else 0,
        title=entry.title if entry else title,
        words=_entry_words(entry, block.text) if entry else "\n".join([title, *_added_lines(block.text, _MACHINE)]),
        entry=entry,
        about=tuple(dict.fromkeys([own, wordless(own), item_name(own), *filter(None, linked)])),
    )


def _entry_words(entry: Entry, text: str) -> str:
    """The words of an entry, without repetition, with a person's additions to its block."""
    fields = [entry.title, entry.quote, entry.conclusion, entry.why, entry.finding, entry.impact]
    texts = [part for part in fields if part not in {"", NOT_STATED}]
    bare = [_BARE.sub("", part).casefold() for part in texts]
    kept = [
        part
        for at, part in enumerate(texts)
        if bare[at] not in bare[:at] and not any(bare[at] in other and bare[at] != other for other in bare)
    ]
    return "\n".join([*kept, *entry.refs, *_added_lines(text, _FIELDS)])


def _added_lines(text: str, fields: Collection[str]) -> Iterator[str]:
    """The lines below the heading that are none of these fields."""
    for line in text.split("\n"):
        match = _FIELD.match(line)
        if line.strip() and not _HEADING.match(line) and not (match and match.group(1) in fields):
            yield line.strip()


_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_INDENTED = re.compile(r"[ \t]+\S")


@dataclass(frozen=True, slots=True)
class RetainedFact:
    """A fact with its lines, counted from 0, both inside.

    `fact` is read as ours where its item is intact; whether it is ours the ledger knows. `words` are looked through.
    """

    first: int
    last: int
    fact: Fact
    words: str


def find_facts(data: bytes, path: str, lines: Sequence[str]) -> list[RetainedFact]:
    """The facts of a file in their order, none inside another. Never raises, whatever the bytes."""
    if not is_plain(data):
        return []
    blocks = {block.line: block for block in find_blocks(data) if block.item}
    intact = {(block.name, block.digest) for block in blocks.values() if block.intact}
    facts, end = list[RetainedFact](), -1
    for fact in facts_in(data, path, intact, date.min):
        first = fact.line - 1
        last = _last_line_of_item(data, blocks.get(fact.line), lines, first)
        if first > end:
            facts.append(RetainedFact(first, last, fact, _fact_words(fact, lines[first + 1 : last + 1])))
            end = last
    return facts


def _last_line_of_item(data: bytes, block: Block | None, lines: Sequence[str], first: int) -> int:
    """The last line of an item: that of its block, else the last of those that are indented under it."""
    if block:
        return first + data.count(b"\n", block.start, max(block.end - 1, block.start))
    last = first
    while last + 1 < len(lines) and _INDENTED.match(lines[last + 1]) and not _ITEM.match(lines[last + 1]):
        last += 1
    return last


def _fact_words(fact: Fact, more: Sequence[str]) -> str:
    """The names, the sentence and a differing quote; of a fact that others wrote, the lines below it instead."""
    names = f"{', '.join(fact.entities)}: " if fact.entities else ""
    below = fact.quote if fact.id else wording.plain_words("\n".join(more)) if more else ""
    repeated = _BARE.sub("", below).casefold() in _BARE.sub("", fact.text).casefold()
    return "\n".join([names + fact.text, *([] if repeated else [below])])


NESTED = 600
"""The greatest length of a list item with lists in it that is still one passage; measured as `splitting.LIMIT`."""

SHORT, TOGETHER = 30, 6
"""Shorter items of a list share a passage, up to so many; an item that begins with a label has its own."""

HEADING = 200
"""Characters of a heading that the passages under it carry."""


@dataclass(slots=True)
class _Heading:
    level: int
    words: str
    node: Node
    used: bool


@dataclass(slots=True)
class _PassageContext:
    """The context of a passage: the beginnings of the list items that it is in, and the entries it is about."""

    lines: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


_NO_CONTEXT = _PassageContext()


@dataclass
class Cutter:
    """Cuts a file into passages, from its beginning to its end. `titles` are headings above them all."""

    lines: Sequence[str]
    titles: tuple[str, ...]
    passages: list[Passage] = field(default_factory=list)
    first_heading: str = ""
    _trail: list[_Heading] = field(default_factory=list)
    _headings: tuple[str, ...] = ()
    _section: int = 0

    def add_markdown(self, start: int, end: int) -> None:
        """Go on with Markdown, from the line `start` up to, not including, `end`; lines are counted from 0 here."""
        nodes = outline(self.lines, start, end)
        led_in = None
        for at, node in enumerate(nodes):
            following = nodes[at + 1].sort if at + 1 < len(nodes) else None
            if node.sort is BlockSort.HEADING:
                self._open_heading(node)
            elif following in {BlockSort.CODE, BlockSort.TABLE} and self._is_lead_in(node):
                led_in = node
                continue
            elif node.sort is BlockSort.LIST:
                self._cut_list(node, _NO_CONTEXT)
            else:
                self._cut_block(node, _NO_CONTEXT, led_in)
            led_in = None

    def add_entry(self, block: Recorded) -> None:
        """Go on with an entry, whole."""
        if block.level:
            self._close_headings(block.level)
            self._section += 1
        self._add_passage(block.first, block.last, block.words, _PassageContext(about=block.about), block.entry)
        if block.level:
            node = Node(BlockSort.HEADING, block.first, block.first, block.level)
            self._push_heading(_Heading(block.level, block.title[:HEADING], node, used=True))

    def add_fact(self, item: RetainedFact) -> None:
        """Go on with a fact, whole."""
        self._add_passage(item.first, item.last, item.words, what=item.fact)

    def add_text(self, first: int, last: int) -> None:
        """Go on with text that is no Markdown, cut where it is long."""
        for part in cut_lines(self.lines, first, last):
            self._add_passage(part.first, part.last, part.text.strip())

    def finish(self) -> list[Passage]:
        """All passages, in the order of their lines."""
        self._close_headings(0)
        self.passages.sort(key=lambda passage: (passage.start, passage.end))
        return self.passages

    def _open_heading(self, node: Node) -> None:
        self._close_headings(node.level)
        self._section += 1
        words = wording.of_heading("\n".join(self.lines[node.first : node.last + 1]))
        self.first_heading = self.first_heading or words[:HEADING]
        self._push_heading(_Heading(node.level, words[:HEADING], node, used=len(words) > HEADING))
        if len(words) > HEADING:
            self._cut_parts(node)

    def _push_heading(self, heading: _Heading) -> None:
        self._trail.append(heading)
        self._headings = (*self.titles, *(above.words for above in self._trail if above.words))

    def _close_headings(self, level: int) -> None:
        """Leave the headings of this level and below; one that had nothing under it is found by itself."""
        while self._trail and self._trail[-1].level >= level:
            left = self._trail.pop()
            self._headings = (*self.titles, *(heading.words for heading in self._trail if heading.words))
            # A section of a wrap-up, a line of ours, stands there also when it is empty.
            if not left.used and not is_intact(self.lines[left.node.last]):
                self._add_passage(left.node.first, left.node.last, left.words)

    def _is_lead_in(self, node: Node) -> bool:
        return node.sort is BlockSort.PARAGRAPH and self.lines[node.last].rstrip(" \t*_").endswith((":", "\uff1a"))

    def _is_page_note(self, node: Node) -> bool:
        """Whether a line is our unchanged note about the page: every such page has it, and it answers nothing."""
        return marked_names(self.lines[node.last]) == [PAGE_NOTE] and is_intact(self.lines[node.last])

    def _cut_block(self, node: Node, above: _PassageContext, led_in: Node | None = None) -> None:
        if node.sort is BlockSort.RULE or self._is_page_note(node):
            return
        first = led_in.first if led_in else node.first
        if self._weight(first, node.last) <= LIMIT:
            lead = [wording.plain_words(self._text(led_in.first, led_in.last))] if led_in else []
            words = "\n".join([*lead, _words_of_block(node.sort, self._text(node.first, node.last))])
            self._add_passage(first, node.last, words, above)
            return
        if led_in:
            self._cut_parts(led_in, above)
        self._cut_parts(node, above)

    def _cut_parts(self, node: Node, above: _PassageContext = _NO_CONTEXT) -> None:
        """The parts of a block; those of a table repeat its first row."""
        head = ""
        for part in cut_lines(self.lines, node.first, node.last):
            words = _words_of_block(node.sort, part.text)
            self._add_passage(part.first, part.last, f"{head}\n{words}" if head else words, above)
            if node.sort is BlockSort.TABLE and not head:
                head = wording.plain_words(self.lines[node.first])[:HEADING]

    def _cut_list(self, node: Node, above: _PassageContext) -> None:
        for is_short, group in groupby(node.children, self._is_short):
            items = list(group)
            if not is_short:
                for item in items:
                    self._cut_item(item, above)
                continue
            for at in range(0, len(items), TOGETHER):
                together = items[at : at + TOGETHER]
                self._add_item(together[0].first, together[-1].last, above)

    def _is_short(self, item: Node) -> bool:
        if item.children or item.first != item.last or self._weight(item.first, item.last) >= SHORT:
            return False
        return not wording.label(wording.plain_words(self.lines[item.first]))

    def _cut_item(self, item: Node, above: _PassageContext) -> None:
        ours = wording.is_ours(self.lines[item.last])
        most = LIMIT if ours or not item.children else NESTED
        if self._weight(item.first, item.last) <= most:
            self._add_item(item.first, item.last, above)
            return
        if not item.children:
            self._cut_parts(item, above)
            return
        own = self._text(item.first, item.first)
        within = _PassageContext(
            (*above.lines, *filter(None, [_words_of_block(BlockSort.ITEM, own)[:HEADING]])),
            (
                *above.about,
                *(wording.entry_names(self._text(item.first, item.last)) if ours else wording.entry_names(own)),
            ),
        )
        for node in fill_gaps(item.children, self.lines, item.first, item.last + 1):
            if node.sort is BlockSort.LIST:
                self._cut_list(node, within)
            else:
                self._cut_block(node, above if node.first == item.first else within)

    def _add_item(self, first: int, last: int, above: _PassageContext) -> None:
        self._add_passage(first, last, _words_of_block(BlockSort.ITEM, self._text(first, last)), above)

    def _add_passage(
        self, first: int, last: int, words: str, above: _PassageContext = _NO_CONTEXT, what: Entry | Fact | None = None
    ) -> None:
        if not any(char.isalnum() or not char.isascii() for char in words):
            return  # a rule, an empty item
        for heading in self._trail:
            heading.used = True
        text = self._text(first, last)
        self.passages.append(
            Passage(
                start=first + 1,
                end=last + 1,
                text=text,
                words=words,
                headings=(*self._headings, *above.lines),
                label=_label_of(words, what),
                section=self._section,
                entry=what if isinstance(what, Entry) else None,
                fact=what if isinstance(what, Fact) else None,
                about=tuple(dict.fromkeys([*above.about, *wording.entry_names(text)])),
            )
        )

    def _text(self, first: int, last: int) -> str:
        return "\n".join(self.lines[first : last + 1])

    def _weight(self, first: int, last: int) -> int:
        return weight(self._text(first, last))


def _label_of(words: str, what: Entry | Fact | None) -> str:
    """The label that the words begin with; of a fact the names of its entities."""
    if isinstance(what, Fact):
        return ", ".join(what.entities)
    return "" if what else wording.label(words)


def _words_of_block(sort: BlockSort, text: str) -> str:
    if sort is BlockSort.CODE:
        return wording.of_code(text)
    if sort is BlockSort.HTML:
        return wording.of_html(text)
    return wording.of_item(text) if wording.is_ours(text) else wording.plain_words(text)
