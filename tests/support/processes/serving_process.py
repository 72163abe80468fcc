"""`memory serve` as a process of its own, for what only a real service shows."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep

from pipeline.clock import stopwatch
from tests.support.processes.command_line import CommandLine, end_of

ADDRESS = Path(".memory", "service", "socket")
"""Where a service names its socket, once it listens."""
READY_SECONDS = 60.0
STOP_SECONDS = 60.0
_POLL_SECONDS = 0.02


@contextmanager
def serving_process(
    root: Path, home: Path, *, before: Sequence[str] = (), **variables: str
) -> Iterator["subprocess.Popen[str]"]:
    """The service of a workspace, once it answers; it is stopped in the end, unless it has ended before.

    `before` is a command that starts it in another way.
    """
    (root / ADDRESS).unlink(missing_ok=True)
    process = CommandLine(home).start("serve", "--workspace", root, before=before, **variables)
    try:
        until = stopwatch() + READY_SECONDS
        while not (root / ADDRESS).exists():
            if process.poll() is not None or stopwatch() > until:
                process.kill()
                raise RuntimeError(end_of(process).shown)
            sleep(_POLL_SECONDS)
        yield process
    finally:
        process.terminate()
        end_of(process, STOP_SECONDS)
