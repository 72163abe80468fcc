"""Files of OpenClaw written by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import openclaw
from schemas.settings import OwnerSettings
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class OpenClawLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self, session_id: str = "8f1c2d", *, start: datetime = START, **header: Any) -> None:  # noqa: ANN401 - any JSON
        self.lines: list[bytes] = []
        self._start = start
        self.add({"type": "session", "version": 3, "id": session_id, "cwd": "/home/tom/shop"} | header)

    def add(self, record: dict[str, Any]) -> str:
        """Adds a record with an id, a parent and a time, where it has none; gives its id."""
        number = len(self.lines) + 1
        time = (self._start + timedelta(minutes=number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        whole = {"id": f"e{number:07x}", "parentId": f"e{number - 1:07x}", "timestamp": time} | record
        self.lines.append(json.dumps(whole).encode() + b"\n")
        return str(whole["id"])

    def message(self, role: str, content: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a message; a string becomes one block of text."""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return self.add({"type": "message", "message": {"role": role, "content": blocks} | fields})

    def user(self, content: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds what stands where a person speaks."""
        return self.message("user", content, **fields)

    def assistant(self, content: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds an answer."""
        return self.message("assistant", content, **({"model": "m-1", "stopReason": "stop"} | fields))

    def result(self, tool: str, content: str) -> str:
        """Adds a tool's result."""
        return self.message("toolResult", content, toolName=tool, toolCallId="call_1", isError=False)

    def write(self, file: Path) -> Path:
        """Writes the file, and the folders above it."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"".join(self.lines))
        return file

    def read(self, root: Path, owner: tuple[str, ...] = (), path: str = "s.jsonl") -> Session:
        """Writes the file below `root` and reads it with these owner ids."""
        source = opened_source(openclaw, root, owner=OwnerSettings(ids=owner))
        return only_session(source, root / path, path, b"".join(self.lines))


def said(session: Session) -> list[tuple[str, str]]:
    """Each message's origin and text."""
    return [(message.origin.value, message.text) for message in session.messages]
