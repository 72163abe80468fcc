"""Stored details as programs get them: what is known of each, and what was done with them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ListedDetail:
    """A stored text. `size` is in bytes; `tokens` are exact up to 256 KiB.

    `agent` and `thread` are whose it is, empty where it is nobody's; without `expires_at` it stays.
    """

    key: str
    type: str
    description: str
    lines: int
    size: int
    tokens: int
    created_at: datetime
    expires_at: datetime | None
    pinned: bool
    agent: str
    thread: str
    sha256: str


@dataclass(frozen=True)
class ShownDetail:
    """A stored text with its `synopsis`, and the `command` and its `exit_code` where a command made it."""

    detail: ListedDetail
    synopsis: str
    command: str
    exit_code: int | None


NOT_STORED = "It was not stored: it is small (store.threshold), or no longer than its placeholder. Use the text itself."
"""The sentence on a text that was to be stored and stays as it is."""


@dataclass(frozen=True)
class KeptDetail:
    """A text that was stored under `key`; `text` is its placeholder.

    A small text has no key and is not stored: `text` is the text itself, and `notice` says so.
    """

    key: str
    text: str
    notice: str = ""


@dataclass(frozen=True)
class PinnedDetails:
    """The keys that were to be pinned or unpinned, and how many of them there are."""

    keys: tuple[str, ...]
    present: int
    pinned: bool


@dataclass(frozen=True)
class PrunedDetails:
    """The keys of the texts that went, or would go in a dry run, their bytes, and those that are still cited.

    `notice` says what is left to the next update of the index; empty when nothing is.
    """

    gone: tuple[str, ...]
    size: int
    cited: tuple[str, ...]
    notice: str = ""


@dataclass(frozen=True)
class PrunedStore(PrunedDetails):
    """The keys of the texts that went, as `PrunedDetails`, and the sessions of the `conversations` that went.

    `unread` are the sessions of those that expired too and that jobs have still to read.
    """

    conversations: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportedStore:
    """An export into a folder: details by their `keys`, conversations by their sessions.

    `preferences` counts what users and agents want in all sessions.
    """

    folder: str
    keys: tuple[str, ...]
    conversations: tuple[str, ...]
    preferences: int


@dataclass(frozen=True)
class ImportedStore:
    """The keys of details that were brought back, and of those that were there already; the same of conversations.

    These go by their sessions. `preferences` counts those that were brought back.
    """

    added: tuple[str, ...]
    present: tuple[str, ...]
    conversations: tuple[str, ...]
    present_conversations: tuple[str, ...]
    preferences: int
