"""The catalog of transcript files with their sessions at the last reading, so that few files are opened."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from pipeline.ledger.store import LedgerTable, Row, Store, Values, to_moment, window_in
from pipeline.ports.engine import Clock
from schemas.transcript import TranscriptFile
from schemas.window import Window


class SessionKinds(LedgerTable):
    """The table of the ids of sessions. A row stays when the files are gone: entries cite the id."""

    def of(self, session: str) -> str | None:
        """The kind that has an id; `None` when no kind has it yet."""
        kind: str | None = self._store.value("SELECT kind FROM session_kinds WHERE session = ?", (session,))
        return kind

    def hold(self, session: str, kind: str) -> str:
        """Give a session id to a kind, unless another kind has it. Returns its kind. Needs a transaction."""
        holder = self.of(session)
        if holder is None:
            self._store.write("INSERT INTO session_kinds VALUES (?, ?)", (session, kind))
        return kind if holder is None else holder

    def empty(self) -> bool:
        """Whether no id is known: the ledger is new, or an older program made it."""
        return not self._store.rows("SELECT 1 FROM session_kinds LIMIT 1")


@dataclass(frozen=True)
class OtherKind:
    """Files below the folder of a source that hold sessions of another `kind`, which no setting names.

    `path` is the newest file with a session, relative to the folder; so many `files` have a name of that kind and are
    read by no source.
    """

    source: str
    kind: str
    path: str
    files: int


class OtherKinds(LedgerTable):
    """The table of such files. Nothing is written without a change: every writer waits for the others."""

    def of(self, source: str) -> list[OtherKind]:
        """The stores of other kinds below the folder of a source, by kind."""
        rows = self._store.rows("SELECT * FROM other_kinds WHERE source = ? ORDER BY kind", (source,))
        return [OtherKind(row["source"], row["kind"], row["path"], row["files"]) for row in rows]

    def note(self, source: str, others: Sequence[OtherKind]) -> None:
        """Note those of a source, in the order of their kinds, in place of those known."""
        if self.of(source) == list(others):
            return
        with self._store.transaction():
            self._store.write("DELETE FROM other_kinds WHERE source = ?", (source,))
            for other in others:
                values = (other.source, other.kind, other.path, other.files)
                self._store.write("INSERT INTO other_kinds VALUES (?, ?, ?, ?)", values)


class KeptPieces(LedgerTable):
    """The tables of pieces: their times alone, no words."""

    def of(self, session: str) -> list[Window]:
        """The pieces of a session that were read, in order; each from its first message to its last."""
        query = "SELECT start, end FROM pieces WHERE session = ? ORDER BY start"
        return [window_in(row) for row in self._store.rows(query, (session,))]

    def keep(self, session: str, pieces: Iterable[Window]) -> None:
        """Keep pieces of a session; those that are known stay as they are."""
        for piece in pieces:
            self._store.write(
                "INSERT INTO pieces SELECT ?1, ?2, ?3 "
                "WHERE NOT EXISTS (SELECT 1 FROM pieces WHERE session = ?1 AND start < ?3 AND end > ?2)",
                (session, piece.start, piece.end),
            )

    def note_open(self, session: str, over: datetime | None) -> None:
        """Note the end of the time in which a piece of a session may be open; `None` if none is."""
        if over is None:
            self._store.write("DELETE FROM open_pieces WHERE session = ?", (session,))
        else:
            self._store.write("INSERT OR REPLACE INTO open_pieces VALUES (?, ?)", (session, over))

    def over(self, now: datetime) -> list[str]:
        """The sessions of which a piece that was open is over by now."""
        return self._store.column("SELECT session FROM open_pieces WHERE over <= ? ORDER BY session", (now,))


@dataclass(frozen=True)
class EpisodeNumber:
    """The place of an episode: its `number` on its local day, and its `ordinal` among all of its subject, from 1."""

    day: date
    number: int
    ordinal: int


class EpisodeNumbers(LedgerTable):
    """The tables of numbers and of unsettled sessions. A number stays taken whatever becomes of its page."""

    def find(self, job: str, subject: str, key: str) -> EpisodeNumber | None:
        """The number of an episode; `None` if it has no number yet."""
        query = "SELECT day, number, ordinal FROM episodes WHERE job = ? AND subject = ? AND key = ?"
        rows = self._store.rows(query, (job, subject, key))
        return next((EpisodeNumber(date.fromisoformat(row[0]), row[1], row[2]) for row in rows), None)

    def of_subject(self, job: str, subject: str) -> dict[str, EpisodeNumber]:
        """All numbers of a subject by key, in their order."""
        query = "SELECT key, day, number, ordinal FROM episodes WHERE job = ? AND subject = ? ORDER BY ordinal"
        rows = self._store.rows(query, (job, subject))
        return {row[0]: EpisodeNumber(date.fromisoformat(row[1]), row[2], row[3]) for row in rows}

    def keep(self, job: str, subject: str, key: str, given: EpisodeNumber) -> None:
        """Keep the number of an episode; a second one changes nothing."""
        values = (job, subject, key, given.day.isoformat(), given.number, given.ordinal)
        self._store.write("INSERT OR IGNORE INTO episodes VALUES (?, ?, ?, ?, ?, ?)", values)

    def next(self, job: str, subject: str, day: date, taken: Collection[int]) -> EpisodeNumber:
        """The number of a new episode; `taken` are those of the day that its files have."""
        mine = "FROM episodes WHERE job = ? AND subject = ?"
        ordinal = self._store.value(f"SELECT MAX(ordinal) {mine}", (job, subject)) or 0
        query = f"SELECT MAX(number) {mine} AND day = ?"
        last = self._store.value(query, (job, subject, day.isoformat())) or 0
        return EpisodeNumber(day, max(last, *taken, 0) + 1, ordinal + 1)

    def note_changed(self, session: str) -> None:
        """Note that a session was read anew. The caller holds a transaction."""
        self._store.write("INSERT OR IGNORE INTO unsettled VALUES (?)", (session,))

    def sessions_to_number(self) -> set[str]:
        """The sessions that were read anew and may have messages in no episode."""
        return set(self._store.column("SELECT session FROM unsettled"))

    def settle(self, sessions: Sequence[str]) -> None:
        """Note that all messages of these sessions are in an episode."""
        for session in sessions:
            self._store.write("DELETE FROM unsettled WHERE session = ?", (session,))


class ProjectNames(LedgerTable):
    """The table of places with a repository that comes from somewhere; a row stays when the place is gone.

    All places of one origin are one project. Its name is the place where it was seen first, so that it keeps its name
    when its folder is renamed, and on another machine.
    """

    def of(self, place: str) -> str:
        """The name of the project at a place: that place where nothing else is known."""
        name: str | None = self._store.value("SELECT name FROM projects WHERE place = ?", (place,))
        return place if name is None else name

    def hold(self, place: str, remote: str) -> None:
        """Note from where the repository at a place comes. The caller holds a transaction.

        A place whose repository comes from elsewhere by now stays the same project, unless what it had has moved away.
        """
        digest = hashlib.sha256(remote.encode()).hexdigest()[:32]
        if self._store.rows("SELECT 1 FROM projects WHERE place = ? AND remote = ?", (place, digest)):
            return
        name = self._store.value("SELECT name FROM projects WHERE remote = ?", (digest,)) or self._new_name(place)
        self._store.write("INSERT OR REPLACE INTO projects VALUES (?, ?, ?)", (place, name, digest))

    def _new_name(self, place: str) -> str:
        """The name of a new project: its place, with a number if another project has this name."""
        known = self._store.value("SELECT name FROM projects WHERE place = ?", (place,))
        shared = "SELECT 1 FROM projects WHERE name = ? AND place <> ?"
        if known is not None and not self._store.rows(shared, (known, place)):
            return str(known)
        names, number = set(self._store.column("SELECT name FROM projects")), 1
        while (name := place if number == 1 else f"{place} ({number})") in names:
            number += 1
        return name


class SessionProjects(LedgerTable):
    """The table of the projects of sessions, each from a message on. A row stays when the files are gone."""

    def note(self, session: str, said_in: Iterable[tuple[int, str]]) -> None:
        """Note the project of each message of a session, by its number. The caller holds a transaction."""
        self._store.write("DELETE FROM session_projects WHERE session = ?", (session,))
        last: str | None = None
        for number, project in said_in:
            if project != last:
                self._store.write(
                    "INSERT OR REPLACE INTO session_projects VALUES (?, ?, ?)", (session, number, project)
                )
                last = project

    def of_session(self, session: str) -> list[tuple[int, str]]:
        """The projects of a session, the last one first, each with the number of the first message in it."""
        query = "SELECT number, project FROM session_projects WHERE session = ? ORDER BY number DESC"
        return [(number, project) for number, project in self._store.rows(query, (session,))]

    def last_of(self, session: str) -> str:
        """The project in which a session was last; empty where none is known."""
        query = "SELECT project FROM session_projects WHERE session = ? ORDER BY number DESC LIMIT 1"
        return self._store.value(query, (session,)) or ""

    def all(self) -> list[str]:
        """Every project in which anything was said."""
        return [project for (project,) in self._store.rows("SELECT DISTINCT project FROM session_projects") if project]

    def at(self, session: str, number: int) -> str | None:
        """The project in which a session was at a message, empty where it was in none.

        `None` when the session has files, and was not looked at for its projects yet.
        """
        query = "SELECT project FROM session_projects WHERE session = ? AND number <= ? ORDER BY number DESC LIMIT 1"
        project: str | None = self._store.value(query, (session, number))
        if project is None and self._store.rows("SELECT 1 FROM files WHERE session = ? LIMIT 1", (session,)):
            return "" if self._store.rows("SELECT 1 FROM session_projects WHERE session = ?", (session,)) else None
        return project or ""


class WrittenTexts(LedgerTable):
    """The table of the texts that sessions wrote, by digests of their real paths. A row stays when its file is gone."""

    def note(self, session: str, files: Iterable[Path]) -> None:
        """Note all texts that a session wrote. The caller holds a transaction."""
        self._store.write("DELETE FROM written_texts WHERE session = ?", (session,))
        for file in set(map(_digest, files)):
            self._store.write("INSERT INTO written_texts VALUES (?, ?)", (file, session))

    def has(self, file: Path) -> bool:
        """Whether a session wrote a file, given by its real path."""
        return bool(self._store.rows("SELECT 1 FROM written_texts WHERE file = ? LIMIT 1", (_digest(file),)))


def _digest(file: Path) -> str:
    return hashlib.sha256(str(file).encode(errors="surrogatepass")).hexdigest()[:32]


WHOLE = ""
"""The path in a record of a source that cannot be listed as a whole."""


@dataclass(frozen=True)
class UnreadableFile:
    """A file of a source, or the `WHOLE` source. `reason` is the system's message, `since` the moment it first came."""

    source: str
    path: str
    reason: str
    since: datetime


class UnreadableFiles(LedgerTable):
    """The table of unreadable files. It holds paths and reasons, and no messages.

    Nothing is written without a change: every command that refreshes would wait for the others.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self._clock = clock

    def of(self, source: str) -> dict[str, UnreadableFile]:
        """The unreadable files of a source, by path, the longest unreadable first."""
        rows = self._store.rows("SELECT * FROM unreadable WHERE source = ? ORDER BY since, path", (source,))
        files = (UnreadableFile(source, path, reason, datetime.fromisoformat(since)) for _, path, reason, since in rows)
        return {file.path: file for file in files}

    def note(self, source: str, path: str, reason: str) -> None:
        """Note an unreadable file; a known one keeps its `since`."""
        known = self._store.value("SELECT reason FROM unreadable WHERE source = ? AND path = ?", (source, path))
        if known != reason:
            self._store.write(
                "INSERT INTO unreadable VALUES (?, ?, ?, ?) "
                "ON CONFLICT (source, path) DO UPDATE SET reason = excluded.reason",
                (source, path, reason, self._clock.now()),
            )

    def clear(self, source: str, path: str) -> None:
        """Drop a file that can be read again, or is gone."""
        if self._store.rows("SELECT 1 FROM unreadable WHERE source = ? AND path = ?", (source, path)):
            self._store.write("DELETE FROM unreadable WHERE source = ? AND path = ?", (source, path))

    def sources(self) -> list[str]:
        """The sources with an unreadable file."""
        return self._store.column("SELECT DISTINCT source FROM unreadable ORDER BY source")


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
        """The size and time of the file; another value after a change."""
        return f"{self.source} {self.file.path} {self.file.size} {self.file.mtime_ns} {self.machine:d}"


_READ = "session <> '' AND left_out = ''"


class Files(LedgerTable):
    """The table of transcript files."""

    def by_path(self, source: str) -> dict[str, TranscriptFile]:
        """The files of a source at their last reading, by path."""
        rows = self._store.rows("SELECT DISTINCT path, size, mtime_ns FROM files WHERE source = ?", (source,))
        return {file.path: file for file in map(_file, rows)}

    def read_as(self, source: str, fingerprint: str) -> None:
        """Drop the files of a source that was read under other settings, which may have left files out."""
        if fingerprint != self._store.value("SELECT fingerprint FROM sources WHERE name = ?", (source,)):
            self._store.write("DELETE FROM files WHERE source = ?", (source,))
            self._store.write("INSERT OR REPLACE INTO sources VALUES (?, ?)", (source, fingerprint))

    def note(self, records: Sequence[FileRecord]) -> None:
        """Replace the sessions of a file: a record for each, or a record without a session."""
        for record in records[:1]:
            self.drop(record.source, record.file.path)
        for record in records:
            file, session = record.file, record.session or ""
            about = (record.agent, record.first, record.last, record.left_out, json.dumps(dict(record.counts)))
            marks = (record.opening, record.second, record.machine, record.archived, record.unaccounted)
            values = (record.source, file.path, file.size, file.mtime_ns, session, *about, *marks)
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
        """The number of sessions with this opening that began `before` and had one message of the owner by `until`."""
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
