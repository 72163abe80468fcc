"""Commands in processes that the fork server makes."""

import atexit
import json
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SERVER = "tests.support.processes.fork_server"
_ROOT = Path(__file__).parents[3]
_STREAMS, _PIPES = (10, 13, 15), slice(10, 16)
"""Where `_execute_child` is given what its stdin, stdout and stderr are to be, and all ends of pipes."""


@dataclass(frozen=True)
class Command:
    """What follows `memory`, and where it is run; `prepared` is what is done to its process first, and a value."""

    words: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    prepared: Sequence[str] = ()

    @property
    def request(self) -> bytes:
        """It, for the server."""
        return json.dumps(vars(self) | {"environment": {**self.environment}, "folder": str(self.folder)}).encode()


class Fork(subprocess.Popen[str]):
    """A process that the server forks: it is no child of ours, so the server tells of it."""

    def __init__(
        self,
        command: Command,
        *,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> None:
        """Begin it."""
        self._request = command.request
        self._report, self._theirs = socket.socketpair()
        super().__init__(command.words, stdin=stdin, stdout=stdout, stderr=stderr, text=True, encoding="utf-8")

    def _execute_child(self, *given: int) -> None:
        with self._theirs as theirs:
            streams = [given[place] for place in _STREAMS]
            socket.send_fds(_server().control, [self._request], [*streams, theirs.fileno()])
        self.pid = self._next_number()
        self._close_pipe_fds(*given[_PIPES])  # type: ignore[attr-defined]  # as the one of Popen does in the end

    def poll(self) -> int | None:
        """How it ended, if it has."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """How it ended.

        Raises:
            TimeoutExpired: it has not, within so many seconds.
        """
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._report, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = os.waitstatus_to_exitcode(self._next_number())
            self._report.close()
        return self.returncode

    def _next_number(self) -> int:
        """What is told next.

        Raises:
            EOFError: the server has gone.
        """
        if not (sent := self._report.recv(4)):
            raise EOFError
        return int.from_bytes(sent)


@dataclass(frozen=True)
class _Server:
    """It ends when nobody has its control any more."""

    control: socket.socket
    process: "subprocess.Popen[bytes]"

    def end(self) -> None:
        """End it."""
        self.control.close()
        self.process.wait()


@cache
def _server() -> _Server:
    """The one of this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", _SERVER, str(theirs.fileno())]
    process = subprocess.Popen(
        command, cwd=_ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    theirs.close()
    server = _Server(ours, process)
    atexit.register(server.end)
    return server
