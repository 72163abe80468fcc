"""The client of a workspace's service: it sends one line of JSON and reads one line.

A question is `{"ask": NAME, "protocol": 6, ...}` and an answer `{"told": ...}` or `{"error": TEXT, "code": EXIT}`, with
`"no_question": true` when the question itself is wrong. A service of another protocol, or of other settings than the
`settings` in the question, closes the connection. Imports next to nothing, so that a command starts at once.
"""

import json
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.errors import PipelineError
from pipeline.service.socket.protocol import LONGEST, PROTOCOL
from pipeline.settings.locate import PREFIX, WORKSPACE_VARIABLE
from pipeline.workspace.regular_files import read_regular
from pipeline.workspace.service_files import ServiceFolder

PATIENCE_SECONDS = 30.0


class Refused(PipelineError):
    """The service answers that it cannot, with the sentence and the exit code of its error."""

    sentence = "{message}"
    message: str
    exit_code: int = 1


class NoQuestion(PipelineError):
    """The question is not valid."""

    exit_code = 2
    sentence = "{why}"
    why: str


def ask(root: Path, name: str, fields: Mapping[str, Any], patience: float = PATIENCE_SECONDS) -> Any | None:  # noqa: ANN401 - JSON
    """The service's answer; `None` without a service, or when it closes the connection: then the caller looks itself.

    Args:
        root: the workspace.
        name: the question: `about`, or one of `pipeline.service.socket.questions`.
        fields: the fields of the question, as JSON; with `settings`, those of `settings_of`.
        patience: for how many seconds to wait for the answer.
    """
    answer = _answered(root, {**fields, "ask": name, "protocol": PROTOCOL}, patience)
    if not isinstance(answer, dict) or not answer.keys() & {"told", "error"}:
        return None
    if answer.get("no_question"):
        raise NoQuestion(str(answer["error"]))
    if "error" in answer:
        raise Refused(str(answer["error"]), int(answer["code"]))
    return answer["told"]


def settings_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The settings from an environment, each with a digest of its value: enough to compare two processes."""
    given = {
        name: value for name, value in environment.items() if name.startswith(PREFIX) and name != WORKSPACE_VARIABLE
    }
    if not given:
        return {}
    import hashlib  # noqa: PLC0415 - most environments set nothing

    return {name: hashlib.sha256(value.encode(errors="surrogatepass")).hexdigest() for name, value in given.items()}


def _answered(root: Path, question: Mapping[str, Any], patience: float) -> Any | None:  # noqa: ANN401 - JSON
    with suppress(OSError, ValueError, RecursionError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
        address = read_regular(ServiceFolder(root).address).decode().strip()
        if os.stat(address).st_uid != os.getuid():  # noqa: PTH116 - a question goes to the same user's service only
            return None
        line = json.dumps(question).encode() + b"\n"
        if len(line) > LONGEST:
            return None
        wire.settimeout(patience)
        wire.connect(address)
        wire.sendall(line)
        with wire.makefile("rb") as answers:
            return json.loads(answers.readline())
    return None
