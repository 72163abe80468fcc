"""The conversations in a PostgreSQL store. Their paths are those that they would have in a file."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from urllib.parse import quote, unquote

from pydantic import ValidationError

from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.store.rows import session_of
from pipeline.errors import PipelineError, ReadFailed
from pipeline.store.conversations import ConversationTable, StoredCount
from pipeline.store.database import Database, open_database
from pipeline.store.opening import FILE
from schemas.store_settings import StoreSettings
from schemas.transcript import Session, TranscriptFile


class ConversationServer:
    """The conversations of one workspace on a server. A connection is held for no longer than a question takes."""

    def __init__(self, place: SourcePlace, store: StoreSettings) -> None:
        self._place, self._store = place, store

    @property
    def name(self) -> str:
        """How entries name this root."""
        return self._place.settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        """The conversations of the owner that have messages, and that jobs may read, in the order of their paths."""
        try:
            with closing(self._opened()) as database:
                listed = ConversationTable(database, self._store.workspace).listed()
        except PipelineError as error:
            raise ReadFailed(FILE, str(error)) from error
        files = [_file(one) for one in listed if one.messages and one.conversation.may_be_read]
        yield from sorted(files, key=lambda file: file.path)

    def read(self, path: str) -> Sequence[Session]:
        """The conversation of one path."""
        folder, _, name = path.partition("/")
        try:
            with closing(self._opened()) as database:
                table = ConversationTable(database, self._store.workspace)
                about = table.find(unquote(name)) if folder == FILE and name else None
                said = table.history(about, with_cleared=True) if about else []
        except (PipelineError, ValidationError) as error:
            raise ReadFailed(path, str(error)) from error
        if about is None:
            raise ReadFailed(path, "there is no such conversation")
        if not about.may_be_read:
            return ()
        rows = (message.model_dump(mode="json") for message in said)
        return (session_of(self._place, path, about.model_dump(mode="json"), rows),)

    def _opened(self) -> Database:
        return open_database(self._place.root, self._store)


def _file(one: StoredCount) -> TranscriptFile:
    last = one.last or one.conversation.created_at
    path = f"{FILE}/{quote(one.conversation.session_id, safe='')}"
    return TranscriptFile(path=path, size=one.messages, mtime_ns=int(last.timestamp() * 1_000_000) * 1000)
