"""OpenClaw's stores: one for each agent, since version 2026.8.

A row of `transcript_events` is a line of a session, compressed since 2026.9. `session_windows` and `session_nodes` say
whose session it is. One that has not been used for long is a compressed text in `session_transcript_cold_archives`, or
in a file that this table names. One that was deleted is in `session_transcript_archives`, under the name of a file.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from pipeline.adapters.sources.openclaw.entries import Numbered, OpenClawProgress, Records, read_entries
from pipeline.adapters.sources.openclaw.folders import SESSIONS, STORE, agent_of
from pipeline.adapters.sources.openclaw.holders import ARCHIVES, COLD, SessionWindow, row_of, window_of
from pipeline.adapters.sources.reading.files import SourcePlace, open_stream, uncompress
from pipeline.adapters.sources.reading.records import (
    LONGEST_LINE,
    Record,
    identifier,
    mapping,
    objects_in,
    records,
    word,
)
from pipeline.adapters.sources.reading.stores import Database, StoredSession, columns_of, rows_of
from schemas.transcript import Session

# The index of the primary key has the counts, so that no text is read.
_COUNTED = "SELECT session_id, count(*) AS records, max(seq) AS last FROM transcript_events GROUP BY session_id"
_COUNTED_COLD = "SELECT session_id, event_count AS records, last_seq AS last FROM session_transcript_cold_archives"
_LINES = """
    SELECT seq, {packed} AS packed, length(CAST(event_json AS BLOB)) > :longest AS too_long,
        CASE WHEN length(CAST(event_json AS BLOB)) <= :longest THEN CAST(event_json AS BLOB) END AS line
    FROM transcript_events WHERE session_id = :session ORDER BY seq
"""
_NANOSECONDS = 1_000_000  # in a millisecond
_MOST = 2**63 - 1
_MOST_RECORDS = 2**31 - 1  # of a session, as in `RecordEvidence`


class OpenClawStore:
    """The sessions in a store."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """The columns that are read, by table; those that some versions lack are not among them."""
        return {
            "session_windows": frozenset({"session_id", "session_key", "updated_at"}),
            "transcript_events": frozenset({"session_id", "seq", "event_json"}),
        }

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions of a store, and those that were deleted, each under the name of its archive."""
        counted = f"{_COUNTED} UNION ALL {_COUNTED_COLD}" if columns_of(store, COLD) else _COUNTED
        listed = dict[str, StoredSession]()
        for row in rows_of(store, f"SELECT * FROM ({counted}) LEFT JOIN session_windows USING (session_id)"):  # noqa: S608 - fixed texts
            if name := word(row["session_id"]):
                listed.setdefault(name, StoredSession(name, _bound_count(row["records"]), _time_of_change(row)))
        if columns_of(store, ARCHIVES):
            for (name,) in store.execute("SELECT archive_name FROM session_transcript_archives"):
                if word(name):
                    listed.setdefault(name, StoredSession(name, 0, 0))
        yield from listed.values()

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """A session by its id, or an archive by its name."""
        store.execute("BEGIN")  # all reading is of one moment
        file = self._place.root / path.rpartition("/")[0]
        archive = row_of(store, ARCHIVES, "archive_name", session_id)
        key = word(archive.get("session_id")) if archive else session_id
        lines = partial(_read_archive, store, archive) if archive else _reader_of(store, key, file)
        window = window_of(store, key)
        back = taken_back(store, window.successor, file)
        reading = read_entries(self._place.settings.owner.ids, lines, back, sniffed=False)
        return self._session(path, identifier(key), reading, window) if reading else None

    def _session(self, path: str, session_id: str, reading: OpenClawProgress, window: SessionWindow) -> Session | None:
        known = session_id or reading.session_id
        if not known:
            return None
        messages = reading.finish(grouped=window.grouped)
        return self._place.session(
            path,
            known,
            reading.assembly,
            agent=agent_of(self._place.root / path.rpartition("/")[0]),
            project=reading.project,
            parent=window.parent or reading.parent or None,
            machine=window.machine,
            archived=window.gone or bool(window.successor),
            messages=messages,
        )


def taken_back(store: Database, session_id: str, file: Path) -> frozenset[str]:
    """The ids of the records that a session holds on dead branches; none without a session. `file` is the store."""
    reading = read_entries((), _reader_of(store, session_id, file), sniffed=False) if session_id else None
    return reading.abandoned_ids if reading else frozenset()


def _reader_of(store: Database, session_id: str, file: Path) -> Records:
    cold = row_of(store, COLD, "session_id", session_id)
    folder = file.parent.with_name(SESSIONS) / "cold"
    return partial(_read_cold, store, cold, folder) if cold else partial(_read_events, store, session_id)


def _read_events(store: Database, session_id: str, skipped: Counter[str]) -> Numbered:
    packed = "event_zstd" if "event_zstd" in columns_of(store, "transcript_events") else "NULL"
    query = _LINES.format(packed=packed)
    for row in store.execute(query, {"session": session_id, "longest": LONGEST_LINE}):
        if row["too_long"]:
            skipped["line_too_long"] += 1
        else:
            yield from _number_line(row["seq"], row["line"] or _unpack(row["packed"]), skipped)


def _unpack(packed: object) -> bytes:
    try:
        return uncompress(BytesIO(packed), Path(STORE), LONGEST_LINE).read() if isinstance(packed, bytes) else b""
    except OSError:
        return b""


def _number_line(place: object, line: bytes, skipped: Counter[str]) -> Numbered:
    """The record of a line at a place from 0; what is no record is counted."""
    record = next(iter(objects_in(line)[0]), None)
    if record is None or not isinstance(place, int) or not 0 <= place < _MOST_RECORDS:
        skipped["bad_line"] += 1
    else:
        yield place + 1, record


def _read_archive(store: Database, archive: Record, skipped: Counter[str]) -> Numbered:
    packed = archive.get("encoding") == "zstd"
    with _blob(store, ARCHIVES, archive, packed=packed) as stream:
        yield from records(stream, skipped)


def _read_cold(store: Database, cold: Record, folder: Path, skipped: Counter[str]) -> Numbered:
    name = Path(word(cold.get("archive_name"))).name
    in_store = cold.get("storage") == "sqlite"
    with _blob(store, COLD, cold, packed=True) if in_store else open_stream(folder / name) as stream:
        for _, record in records(stream, skipped):
            if record.get("kind") == "event":
                row = mapping(record.get("row"))
                yield from _number_line(row.get("seq"), word(row.get("event_json")).encode(errors="replace"), skipped)


@contextmanager
def _blob(store: Database, table: str, row: Record, *, packed: bool) -> Iterator[BinaryIO]:
    with store.blobopen(table, "archive_blob", row["rowid"], readonly=True) as blob:
        if not packed:
            yield BytesIO(blob.read())
            return
        with uncompress(cast("BinaryIO", blob), Path(STORE)) as stream:
            yield stream


def _time_of_change(window: Record) -> int:
    """The later of the times (ms) of the session and of its records, in nanoseconds.

    Below the milliseconds is a number that is another after any change: of the earlier time and the last record.
    """
    times = sorted(_bound_count(window.get(name)) for name in ("updated_at", "transcript_updated_at"))
    return min(times[1] * _NANOSECONDS + (times[0] + _bound_count(window.get("last"))) % _NANOSECONDS, _MOST)


def _bound_count(value: object) -> int:
    return min(value, _MOST) if isinstance(value, int) and value > 0 else 0
