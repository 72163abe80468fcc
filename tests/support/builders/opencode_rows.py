"""Stores and folders of OpenCode written by hand."""

import json
from pathlib import Path
from typing import Any

from tests.support.builders.store_rows import StoreRows

START = 1_770_000_000_000
MINUTE = 60_000

OLDER = (
    "session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_created INTEGER)",
    "message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)",
    "part (id TEXT, message_id TEXT, data TEXT)",
)
NEWER = (
    "session_v2 (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_created INTEGER)",
    "session_message (id TEXT, session_id TEXT, type TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)",
)


class OpenCodeRows(StoreRows):
    """A store of both generations; each message is a minute after the one before."""

    def __init__(self, file: Path, *tables: str) -> None:
        super().__init__(file, *(tables or OLDER + NEWER))
        self.time = START

    def session(self, session_id: str, table: str = "session", **fields: object) -> None:
        """Adds a session."""
        whole = {"directory": "/home/tom/shop", "parent_id": None, "time_created": START} | fields
        self.add(table, id=session_id, **whole)

    def message(self, session_id: str, role: str, *parts: dict[str, Any], **info: object) -> str:
        """Adds a message of the older generation and its parts; gives its id."""
        time = self._tick()
        message_id = f"msg_{time}"
        data = json.dumps({"role": role, "time": {"created": time}} | info)
        self.add("message", id=message_id, session_id=session_id, time_created=time, time_updated=time + 1, data=data)
        for number, part in enumerate(parts):
            self.add("part", id=f"prt_{time}_{number}", message_id=message_id, data=json.dumps(part))
        return message_id

    def record(self, session_id: str, kind: str, **data: object) -> str:
        """Adds a message of the newer generation; gives its id."""
        time = self._tick()
        self.add(
            "session_message",
            id=f"msg_n{time}",
            session_id=session_id,
            type=kind,
            time_created=time,
            time_updated=time + 1,
            data=json.dumps({"time": {"created": time}} | data),
        )
        return f"msg_n{time}"

    def _tick(self) -> int:
        self.time += MINUTE
        return self.time


def text(words: str, **flags: object) -> dict[str, Any]:
    """A part, or a block, with words."""
    return {"type": "text", "text": words} | flags


def folder(root: Path, session_id: str, *messages: tuple[str, str], start: int = START, **about: object) -> Path:
    """Writes a session as versions before 1.2 did: messages are sides and words."""
    storage, time = root / "storage", start
    for side, words in messages:
        time += MINUTE
        message_id = f"msg_{time}"
        info = {"id": message_id, "sessionID": session_id, "role": side, "time": {"created": time}}
        _write(storage / "message" / session_id / f"{message_id}.json", info)
        part = {"id": "prt_1", "messageID": message_id} | text(words)
        _write(storage / "part" / message_id / "prt_1.json", part)
    own = {"id": session_id, "directory": "/home/tom/shop", "time": {"created": start, "updated": time}} | about
    return _write(storage / "session" / "prj_1" / f"{session_id}.json", own)


def _write(file: Path, value: object) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))
    return file
