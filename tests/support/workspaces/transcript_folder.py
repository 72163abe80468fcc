"""A folder of OpenClaw sessions, told by what was said and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.support.builders.openclaw_lines import OpenClawLines

Turn = tuple[datetime, str, str]
"""When (aware), who (`user`, `assistant`, or the name of a tool), and what."""


@dataclass(frozen=True)
class TranscriptFolder:
    """The state folder of an OpenClaw gateway."""

    root: Path

    def say(self, session_id: str, turns: Sequence[Turn]) -> Path:
        """Write a session, or write it anew with more said; its file."""
        lines = OpenClawLines(session_id, timestamp=_stamp(turns[0][0]))
        for moment, who, text in turns:
            lines.add({"type": "message", "timestamp": _stamp(moment), "message": _message(who, text)})
        return lines.write(self.root / "agents" / "main" / "sessions" / f"{session_id}.jsonl")


def _message(who: str, text: str) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    if who == "user":
        return {"role": "user", "content": content}
    if who == "assistant":
        return {"role": "assistant", "content": content, "model": "m-1", "stopReason": "stop"}
    return {"role": "toolResult", "content": content, "toolName": who, "toolCallId": "call_1", "isError": False}


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
