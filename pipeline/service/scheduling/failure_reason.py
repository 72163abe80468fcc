"""Why a run ended badly, as the log that it left tells."""

import json
from contextlib import suppress
from pathlib import Path

from schemas.outcome import SUCCESSES, Ending

_TAIL_BYTES = 64_000
_LONGEST = 500  # characters
_MESSAGE_PREFIX = "memory: "  # how the command begins what it says to a person
_NO_SUCCESSES = frozenset(Ending) - SUCCESSES


def last_message(log: Path) -> str:
    """Why a run ended badly, as its log tells: what it said last to a person, or warned of in an outcome."""
    try:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL_BYTES, 0))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    reason = next(filter(None, map(_reason, reversed(lines))), "")
    return " ".join(reason.split())[:_LONGEST]


def _reason(line: str) -> str:
    """What a line tells of a bad end; what an outcome that is a success warns of is none."""
    if line.startswith(_MESSAGE_PREFIX):
        return line.removeprefix(_MESSAGE_PREFIX)
    with suppress(ValueError):
        event = json.loads(line) if line.startswith("{") else {}
        return str(event.get("warning") or "") if str(event.get("ending")) in _NO_SUCCESSES else ""
    return ""
