"""The calls of tools in a transcript file, as its records have them: what an agent did, and not what was said.

Only files of JSON lines are read, whoever wrote them. A record with an unknown shape of call makes the file unreadable
here: who asks wants to know that nothing was done, so what is not known counts as done.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.workspace.regular_files import read_regular
from schemas.evidence import EvidenceKind
from schemas.transcript import Session

_SUFFIXES = (".md", ".mdc", ".markdown", ".txt", "rules")
"""The ends of the names of files that agents note something in, such as `.cursorrules`."""


def written_texts(session: Session) -> Iterator[Path]:
    """The real paths of the texts that a session wrote; of a relative path in a folder that is not known, none."""
    for proven in session.evidence:
        folder, name = proven.project or session.project, proven.text
        if proven.kind is EvidenceKind.FILE and name.lower().endswith(_SUFFIXES):
            path = Path(folder) / name
            if path.is_absolute() and "\0" not in name:
                yield Path(os.path.realpath(path))


_CALLS = frozenset(
    {
        *("tool_use", "server_tool_use", "toolCall", "tool_call", "function_call", "custom_tool_call"),
        "local_shell_call",
    }
)
_RESULTS = frozenset(
    {
        *("tool_result", "toolResult", "function_call_output", "custom_tool_call_output", "function_result"),
        *("local_shell_call_output", "tool_output", "function"),
    }
)
_LIKE_A_CALL = re.compile(r"tool|function|_call\b|shell|exec", re.IGNORECASE)
_ARGUMENTS = ("input", "arguments", "args", "parameters", "action")
_TIMES = ("timestamp", "time", "created_at", "createdAt")


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool: its name, its arguments as JSON values, and the folder in which it was made, if that is known.

    `at` is `None` where the record has no time.
    """

    name: str
    arguments: Any
    folder: str
    at: datetime | None


def calls_in(file: Path) -> list[ToolCall] | None:
    """All calls in a file; `None` when it cannot be read for sure."""
    try:
        lines = read_regular(file).decode("utf-8", "replace").split("\n")  # JSON may hold any other end of a line
        records = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError, RecursionError):
        return None
    calls, folder = list[ToolCall](), ""
    for record in records:
        folder = _text_field(record, "cwd") or folder
        at = _time_of(record)
        for part in _objects_in(record):
            if not _is_call(part):
                if _LIKE_A_CALL.search(_text_field(part, "type")) and _text_field(part, "type") not in _RESULTS:
                    return None
                continue
            folder_there = (
                _text_field(_arguments_of(part), "workdir") or _text_field(_arguments_of(part), "cwd") or folder
            )
            calls.append(ToolCall(_name_of(part), _arguments_of(part), folder_there, at))
    return calls


def _is_call(part: dict[str, Any]) -> bool:
    return _text_field(part, "type") in _CALLS or (bool(_name_of(part)) and any(key in part for key in _ARGUMENTS))


def _name_of(part: dict[str, Any]) -> str:
    called = _text_field(part, "name") or _text_field(part, "tool") or _text_field(part, "toolName")
    return called or ("shell" if _text_field(part, "type") == "local_shell_call" else "")


def _arguments_of(part: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    value = next((part[key] for key in _ARGUMENTS if key in part), None)
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):  # the text itself, such as a patch
        return value


def _objects_in(value: object) -> Iterator[dict[str, Any]]:
    """All JSON objects in a value, itself included, except those inside the arguments of calls."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            yield part
            left += [] if _is_call(part) else part.values()
        elif isinstance(part, list):
            left += part


def _text_field(value: object, key: str) -> str:
    text = value.get(key) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""


def _time_of(record: object) -> datetime | None:
    for key in _TIMES:
        try:
            moment = datetime.fromisoformat(_text_field(record, key))
        except ValueError:
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
