"""Sessions of DeepSeek's harness written by hand."""

import json
from typing import Any

START = 1_770_000_000_000


class DeepSeekLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self, session_id: str = "session-1", **about: object) -> None:
        header = {"type": "session", "version": 0, "id": session_id, "createdAt": START, "cwd": "/home/tom/shop"}
        self.lines = [json.dumps(header | about).encode() + b"\n"]

    def event(self, kind: str, data: dict[str, Any]) -> None:
        """Adds an event."""
        number = len(self.lines)
        record = {"type": kind, "seq": number, "time": START + 60_000 * number, "data": data}
        self.lines.append(json.dumps(record).encode() + b"\n")

    def user(self, words: str, source: str = "user") -> None:
        """Adds what stands where a person speaks."""
        content = [{"type": "text", "text": words}]
        self.event("user/message", {"role": "user", "content": content, "source": {"kind": source}})

    def assistant(self, words: str) -> None:
        """Adds an answer."""
        content = [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": words}]
        self.event("assistant/message", {"message": {"role": "assistant", "content": content}})

    def result(self, tool: str, words: str) -> None:
        """Adds the call of a tool, and its result."""
        call = f"c-{len(self.lines)}"
        self.event("tool/call", {"callId": call, "name": tool})
        block = {"type": "tool-result", "content": [{"type": "text", "text": words}]}
        self.event("tool/result", {"message": {"source": {"callId": call}, "content": [block]}})
