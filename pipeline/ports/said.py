"""The port of what was said: transcripts as the index reads them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from schemas.entry import Entry
from schemas.transcript import Session


@dataclass(frozen=True, slots=True)
class SaidSession:
    """A session that may be found: its id, a stamp that changes when any of its files does, and their size in bytes.

    `kept` says that its transcript is gone: what was said in it is read from what was kept. One that is `away` could
    not be read at the last look, and is there on another day as it was.
    """

    session_id: str
    stamp: str
    size: int
    kept: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class BytePlace:
    """Some bytes of a file: `path` is that of a session, `<source>:<path>`; `start` and `size` are in bytes."""

    path: str
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class ScreenedWords:
    """The first messages of a session that were looked through for secrets, so that they need not be again.

    `count` of those that can be read; `digest` is of them and of what is masked today, so it fits nothing else.
    `telling` are the numbers of those in which something was found: these are looked through each time.
    """

    count: int = 0
    digest: str = ""
    telling: tuple[int, ...] = ()


class SaidSource(Protocol):
    """The messages in the transcripts of one workspace: with secrets masked, and nothing off the record or forgotten.

    Every one of them may raise:
        PipelineError: the workspace cannot be used now.
    """

    @property
    def rules(self) -> str:
        """The rules of what may be found, besides the transcripts: when they change, everything is read anew."""

    def list_sessions(self) -> Iterator[SaidSession]:
        """The sessions that may be found, those with the newest files first, and last those that are kept alone."""

    def read(self, session_id: str) -> Session | None:
        """A session with the conversation that may be found; `None` when it is not there, or may not be found."""

    def read_kept_session(self, session_id: str) -> Session | None:
        """The same of what is kept, when the transcript is gone."""

    def take(self, session_id: str, before: ScreenedWords) -> tuple[Session | None, ScreenedWords] | None:
        """A session to be indexed, by its transcript, or else what is kept; it is kept so from now on.

        The second is what to give as `before` the next time: it makes taking the session faster, and nothing else.
        `None` when its transcript cannot be read now, and nothing of it is kept.

        Raises:
            WriteFailed: the system refuses.
        """

    def settle(self, listed: Iterable[SaidSession], *, anew: bool = False) -> None:
        """Keep no session that is not listed, and nothing that is older than wanted.

        With `anew` all that is kept is looked through: nothing that may not be found stays in its files.

        Raises:
            WriteFailed: the system refuses.
        """

    def undone(self, days: Collection[date]) -> Sequence[Entry]:
        """The entries of some days that an undo took out, as they were written."""

    def find(self, path: str, texts: Sequence[str], start: int = 0) -> list[BytePlace | None]:
        """The places of texts in a file, in order from a byte on, as JSON writes them; `None` for a missing text."""

    def text(self, place: BytePlace) -> str | None:
        """The text at a place; `None` when the bytes there are none any more."""
