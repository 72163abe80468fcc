"""Wires of Kimi Code written by hand."""

import json
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import kimi
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = 1_770_000_000_000


class KimiLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.add({"type": "metadata", "protocol_version": "1.4", "created_at": START})

    def add(self, record: dict[str, Any]) -> None:
        """Adds a record."""
        whole = record | {"time": START + 60_000 * len(self.lines)}
        self.lines.append(json.dumps(whole).encode() + b"\n")

    def message(self, role: str, words: str, **fields: object) -> None:
        """Adds a message of the context."""
        message = {"role": role, "content": [{"type": "text", "text": words}], "toolCalls": []} | fields
        self.add({"type": "context.append_message", "message": message})

    def user(self, words: str, **fields: object) -> None:
        """Adds what stands where a person speaks."""
        self.message("user", words, **fields)

    def event(self, kind: str, **fields: object) -> None:
        """Adds an event of a turn."""
        own = {"type": kind, "uuid": f"ev-{len(self.lines)}"}
        self.add({"type": "context.append_loop_event", "event": own | fields})

    def assistant(self, *pieces: str) -> None:
        """Adds an answer in pieces."""
        step = f"step-{len(self.lines)}"
        self.event("step.begin", uuid=step)
        for piece in pieces:
            self.event("content.part", stepUuid=step, part={"type": "text", "text": piece})
        self.event("step.end", uuid=step)

    def read(self, root: Path, path: str = "wd/session_1/agents/main/wire.jsonl") -> Session:
        """Writes the file below `root` and reads it."""
        return only_session(opened_source(kimi, root), root / path, path, b"".join(self.lines))
