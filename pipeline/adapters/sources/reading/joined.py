"""A source over a store, and over the files that earlier versions of the agent left beside it."""

from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote

from pipeline.adapters.sources.reading.stores import StoreSource
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session, TranscriptFile


class JoinedSource:
    """The sessions in stores and in files of one folder."""

    def __init__(
        self, stores: StoreSource, files: TranscriptSource, session_id: Callable[[str], str] | None = None
    ) -> None:
        """`session_id` gives that of a file by its path: what a store holds as well is read there alone.

        Without it both are read, for the ids of messages are the same in both.
        """
        self._stores = stores
        self._files = files
        self._session_id = session_id

    @property
    def name(self) -> str:
        """How entries name this root."""
        return self._stores.name

    def files(self) -> Iterator[TranscriptFile]:
        """All sessions, in the order of their paths."""
        stored = list(self._stores.files())
        ids = {unquote(file.path.rpartition("/")[2]) for file in stored}
        older = [file for file in self._files.files() if not self._session_id or self._session_id(file.path) not in ids]
        yield from sorted([*stored, *older], key=lambda file: file.path)

    def read(self, path: str) -> Sequence[Session]:
        """The sessions of one path."""
        return (self._stores if self._stores.holds(path) else self._files).read(path)
