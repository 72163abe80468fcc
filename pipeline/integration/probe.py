"""The probe of a hook: whether an agent would get a placeholder for a large output."""

import json
import subprocess
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

SECONDS = 10.0
"""The seconds that the hook for large outputs may take in a probe."""
_PROBE_LINES = 400


class ProbeResult(StrEnum):
    """The result of a probe with a large output."""

    REPLACED = "replaced"
    LEFT = "left"
    """Nothing was printed, so the agent keeps the original: as when no service runs."""
    BROKEN = "broken"
    """The hook cannot be run, or its output has not the tool's shape, so the agent ignores it."""


def probe_claude_code(hook: Sequence[str], seconds: float = SECONDS) -> ProbeResult:
    """Whether Claude Code would get a placeholder for a large output of its `Bash`, in the shape that it documents."""
    text = "".join(f"line {number} of a probe by memory integrate\n" for number in range(_PROBE_LINES))
    answer: dict[str, Any] = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
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
        if not done.stdout:
            return ProbeResult.LEFT
        printed = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return ProbeResult.BROKEN
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
