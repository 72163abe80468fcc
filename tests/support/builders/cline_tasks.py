"""Tasks of Cline and Roo Code written by hand."""

import json
from pathlib import Path
from typing import Any

START = 1_770_000_000_000


def text(words: str) -> dict[str, Any]:
    """A block of words."""
    return {"type": "text", "text": words}


def user(*blocks: str, **fields: object) -> dict[str, Any]:
    """What the program puts together in a person's place."""
    return {"role": "user", "content": [text(block) for block in blocks]} | fields


def assistant(words: str, *more: dict[str, Any], **fields: object) -> dict[str, Any]:
    """An answer."""
    return {"role": "assistant", "content": [text(words), *more]} | fields


def task_file(root: Path, *messages: object, task: str = str(START)) -> Path:
    """Writes the conversation of a task as the extensions do."""
    return write(root / "tasks" / task / "api_conversation_history.json", list(messages))


def session_file(root: Path, session_id: str, *messages: object, agent: str = "lead") -> Path:
    """Writes a session as the newer program does, with its file beside it."""
    about = {"session_id": session_id, "created_at": "2026-02-02T09:00:00Z", "cwd": "/home/tom/shop"}
    write(root / session_id / f"{session_id}.json", about)
    whole = {"version": 1, "agent": agent, "sessionId": session_id, "messages": list(messages)}
    return write(root / session_id / f"{session_id}.messages.json", whole)


def write(file: Path, value: object) -> Path:
    """Writes a file of JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))
    return file
