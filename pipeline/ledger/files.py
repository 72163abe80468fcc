"""The catalog of transcript files with their sessions at the last reading, so that few files are opened."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.ledger.store import LedgerTable, Row, Values, to_moment
from schemas.transcript import TranscriptFile
from schemas.window import Window


@dataclass(frozen=True)
class FileRecord:
    """A session in a file that was read. `session` is missing when the file holds none of ours.

    Times are of its messages; `agent` is the name of its agent. `left_out` is the reason why the settings leave it out,
    `counts` the numbers of its messages by origin and of its passed records by reason. `opening` is a digest of its
    first paragraph, `second` the time of the owner's second message. `machine` and `archived` are those of the session.
    `unaccounted` is by how much the file has grown, in the unit of its size, since it was last read with a new message
    or another record that is known.
    """

    source: str
    file: TranscriptFile
    session: str | None
    first: datetime | None
    last: datetime | None
    agent: str = ""
    left_out: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    opening: str = ""
    second: datetime | None = None
    machine: bool = False
    archived: bool = False
    unaccounted: int = 0


@dataclass(frozen=True, slots=True)
class FileOfSession:
    """A file of a session, as far as it tells whether the session has changed."""

    session_id: str
    source: str
    file: TranscriptFile
    machine: bool

    @property
    def stamp(self) -> str:
        """What is another one when the file has changed."""
        return f"{self.source} {self.file.path} {self.file.size} {self.file.mtime_ns} {self.machine:d}"


_READ = "session <> '' AND left_out = ''"


class Files(LedgerTable):
    """The table of transcript files."""

    def known(self, source: str) -> dict[str, TranscriptFile]:
        """The files of a source at their last reading, by path."""
        rows = self._store.rows("SELECT DISTINCT path, size, mtime_ns FROM files WHERE source = ?", (source,))
        return {file.path: file for file in map(_file, rows)}

    def read_as(self, source: str, fingerprint: str) -> None:
        """Drop the files of a source that was read under other settings, which may have left files out."""
        if fingerprint != self._store.value("SELECT fingerprint FROM sources WHERE name = ?", (source,)):
            self._store.write("DELETE FROM files WHERE source = ?", (source,))
            self._store.write("INSERT OR REPLACE INTO sources VALUES (?, ?)", (source, fingerprint))

    def note(self, records: Sequence[FileRecord]) -> None:
        """Note the sessions of a file in place of its old ones: a record for each, or one without a session."""
        for record in records[:1]:
            self.drop(record.source, record.file.path)
        for record in records:
            values = _values(record)
            places = ", ".join("?" * len(values))
            self._store.write(f"INSERT OR REPLACE INTO files VALUES ({places})", values)  # noqa: S608 - places alone

    def drop(self, source: str, path: str) -> None:
        """Drop a file that is gone."""
        self._store.write("DELETE FROM files WHERE source = ? AND path = ?", (source, path))

    def overlapping(self, window: Window) -> list[FileRecord]:
        """The files of every session that has messages around `window`, sorted by source and path.

        All files of such a session are named, since one session may be spread over several.
        """
        around = f"SELECT session FROM files WHERE {_READ} AND first < ? AND last >= ?"  # noqa: S608 - fixed texts
        return self._select(f"{_READ} AND session IN ({around}) ORDER BY source, path", (window.end, window.start))

    def opened_alike(self, opening: str, before: datetime, until: datetime) -> int:
        """How many sessions with this opening began `before` and had one message of the owner `until` then."""
        where = f"{_READ} AND opening = ? AND first < ? AND (second IS NULL OR second >= ?)"
        query = f"SELECT count(DISTINCT session) FROM files WHERE {where}"  # noqa: S608 - fixed texts
        return int(self._store.value(query, (opening, before, until)))

    def of_session(self, session: str) -> list[FileRecord]:
        """The files of one session, sorted by source and path."""
        return self._select(f"{_READ} AND session = ? ORDER BY source, path", (session,))

    def sessions(self) -> list[FileRecord]:
        """All files with a session that is read, newest last."""
        return self._select(f"{_READ} ORDER BY first, path")

    def by_session(self) -> Iterator[FileOfSession]:
        """The files of all sessions that are read, by session; thousands of them in little time."""
        fields = "session, source, path, size, mtime_ns, machine"
        query = f"SELECT {fields} FROM files WHERE {_READ} ORDER BY session, source, path"  # noqa: S608 - fixed texts
        for row in self._store.rows(query):
            yield FileOfSession(row["session"], row["source"], _file(row), bool(row["machine"]))

    def of_source(self, source: str) -> list[FileRecord]:
        """All files of one source, also those without a session that is read, sorted by path."""
        return self._select("source = ? ORDER BY path, session", (source,))

    def of_path(self, source: str, path: str) -> list[FileRecord]:
        """The sessions in one file at its last reading."""
        return self._select("source = ? AND path = ? ORDER BY session", (source, path))

    def was_looked_at(self, source: str) -> bool:
        """Whether the files of a source have ever been listed."""
        return bool(self._store.rows("SELECT 1 FROM sources WHERE name = ?", (source,)))

    def _select(self, where: str, values: Values = ()) -> list[FileRecord]:
        return list(map(_record, self._store.rows(f"SELECT * FROM files WHERE {where}", values)))  # noqa: S608 - fixed texts


def _file(row: Row) -> TranscriptFile:
    return TranscriptFile(path=row["path"], size=row["size"], mtime_ns=row["mtime_ns"])


def _record(row: Row) -> FileRecord:
    return FileRecord(
        source=row["source"],
        file=_file(row),
        session=row["session"] or None,
        first=to_moment(row["first"]),
        last=to_moment(row["last"]),
        agent=row["agent"],
        left_out=row["left_out"],
        counts=json.loads(row["counts"]),
        opening=row["opening"],
        second=to_moment(row["second"]),
        machine=bool(row["machine"]),
        archived=bool(row["archived"]),
        unaccounted=row["unaccounted"],
    )


def _values(record: FileRecord) -> Values:
    file, session = record.file, record.session or ""
    about = (record.agent, record.first, record.last, record.left_out, json.dumps(dict(record.counts)))
    standing = (record.opening, record.second, record.machine, record.archived, record.unaccounted)
    return (record.source, file.path, file.size, file.mtime_ns, session, *about, *standing)
