"""Prove that a hook works: play the agent, as its documentation says, and look at what it would get."""

import json
import subprocess
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

SECONDS = 10.0
"""How long the hook may take."""
_LINES = 400


class ProbeResult(StrEnum):
    """What became of a large output."""

    REPLACED = "replaced"
    LEFT = "left"
    """Nothing was printed, so the agent keeps the original: as when no service runs."""
    BROKEN = "broken"
    """The hook cannot be run, or what it prints is not of the tool's shape, so the agent ignores it."""


def probe_claude_code(hook: Sequence[str], seconds: float = SECONDS) -> ProbeResult:
    """Whether Claude Code would get a placeholder for a large output of its `Bash`, in the shape that it documents."""
    text = "".join(f"line {number} of a probe by memory integrate\n" for number in range(_LINES))
    answer = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
    event = {
        "session_id": "memory-integrate-probe",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "probe"},
        "tool_response": answer,
    }
    try:
        asked = json.dumps(event).encode()
        done = subprocess.run([*hook], input=asked, capture_output=True, timeout=seconds, check=True)  # noqa: S603 - ours
        return _judged(answer, json.loads(done.stdout)) if done.stdout else ProbeResult.LEFT
    except (OSError, subprocess.SubprocessError, ValueError):
        return ProbeResult.BROKEN


def _judged(answer: dict[str, Any], printed: object) -> ProbeResult:
    given = printed.get("hookSpecificOutput") if isinstance(printed, dict) else None
    new = given.get("updatedToolOutput") if isinstance(given, dict) else None
    fits = (
        isinstance(given, dict)
        and given.get("hookEventName") == "PostToolUse"
        and isinstance(new, dict)
        and {name: type(value) for name, value in new.items()} == {name: type(value) for name, value in answer.items()}
        and "[MemoryRef: " in new["stdout"]
        and len(new["stdout"]) < len(answer["stdout"])
    )
    return ProbeResult.REPLACED if fits else ProbeResult.BROKEN
