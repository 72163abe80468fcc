"""A process that has loaded the product, and forks one for each command: to load it takes longer than most commands do.

What it forks is a process like any other, with its own environment, folder, streams, signals and end. What is about the
start of Python is not shown by it: for that, start the command.
"""

import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import threading
from collections.abc import Sequence
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
from pipeline.testing.clock import FixedClock
from schemas.settings import Settings
from tests.support.workspaces.histories import ZONE, History
from tests.support.workspaces.workbench import Workbench

_REQUEST_BYTES = 1 << 17
_MONDAY = date(2026, 3, 2)
_DESCRIPTORS = 4  # stdin, stdout, stderr, and where to tell of the process
_ELSEWHERE = ("pipeline.adapters.index.server", "pipeline.surfaces.mcp", "pipeline.testing")
"""What few commands need, takes long to load, or has threads once it is loaded."""


def serve(control: socket.socket) -> None:
    """Fork as often as is asked; returns in a process that is to be the command, and in the server at its end.

    A request is JSON: `words`, `environment`, `folder`. The pid, and in the end the status, are told as numbers of
    four bytes.
    """
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, _REQUEST_BYTES, _DESCRIPTORS)
        if not data:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _tell_of_a_child(descriptors)
            _become(descriptors, **json.loads(data))
            return
        for descriptor in descriptors:
            os.close(descriptor)


def _tell_of_a_child(descriptors: list[int]) -> None:
    """Fork, and tell of the child; returns in the child."""
    report = descriptors.pop()
    child = os.fork()
    if child == 0:
        os.close(report)
        return
    for descriptor in descriptors:
        os.close(descriptor)
    os.write(report, child.to_bytes(4))
    os.write(report, os.waitpid(child, 0)[1].to_bytes(4))
    os._exit(0)


def _become(descriptors: Sequence[int], words: list[str], environment: dict[str, str], folder: str) -> None:
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tzset()
    sys.argv[1:] = words


def _load() -> None:
    for package in (pipeline, jobs, schemas):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(_ELSEWHERE):
                importlib.import_module(module.name)
    importlib.import_module("openai")
    _work_once()
    if threading.active_count() > 1 or len(list(Path("/proc/self/task").iterdir())) > 1:
        sys.exit("What has threads cannot be forked.")
    gc.freeze()


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


if __name__ == "__main__":
    _load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for a command
    serve(socket.socket(fileno=int(sys.argv[1])))
    main()
