"""The catalog of transcript files: what was in each when it was last read, so that only what is needed is opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.ledger.store import Store, to_moment, to_text
from schemas.transcript import TranscriptFile
from schemas.window import Window


@dataclass(frozen=True)
class FileRecord:
    """A session in a file that was read once. `session` is missing when the file holds none of ours.

    Times are of its messages; `agent` is whose session it is.
    """

    source: str
    file: TranscriptFile
    session: str | None
    first: datetime | None
    last: datetime | None
    agent: str = ""


class Files:
    """The table of transcript files."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, source: str) -> dict[str, TranscriptFile]:
        """The files of a source as they were when last read, by path."""
        rows = self._store.rows("SELECT DISTINCT path, size, mtime_ns FROM files WHERE source = ?", (source,))
        return {file.path: file for file in map(_file, rows)}

    def read_as(self, source: str, fingerprint: str) -> None:
        """Forget what a source held when it was read under other settings: they may have left files out."""
        known = self._store.rows("SELECT fingerprint FROM sources WHERE name = ?", (source,))
        if known != [(fingerprint,)]:
            self._store.write("DELETE FROM files WHERE source = ?", (source,))
            self._store.write("INSERT OR REPLACE INTO sources VALUES (?, ?)", (source, fingerprint))

    def note(self, records: Sequence[FileRecord]) -> None:
        """Note what a file holds, in place of what was known of it: one record for each session, or one without."""
        for record in records[:1]:
            self.drop(record.source, record.file.path)
        for record in records:
            first, last = (to_text(moment) if moment else None for moment in (record.first, record.last))
            file, session = record.file, record.session or ""
            self._store.write(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (record.source, file.path, file.size, file.mtime_ns, session, record.agent, first, last),
            )

    def drop(self, source: str, path: str) -> None:
        """Forget a file that is gone."""
        self._store.write("DELETE FROM files WHERE source = ? AND path = ?", (source, path))

    def overlapping(self, window: Window) -> list[FileRecord]:
        """The files of every session that has messages around `window`, sorted by source and path.

        All files of such a session are named, since one session may be spread over several.
        """
        query = """
            SELECT source, path, size, mtime_ns, session, first, last, agent FROM files
            WHERE session IN (SELECT session FROM files WHERE session <> '' AND first < ? AND last >= ?)
            ORDER BY source, path"""
        return [_record(row) for row in self._store.rows(query, (to_text(window.end), to_text(window.start)))]

    def of_session(self, session: str) -> list[FileRecord]:
        """The files of one session, sorted by source and path."""
        columns = "source, path, size, mtime_ns, session, first, last, agent"
        query = f"SELECT {columns} FROM files WHERE session = ? ORDER BY source, path"  # noqa: S608 - fixed texts
        return [_record(row) for row in self._store.rows(query, (session,))]

    def sessions(self) -> list[FileRecord]:
        """All files that hold a session, newest last."""
        columns = "source, path, size, mtime_ns, session, first, last, agent"
        query = f"SELECT {columns} FROM files WHERE session <> '' ORDER BY first, path"  # noqa: S608 - fixed texts
        return [_record(row) for row in self._store.rows(query)]


def _file(row: tuple[Any, ...]) -> TranscriptFile:
    path, size, mtime_ns = row
    return TranscriptFile(path=path, size=size, mtime_ns=mtime_ns)


def _record(row: tuple[Any, ...]) -> FileRecord:
    source, *file, session, first, last, agent = row
    return FileRecord(
        source=source,
        file=_file(tuple(file)),
        session=session or None,
        first=to_moment(first) if first else None,
        last=to_moment(last) if last else None,
        agent=agent,
    )
