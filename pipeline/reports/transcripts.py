"""The sessions that are read: a list for programs, and the one that is meant."""

from difflib import get_close_matches
from pathlib import PurePosixPath

from pipeline.clock import to_the_minute
from pipeline.engine.context import Engine
from pipeline.errors import UnknownSession
from pipeline.ledger.files import FileRecord
from pipeline.workspace.prefixes import whole_name
from schemas.reports.workspace import ListedSession
from schemas.transcript import Session

_OFFERED = 5


def listed_session(record: FileRecord) -> ListedSession:
    """A session as programs get it."""
    return ListedSession(record.session, record.source, record.first, record.last, record.file.path)


def find_session(engine: Engine, name: str) -> Session:
    """A session by its id, or else by its file; the beginning of either is enough.

    Raises:
        UnknownSession: there is none.
        SeveralNames: several begin so.
    """
    records = engine.catalog.listing()
    by_file = {_stem(record.file.path): record.session or "" for record in records}
    titles = {record.session or "": _title(record, engine.zone) for record in records}
    offered = get_close_matches(name, titles, n=_OFFERED, cutoff=0.3) or sorted(titles)[-_OFFERED:]
    if name in by_file and name not in titles:
        whole = by_file[name]
    elif any(title.startswith(name) for title in titles):
        whole = whole_name(name, titles, UnknownSession, offered)
    else:
        files = {stem: titles[session] for stem, session in by_file.items()}
        whole = by_file[whole_name(name, files, UnknownSession, offered)]
    if transcript := engine.catalog.session(whole):
        return transcript
    raise UnknownSession(name, [other for other in offered if other != whole])


def _stem(path: str) -> str:
    return PurePosixPath(path).name.partition(".jsonl")[0]


def _title(record: FileRecord, zone: str) -> str:
    """When a session began, and where it lies."""
    return f"{to_the_minute(record.first, zone) if record.first else '-'}, {record.file.path}"
