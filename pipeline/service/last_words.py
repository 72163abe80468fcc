"""Why a run ended badly, as the log that it left tells."""

import json
from contextlib import suppress
from pathlib import Path

_TAIL_BYTES = 64_000
_LONGEST = 500  # characters
_SAID = "memory: "  # how the command begins what it says to a person


def last_words(log: Path) -> str:
    """Why a run ended badly, as the end of its log tells: a line of its outcome, or what was said to a person."""
    try:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - _TAIL_BYTES, 0))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    said = [line.removeprefix(_SAID) for line in lines if line.startswith(_SAID)]
    warned = [warning for line in lines if line.startswith("{") and (warning := _warning(line))]
    return " ".join((warned or said or [""])[-1].split())[:_LONGEST]


def _warning(line: str) -> str:
    with suppress(ValueError):
        told = json.loads(line)
        return str(told.get("warning") or "")
    return ""
