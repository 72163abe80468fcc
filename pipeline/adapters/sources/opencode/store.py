"""OpenCode's SQLite store, of both generations.

Until version 1 a message is a row of `message` and its texts are rows of `part`; from version 2 it is a row of
`session_message`. A store that was updated has both: the older tables do not change any more. A store may have several
gigabytes, nearly all of it output of tools and copies of files, which is never loaded.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from pipeline.adapters.sources.opencode import queries
from pipeline.adapters.sources.opencode.messages import OpenCodeProgress
from pipeline.adapters.sources.reading.database import Database, columns_of, rows_of
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import Record, identifier, moment, nanoseconds, one_line
from pipeline.adapters.sources.reading.stores import StoredSession
from schemas.transcript import Session

_OVERLAP = timedelta(minutes=1)  # for a while some versions wrote a message into both tables, at nearly the same time


class OpenCodeStore:
    """OpenCode's sessions in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """None is in every version; one with no table of messages at all has no session."""
        return {}

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions with their messages; a row of a message is written again when its last part is complete."""
        listed = dict[str, StoredSession]()
        for table, query in queries.CHANGES.items():
            columns = columns_of(store, table)
            time = "time_updated" if "time_updated" in columns else "time_created"
            for row in rows_of(store, query.format(time=time)) if columns else ():
                if session_id := identifier(row["id"]):
                    before = listed.get(session_id, StoredSession(session_id, 0, 0))
                    change = max(before.change, nanoseconds(row["time"]))
                    listed[session_id] = StoredSession(session_id, before.records + row["records"], change)
        yield from listed.values()

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """One session; its older messages first, then those of the newer table that came after them."""
        about = _about(store, session_id)
        reading = OpenCodeProgress(moment(about.get("time_created")))
        number, last = 0, None
        for number, (record, parts) in enumerate(_older(store, session_id), start=1):
            reading.take(number, record, parts)
            last = reading.assembly.clock
        for record, parts in _newer(store, session_id):
            time = moment(record["timestamp"])
            if last and (time is None or time < last + _OVERLAP):
                reading.assembly.skipped["repeated"] += 1
                continue
            number += 1
            reading.take(number, record, parts)
        if not number:
            return None
        parent = one_line(about.get("parent_id"))
        return self._place.session(
            path,
            session_id,
            reading.assembly,
            project=one_line(about.get("directory")),
            parent=parent or None,
            machine=bool(parent),
        )


def _about(store: Database, session_id: str) -> Record:
    """What the store says of a session."""
    for table, query in queries.ABOUT.items():
        row = next(rows_of(store, query, session_id), None) if columns_of(store, table) else None
        if row:
            return row
    return {}


def _older(store: Database, session_id: str) -> Iterator[tuple[Record, list[Record]]]:
    if not columns_of(store, "message"):
        return
    parts = _by_message(store, queries.PARTS, session_id)
    for row in rows_of(store, queries.MESSAGES, session_id):
        record = {"id": row["id"], "timestamp": _time(row), "role": row["role"], "summary": row["summary"] == "true"}
        yield record, parts[row["id"]]


def _newer(store: Database, session_id: str) -> Iterator[tuple[Record, list[Record]]]:
    if not columns_of(store, "session_message"):
        return
    content = _by_message(store, queries.CONTENT, session_id)
    for row in rows_of(store, queries.RECORDS, session_id):
        own = [{"type": "text", "text": row["text"]}] if row["text"] else content[row["id"]]
        yield {"id": row["id"], "timestamp": _time(row), "role": row["role"]}, own


def _by_message(store: Database, query: str, session_id: str) -> defaultdict[str, list[Record]]:
    parts = defaultdict[str, list[Record]](list)
    for row in rows_of(store, query, session_id):
        parts[row["message_id"]].append(row)
    return parts


def _time(row: Record) -> object:
    return row["time"] if moment(row["time"]) else row["stored"]
