"""Asking the service of a workspace, if there is one: one line of JSON there, one line back.

A question is `{"ask": NAME, "protocol": 1, ...}` and an answer `{"told": ...}` or `{"error": TEXT, "code": EXIT}`. A
service of another protocol hangs up. Imports next to nothing, so that a command that asks starts at once.
"""

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.service.folder import ServiceFolder

PROTOCOL = 1
"""Counted up when questions or answers change their form."""
PATIENCE_SECONDS = 30.0


class Refused(Exception):
    """The service answers that it cannot; `code` is the exit code that this deserves."""

    def __init__(self, told: str, code: int) -> None:
        super().__init__(told)
        self.code = code


def ask(root: Path, name: str, told: Mapping[str, Any], patience: float = PATIENCE_SECONDS) -> Any | None:  # noqa: ANN401 - JSON
    """What the service tells; `None` when there is none, or it hangs up, and one has to look oneself.

    Args:
        root: the workspace.
        name: what is asked: `search`, `get` or `about`.
        told: what belongs to the question, as JSON.
        patience: for how many seconds to wait for the answer.

    Raises:
        Refused: it answers that it cannot.
    """
    line = json.dumps({**told, "ask": name, "protocol": PROTOCOL}).encode() + b"\n"
    with suppress(OSError, ValueError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
        wire.settimeout(patience)
        wire.connect(ServiceFolder(root).address.read_text(encoding="utf-8").strip())
        wire.sendall(line)
        with wire.makefile("rb") as answers:
            answer = json.loads(answers.readline())
        if "error" in answer:
            raise Refused(str(answer["error"]), int(answer["code"]))
        return answer["told"]
    return None
