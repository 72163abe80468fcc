"""Drafts, which a job returns: entries, items and suggestions for the engine to write, and sentences to report."""

from dataclasses import dataclass

from schemas.entry import Entry, Status
from schemas.fact import Fact
from schemas.memory_change import MemoryChange
from schemas.outcome import Rejection
from schemas.suggestion import ProposedAlias


@dataclass(frozen=True)
class BlockDraft:
    """A new list item of a `listed` append family: `text` as `seal_item` takes it.

    `name` is its id, and `identity` makes it the same item again.
    """

    name: str
    text: str
    identity: str


@dataclass(frozen=True)
class ChangeDraft:
    """A change of the memory of the agent that the run is about. The engine's gate decides what becomes of it.

    Written, it is a list item under the change's id. `identity` makes it the same change again. `by_person` says of a
    line that it replaces or removes whether a person wrote, accepted or pinned that. What is `unconfirmed` was asked
    for in a session that has ended without the owner's word for it.
    """

    change: MemoryChange
    identity: str
    by_person: bool = False
    unconfirmed: bool = False


@dataclass(frozen=True)
class EntryDraft:
    """A new entry for an append family. `identity` makes it the same entry again (`pipeline.entries.provenance`)."""

    entry: Entry
    identity: str


@dataclass(frozen=True)
class SuggestionDraft:
    """An entry that is not sure enough to be written, or a fact of another hand: a person may accept it.

    `reason` is one of a fixed set of names. The engine keeps it in the ledger, once for its `identity`. `writer` is the
    job that writes it; without one it is the job that suggests it. With `at_once` nobody is asked: the writer writes
    the entry, unless something that stands, or that a person deleted, rests on the same message.
    """

    about: Entry | Fact
    identity: str
    reason: str
    writer: str = ""
    at_once: bool = False


@dataclass(frozen=True)
class JudgedProposal:
    """The entry that an agent proposed under this id was judged: another draft says what became of it."""

    proposal_id: str


@dataclass(frozen=True)
class StatusDraft:
    """A new `status:` line for an entry of a settled file."""

    entry_id: str
    status: Status
    superseded_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class ItemDraft:
    """A named item of a rewritten page, in the order the job wants them (see `pipeline.markdown.items`).

    `name` has lower-case letters, digits and hyphens, and is the same at every run: an id of an entry, which may have
    any letters, is hashed. `text` is a heading, a paragraph of one line, or a list item: a line that begins with `- `,
    and lines indented under it. The item named `front-matter` is the page's YAML, a `key: value` on each line. `page`
    names the page in a family with `{page}` or `{part}`, in any words, of which `page_name` makes the name of a file.
    The run fails when a family with `{page}` gets an item without it, or a family without names one with it.
    """

    name: str
    text: str
    page: str = ""


@dataclass(frozen=True)
class Skip:
    """Something that was seen and not written again, counted by `reason`."""

    reason: str


@dataclass(frozen=True)
class Notice:
    """Something that the owner should read in the outcome of the run: a sentence with ids, and without words."""

    text: str


Proposal = SuggestionDraft | ProposedAlias  # what a person should decide


Draft = (
    EntryDraft
    | BlockDraft
    | ChangeDraft
    | Proposal
    | JudgedProposal
    | StatusDraft
    | ItemDraft
    | Rejection
    | Skip
    | Notice
)
