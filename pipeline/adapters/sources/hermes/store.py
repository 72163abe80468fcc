"""Hermes' SQLite store: one a profile, with all its sessions."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from pipeline.adapters.sources.hermes.messages import HermesProgress, Said, key_of
from pipeline.adapters.sources.reading.database import Database, columns_of, rows_of
from pipeline.adapters.sources.reading.files import SourcePlace
from pipeline.adapters.sources.reading.records import (
    Record,
    decoded,
    identifier,
    mapping,
    nanoseconds,
    one_line,
    since_epoch,
    word,
)
from pipeline.adapters.sources.reading.stores import StoredSession
from pipeline.adapters.sources.speakers.channels.senders import names
from pipeline.adapters.sources.speakers.owner import Owner
from schemas.transcript import Session

_REQUIRED = frozenset({"id", "session_id", "role", "content", "timestamp"})
_OPTIONAL = ("tool_name", "observed", "_compressed_summary", "display_kind")
# The largest id shows that rows were written anew at their old times; a time has no more than microseconds.
_LISTING = """
SELECT session_id AS id, count(*) AS records, max(timestamp) AS time, max(id) % 1000 AS last
FROM messages GROUP BY session_id
"""
_MESSAGES = """
SELECT id, role, timestamp, CASE role WHEN 'tool' THEN substr(content, 1, 2000) ELSE content END AS content{more}
FROM messages WHERE session_id = ? ORDER BY id
"""
_ABOUT = "SELECT * FROM sessions WHERE id = ?"

_MACHINES = frozenset({"batch", "cron", "subagent", "tool", "webhook"})
_ALONE = frozenset({"", "direct", "dm", "private"})
_CONTINUED = frozenset(
    {
        "branched", "compression", "daily", "idle", "resume_pending_expired", "session_reset", "session_switch",
        "suspended",
    }
)  # fmt: skip
"""The ends after which a session goes on in another one; any other child of a session is a sub-agent's."""


class HermesStore:
    """Hermes' sessions in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """The messages; what else there is depends on the version."""
        return {"messages": _REQUIRED}

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions that have messages."""
        for row in rows_of(store, _LISTING):
            if session_id := identifier(row["id"]):
                last = row["last"] if isinstance(row["last"], int) else 0
                yield StoredSession(session_id, row["records"], nanoseconds(since_epoch(row["time"])) + last)

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """One session; `None` when it has no messages."""
        about = _about(store, session_id)
        parent = identifier(about.get("parent_session_id"))
        reading = HermesProgress(
            Owner(self._place.settings.owner.ids),
            names(about.get("user_id")),
            _inherited(store, parent),
            group=word(about.get("chat_type")).lower() not in _ALONE,
        )
        number = 0
        for number, row in enumerate(_messages(store, session_id), start=1):
            reading.take(number, row)
        if not number:
            return None
        return self._place.session(
            path,
            session_id,
            reading.assembly,
            agent=profile(self._place, path),
            project=one_line(about.get("cwd")),
            parent=parent or None,
            machine=_is_machine(store, about, parent),
        )


def profile(place: SourcePlace, path: str) -> str:
    """The profile whose folder a file is in, `profiles/<profile>/`; the first one has the home folder to itself."""
    parts = [*place.root.parts, *PurePosixPath(path).parts]
    named = [name for above, name, below in zip(parts, parts[1:], parts[2:], strict=False) if _is_profile(above, below)]
    return one_line(named[-1]) if named else "default"


def _is_profile(above: str, below: str) -> bool:
    return above == "profiles" and below in ("state.db", "sessions")


def _about(store: Database, session_id: str) -> Record:
    known = columns_of(store, "sessions")
    return next(rows_of(store, _ABOUT, session_id), {}) if "id" in known and session_id else {}


def _messages(store: Database, session_id: str) -> Iterator[Record]:
    known = columns_of(store, "messages")
    query = _MESSAGES.format(more="".join(f", {name}" for name in _OPTIONAL if name in known))
    for row in rows_of(store, query, session_id):
        yield row | {"id": str(row["id"]), "timestamp": since_epoch(row["timestamp"])}


def _inherited(store: Database, parent: str) -> frozenset[Said]:
    return frozenset(key_of(row) for row in _messages(store, parent)) if parent else frozenset()


def _is_machine(store: Database, about: Record, parent: str) -> bool:
    if about.get("source") in _MACHINES:
        return True
    setting = mapping(decoded(word(about.get("model_config"))))
    if not parent or setting.get("_branched_from") or setting.get("_reset_from"):
        return False
    return setting.get("_delegate_from") == parent or _about(store, parent).get("end_reason") not in _CONTINUED
