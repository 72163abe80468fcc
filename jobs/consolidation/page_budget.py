"""The budget of MEMORY.md: the room of the page, less that of the person's lines.

Room is given in the order of the candidates, so that an entry without room in one week comes before the new ones of
the next. On the page they stand in the order of their sections and ranks, which rests on the entries alone: so the page
is the same when it is rendered after every plan or once after the last. An undo gives what the other plans give beside
the person's part of now. The cost of a page rests on the person's part and the items alone, not on their places; so a
second run gives the same items, and the engine, which leaves them in place, changes no byte.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import attrgetter

from jobs.consolidation.page import ABOUT, TITLE, PageCandidate, cost_of, heading
from jobs.consolidation.sections import FEWEST, place_of, sections
from pipeline.drafts import ItemDraft
from pipeline.entries.reference import MORE_DIGITS
from pipeline.markdown.blocks import Block, apart, find_blocks, split_lines
from pipeline.markdown.items import persons_part, under_headings
from schemas.hot_page import CHARACTERS, LINES


@dataclass(frozen=True)
class Arrangement:
    """The items of the page in their order, and the candidates that found no room."""

    items: tuple[ItemDraft, ...]
    left_out: tuple[PageCandidate, ...]


def arrange(
    current: str, removed: AbstractSet[str], candidates: Sequence[PageCandidate], after: Sequence[ItemDraft] = ()
) -> Arrangement:
    """The items wanted on the page that stands as `current`; `after` are a heading and its lines at the end of ours.

    `removed` are the names of items that a person took out, which do not come back. An entry whose item a person has
    changed does not come a second time.
    """
    standing = _StandingPage(current, removed)
    ours = [candidate for candidate in _named_apart(candidates) if standing.takes(candidate.item.name)]
    joined, small, allotment = set[str](), set[str](), None
    while allotment is None or small:
        joined |= small
        allotment = _Allotment(standing, sections(ours, joined, standing.holds), ours)
        small = allotment.small() - joined
    return allotment.arrangement(after, new=not current)


def _named_apart(candidates: Sequence[PageCandidate]) -> list[PageCandidate]:
    """The candidates with names of their own: of two ids with the same hash, the junior one shows more of it."""
    senior: dict[str, str] = {}
    for candidate in sorted(candidates, key=attrgetter("rank")):
        senior.setdefault(candidate.item.name, candidate.noted.entry.id)
    return [
        candidate if senior[candidate.item.name] == candidate.noted.entry.id else replace(candidate, digits=MORE_DIGITS)
        for candidate in candidates
    ]


class _StandingPage:
    """The page as it stands: what is the person's, and the room that this leaves for our items."""

    def __init__(self, current: str, removed: AbstractSet[str]) -> None:
        data = current.encode()
        person = persons_part(data)
        theirs = [block for block in find_blocks(person) if block.item]
        self.adopted = frozenset(block.name for block in theirs)
        self.anchors = frozenset(block.name for block in apart(theirs))
        self.copies = Counter(block.name for block in find_blocks(data) if block.item and block.intact)
        self.standing = frozenset(self.copies) | self.anchors
        self.removed = removed - self.standing  # an item that a person has put back stands there
        self.kept = {block.name: ItemDraft(block.name, block.text) for block in _kept(data)}
        self.top = [item for item in (TITLE, ABOUT) if not current or item.name in self.standing]
        self.wide = 1 if b"\r\n" in data else 0
        bodies = [line.body.decode() for line in split_lines(person)]
        self.lines = LINES - len(bodies)
        self.characters = CHARACTERS - sum(map(len, bodies)) - len(bodies) * (1 + self.wide)

    def takes(self, name: str) -> bool:
        """Whether an item of ours may stand there: no person has changed it or taken it out."""
        return name not in self.adopted | self.removed

    def holds(self, subject: str) -> bool:
        """Whether a heading is the person's, or above an item that is, so that its section stays."""
        return heading(subject).name in self.adopted | self.removed | self.kept.keys()

    def costs_nothing(self, name: str) -> bool:
        """Whether an item takes no room of ours: a person changed it or took it out, and no copy of ours stands."""
        return not self.takes(name) and not self.copies[name]


def _kept(data: bytes) -> Iterator[Block]:
    """The headings of our sections above items that a person has changed."""
    blocks = [block for block in find_blocks(data) if block.item]
    above = under_headings(data, blocks).items()
    return (head for place, head in above if head.text.startswith("## ") and not blocks[place].intact)


class _Allotment:
    """The entries that find room when they stand in these sections; `subjects` are those by the names of items."""

    def __init__(self, page: _StandingPage, subjects: Mapping[str, str], candidates: Sequence[PageCandidate]) -> None:
        self._page, self._subjects = page, subjects
        self._lines, self._characters = page.lines, page.characters
        self._top = [item for item in page.top if self._open(item)]
        self._opened = {item.name for item in page.kept.values() if self._open(item)}
        self._placed = list[PageCandidate]()
        self._left_out = list[PageCandidate]()
        for candidate in candidates:
            (self._placed if self._place(candidate) else self._left_out).append(candidate)

    def small(self) -> set[str]:
        """The subjects with too few entries on the page."""
        counts = Counter(candidate.subject for candidate in self._placed if self._has_own(candidate))
        return {subject for subject, count in counts.items() if count < FEWEST and not self._page.holds(subject)}

    def arrangement(self, after: Sequence[ItemDraft], *, new: bool) -> Arrangement:
        """The items in their order, and of those `after` them as many as have room."""
        items = (*self._top, *self._in_order(), *takewhile(self._open, after))
        return Arrangement(() if new and not self._placed else items, tuple(self._left_out))

    def _in_order(self) -> Iterator[ItemDraft]:
        under: dict[str, list[ItemDraft]] = defaultdict(list)
        for candidate in sorted(self._placed, key=lambda placed: place_of(self._section(placed), placed)):
            under[self._section(candidate)].append(candidate.item)
        page, titles = self._page, {subject: heading(subject) for subject in under}
        for title, items in zip(titles.values(), under.values(), strict=True):
            yield from [title] if title.name not in page.removed | (page.adopted - page.anchors) else []
            yield from items
        shown = {title.name for title in titles.values()}
        yield from (item for name, item in page.kept.items() if name in self._opened - shown)

    def _has_own(self, candidate: PageCandidate) -> bool:
        return self._section(candidate) == candidate.subject

    def _section(self, candidate: PageCandidate) -> str:
        return self._subjects[candidate.item.name]

    def _open(self, item: ItemDraft) -> bool:
        """Whether a heading or a paragraph is on the page, room taken for it where it is ours."""
        return self._page.costs_nothing(item.name) or self._take([item])

    def _place(self, candidate: PageCandidate) -> bool:
        """Whether there is room for an entry, and for its heading where it is the first under it."""
        title = heading(self._section(candidate))
        free = title.name in self._opened or self._page.costs_nothing(title.name)
        fits = self._take([candidate.item] if free else [title, candidate.item])
        if fits:
            self._opened.add(title.name)
        return fits

    def _take(self, items: Iterable[ItemDraft]) -> bool:
        """Take the room for all copies of `items`: a person may have copied one."""
        lines = characters = 0
        for item in items:
            times = max(1, self._page.copies[item.name])
            high, long = cost_of(item)
            lines, characters = lines + times * high, characters + times * (long + high * self._page.wide)
        fits = lines <= self._lines and characters <= self._characters
        if fits:
            self._lines, self._characters = self._lines - lines, self._characters - characters
        return fits
