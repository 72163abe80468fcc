"""A store of OpenClaw as the agent has it open: in WAL mode, with rows that are only in the write-ahead log."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import zstandard

from tests.support.builders.openclaw_lines import OpenClawLines

NAME = "openclaw-agent.sqlite"
_TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, entry_json TEXT NOT NULL, created_via TEXT,
    spawned_by TEXT) STRICT;
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL,
    previous_session_id TEXT, reason TEXT, session_scope TEXT NOT NULL DEFAULT 'conversation', updated_at INTEGER
    NOT NULL, transcript_updated_at INTEGER, plugin_owner_id TEXT, hook_external_content_source TEXT, chat_type TEXT,
    parent_session_key TEXT, spawned_by TEXT) STRICT;
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER
    NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, PRIMARY KEY (session_id, seq)) STRICT;
CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL,
    encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, archive_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, generation)) STRICT;
CREATE TABLE session_transcript_cold_archives (session_id TEXT NOT NULL PRIMARY KEY, archive_name TEXT NOT NULL,
    event_count INTEGER NOT NULL, last_seq INTEGER NOT NULL, storage TEXT NOT NULL, archive_blob BLOB) STRICT;
"""
_LOOSE = re.sub(r"NOT NULL|UNIQUE|PRIMARY KEY(?! \()|, PRIMARY KEY \([^)]*\)|STRICT|TEXT|INTEGER|BLOB", "", _TABLES)
"""Tables that take any value in any column."""


class OpenClawStoreFile:
    """The store of the agent in `folder`, such as `agents/main`; every change has a time of its own."""

    def __init__(self, folder: Path, *, strict: bool = True) -> None:
        self.folder = folder
        self.file = folder / "agent" / NAME
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.agent = sqlite3.connect(self.file, isolation_level=None)
        self.agent.executescript(_TABLES if strict else _LOOSE)
        self._clock = 1_784_000_000_000

    def put(self, lines: OpenClawLines, key: str = "agent:main:main", **window: Any) -> str:  # noqa: ANN401 - any column
        """Writes a session, or writes it anew; gives its id."""
        session_id = str(json.loads(lines.lines[0])["id"])
        self._clock += 1_000
        columns = {"session_id": session_id, "session_key": key, "updated_at": self._clock} | window
        marks = ", ".join("?" * len(columns))
        self.agent.execute("BEGIN")
        self.agent.execute(
            f"REPLACE INTO session_windows ({', '.join(columns)}) VALUES ({marks})",  # noqa: S608 - the test's own
            tuple(columns.values()),
        )
        self.agent.execute("DELETE FROM transcript_events WHERE session_id = ?", (session_id,))
        rows = [(session_id, seq, line.decode().strip(), self._clock) for seq, line in enumerate(lines.lines)]
        self.agent.executemany(
            "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)", rows
        )
        self.agent.execute("COMMIT")
        return session_id

    def node(self, key: str, entry: dict[str, Any], created_via: str | None = None) -> None:
        """Writes what the agent knows of a key."""
        self.agent.execute("REPLACE INTO session_nodes VALUES (?, ?, ?, NULL)", (key, json.dumps(entry), created_via))

    def compress(self, session_id: str) -> None:
        """Compresses the records of a session, each by itself."""
        rows = self.agent.execute("SELECT seq, event_json FROM transcript_events WHERE session_id = ?", (session_id,))
        for seq, text in rows.fetchall():
            self.agent.execute(
                "UPDATE transcript_events SET event_json = NULL, event_zstd = ?, event_utf8_bytes = ?"
                " WHERE session_id = ? AND seq = ?",
                (zstandard.compress(text.encode()), len(text.encode()), session_id, seq),
            )

    def delete(self, session_id: str, *, published: bool = False, packed: bool = True) -> str:
        """Deletes a session; its archive is in the store, and in a file when it is `published`. Gives its name."""
        name = f"{session_id}.jsonl.deleted.2026-08-02T10-00-00.000Z" + (".zst" if packed else "")
        blob = "\n".join(self._texts(session_id)).encode() + b"\n"
        blob = zstandard.compress(blob) if packed else blob
        key = self.agent.execute("SELECT session_key FROM session_windows WHERE session_id = ?", (session_id,))
        row = (session_id, "g1", key.fetchone()[0], "zstd" if packed else "identity", blob, name, self._clock)
        self.agent.execute("INSERT INTO session_transcript_archives VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for table in ("session_windows", "transcript_events"):
            self.agent.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))  # noqa: S608 - the test's own
        if published:
            self._publish(self.folder / "sessions" / name, blob)
        return name

    def set_aside(self, session_id: str, storage: str) -> None:
        """Moves the records of a session into one compressed text: in the store (`sqlite`), or a `file`."""
        texts = self._texts(session_id)
        lines = [json.dumps({"kind": "header", "version": 1, "sessionId": session_id})]
        lines += [json.dumps({"kind": "event", "row": {"seq": n, "event_json": text}}) for n, text in enumerate(texts)]
        blob, name = zstandard.compress("\n".join(lines).encode()), f"{len(texts)}a7.jsonl.zst"
        row = (session_id, name, len(texts), len(texts) - 1, storage, blob if storage == "sqlite" else None)
        self.agent.execute("INSERT INTO session_transcript_cold_archives VALUES (?, ?, ?, ?, ?, ?)", row)
        self.agent.execute("DELETE FROM transcript_events WHERE session_id = ?", (session_id,))
        if storage == "file":
            self._publish(self.folder / "sessions" / "cold" / name, blob)

    def _texts(self, session_id: str) -> list[str]:
        query = "SELECT event_json FROM transcript_events WHERE session_id = ? ORDER BY seq"
        return [text for (text,) in self.agent.execute(query, (session_id,))]

    def _publish(self, file: Path, blob: bytes) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(blob)
