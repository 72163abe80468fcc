"""The processes in which the service runs jobs: each is the `memory run JOB` that a person would start.

A child has a session and process group of its own, and its standard input is a socket whose other end only the service
holds: its lifeline. When the service ends, for whatever reason, the lifeline closes, and the child's supervisor stops
its worker (`memory run --attended`): nothing is left behind, also by `kill -9`. The supervisor also reports through the
lifeline when the work begins.
"""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from pipeline.clock import SystemClock
from pipeline.errors import WriteFailed
from pipeline.ports.engine import Clock
from pipeline.workspace.service_files import ServiceFolder

# The addresses of the service manager: a child must not write to them in the service's name.
_THE_SERVICES_OWN = frozenset({"NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"})
_LOG_NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z-\w+\.log")


class RunningChild:
    """A run, still at work or ended (see `Child`). `log` is its log file."""

    def __init__(self, job: str, process: "subprocess.Popen[bytes]", lifeline: socket.socket, log: Path) -> None:
        """`lifeline` is this end of the process's standard input."""
        self.job, self.pid, self.log = job, process.pid, log
        self._process, self._lifeline, self._begun = process, lifeline, False
        lifeline.settimeout(0)

    def has_begun(self) -> bool:
        """Whether the run has begun to work on a window; before that it may find nothing to do."""
        if not self._begun:
            with suppress(OSError):  # it has sent nothing yet, or it has ended and the lifeline is closed
                self._begun = bool(self._lifeline.recv(1))
        return self._begun

    def exit_code(self) -> int | None:
        """The exit code, or 128 and the number of the signal that ended it; `None` while it is running."""
        code = self._process.poll()
        if code is None:
            return None
        self.has_begun()  # the rest of its output
        self._lifeline.close()
        return code if code >= 0 else 128 - code

    def wait(self) -> int:
        """Wait for the end of the run. Returns its exit code, see `exit_code`."""
        self._process.wait()
        return self.exit_code() or 0

    def stop(self) -> None:
        """Ask the run to stop at its next safe point."""
        self._process.send_signal(signal.SIGTERM)

    def let_go(self) -> None:
        """Stop the run as the end of this process would: at its next safe point, and after a while in any case."""
        with suppress(OSError):  # it has ended meanwhile
            self._lifeline.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """Kill the run at once, with all processes that it has started."""
        with suppress(OSError):  # it has ended meanwhile, or has been asked already
            self._lifeline.send(b"\n")
            self._lifeline.shutdown(socket.SHUT_WR)


class Announced:
    """A child with callbacks for its beginning and its end, each called once."""

    def __init__(self, child: RunningChild, begun: Callable[[], None], ended: Callable[[int], None]) -> None:
        """`begun` is called when its work has begun, `ended` with the exit code, when `exit_code()` finds it."""
        self.job, self.pid, self.log, self.stop = child.job, child.pid, child.log, child.stop
        self._child, self._begun, self._ended = child, begun, ended
        self._begin_announced = self._end_announced = False

    def notice(self) -> None:
        """Call `begun` if its work has begun."""
        if not self._begin_announced and self._child.has_begun():
            self._begin_announced = True
            self._begun()

    def exit_code(self) -> int | None:
        """The exit code of the child, see `RunningChild.exit_code`, with the callbacks."""
        code = self._child.exit_code()
        self.notice()
        if code is not None and not self._end_announced:
            self._end_announced = True
            self._ended(code)
        return code


class Children:
    """The child processes of one workspace, with the logs of their output."""

    def __init__(
        self, root: Path, environment: Mapping[str, str], retention: timedelta, clock: Clock | None = None
    ) -> None:
        """`environment` is the service's; `retention` is how long logs are kept after their last line, 0 for ever."""
        self.retention = retention
        self._root, self._clock = root, clock or SystemClock()
        self._environment = child_environment(environment)
        self._folder = ServiceFolder(root).logs
        self._started: list[RunningChild] = []

    def start(self, job: str, *words: str, first_line: str = "") -> RunningChild:
        """Start a run of the due windows of a job, or the command of these words with the name `job`.

        Its log begins with `first_line`.

        Raises:
            WriteFailed: its log cannot be made, or the system has no room for a process.
        """
        path = self._folder / f"{self._clock.now():%Y%m%dT%H%M%S.%fZ}-{job}.log"
        try:
            # Not the folders above it: the empty mount point of an unmounted disk must not become a workspace.
            self._folder.mkdir(exist_ok=True, mode=0o700)
            oldest = (self._clock.now() - self.retention).timestamp()
            for file in self._folder.iterdir() if self.retention else ():
                with suppress(FileNotFoundError):  # removed meanwhile
                    if _LOG_NAME.fullmatch(file.name) and file.stat().st_mtime < oldest:
                        file.unlink()
            log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(log, first_line.encode())
                child = self._spawn(job, words or ("run", job), path, log)
            finally:
                os.close(log)
        except OSError as error:
            raise WriteFailed(path.relative_to(self._root).as_posix(), error.strerror or str(error)) from error
        self._started = [child, *(other for other in self._started if other.exit_code() is None)]
        return child

    def kill(self) -> None:
        """Kill all running children at once."""
        for child in self._started:
            child.kill()

    def _spawn(self, job: str, words: Sequence[str], path: Path, log: int) -> RunningChild:
        ours, theirs = socket.socketpair()
        # -P: a folder of the workspace that is named like a module of ours is not imported.
        command = [sys.executable, "-P", "-m", "pipeline.surfaces.cli.main", *words]
        options = ["--workspace", str(self._root), "--json", "--attended"]
        try:
            process = subprocess.Popen(  # noqa: S603 - our own command
                [*command, *options],
                cwd=self._root,
                env=self._environment,
                stdin=theirs.fileno(),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        return RunningChild(job, process, ours, path)


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child; `environment` is the service's."""
    return {name: value for name, value in environment.items() if name not in _THE_SERVICES_OWN}
