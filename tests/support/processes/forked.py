"""One command in a process that the fork server makes."""

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.clock import stopwatch

_CHUNK = 65_536
_SERVER = "tests.support.processes.fork_server"
_ROOT = Path(__file__).parents[3]


def run_forked(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, seconds: float
) -> tuple[int, str, str]:
    """Run `memory` with these words to its end: its exit code, and what came on stdout and stderr.

    The end is when it, and every process that it started, has closed its output.

    Raises:
        TimeoutExpired: it took longer than `seconds`, and was killed.
    """
    request = json.dumps({"words": words, "environment": dict(environment), "folder": str(folder)}).encode()
    report, theirs = socket.socketpair()
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    given = [nothing, out_end, err_end, theirs.fileno()]
    socket.send_fds(_server().control, [request], given)
    theirs.close()
    for number in given[:3]:
        os.close(number)
    with report:
        pid = int.from_bytes(report.recv(4))
        try:
            said = _all_of([out, err], seconds)
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(words), seconds) from None
        return os.waitstatus_to_exitcode(int.from_bytes(report.recv(4))), said[out].decode(), said[err].decode()


def _all_of(pipes: Sequence[int], seconds: float) -> dict[int, bytes]:
    """What comes out of pipes until all are closed.

    Raises:
        TimeoutError: they are not closed within `seconds`.
    """
    until, read = stopwatch() + seconds, dict.fromkeys(pipes, b"")
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(until - stopwatch(), 0.0))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                more = os.read(key.fd, _CHUNK)
                read[key.fd] += more
                if not more:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return read


@dataclass(frozen=True)
class _Server:
    """It ends when nobody has its control any more."""

    control: socket.socket
    process: "subprocess.Popen[bytes]"


@cache
def _server() -> _Server:
    """The one of this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", _SERVER, str(theirs.fileno())]
    process = subprocess.Popen(
        command, cwd=_ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    theirs.close()
    return _Server(ours, process)
