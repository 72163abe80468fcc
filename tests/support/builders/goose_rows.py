"""Stores and files of Goose written by hand."""

import json
from pathlib import Path
from typing import Any

from tests.support.builders.store_rows import StoreRows

START = 1_770_000_000


class GooseRows(StoreRows):
    """A store; each message is a minute after the one before."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            file,
            "sessions (id TEXT PRIMARY KEY, session_type TEXT, working_dir TEXT, updated_at TEXT, schedule_id TEXT)",
            "messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT,"
            " content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)",
        )
        self.time = START

    def session(self, session_id: str, **fields: object) -> None:
        """Adds a session."""
        own = {"session_type": "user", "working_dir": "/home/tom/shop", "updated_at": "2026-02-02 09:00:00"}
        self.add("sessions", id=session_id, **(own | fields))

    def message(self, session_id: str, role: str, *content: dict[str, Any], **fields: object) -> None:
        """Adds a message of some blocks."""
        self.time += 60
        row = {"session_id": session_id, "role": role, "created_timestamp": self.time}
        self.add("messages", **(row | {"content_json": json.dumps(content)} | fields))


def text(words: str) -> dict[str, Any]:
    """A block of words."""
    return {"type": "text", "text": words}


class GooseLines:
    """A file of an older version, line by line; each message is a minute after the one before."""

    def __init__(self, **about: object) -> None:
        self.lines = [_line({"description": "shop", "working_dir": "/home/tom/shop", "message_count": 2} | about)]

    def message(self, role: str, *content: dict[str, Any], **fields: object) -> None:
        """Adds a message of some blocks."""
        number = len(self.lines)
        own = {"id": f"m-{number}", "role": role, "created": START + 60 * number, "content": content}
        self.lines.append(_line(own | fields))


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"
