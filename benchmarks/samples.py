"""Transcripts in bulk, of the shapes that agents write: short turns, long tool output, model usage records."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

OWNER = (
    "how long does the import take now?",
    "ok, let us keep the nightly window at 02:30",
    "show me the log of the last run",
)
ASSISTANT = "The import took 214 seconds, most of it in the join; I would add an index on (tenant, created_at)."
TOOL = "line of a log file with a number 123456 and a path /srv/app/logs/import.log\n" * 40


def openclaw(start: datetime, turns: int, session: str, said: Sequence[str] = OWNER) -> Iterator[dict[str, Any]]:
    """The records of an OpenClaw session with `turns` exchanges, a minute each."""
    yield {"type": "session", "version": 3, "id": session, "timestamp": _iso(start), "cwd": "/srv/app"}
    above = None
    for number in range(turns):
        for place, message in enumerate(_openclaw_turn(number, said[number % len(said)])):
            moment = start + timedelta(minutes=number, seconds=place)
            entry = f"{number * 4 + place:08x}"
            yield {"type": "message", "id": entry, "parentId": above, "timestamp": _iso(moment), "message": message}
            above = entry


def _openclaw_turn(number: int, asked: str) -> Iterator[dict[str, Any]]:
    yield {"role": "user", "content": [{"type": "text", "text": asked}]}
    call = {"type": "toolCall", "id": f"call_{number}", "name": "exec", "arguments": {"command": "tail import.log"}}
    yield {"role": "assistant", "content": [call], "stopReason": "toolUse", "usage": {"input": 1825, "output": 3}}
    yield {"role": "toolResult", "toolName": "exec", "content": [{"type": "text", "text": TOOL}], "isError": False}
    yield {"role": "assistant", "content": [{"type": "text", "text": ASSISTANT}], "stopReason": "stop"}


def claude_code(start: datetime, turns: int, session: str, said: Sequence[str] = OWNER) -> Iterator[dict[str, Any]]:
    """The records of a Claude Code session with `turns` exchanges, a minute each."""
    for number in range(turns):
        for place, (kind, message) in enumerate(_claude_turn(number, said[number % len(said)])):
            yield {
                "type": kind,
                "uuid": f"{session}-{number * 4 + place}",
                "parentUuid": None,
                "sessionId": session,
                "timestamp": _iso(start + timedelta(minutes=number, seconds=place)),
                "cwd": "/srv/app",
                "isSidechain": False,
                "userType": "external",
                "message": message,
            }


def _claude_turn(number: int, asked: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "user", {"role": "user", "content": asked}
    call = {"type": "tool_use", "id": f"call_{number}", "name": "Bash", "input": {"command": "tail import.log"}}
    yield "assistant", {"role": "assistant", "id": f"msg_{number}a", "content": [call]}
    result = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": TOOL}
    yield "user", {"role": "user", "content": [result]}
    yield "assistant", {"role": "assistant", "id": f"msg_{number}b", "content": [{"type": "text", "text": ASSISTANT}]}


def write(file: Path, records: Iterator[dict[str, Any]]) -> None:
    """A JSONL file of records."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as stream:
        for record in records:
            stream.write(json.dumps(record) + "\n")


def workspace(root: Path, sources: str, start: datetime) -> None:
    """A workspace whose only source is the OpenClaw folder `sources`."""
    root.mkdir(parents=True, exist_ok=True)
    settings = f'timezone = "Europe/Warsaw"\nstart = {start.isoformat()}\n'
    settings += f'\n[[sources]]\nkind = "openclaw"\npath = "{sources}"\n'
    (root / "memory.toml").write_text(settings, encoding="utf-8")


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
