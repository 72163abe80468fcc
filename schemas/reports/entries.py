"""Entries and their histories, as programs get them."""

from dataclasses import dataclass
from datetime import datetime

from schemas.base import Value
from schemas.entry import Entry
from schemas.transcript import Message


class ListedEntry(Entry):
    """An entry with where it stands. `status` is what all entries together say now.

    `verified` says that at least its quote is the owner's, `adopted` that a person changed it. `short` names it in
    lists; commands take it in place of the id.
    """

    verified: bool
    adopted: bool
    path: str
    line: int
    short: str


@dataclass(frozen=True)
class DoubtfulLink:
    """A link between two entries that is in doubt."""

    entry: str
    target: str
    doubt: str


@dataclass(frozen=True)
class VerdictReport:
    """The verdict of a weekly plan on an entry, and its place.

    `week` is an ISO week, `ruling` the word in bold, `reason` the text below it.
    """

    week: str
    ruling: str
    reason: str
    path: str
    line: int


@dataclass(frozen=True)
class EntryPlace:
    """A place that tells of an entry: `what` is `entry`, `item`, `mention`, `edited` or `line`."""

    path: str
    line: int
    what: str
    text: str


class Traced(Value):
    """The traces of an entry besides its words.

    `gone` says that it is in no daily file any more: then only its id or its words are left elsewhere, or a run may
    write it again. `verdicts` are in the order of their weeks. `quote_stands` is whether the quote stands in the
    transcript now, `quote_said` whether it is the owner's there, in the judgement of this version; both are `None` when
    the transcript cannot be read, and so are the `words` it rests on, which are redacted. `source_exists` is `None`
    when nothing tells where it came from. `messages` are those of conversations in the store in which forgetting would
    mask words, as `SESSION#NUMBER`: they are looked for when it is about to be forgotten, and only then.
    """

    gone: bool
    quote_stands: bool | None = None
    quote_said: bool | None = None
    source_exists: bool | None = None
    run_id: str | None = None
    findings: tuple[DoubtfulLink, ...] = ()
    verdicts: tuple[VerdictReport, ...]
    places: tuple[EntryPlace, ...]
    words: tuple[Message, ...] | None = None
    messages: tuple[str, ...] = ()


@dataclass(frozen=True)
class LinkGrounds:
    """The grounds of the link of a later entry to an earlier one; empty when nothing was recorded."""

    later: str
    earlier: str
    grounds: str


@dataclass(frozen=True)
class EntryWords:
    """The words of an entry, former or present: its id, title and conclusion, and the time from which they hold."""

    id: str
    title: str
    conclusion: str
    since: datetime


class _Linked(ListedEntry):
    reinforced_by: tuple[str, ...]
    part_superseded_by: tuple[str, ...] = ()
    rests_on: tuple[LinkGrounds, ...] = ()


class EntryHistory(Traced, _Linked):
    """The story of an entry that stands in a daily file, with all its links.

    `in_review` is why it waits for a person: the reason of its suggestion, or empty when it does not wait. `before` are
    the words that it corrects, the first ones first, and `after` those of its corrections.
    """

    in_review: str = ""
    before: tuple[EntryWords, ...] = ()
    after: tuple[EntryWords, ...] = ()


class _Named(Value):
    id: str


class GoneEntry(Traced, _Named):
    """The story of an entry that only pages still tell of, or that a run may write again."""


class ForgottenTraces(GoneEntry):
    """The story of an entry that a person deleted, but that pages still tell of."""

    forgotten: bool = True


@dataclass(frozen=True)
class ForgottenEntry:
    """An entry that a person deleted, of which nothing tells any more."""

    id: str
    forgotten: bool = True
