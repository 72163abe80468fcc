"""A file as the index sees it: passages, each with what it takes to find it, to weigh it and to cite it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from schemas.entry import Entry
from schemas.fact import Fact
from schemas.tier import Tier


@dataclass(frozen=True, slots=True)
class Passage:
    """The smallest thing that is found: an entry, a list item, a paragraph, a table, a code block or a part of one.

    `start` and `end` are lines counted from 1, both inside. `text` is exactly those lines, joined by LF, without the
    last line's end; a passage cut from within one long line has all of that line as `text`. `words` is what is looked
    through: its part of the text without marks, checks, comments and ids that only machines read. `headings` are the
    headings above it, outermost first, then the beginnings of the list items that it is in. `label` is who or what it
    begins with ("Anna: ...", "- why: ..."), empty when there is nothing of the sort. `section` numbers the stretch of
    text between two headings; passages of one section are each other's neighbours. `entry` is the entry it is, as
    written, and `fact` the fact; the day of a fact is that of the file. `about` are the ids of entries that it names or
    is an item about, its own id first.
    """

    start: int
    end: int
    text: str
    words: str
    headings: tuple[str, ...] = ()
    label: str = ""
    section: int = 0
    entry: Entry | None = None
    fact: Fact | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file. `path` is relative to the workspace, or `NAME:path` for one of `index.extra_paths`.

    `kind` is the sort of file (see `schemas.hit.Hit.kind`), `trust` what its text deserves where it is no entry, `day`
    the day it tells of, by its name, front matter or first heading, and `agent` whose it is, when the path tells.
    Of a detail, `readers` are those who may read it (`schema.reader_name`), and `thread` is the conversation that it
    belongs to.
    """

    path: str
    tier: Tier
    kind: str
    trust: str
    day: date | None
    agent: str = ""
    passages: Sequence[Passage] = field(default_factory=tuple)
    readers: tuple[str, ...] = ()
    thread: str = ""
