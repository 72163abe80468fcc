"""Files of Claude Code written by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.adapters.sources import claude_code
from schemas.transcript import Session
from tests.support.sources import only_session, opened_source

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class ClaudeLines:
    """A session, line by line; each line is a minute after the one before."""

    def __init__(self, session_id: str = "8f1c2d", **fields: Any) -> None:  # noqa: ANN401 - any JSON
        self.session_id = session_id
        self.fields = fields
        self.lines: list[bytes] = []

    def add(self, record: dict[str, Any]) -> str:
        """Adds a record with what every line has, where it has none of its own; gives its uuid."""
        number = len(self.lines) + 1
        time = (START + timedelta(minutes=number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        every = {"uuid": f"u-{number}", "parentUuid": f"u-{number - 1}", "timestamp": time, "isSidechain": False}
        named = {"sessionId": self.session_id, "cwd": "/home/tom/shop", "userType": "external", "version": "2.1.33"}
        whole = every | named | self.fields | record
        self.lines.append(json.dumps(whole).encode() + b"\n")
        return str(whole["uuid"])

    def user(self, content: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds what stands where a person speaks."""
        return self.add({"type": "user", "message": {"role": "user", "content": content}} | fields)

    def assistant(self, content: object, message_id: str = "", **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a line of an answer; a string becomes one block of text."""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        message = {"id": message_id or f"msg_{len(self.lines)}", "role": "assistant", "model": "m-1", "content": blocks}
        return self.add({"type": "assistant", "message": message} | fields)

    def result(self, content: str, tool: str = "Bash") -> str:
        """Adds the call of a tool, and its result."""
        call = f"toolu_{len(self.lines)}"
        self.assistant([{"type": "tool_use", "id": call, "name": tool, "input": {}}])
        return self.user([{"type": "tool_result", "tool_use_id": call, "content": content}])

    def wrote(self, path: str, content: str, *, ok: bool = True, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a call that writes a file, and its result; without `ok` it failed."""
        call = f"toolu_{len(self.lines)}"
        given = {"file_path": path, "content": content}
        self.assistant([{"type": "tool_use", "id": call, "name": "Write", "input": given}], **fields)
        result = {"type": "tool_result", "tool_use_id": call, "content": "output", "is_error": not ok}
        outcome = {"type": "create", "filePath": path} if ok else "Error: no room"
        return self.user([result], toolUseResult=outcome, **fields)

    def asks(self, *questions: str, tool: str = "AskUserQuestion", **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds a call of the tool that asks the owner; gives the call's id."""
        call = f"toolu_{len(self.lines)}"
        asked = [{"question": one, "header": "Choice", "multiSelect": False, "options": []} for one in questions]
        self.assistant([{"type": "tool_use", "id": call, "name": tool, "input": {"questions": asked} | fields}])
        return call

    def answers(self, call: str, given: object, **fields: Any) -> str:  # noqa: ANN401 - any JSON
        """Adds the result of that call, with the answers in the program's own field."""
        text = f"User has answered your questions: {json.dumps(given)}. You can now continue with the user's answers."
        result = {"type": "tool_result", "tool_use_id": call, "content": text}
        return self.user([result], **({"toolUseResult": {"questions": [], "answers": given}} | fields))

    def write(self, file: Path) -> Path:
        """Writes the file, and the folders above it."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"".join(self.lines))
        return file

    def read(self, root: Path, path: str = "s.jsonl") -> Session:
        """Writes the file below `root` and reads it."""
        return only_session(opened_source(claude_code, root), root / path, path, b"".join(self.lines))


def said(session: Session) -> list[tuple[str, str]]:
    """Each message's origin and text."""
    return [(message.origin.value, message.text) for message in session.messages]
