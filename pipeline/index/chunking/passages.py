"""The passages of a Markdown file: its entries as we wrote them, and between them what Markdown takes for a unit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.index.chunking import plain_text as wording
from pipeline.index.chunking.entry_passages import Recorded
from pipeline.index.chunking.outline import BlockSort, Node, filled, outline
from pipeline.index.chunking.splitting import LIMIT, cut, weight
from pipeline.index.document import Passage
from pipeline.markdown.blocks import PAGE_NOTE, is_intact, marked_names
from schemas.entry import Entry
from schemas.fact import Fact

if TYPE_CHECKING:
    from pipeline.index.chunking.fact_passages import RetainedFact

NESTED = 600
"""How long a list item with lists in it may be and still be one passage; measured as `cutting.LIMIT`."""

SHORT, TOGETHER = 30, 6
"""Items of a list shorter than this stand together, up to so many; what begins with a label stands alone."""

HEADING = 200
"""Characters of a heading that the passages under it carry."""


@dataclass(slots=True)
class _Heading:
    level: int
    words: str
    node: Node
    used: bool = False


@dataclass(slots=True)
class _Above:
    """The context of a passage: the beginnings of the list items that it is in, and the entries it is about."""

    lines: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


_NOTHING = _Above()


@dataclass
class Cutter:
    """Cuts a file into passages, from its beginning to its end. `titles` are headings above them all."""

    lines: Sequence[str]
    titles: tuple[str, ...] = ()
    passages: list[Passage] = field(default_factory=list)
    first_heading: str = ""
    _trail: list[_Heading] = field(default_factory=list)
    _headings: tuple[str, ...] = ()
    _section: int = 0

    def markdown(self, start: int, end: int) -> None:
        """Go on with Markdown, from the line `start` up to, not including, `end`; lines are counted from 0 here."""
        nodes = outline(self.lines, start, end)
        led_in = None
        for at, node in enumerate(nodes):
            following = nodes[at + 1].sort if at + 1 < len(nodes) else None
            if node.sort is BlockSort.HEADING:
                self._open(node)
            elif following in {BlockSort.CODE, BlockSort.TABLE} and self._leads_in(node):
                led_in = node
                continue
            elif node.sort is BlockSort.LIST:
                self._list(node, _NOTHING)
            else:
                self._block(node, _NOTHING, led_in)
            led_in = None

    def recorded(self, block: Recorded) -> None:
        """Go on with an entry, whole."""
        if block.level:
            self._close(block.level)
            self._section += 1
        self._put(block.first, block.last, block.words, _Above(about=block.about), block.entry)
        if block.level:
            node = Node(BlockSort.HEADING, block.first, block.first, block.level)
            self._push(_Heading(block.level, block.title[:HEADING], node, used=True))

    def retained(self, item: "RetainedFact") -> None:
        """Go on with a fact, whole."""
        self._put(item.first, item.last, item.words, what=item.fact)

    def text(self, first: int, last: int) -> None:
        """Go on with text that is no Markdown, cut where it is long."""
        for part in cut(self.lines, first, last):
            self._put(part.first, part.last, part.text.strip())

    def end(self) -> list[Passage]:
        """All passages, in the order of their lines."""
        self._close(0)
        self.passages.sort(key=lambda passage: (passage.start, passage.end))
        return self.passages

    def _open(self, node: Node) -> None:
        self._close(node.level)
        self._section += 1
        words = wording.of_heading("\n".join(self.lines[node.first : node.last + 1]))
        self.first_heading = self.first_heading or words[:HEADING]
        self._push(_Heading(node.level, words[:HEADING], node, used=len(words) > HEADING))
        if len(words) > HEADING:
            self._units(node)

    def _push(self, heading: _Heading) -> None:
        self._trail.append(heading)
        self._headings = (*self.titles, *(above.words for above in self._trail if above.words))

    def _close(self, level: int) -> None:
        """Leave the headings of this level and below; one that had nothing under it is found by itself."""
        while self._trail and self._trail[-1].level >= level:
            left = self._trail.pop()
            self._headings = (*self.titles, *(heading.words for heading in self._trail if heading.words))
            if not left.used and not self._is_bare_item(left.node):
                self._put(left.node.first, left.node.last, left.words)

    def _is_bare_item(self, node: Node) -> bool:
        """Whether a heading is ours as we wrote it: a section of a wrap-up stands there also when it is empty."""
        return is_intact(self.lines[node.last])

    def _leads_in(self, node: Node) -> bool:
        return node.sort is BlockSort.PARAGRAPH and self.lines[node.last].rstrip(" \t*_").endswith((":", "\uff1a"))

    def _says_what_the_page_is(self, node: Node) -> bool:
        """Whether a line is ours as we wrote it, and the same on every such page: it answers nothing."""
        return marked_names(self.lines[node.last]) == [PAGE_NOTE] and is_intact(self.lines[node.last])

    def _block(self, node: Node, above: _Above, led_in: Node | None = None) -> None:
        if node.sort is BlockSort.RULE or self._says_what_the_page_is(node):
            return
        first = led_in.first if led_in else node.first
        if self._weight(first, node.last) <= LIMIT:
            lead = [wording.plain(self._text(led_in.first, led_in.last))] if led_in else []
            words = "\n".join([*lead, _words(node.sort, self._text(node.first, node.last))])
            self._put(first, node.last, words, above)
            return
        if led_in:
            self._units(led_in, above)
        self._units(node, above)

    def _units(self, node: Node, above: _Above = _NOTHING) -> None:
        """The parts of a block; those of a table repeat its first row."""
        head = ""
        for part in cut(self.lines, node.first, node.last):
            words = _words(node.sort, part.text)
            self._put(part.first, part.last, f"{head}\n{words}" if head else words, above)
            if node.sort is BlockSort.TABLE and not head:
                head = wording.plain(self.lines[node.first])[:HEADING]

    def _list(self, node: Node, above: _Above) -> None:
        run: list[Node] = []
        for item in [*node.children, None]:
            if item and self._is_short(item):
                run.append(item)
            if run and (len(run) == TOGETHER or item is None or item is not run[-1]):
                self._unit(run[0].first, run[-1].last, above)
                run = []
            if item and not self._is_short(item):
                self._item(item, above)

    def _is_short(self, item: Node) -> bool:
        if item.children or item.first != item.last or self._weight(item.first, item.last) >= SHORT:
            return False
        return not wording.label(wording.plain(self.lines[item.first]))

    def _item(self, item: Node, above: _Above) -> None:
        ours = wording.is_ours(self.lines[item.last])
        most = LIMIT if ours or not item.children else NESTED
        if self._weight(item.first, item.last) <= most:
            self._unit(item.first, item.last, above)
            return
        if not item.children:
            self._units(item, above)
            return
        own = self._text(item.first, item.first)
        within = _Above(
            (*above.lines, *filter(None, [_words(BlockSort.ITEM, own)[:HEADING]])),
            (*above.about, *(wording.named(self._text(item.first, item.last)) if ours else wording.named(own))),
        )
        for node in filled(item.children, self.lines, item.first, item.last + 1):
            if node.sort is BlockSort.LIST:
                self._list(node, within)
            else:
                self._block(node, above if node.first == item.first else within)

    def _unit(self, first: int, last: int, above: _Above) -> None:
        self._put(first, last, _words(BlockSort.ITEM, self._text(first, last)), above)

    def _put(
        self, first: int, last: int, words: str, above: _Above = _NOTHING, what: Entry | Fact | None = None
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
                label=_label(words, what),
                section=self._section,
                entry=what if isinstance(what, Entry) else None,
                fact=what if isinstance(what, Fact) else None,
                about=tuple(dict.fromkeys([*above.about, *wording.named(text)])),
            )
        )

    def _text(self, first: int, last: int) -> str:
        return "\n".join(self.lines[first : last + 1])

    def _weight(self, first: int, last: int) -> int:
        return weight(self._text(first, last))


def _label(words: str, what: Entry | Fact | None) -> str:
    """Who or what the words begin with; of a fact the names of its entities."""
    if isinstance(what, Fact):
        return ", ".join(what.entities)
    return "" if what else wording.label(words)


def _words(sort: BlockSort, text: str) -> str:
    if sort is BlockSort.CODE:
        return wording.of_code(text)
    if sort is BlockSort.HTML:
        return wording.of_html(text)
    return wording.of_item(text) if wording.is_ours(text) else wording.plain(text)
