"""`memory serve` as a process of its own, for what only a real service shows."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from pipeline.clock import stopwatch
from tests.support.processes.command_line import CommandLine, end_of
from tests.support.servers.service_manager import ServiceManager

ADDRESS = Path(".memory", "service", "socket")
"""Where a service names its socket."""
READY_SECONDS = 300.0
STOP_SECONDS = 300.0
_LOOK_SECONDS = 0.5
"""How long until the process is looked at, which may have ended."""


@contextmanager
def serving_process(
    root: Path, home: Path, *, before: Sequence[str] = (), **variables: str
) -> Iterator["subprocess.Popen[str]"]:
    """The service of a workspace, once it answers and has looked at what is due; it is stopped in the end.

    `before` is a command that starts it in another way. It may have ended before.
    """
    with ServiceManager(f"@memory-{uuid4()}", patience=_LOOK_SECONDS) as manager:
        given = variables | manager.environment
        process = CommandLine(home).start("serve", "--workspace", root, before=before, **given)
        try:
            _wait_for("READY=1", manager, process)
            _wait_for("STATUS=", manager, process)
            yield process
        finally:
            process.terminate()
            end_of(process, STOP_SECONDS)


def _wait_for(word: str, manager: ServiceManager, process: "subprocess.Popen[str]") -> None:
    """Raises RuntimeError with what the service printed, if it ends before it says so or takes too long."""
    until = stopwatch() + READY_SECONDS
    while process.poll() is None and stopwatch() < until:
        with suppress(TimeoutError):
            if any(line.startswith(word) for line in manager.hear()):
                return
    process.kill()
    raise RuntimeError(end_of(process).shown)
