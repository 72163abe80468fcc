"""The names of projects, which stay when a folder moves, and the projects of sessions."""

import hashlib
from collections.abc import Iterable

from pipeline.ledger.store import LedgerTable


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
        name = self._store.value("SELECT name FROM projects WHERE remote = ?", (digest,)) or self._new(place)
        self._store.write("INSERT OR REPLACE INTO projects VALUES (?, ?, ?)", (place, name, digest))

    def _new(self, place: str) -> str:
        """The name of a project that was not seen before: its place, with a number where another one has that name."""
        known = self._store.value("SELECT name FROM projects WHERE place = ?", (place,))
        if known is not None and not self._is_elsewhere(known, place):
            return str(known)
        names, number = set(self._store.column("SELECT name FROM projects")), 1
        while (name := place if number == 1 else f"{place} ({number})") in names:
            number += 1
        return name

    def _is_elsewhere(self, name: str, place: str) -> bool:
        return bool(self._store.rows("SELECT 1 FROM projects WHERE name = ? AND place <> ?", (name, place)))


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

    def at(self, session: str, number: int) -> str | None:
        """The project in which a session was at a message, empty where it was in none.

        `None` when the session has files, and was not looked at for its projects yet.
        """
        query = "SELECT project FROM session_projects WHERE session = ? AND number <= ? ORDER BY number DESC LIMIT 1"
        project: str | None = self._store.value(query, (session, number))
        if project is None and self._store.rows("SELECT 1 FROM files WHERE session = ? LIMIT 1", (session,)):
            return "" if self._store.rows("SELECT 1 FROM session_projects WHERE session = ?", (session,)) else None
        return project or ""
