"""The console script `memory-hook`: from an agent's event on stdin to what its program takes on stdout, or to nothing.

It runs after every tool and, as `memory-hook prompt ...`, before every prompt, and an agent waits for it. So it imports
next to nothing, not even JSON: the service reads the event and makes what is printed.

As `memory-hook notice WORKSPACE`, at the end of a session, it only tells the service that there are new records. It
reads nothing, prints nothing, waits for no answer, and ends well also where nobody listens.
"""

import os
import sys
from _socket import (  # the module `socket` loads much: the process would take half as long again
    AF_UNIX,
    SOCK_STREAM,
    socket,
)

from pipeline.service.socket.protocol import ANSWER, LONGEST, NOTICE, PROMPT, PROTOCOL, REPLACE
from pipeline.workspace.asking import ASKING, ASKING_FOLDER
from pipeline.workspace.service_address import ADDRESS

PATIENCE_SECONDS = {REPLACE: 2.0, PROMPT: 0.3}
"""How long the service may take for a question; then the agent gets what it has."""
NOTICE_SECONDS = 0.03
"""How long a notice may take to be sent."""
LARGEST = 4_194_304
"""Bytes of an event that is looked at."""
_PIECE = 65_536
_OURS = "MEMORY_"
"""How the environment's variables begin that may be settings."""


def answer_to(ask: str, words: list[str], event: bytes, patience: float) -> bytes:
    """What to print for an event: nothing when all stays as it is, or the service takes longer than `patience` seconds.

    `ask` is the question to the service. `words` are the agent's kind, the workspace, the name of the agent, and the
    file that has to name our server: an agent without our tools could not read what a placeholder stands for.
    """
    kind, workspace, agent, configuration = words
    if ASKING in os.environ or len(event) > LARGEST or not _names(configuration, workspace):
        return b""
    fields = f'"kind": {_quoted(kind)}, "agent": {_quoted(agent)}, "settings": {_settings()}, "event": '
    begin = f'{{"ask": "{ask}", "protocol": {PROTOCOL}, {fields}'.encode()
    # The question is one line. No text in JSON has a line end in it, so all that are here can be blanks.
    question = b"".join((begin, event.replace(b"\n", b" "), b"}\n"))
    answer = _answered(workspace, question, patience) if len(question) <= LONGEST else b""
    head, tail = ANSWER
    made = answer.startswith(head + b"{") and answer.endswith(tail)
    return answer[len(head) : -len(tail)] if made else b""


def give_notice(workspace: str) -> None:
    """Tell the service of a workspace that there are new records.

    Not where a question of ours to the agent's program has ended: its end would lead to the next question.

    Raises:
        OSError: nobody listens.
    """
    if ASKING in os.environ or os.getcwd().rpartition("/")[2] == ASKING_FOLDER:  # noqa: PTH109 - `pathlib` loads much
        return
    line = _connected(workspace, NOTICE_SECONDS)
    try:
        line.sendall(f'{{"ask": "{NOTICE}", "protocol": {PROTOCOL}}}\n'.encode())
    finally:
        line.close()


def _names(configuration: str, workspace: str) -> bool:
    with open(configuration, "rb") as file:  # noqa: PTH123 - `pathlib` loads much
        return _quoted(workspace).encode() in file.read()


def _answered(workspace: str, question: bytes, patience: float) -> bytes:
    """The line that the service answers."""
    line, answer = _connected(workspace, patience), b""
    try:
        line.sendall(question)
        while not answer.endswith(b"\n") and (piece := line.recv(_PIECE)):
            answer += piece
    finally:
        line.close()
    return answer


def _connected(workspace: str, patience: float) -> socket:
    """A line to the service. Raises `OSError` where nobody listens, or another user does."""
    file = os.open(f"{workspace}/{ADDRESS}", os.O_RDONLY | os.O_NONBLOCK)
    try:
        address = os.read(file, _PIECE).decode().strip()
    finally:
        os.close(file)
    if os.stat(address).st_uid != os.getuid():  # noqa: PTH116 - as above
        raise PermissionError
    line = socket(AF_UNIX, SOCK_STREAM)
    try:
        line.settimeout(patience)
        line.connect(address)
    except OSError:
        line.close()
        raise
    return line


def _quoted(text: str) -> str:
    """A text as JSON."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json  # noqa: PLC0415 - as above

    return json.dumps(text)


def _settings() -> str:
    """The settings from the environment, as JSON; most environments have none."""
    if not any(name.startswith(_OURS) for name in os.environ):
        return "{}"
    import json  # noqa: PLC0415 - as above

    from pipeline.service.socket.client import settings_of  # noqa: PLC0415 - as above

    return json.dumps(settings_of(os.environ))


def main(patience: float | None = None) -> int:
    """Run the hook, which waits for `patience` seconds. It always ends well: an agent must not stumble over it."""
    try:
        if sys.argv[1:2] == [NOTICE]:
            give_notice("".join(sys.argv[2:3]))
            return 0
        ask, words = (PROMPT, sys.argv[2:]) if sys.argv[1:2] == [PROMPT] else (REPLACE, sys.argv[1:])
        event = sys.stdin.buffer.read(LARGEST + 1)
        printed = answer_to(ask, words, event, PATIENCE_SECONDS[ask] if patience is None else patience)
        sys.stdout.buffer.write(printed)
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what could not be written stays unwritten
    return 0


if __name__ == "__main__":
    sys.exit(main())
