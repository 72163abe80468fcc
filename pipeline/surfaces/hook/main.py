"""The console script `memory-hook`: from an agent's event on stdin to a replacement on stdout, or to nothing."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.service.socket.client import ask, settings_of
from pipeline.surfaces.hook.claude_code import kept_fields, output

PATIENCE_SECONDS = 2.0
"""How long the service may take; then the agent gets the original."""
LONGEST = 4_194_304
"""Bytes of an event that is looked at."""
_QUESTION = "keep"


def replacement(words: Sequence[str], event: bytes) -> str:
    """What to print for an event: nothing when all stays as it is.

    `words` are the agent's kind, the workspace, the name of the agent, and the file that has to name our server: an
    agent without our tools could not read what a placeholder stands for.
    """
    kind, workspace, agent, configuration = words
    if kind != "claude-code" or len(event) > LONGEST:
        return ""
    given = json.loads(event)
    fields = kept_fields(given) if isinstance(given, dict) else None
    if not fields or json.dumps(workspace).encode() not in Path(configuration).read_bytes():
        return ""
    more = {"agent": agent, "settings": settings_of(os.environ)}
    placeholder = ask(Path(workspace), _QUESTION, {**fields, **more}, PATIENCE_SECONDS)
    return output(given, placeholder) if isinstance(placeholder, str) and placeholder else ""


def main() -> int:
    """Run the hook. It always ends well: an agent must not stumble over it."""
    try:
        printed = replacement(sys.argv[1:], sys.stdin.buffer.read(LONGEST + 1))
        sys.stdout.write(printed)
        sys.stdout.flush()
    except (PipelineError, OSError, ValueError, RecursionError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what could not be written stays unwritten
    return 0


if __name__ == "__main__":
    sys.exit(main())
