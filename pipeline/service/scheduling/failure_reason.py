"""The reason of a failed run, from its log."""

import json
from contextlib import suppress
from pathlib import Path

from schemas.outcome import SUCCESSES, Ending

_TAIL_BYTES = 64_000
_LONGEST = 500  # characters
_MESSAGE_PREFIX = "memory: "  # the prefix of the command's messages to a person
_NO_SUCCESSES = frozenset(Ending) - SUCCESSES


def last_message(log: Path) -> str:
    """The reason of a failed run, from its log: its last message to a person, or the last warning of an outcome."""
    try:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL_BYTES, 0))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    reason = next(filter(None, map(_reason, reversed(lines))), "")
    return " ".join(reason.split())[:_LONGEST]


def _reason(line: str) -> str:
    """The reason in a line of the log; the warning of a successful outcome is none."""
    if line.startswith(_MESSAGE_PREFIX):
        return line.removeprefix(_MESSAGE_PREFIX)
    with suppress(ValueError):
        event = json.loads(line) if line.startswith("{") else {}
        return str(event.get("warning") or "") if str(event.get("ending")) in _NO_SUCCESSES else ""
    return ""
