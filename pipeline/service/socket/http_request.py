"""A request of HTTP/1.1 through the Unix socket of a service, in a module that imports next to nothing.

An agent waits for the hooks that send such requests: `http.client`, or the module `socket` alone, would take them as
long as all the rest.
"""

import os
from _socket import AF_UNIX, SOCK_STREAM, socket

from pipeline.workspace.service_address import ADDRESS

PROTOCOL = 8
"""Counted up when there are new questions, or questions or answers change their form. It begins each path, so that a
service of another version knows none of them."""
LONGEST = 8_000_000
"""Bytes of the body of a request; a longer one is not sent."""
OK = 200
NOTICE = "notice"
"""The question that only tells of new records; nobody need wait for its answer."""
PROMPT = "prompt"
"""The question for reminders beside a prompt."""
REPLACE = "replace"
"""The question for a placeholder in place of a large output."""
_BEGINNING = b"HTTP/1.1 "
_LENGTH = b"\r\ncontent-length: "
_PIECE = 65_536


def post(workspace: str, question: str, body: bytes, settings: str, patience: float) -> tuple[int, bytes]:
    """The status and the body of the service's answer; the status is 0 where no whole answer of HTTP comes.

    `settings` are those of `settings_of` as JSON.

    Raises:
        OSError: nobody listens, or another user does; the service takes longer than `patience` seconds.
        ValueError: the address of the service is no text, or the status no number.
    """
    line, answer = connect_to(workspace, patience), b""
    try:
        line.sendall(request(question, body, settings))
        while piece := line.recv(_PIECE):
            answer += piece
            if not answer.startswith(_BEGINNING[: len(answer)]):  # a service of a version that spoke lines of JSON
                return 0, b""
    finally:
        line.close()
    head, _, given = answer.partition(b"\r\n\r\n")
    length = head.rpartition(_LENGTH)[2].partition(b"\r\n")[0]
    return (int(head[len(_BEGINNING) :][:3]), given) if length == b"%d" % len(given) else (0, b"")


def request(question: str, body: bytes = b"", settings: str = "{}") -> bytes:
    """The bytes of a request."""
    return (
        f"POST /v{PROTOCOL}/{question} HTTP/1.1\r\nHost: memory\r\nConnection: close\r\nMemory-Settings: {settings}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def connect_to(workspace: str, patience: float) -> socket:
    """Connect to the service of a workspace.

    Raises:
        OSError: nobody listens, or another user does.
        ValueError: the address of the service is no text.
    """
    file = os.open(f"{workspace}/{ADDRESS}", os.O_RDONLY | os.O_NONBLOCK)
    try:
        address = os.read(file, _PIECE).decode().strip()
    finally:
        os.close(file)
    if os.stat(address).st_uid != os.getuid():  # noqa: PTH116 - `pathlib` loads much
        raise PermissionError
    line = socket(AF_UNIX, SOCK_STREAM)
    try:
        line.settimeout(patience)
        line.connect(address)
    except OSError:
        line.close()
        raise
    return line
