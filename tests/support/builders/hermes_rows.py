"""Stores and files of Hermes written by hand."""

import json
from pathlib import Path
from typing import Any

from tests.support.builders.store_rows import StoreRows

START = 1_770_000_000.25


class HermesRows(StoreRows):
    """A store; each message is a minute after the one before."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            file,
            "sessions (id TEXT PRIMARY KEY, source TEXT, user_id TEXT, chat_type TEXT, model_config TEXT,"
            " parent_session_id TEXT, end_reason TEXT, cwd TEXT)",
            "messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_name TEXT,"
            " timestamp REAL, observed INTEGER DEFAULT 0, _compressed_summary INTEGER DEFAULT 0, display_kind TEXT)",
        )
        self.time = START

    def session(self, session_id: str, **fields: object) -> None:
        """Adds a session."""
        self.add("sessions", id=session_id, **({"source": "cli", "cwd": "/home/tom/shop"} | fields))

    def message(self, session_id: str, role: str, content: str | None, **fields: object) -> None:
        """Adds a message; with a `timestamp` of its own it is a copy."""
        self.time += 60
        row = {"session_id": session_id, "role": role, "content": content, "timestamp": self.time} | fields
        self.add("messages", **row)


def session_file(root: Path, session_id: str, *messages: dict[str, Any], **about: object) -> Path:
    """Writes a session as older versions did."""
    file = root / "sessions" / f"session_{session_id}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    own = {"session_id": session_id, "platform": "cli", "session_start": "2026-02-02T10:00:00", "cwd": "/home/tom/shop"}
    file.write_text(json.dumps(own | about | {"messages": list(messages)}))
    return file
