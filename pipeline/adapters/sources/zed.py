"""The threads of Zed's agent: a SQLite store, in which each thread is one JSON document, as a rule compressed."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

from pipeline.adapters.sources.kind import SourceKind, mac_folders, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import SourcePlace, uncompress
from pipeline.adapters.sources.reading.records import (
    blocks,
    clean,
    decode_json,
    identifier,
    mapping,
    moment,
    nanoseconds,
    one_line,
    word,
)
from pipeline.adapters.sources.reading.stores import Database, StoredSession, StoreSource, columns_of
from pipeline.adapters.sources.speakers.typed import typed_words
from pipeline.workspace.regular_files import LARGEST
from schemas.transcript import Origin, Role, Session

_STORE = "threads.db"
_REQUIRED = frozenset({"id", "updated_at", "data_type", "data"})
_LISTING = "SELECT id, updated_at, length(data) AS size FROM threads"
_THREAD = "SELECT * FROM threads WHERE id = ?"
_ROLES = {
    "user": (Role.USER, Origin.OWNER),
    "assistant": (Role.ASSISTANT, Origin.ASSISTANT),
    "system": (Role.SYSTEM, Origin.MACHINE),
}


def _roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    data = named_folder(environment, "XDG_DATA_HOME", home / ".local" / "share")
    data = named_folder(environment, "FLATPAK_XDG_DATA_HOME", data)
    return (data / "zed" / "threads", *(folder / "Zed" / "threads" for folder in mac_folders(home)))


KIND = SourceKind("zed", lambda place: StoreSource(place, lambda name: name == _STORE, _ZedStore(place)), _roots)


class _ZedStore:
    """Zed's threads in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """The threads; newer versions add columns."""
        return {"threads": _REQUIRED}

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The threads; a thread is written anew as a whole, so its size stands for its number of messages."""
        for row in store.execute(_LISTING):
            if session_id := identifier(row["id"]):
                yield StoredSession(session_id, row["size"] or 0, nanoseconds(row["updated_at"]))

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """A thread; every message has the time at which it began."""
        row = store.execute(_THREAD, (session_id,)).fetchone()
        messages = mapping(_document(row["data_type"], row["data"])).get("messages") if row else None
        if not isinstance(messages, list):
            return None
        about = {name: row[name] for name in columns_of(store, "threads") - {"data"}}
        assembly = Assembly(clock=moment(about.get("created_at")) or moment(about["updated_at"]))
        for number, message in enumerate(messages, start=1):
            _take(assembly, number, message)
        assembly.skipped.pop("no_time", None)  # none has one
        parent = one_line(about.get("parent_id"))
        return self._place.session(
            path,
            session_id,
            assembly,
            project=one_line(word(about.get("folder_paths")).partition("\n")[0]),
            parent=parent or None,
            machine=bool(parent),
        )


def _document(kind: object, data: object) -> object:
    """The document of a thread.

    Raises:
        OSError: it cannot be uncompressed, which costs this thread alone.
    """
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    if not isinstance(content, bytes):
        return None
    return decode_json(uncompress(BytesIO(content), Path(_STORE), LARGEST).read() if kind == "zstd" else content)


def _take(assembly: Assembly, number: int, message: object) -> None:
    """A message is `{"User": ...}` or `{"Agent": ...}`; in older threads it has a `role` and segments."""
    record = mapping(message)
    sort = next((name for name in ("User", "Agent") if isinstance(record.get(name), dict)), "")
    if not sort:
        segments = [segment for segment in blocks(record.get("segments")) if segment.get("type") == "text"]
        role, said = word(record.get("role")), [word(segment.get("text")) for segment in segments]
    else:
        role, record = "user" if sort == "User" else "assistant", mapping(record.get(sort))
        said = [word(block.get("Text")) for block in blocks(record.get("content"))]
    if role not in _ROLES:
        if message == "Resume":
            assembly.skipped["no_conversation"] += 1
        else:
            assembly.pass_over("unknown_record", role or next(iter(record), ""))
        return
    entry_id = assembly.admit(number, record, "id")
    if not entry_id:
        return
    draft = DraftMessage(number, [entry_id], *_ROLES[role], [clean(text) for text in said if text.strip()])
    if draft.role is Role.USER:
        draft.origin, draft.parts = typed_words(draft.parts)
    assembly.add(draft)
