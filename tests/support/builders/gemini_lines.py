"""Sessions of Gemini CLI written by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import gemini_cli
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class GeminiLines:
    """A session, record by record; each record is a minute after the one before."""

    def __init__(self, session_id: str = "8f1c2d", **header: Any) -> None:  # noqa: ANN401 - any JSON
        self.records: list[dict[str, Any]] = []
        named = {"sessionId": session_id, "projectHash": "5f", "kind": "main"}
        self.records.append(named | {"startTime": self.time(), "lastUpdated": self.time()} | header)

    def time(self) -> str:
        """The time of the next record."""
        return (START + timedelta(minutes=len(self.records))).isoformat().replace("+00:00", "Z")

    def add(self, record: dict[str, Any]) -> None:
        """Adds a record as it is."""
        self.records.append(record)

    def message(self, kind: str, content: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a message; gives its id."""
        message_id = f"m{len(self.records)}"
        self.add({"id": message_id, "timestamp": self.time(), "type": kind, "content": content} | fields)
        return message_id

    def user(self, text: str, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds what stands where a person speaks."""
        return self.message("user", [{"text": text}], **fields)

    def assistant(self, text: str, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds an answer."""
        return self.message("gemini", text, **({"model": "m-1", "thoughts": []} | fields))

    @property
    def lines(self) -> list[bytes]:
        """The records as lines."""
        return [json.dumps(record).encode() + b"\n" for record in self.records]

    @property
    def whole(self) -> bytes:
        """The session as one object, as versions before 0.40 write it."""
        header, *messages = self.records
        return json.dumps(header | {"messages": messages}, indent=2).encode()

    def read(self, root: Path, path: str = "session-s.jsonl") -> Session:
        """Writes the file below `root` and reads it."""
        content = b"".join(self.lines) if path.endswith("l") else self.whole
        return only_session(opened_source(gemini_cli, root), root / path, path, content)
