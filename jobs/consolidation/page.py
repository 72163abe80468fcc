"""The item of an entry in MEMORY.md, and the room that it takes.

Of a plan only ids, scores and subjects are used, and of a subject only words that its entries have.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import takewhile
from operator import attrgetter
from unicodedata import category, normalize

from jobs.consolidation.verdicts import Rank
from pipeline.drafts import ItemDraft
from pipeline.entries.project_names import heading_of
from pipeline.entries.reference import ITEM_DIGITS, MORE_DIGITS, ROOT, is_said, item_name
from pipeline.job import Noted
from pipeline.language.chinese import han_runs
from pipeline.markdown.blocks import PAGE_NOTE, drop_overlaps, find_blocks, seal_item, split_lines
from pipeline.markdown.entries import one_line
from pipeline.markdown.items import persons_part, under_headings
from schemas.entry import NOT_STATED, Kind
from schemas.hot_page import CHARACTERS, LINES

SUMMARY = 240
"""The most characters of an entry's summary."""

SUBJECT = 40
"""The most characters of a heading."""

TITLE = ItemDraft("title", "# Memory")
ABOUT = ItemDraft(
    PAGE_NOTE, "What to read first, out of the daily files in `memory/`. What you add or edit here is yours."
)

HEADINGS = {
    Kind.DECISION: "Decisions",
    Kind.RULE: "Rules",
    Kind.ARCHITECTURE: "Architecture",
    Kind.REMEMBER: "To remember",
}
"""The headings of entries without a trusted subject."""

_CUT = 0.6  # of the summary: a word is cut only if it begins before this part
_STRUCTURE = re.compile(r"[#>*+=~`|<\-_\[]|\d+[.)]|id:")
_JOINERS = "\u200c\u200d"
_IDENTIFIER = re.compile(
    r"\w*_\w*|\w+(?:-\w*\d\w*)+(?:-\w+)*|\w+(?:[/\\@#.]\w+)+|(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True)
class PageCandidate:
    """An entry that may stand on the page: `subject` is the heading of its plan.

    `rank` is the rank of the heading, then its own: the order on the page. `digits` are those of the item's name.
    `project` is the one that it is about; empty where it holds everywhere, or no projects are told apart.
    """

    noted: Noted
    subject: str = ""
    rank: tuple[Rank, ...] = ()
    digits: int = ITEM_DIGITS
    project: str = ""

    @cached_property
    def item(self) -> ItemDraft:
        """The entry as it stands on the page: one line."""
        entry = self.noted.entry
        day = f"{entry.date:%Y-%m-%d}"
        return ItemDraft(item_name(entry.id, self.digits), f"- {summary(self.noted)} ([{day}]({self.noted.path}))")


def cost_of(item: ItemDraft) -> tuple[int, int]:
    """The lines and characters of an item in a file with LF line ends, its mark and the empty line before it too."""
    sealed = seal_item(item.name, item.text)
    lead = 0 if item.text.startswith("- ") else 1
    return sealed.count("\n") + lead, len(sealed) + lead


def heading(subject: str) -> ItemDraft:
    """The heading of a section. Its name comes from the subject alone."""
    return ItemDraft(f"s-{hashlib.sha256(subject.casefold().encode()).hexdigest()[:8]}", f"## {subject}")


def project_heading(project: str) -> str:
    """The text of the heading of a project."""
    return f"Project {heading_of(project)}"


def summary(noted: Noted) -> str:
    """The summary of an entry on one line without Markdown structure: its conclusion, or else its quote."""
    entry = noted.entry
    stated = noted.as_written and entry.conclusion not in {"", NOT_STATED}
    whole = entry.conclusion if stated else entry.quote
    # Without invisible characters: a person has to see the same text as an agent.
    visible = "".join(char for char in whole if category(char) != "Cf" or char in _JOINERS)
    text = _clip(one_line(visible)).replace("<!--", "&lt;!--")
    return text if stated and text and not _STRUCTURE.match(text) else f'"{text}"'


def subject_of(wanted: str, noted: Noted, sources: Iterable[Noted]) -> str:
    """The heading for an entry: the subject of a plan, if `sources` (all entries with it) have each of its words."""
    letters = "".join(char if category(char)[0] in "LMN" else " " for char in normalize("NFC", wanted))
    subject = " ".join(letters.split())
    if subject in HEADINGS.values():
        return subject
    entries = (source.entry for source in sources)
    said = " ".join(without_identifiers(f"{entry.title} {entry.conclusion} {entry.quote}") for entry in entries)
    own = 0 < len(subject) <= SUBJECT and is_said(subject.split(), said) and _begin_words(subject.split(), said)
    return subject if own else HEADINGS[noted.entry.kind]


@lru_cache(maxsize=65536)  # an entry is asked about with each other one of its subject
def without_identifiers(text: str) -> str:
    """`text` without names of files, variables and records, of which a part is no word."""
    return _IDENTIFIER.sub(" ", text)


def _begin_words(words: Iterable[str], text: str) -> bool:
    """Whether these words, or their beginnings, begin words of a text; between Chinese characters nothing begins."""
    said = normalize("NFC", text).casefold()
    parts = (normalize("NFC", word).casefold()[:ROOT] for word in words)
    return all(han_runs(part) or re.search(rf"(?<![^\W_]){re.escape(part)}", said) for part in parts)


def _clip(text: str) -> str:
    if len(text) <= SUMMARY:
        return text
    kept = text[: SUMMARY - 1]
    space = kept.rfind(" ")
    return (kept[:space] if space > SUMMARY * _CUT else kept).rstrip(" ,;:-，、；：") + "…"  # noqa: RUF001 - people type full-width punctuation


FEWEST = 3
"""The fewest entries of a section, where there are others to join."""

MOST = 8
"""The most subjects with a section of their own: those with the most entries, of equals the senior one."""

ORDER = tuple(HEADINGS)
"""The order of the kinds on the page, after all subjects."""

_KINDS = {heading: kind for kind, heading in HEADINGS.items()}
_AMONG_OTHERS = {Kind.REMEMBER: "things to remember"}

IsFixed = Callable[[str], bool]
"""Whether a person holds on to a heading, so that its section stays as it is."""


def section_of_items(candidates: Sequence[PageCandidate], joined: Collection[str], fixed: IsFixed) -> dict[str, str]:
    """The heading of each candidate's section, by the name of its item. The subjects `joined` have none."""
    of_projects = {one.item.name: project_heading(one.project) for one in candidates if one.project}
    others = [one for one in candidates if not one.project]
    counts = Counter(candidate.subject for candidate in others)
    first = {candidate.subject: candidate.rank for candidate in reversed(others)}
    many = [subject for subject in counts if subject not in _KINDS and (fixed(subject) or counts[subject] >= FEWEST)]
    many.sort(key=lambda subject: (not fixed(subject), -counts[subject], first[subject]))
    own = {subject for place, subject in enumerate(many) if fixed(subject) or place < MOST} - set(joined)
    of_kind = _joined_kinds(Counter(_kind_of(candidate) for candidate in others if candidate.subject not in own), fixed)
    return of_projects | {
        candidate.item.name: candidate.subject if candidate.subject in own else of_kind[_kind_of(candidate)]
        for candidate in others
    }


def place_of(section: str, candidate: PageCandidate) -> tuple[object, ...]:
    """The sort key of an entry: subjects by their first promotion, then the kinds, then the projects; each by rank."""
    if candidate.project:
        return 1 + len(ORDER), candidate.project, candidate.rank[1:]
    if section == candidate.subject and section not in _KINDS:
        return 0, candidate.rank
    return 1 + ORDER.index(next(kind for kind in ORDER if section.startswith(HEADINGS[kind]))), candidate.rank[1:]


def _kind_of(candidate: PageCandidate) -> Kind:
    return _KINDS.get(candidate.subject, candidate.noted.entry.kind)


def _joined_kinds(counts: Counter[Kind], fixed: IsFixed) -> dict[Kind, str]:
    """The heading of each kind: kinds with few entries stand together with their smaller neighbour."""
    alone = [kind for kind in ORDER if counts[kind] and fixed(HEADINGS[kind])]
    groups = [[kind] for kind in ORDER if counts[kind] and kind not in alone]
    sizes = [counts[kind] for (kind,) in groups]
    while len(groups) > 1 and min(sizes) < FEWEST:
        small = sizes.index(min(sizes))
        near = min((place for place in (small - 1, small + 1) if 0 <= place < len(sizes)), key=sizes.__getitem__)
        low, high = sorted((small, near))
        groups[low : high + 1] = [groups[low] + groups[high]]
        sizes[low : high + 1] = [sizes[low] + sizes[high]]
    return {kind: _heading(group) for group in [*groups, *([kind] for kind in alone)] for kind in group}


def _heading(kinds: Sequence[Kind]) -> str:
    if len(kinds) == 1:
        return HEADINGS[kinds[0]]
    *names, last = (_AMONG_OTHERS.get(kind, HEADINGS[kind].lower()) for kind in kinds)
    return f"{', '.join(names)} and {last}".capitalize()


@dataclass(frozen=True)
class Arrangement:
    """The items of the page in their order, and the candidates that found no room."""

    items: tuple[ItemDraft, ...]
    left_out: tuple[PageCandidate, ...]


def arrange(
    current: str, removed: AbstractSet[str], candidates: Sequence[PageCandidate], after: Sequence[ItemDraft]
) -> Arrangement:
    """The items wanted on the page that stands as `current`; `after` are a heading and its lines at the end of ours.

    `removed` are the names of items that a person took out, which do not come back. An entry whose item a person has
    changed does not come a second time.
    """
    standing = _StandingPage(current, removed)
    ours = [candidate for candidate in _with_unique_names(candidates) if standing.takes(candidate.item.name)]
    joined, small, allotment = set[str](), set[str](), None
    while allotment is None or small:
        joined |= small
        allotment = _Allotment(standing, section_of_items(ours, joined, standing.holds), ours)
        small = allotment.small() - joined
    return allotment.arrangement(after, new=not current)


def _with_unique_names(candidates: Sequence[PageCandidate]) -> list[PageCandidate]:
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
        self.anchors = frozenset(block.name for block in drop_overlaps(theirs))
        ours = [block for block in find_blocks(data) if block.item]
        self.copies = Counter(block.name for block in ours if block.intact)
        self.standing = frozenset(self.copies) | self.anchors
        self.removed = removed - self.standing  # an item that a person has put back stands there
        # The headings of our sections above items that a person has changed.
        changed = [head for place, head in under_headings(data, ours).items() if not ours[place].intact]
        self.kept = {head.name: ItemDraft(head.name, head.text) for head in changed if head.text.startswith("## ")}
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
        counts = Counter(
            candidate.subject for candidate in self._placed if candidate.subject == self._section(candidate)
        )
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
            if title.name not in page.removed | (page.adopted - page.anchors):
                yield title
            yield from items
        shown = {title.name for title in titles.values()}
        yield from (item for name, item in page.kept.items() if name in self._opened - shown)

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
