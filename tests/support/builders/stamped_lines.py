"""Files of records with a time each, of several agents, written by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.ports.engine import TranscriptSource
from schemas.transcript import Session
from tests.support.sources import only_session

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class StampedLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self, time_key: str = "timestamp") -> None:
        self.lines: list[bytes] = []
        self._time_key = time_key

    def add(self, record: dict[str, Any]) -> None:
        """Adds a record, with a time where it has none."""
        time = (START + timedelta(minutes=len(self.lines) + 1)).isoformat().replace("+00:00", "Z")
        self.lines.append(json.dumps({self._time_key: time} | record).encode() + b"\n")

    def read(self, source: TranscriptSource, root: Path, path: str) -> Session:
        """Writes the file below the root of a source and reads it."""
        return only_session(source, root / path, path, b"".join(self.lines))


class QwenLines(StampedLines):
    """A session of Qwen Code."""

    def __init__(self, session_id: str = "8f1c2d") -> None:
        super().__init__()
        self._session_id = session_id

    def record(self, kind: str, parts: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a record after the one before; gives its id."""
        number = len(self.lines) + 1
        tree = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number > 1 else None}
        named = {"sessionId": self._session_id, "cwd": "/home/tom/shop", "version": "0.10.0"}
        role = "model" if kind == "assistant" else "user"
        whole: dict[str, Any] = tree | named | {"type": kind, "message": {"role": role, "parts": parts}} | fields
        self.add(whole)
        return str(whole["uuid"])

    def user(self, text: str, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds what stands where a person speaks."""
        return self.record("user", [{"text": text}], **fields)

    def assistant(self, text: str, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds an answer."""
        return self.record("assistant", [{"text": text}], **fields)

    def note(self, subtype: str, payload: object = None) -> str:
        """Adds a record of the program."""
        return self.record("system", None, subtype=subtype, message=None, systemPayload=payload)


class AntigravityLines(StampedLines):
    """A session of Antigravity."""

    def __init__(self) -> None:
        super().__init__("created_at")

    def step(self, source: str, kind: str, content: object) -> None:
        """Adds a step."""
        self.add({"step_index": len(self.lines), "source": source, "type": kind, "status": "DONE", "content": content})

    def user(self, text: str) -> None:
        """Adds what a person asks, in the program's wrapping."""
        metadata = "<ADDITIONAL_METADATA>\nThe current local time is: ...\n</ADDITIONAL_METADATA>"
        self.step("USER_EXPLICIT", "USER_INPUT", f"<USER_REQUEST>\n{text}\n</USER_REQUEST>\n{metadata}")

    def assistant(self, text: str) -> None:
        """Adds an answer."""
        self.step("MODEL", "PLANNER_RESPONSE", text)


class CopilotLines(StampedLines):
    """A session of GitHub Copilot's terminal program."""

    def __init__(self, session_id: str = "8f1c2d", **start: Any) -> None:  # noqa: ANN401 - any JSON
        super().__init__()
        self.event("session.start", {"sessionId": session_id, "context": {"cwd": "/home/tom/shop"}} | start)

    def event(self, kind: str, data: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds an event; gives its id."""
        event_id = f"e{len(self.lines)}"
        self.add({"type": kind, "id": event_id, "parentId": None, "data": data} | fields)
        return event_id

    def user(self, text: str, **data: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds what stands where a person speaks."""
        return self.event("user.message", {"content": text, "transformedContent": f"<time/>\n{text}"} | data)

    def assistant(self, text: str, **data: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds an answer."""
        return self.event("assistant.message", {"content": text, "toolRequests": []} | data)
