"""A source over SQLite stores: each session of a store is a file of the source, at `STORE/SESSION`."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote, unquote

from pipeline.adapters.sources.reading.database import Copies, Database, StoreVersion, open_store, version_of
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.listing import inside, listing
from pipeline.errors import ReadFailed
from schemas.transcript import Session, TranscriptFile


class StoredSession(NamedTuple):
    """A session in a store's listing.

    Its number of `records` and the time (ns) of its latest `change` together differ after every change.
    """

    session_id: str
    records: int
    change: int


class StoreFormat(Protocol):
    """How one agent keeps sessions in a database."""

    def tables(self) -> dict[str, frozenset[str]]:
        """The columns that are read, by table; a store without one of them is of another version."""

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions of a store."""

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """One session; `path` is how an entry names it. `None` when it is gone, or not the agent's."""


class StoreSource:
    """The sessions in the stores below a folder."""

    def __init__(
        self,
        place: SourcePlace,
        keep: Callable[[str], bool],
        stored: StoreFormat,
        aside: AbstractSet[str] = frozenset(),
    ) -> None:
        """`keep` accepts the names of files that are stores; folders of a name in `aside` hold none."""
        self._place = place
        self._keep = keep
        self._format = stored
        self._aside = aside
        self._copies = Copies()
        self._listed: dict[str, tuple[StoreVersion, list[TranscriptFile]]] = {}

    @property
    def name(self) -> str:
        """How entries name this root."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """All sessions of all stores, in the order of their paths; a store that cannot be read stands for itself."""
        stores = listing(self._place.root, self._keep, self._aside)
        listed = [file for store in stores for file in self._sessions(store)]
        yield from sorted(listed, key=lambda file: file.path)

    def holds(self, path: str) -> bool:
        """Whether a path is that of a store or of a session in one."""
        return any(self._keep(part) for part in path.split("/"))

    def _sessions(self, store: TranscriptFile) -> list[TranscriptFile]:
        file = self._place.root / store.path
        version = version_of(file)
        known = self._listed.get(store.path)
        if known and known[0] == version:
            return known[1]
        try:
            with open_store(file, self._format.tables(), self._copies) as connection:
                sessions = [_listed(store.path, session) for session in self._format.listing(connection)]
        except ReadFailed:  # reading it raises the same
            return [store]
        self._listed[store.path] = version, sessions
        return sessions

    def read(self, path: str) -> Sequence[Session]:
        """The session of one path; of the path of a store alone there is none."""
        store, session_id = self._split(path)
        try:
            file = inside(self._place.root, store)
            with open_store(file, self._format.tables(), self._copies) as connection:
                session = self._format.read(connection, session_id, path) if session_id else None
        except ReadFailed as error:
            raise ReadFailed(path, error.reason) from error
        return (session,) if session else ()

    def opened(self, store: Path) -> AbstractContextManager[Database]:
        """A store for reading; entering it raises `ReadFailed` when it cannot be read."""
        return open_store(store, self._format.tables(), self._copies)

    def _split(self, path: str) -> tuple[str, str]:
        """The store's path and the session's id; the id is empty of the path of a store."""
        folder, _, last = path.rpartition("/")
        if self._keep(last) and not (self._place.root / folder).is_file():  # a session can have the name of a store
            return path, ""
        return folder, unquote(last)


def _listed(store: str, session: StoredSession) -> TranscriptFile:
    return TranscriptFile(
        path=f"{store}/{quote(session.session_id, safe='')}", size=session.records, mtime_ns=session.change
    )
