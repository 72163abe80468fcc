"""A process that has loaded the product, and forks one for each command: to load it takes longer than most commands do.

What it forks is a process like any other, with its own environment, folder, streams, signals and end. What is about the
start of Python is not shown by it: for that, start the command.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import tzset

import jobs
import pipeline
import schemas
from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.language.tokens import count_tokens
from pipeline.scheduling.registry import discover
from pipeline.surfaces.cli.main import main
from schemas.settings import Settings
from tests.support.ports.clock import FixedClock
from tests.support.processes.preparation import prepare
from tests.support.processes.waiting import soon
from tests.support.workspaces.histories import ZONE, History
from tests.support.workspaces.workbench import Workbench

_REQUEST_BYTES = 1 << 17
_MONDAY = date(2026, 3, 2)
_DESCRIPTORS = 4  # stdin, stdout, stderr, and where to tell of the process
_ELSEWHERE = ("pipeline.adapters.index.server", "pipeline.surfaces.mcp", "tests.support.ports")
"""What few commands need, takes long to load, or has threads once it is loaded."""


def serve(control: socket.socket) -> None:
    """Fork as often as is asked; returns in a process that is to be the command.

    A request is JSON, a `Command` of `forked.py`. The pid, and in the end the status, are told in four bytes each.
    """
    ends, reports = _noticed_ends(), dict[int, int]()
    while True:
        ready, _, _ = select.select([control, ends], [], [])
        if ends in ready:
            ends.recv(_REQUEST_BYTES)
            _tell_of_ends(reports)
        if control in ready and _forked(control, reports):
            control.close()
            ends.close()
            return


def _noticed_ends() -> socket.socket:
    """What can be read from when a process has ended."""
    ends, wake = socket.socketpair()
    ends.setblocking(False)  # noqa: FBT003 - its only argument
    wake.setblocking(False)  # noqa: FBT003
    signal.set_wakeup_fd(wake.detach())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return ends


def _forked(control: socket.socket, reports: dict[int, int]) -> bool:
    """Fork as the next request says; whether this is the new process."""
    request, descriptors, _, _ = socket.recv_fds(control, _REQUEST_BYTES, _DESCRIPTORS)
    if not request:
        os._exit(0)
    *streams, report = descriptors
    if child := os.fork():
        reports[child] = report
        os.write(report, child.to_bytes(4))
        for descriptor in streams:
            os.close(descriptor)
        return False
    for descriptor in (signal.set_wakeup_fd(-1), report, *reports.values()):
        os.close(descriptor)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _become(streams, **json.loads(request))
    return True


def _tell_of_ends(reports: dict[int, int]) -> None:
    """Tell whoever waits for a process how it ended."""
    while reports:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with suppress(BrokenPipeError):  # nobody waits for it any more
            os.write(reports[child], status.to_bytes(4))
        os.close(reports.pop(child))


def _become(
    descriptors: Sequence[int], words: list[str], environment: dict[str, str], folder: str, prepared: list[str]
) -> None:
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tzset()
    sys.argv[1:] = words
    if prepared:
        prepare(*prepared)


def _load() -> None:
    for package in (pipeline, jobs, schemas):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(_ELSEWHERE):
                importlib.import_module(module.name)
    importlib.import_module("openai")
    _work_once()
    if not soon(_is_alone):  # a thread that has ended is known to the system for a moment more
        sys.exit("What has threads cannot be forked.")
    gc.freeze()


def _is_alone() -> bool:
    return threading.active_count() == 1 and len(list(Path("/proc/self/task").iterdir())) == 1


def _work_once() -> None:
    """Have a week of three languages written down: much is made when the first text of a language comes."""
    end = datetime.combine(_MONDAY + timedelta(days=7), time(12), UTC)
    begun = Settings(timezone=ZONE, start=datetime.combine(_MONDAY, time(), UTC))
    with TemporaryDirectory() as folder:
        bench = Workbench(root=Path(folder), jobs=discover(), clock=FixedClock(end), settings=begun)
        bench.say(*History(1, _MONDAY, 1).until(end))
        bench.backfill(_MONDAY, _MONDAY + timedelta(days=6))
        bench.engine.ledger.store.close()
    SecretRedactor().redact("nothing secret")
    count_tokens("a large vocabulary")


def _run() -> None:
    """Be the command, and end as Python does, but for taking apart all that was loaded, which takes long."""
    try:
        main()
    except SystemExit as end:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(end.code if isinstance(end.code, int) else 0)


if __name__ == "__main__":
    _load()
    serve(socket.socket(fileno=int(sys.argv[1])))
    _run()
