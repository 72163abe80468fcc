"""Rollouts of Codex written by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import codex
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class CodexLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self, session_id: str = "8f1c2d", **header: Any) -> None:  # noqa: ANN401 - any JSON
        self.lines: list[bytes] = []
        named = {"id": session_id, "cwd": "/home/tom/shop", "originator": "codex_cli_rs", "source": "cli"}
        self.add("session_meta", named | header)

    def add(self, kind: str, payload: dict[str, Any], **fields: Any) -> None:  # noqa: ANN401 - any JSON
        """Adds a line."""
        time = START + timedelta(minutes=len(self.lines) + 1)
        stamp = time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        record = {"timestamp": stamp, "type": kind, "payload": payload} | fields
        self.lines.append(json.dumps(record).encode() + b"\n")

    def item(self, role: str, *said: str, **fields: Any) -> None:  # noqa: ANN401 - any JSON
        """Adds a text as the model's input or output."""
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text} for text in said]
        self.add("response_item", {"type": "message", "role": role, "content": content}, **fields)

    def event(self, kind: str, **payload: Any) -> None:  # noqa: ANN401 - any JSON
        """Adds an event."""
        self.add("event_msg", {"type": kind} | payload)

    def user(self, text: str) -> None:
        """Adds a person's words as versions since autumn 2025 write them: twice."""
        self.item("user", text)
        self.event("user_message", message=text, images=[])

    def assistant(self, text: str) -> None:
        """Adds an answer, twice."""
        self.event("agent_message", message=text)
        self.item("assistant", text)

    def result(self, tool: str, output: object) -> None:
        """Adds the call of a tool, and its result."""
        call = f"call_{len(self.lines)}"
        self.add("response_item", {"type": "function_call", "name": tool, "arguments": "{}", "call_id": call})
        self.add("response_item", {"type": "function_call_output", "call_id": call, "output": output})

    def write(self, file: Path) -> Path:
        """Writes the file, and the folders above it."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"".join(self.lines))
        return file

    def read(self, root: Path, path: str = "rollout-s.jsonl") -> Session:
        """Writes the file below `root` and reads it."""
        return only_session(opened_source(codex, root), root / path, path, b"".join(self.lines))
