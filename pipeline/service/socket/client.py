"""The client of a workspace's service: it sends a request of HTTP through a Unix socket, with a body of JSON.

A service of another version, or of other settings than those that come with a question, does not answer it: then the
caller looks itself. Imports next to nothing, so that a command starts at once.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.errors import NoQuestion, PipelineError
from pipeline.service.socket.http_request import LONGEST, OK, post
from pipeline.settings.locate import PREFIX, WORKSPACE_VARIABLE

PATIENCE_SECONDS = 30.0


class Refused(PipelineError):
    """The service answers that it cannot, with the sentence and the exit code of its error."""

    sentence = "{message}"
    message: str
    exit_code: int = 1


def ask(
    root: Path,
    question: str,
    fields: Mapping[str, Any],
    settings: Mapping[str, str] | None = None,
    patience: float = PATIENCE_SECONDS,
) -> Any | None:  # noqa: ANN401 - JSON
    """The service's answer; `None` without a service, or when it does not answer: then the caller looks itself.

    Args:
        root: the workspace.
        question: a name in `pipeline.surfaces.http.local`.
        fields: the fields of the question, as JSON.
        settings: the caller's, as of `settings_of`.
        patience: for how many seconds to wait for the answer.
    """
    with suppress(OSError, ValueError, RecursionError):
        body = json.dumps(fields).encode()
        if len(body) > LONGEST:
            return None
        status, given = post(str(root), question, body, json.dumps(settings or {}), patience)
        answer = json.loads(given)
        if status == OK:
            return answer
        if isinstance(answer, dict) and "exit_code" in answer:
            sentence = str(answer["detail"])
            not_ours = answer["type"] == NoQuestion.__name__
            raise NoQuestion(sentence) if not_ours else Refused(sentence, int(answer["exit_code"]))
    return None


def settings_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The settings from an environment, each with a digest of its value: enough to compare two processes."""
    given = {
        name: value for name, value in environment.items() if name.startswith(PREFIX) and name != WORKSPACE_VARIABLE
    }
    if not given:
        return {}
    import hashlib  # noqa: PLC0415 - most environments set nothing

    return {name: hashlib.sha256(value.encode(errors="surrogatepass")).hexdigest() for name, value in given.items()}
