"""The budget of MEMORY.md: the room of the page, less that of the person's lines.

Room is given in the order of the candidates, so that an entry without room in one week comes before the new ones of
the next. On the page they stand in the order of their ranks, which no later plan changes: so the page is the same
when it is rendered after every plan or once after the last. An undo gives what the other plans give beside the
person's part of now. The cost of a page rests on the person's part and the items alone, not on their places; so a
second run gives the same items, and the engine, which leaves them in place, changes no byte.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import attrgetter

from jobs.consolidation.page import ABOUT, TITLE, PageCandidate, cost_of, heading
from pipeline.job import ItemDraft
from pipeline.markdown.blocks import apart, find_blocks, split_lines
from pipeline.markdown.items import persons_part
from schemas.hot_page import CHARACTERS, LINES


@dataclass(frozen=True)
class Arrangement:
    """The items of the page in their order, and the candidates that found no room."""

    items: tuple[ItemDraft, ...]
    left_out: tuple[PageCandidate, ...]


def arrange(current: str, removed: AbstractSet[str], candidates: Sequence[PageCandidate]) -> Arrangement:
    """The items wanted on the page that stands as `current`.

    `removed` are the names of items that a person took out, which do not come back. An entry whose item a person has
    changed does not come a second time.
    """
    page = _BudgetedPage(current, removed)
    top = [item for item in (TITLE, ABOUT) if (not current or item.name in page.standing) and page.open(item)]
    placed: list[PageCandidate] = []
    left_out: list[PageCandidate] = []
    for candidate in candidates:
        if candidate.item.name in page.adopted:
            # Whether it stands now or not: what is rendered rests on the person's part alone.
            page.open(heading(candidate.subject))
        elif candidate.item.name not in page.removed:
            (placed if page.place(candidate) else left_out).append(candidate)
    by_rank = attrgetter("rank")
    items = [*top, *page.sections(sorted(candidates, key=by_rank), sorted(placed, key=by_rank))]
    return Arrangement(tuple(items) if current or placed else (), tuple(left_out))


class _BudgetedPage:
    """A page, and the room that is left on it for our items."""

    def __init__(self, current: str, removed: AbstractSet[str]) -> None:
        data = current.encode()
        person = persons_part(data)
        theirs = [block for block in find_blocks(person) if block.item]
        self.adopted = frozenset(block.name for block in theirs)
        self._anchors = frozenset(block.name for block in apart(theirs))
        self._copies = Counter(block.name for block in find_blocks(data) if block.item and block.intact)
        self.standing = frozenset(self._copies) | self._anchors
        self.removed = removed - self.standing  # an item that a person has put back stands there
        self.opened = set[str]()
        self._wide = 1 if b"\r\n" in data else 0
        bodies = [line.body.decode() for line in split_lines(person)]
        self._lines = LINES - len(bodies)
        self._characters = CHARACTERS - sum(map(len, bodies)) - len(bodies) * (1 + self._wide)

    def open(self, item: ItemDraft) -> bool:
        """Whether a heading or a paragraph is on the page, room taken for it where it is ours."""
        if item.name in self.opened:
            return True
        if self._theirs(item.name) or self._take([item]):
            self.opened.add(item.name)
        return item.name in self.opened

    def place(self, candidate: PageCandidate) -> bool:
        """Whether there is room for an entry, and for its heading where it is the first under it."""
        title = heading(candidate.subject)
        free = title.name in self.opened or self._theirs(title.name)
        fits = self._take([candidate.item] if free else [title, candidate.item])
        if fits:
            self.opened.add(title.name)
        return fits

    def sections(self, candidates: Iterable[PageCandidate], placed: Sequence[PageCandidate]) -> Iterable[ItemDraft]:
        """The headings, each with the entries under it, in the order of `candidates`."""
        for subject in dict.fromkeys(candidate.subject for candidate in candidates):
            title = heading(subject)
            if title.name in self.opened - self.removed and (title.name not in self.adopted - self._anchors):
                yield title
            yield from (candidate.item for candidate in placed if candidate.subject == subject)

    def _theirs(self, name: str) -> bool:
        """Whether an item takes no room of ours: a person changed it or took it out, and no copy of ours stands."""
        return name in self.adopted | self.removed and not self._copies[name]

    def _take(self, items: Sequence[ItemDraft]) -> bool:
        """Take the room for all copies of `items`: a person may have copied one."""
        lines = characters = 0
        for item in items:
            times = max(1, self._copies[item.name])
            high, long = cost_of(item)
            lines, characters = lines + times * high, characters + times * (long + high * self._wide)
        fits = lines <= self._lines and characters <= self._characters
        if fits:
            self._lines, self._characters = self._lines - lines, self._characters - characters
        return fits
