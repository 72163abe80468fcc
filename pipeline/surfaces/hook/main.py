"""The console script `memory-hook`: from an agent's event on stdin to what its program takes on stdout, or to nothing.

It runs after every tool and, as `memory-hook prompt ...`, before every prompt, and an agent waits for it. So it imports
next to nothing, not even JSON: the service reads the event and makes what is printed.

As `memory-hook notice WORKSPACE`, at the end of a session, it only tells the service that there are new records. It
reads nothing, prints nothing, waits for no answer, and ends well also where nobody listens.

As `memory-hook plugin ...` it stands for one of these in a plugin that a client has installed by itself.
"""

import os
import sys

from pipeline.service.socket.http_request import LONGEST, NOTICE, OK, PROMPT, REPLACE, connect_to, post, request
from pipeline.workspace.asking import ASKING, ASKING_FOLDER

PATIENCE_SECONDS = {REPLACE: 2.0, PROMPT: 0.3}
"""The time that the service may take for a question; then the agent gets what it has."""
NOTICE_SECONDS = 0.03
"""The time that a notice may take to be sent."""
LARGEST = 4_194_304
"""Bytes of an event that is looked at."""
_PLUGIN = "plugin"
"""The first word of a call by a plugin."""
_OURS = "MEMORY_"
"""The beginning of the environment's variables that may be settings."""


def answer_to(question: str, words: list[str], event: bytes, patience: float) -> bytes:
    """The output for an event: empty when all stays as it is, or the service takes longer than `patience` seconds.

    `words` are the agent's kind, the workspace, the name of the agent, and the file that has to name our server: an
    agent without our tools could not read what a placeholder stands for. In a plugin, which has both, it is empty.
    """
    kind, workspace, agent, configuration = words
    if ASKING in os.environ or len(event) > LARGEST:
        return b""
    if configuration and not _names_workspace(configuration, workspace):
        return b""
    body = f'{{"kind": {_quote(kind)}, "agent": {_quote(agent)}, "event": '.encode() + event + b"}"
    if len(body) > LONGEST:
        return b""
    status, made = post(workspace, question, body, _settings(), patience)
    return made if status == OK and made.startswith(b"{") else b""


def give_notice(workspace: str) -> None:
    """Tell the service of a workspace that there are new records.

    Not where a question of ours to the agent's program has ended: its end would lead to the next question.

    Raises:
        OSError: nobody listens.
    """
    if ASKING in os.environ or os.getcwd().rpartition("/")[2] == ASKING_FOLDER:  # noqa: PTH109 - `pathlib` loads much
        return
    line = connect_to(workspace, NOTICE_SECONDS)
    try:
        line.sendall(request(NOTICE))
    finally:
        line.close()


def _names_workspace(configuration: str, workspace: str) -> bool:
    """Whether a file of JSON names a workspace, in letters as they are or in escapes: programs write both."""
    with open(configuration, "rb") as file:  # noqa: PTH123 - `pathlib` loads much
        text = file.read()
    return _quote(workspace).encode() in text or f'"{workspace}"'.encode(errors="replace") in text


def _quote(text: str) -> str:
    """Write a text as JSON."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json

    return json.dumps(text)


def _settings() -> str:
    """The settings from the environment, as JSON; most environments have none."""
    if not any(name.startswith(_OURS) for name in os.environ):
        return "{}"
    import json

    from pipeline.service.socket.client import settings_of

    return json.dumps(settings_of(os.environ))


def main(patience: float | None = None) -> int:
    """Run the hook, which waits for `patience` seconds. It always ends well: an agent must not stumble over it."""
    try:
        words = sys.argv[1:]
        if words[:1] == [_PLUGIN]:
            from pipeline.surfaces.hook.plugin import hook_words

            words = hook_words(words[1:])
        if words[:1] == [NOTICE]:
            give_notice("".join(words[1:2]))
        if not words or words[0] == NOTICE:
            return 0
        question, words = (PROMPT, words[1:]) if words[0] == PROMPT else (REPLACE, words)
        event = sys.stdin.buffer.read(LARGEST + 1)
        printed = answer_to(question, words, event, PATIENCE_SECONDS[question] if patience is None else patience)
        sys.stdout.buffer.write(printed)
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what could not be written stays unwritten
    return 0


if __name__ == "__main__":
    sys.exit(main())
