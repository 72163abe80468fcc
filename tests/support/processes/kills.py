"""`kill -9` at an exact step of some work: before a statement to the ledger, or before a change to a file."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping

from tests.support.workspaces.workbench import Workbench

_CHANGES = {"os.rename", "os.link", "os.remove", "os.truncate", "os.mkdir", "os.rmdir"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_SECONDS = 120


def killed_at(step: int, fields: Mapping[str, object]) -> bool:
    """Let a process of its own run what is due on a `Workbench`, and kill it at a step, from 0; whether it came so far.

    `fields` are those of the workbench; they have to be what can be pickled.

    Raises:
        RuntimeError: the process failed by itself.
    """
    return _is_killed(_run, step, fields)


def killed_in(step: int, work: Callable[..., object], *arguments: object) -> bool:
    """Let a process of its own do some work, and kill it at a step, from 0; whether it came so far.

    The work and its arguments have to be what can be pickled.

    Raises:
        RuntimeError: the process failed by itself.
    """
    return _is_killed(_work, step, work, *arguments)


def _is_killed(target: Callable[..., None], step: int, *arguments: object) -> bool:
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__, "jobs.weekly_compound", "jobs.consolidation.plan_page"])
    process = processes.Process(target=target, args=(step, *arguments))
    process.start()
    process.join(_SECONDS)
    if process.exitcode not in {0, -signal.SIGKILL}:
        process.kill()
        raise RuntimeError(process.exitcode)
    return process.exitcode != 0


def _run(step: int, fields: Mapping[str, object]) -> None:
    bench = Workbench(**fields)  # type: ignore[arg-type]  # the fields are checked by the dataclass
    count = _counting(step)
    # The store has no other way to see its statements, and needs none.
    bench.engine.ledger.store._connection.set_trace_callback(lambda _: count())
    sys.addaudithook(lambda event, arguments: count() if is_file_change(event, arguments) else None)
    bench.run_due()
    os._exit(0)  # what Python does at its end is no step of a run


def _work(step: int, work: Callable[..., object], *arguments: object) -> None:
    signal_at(step, signal.SIGKILL)
    work(*arguments)
    os._exit(0)


def signal_at(step: int, number: signal.Signals) -> None:
    """Send this process a signal at a step, from 0: before a change to a file."""
    count = _counting(step, number)
    sys.addaudithook(lambda event, values: count() if is_file_change(event, values) else None)


def _counting(step: int, number: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    left = [step]

    def count() -> None:
        left[0] -= 1
        if left[0] == -1:
            os.kill(os.getpid(), number)

    return count


def is_file_change(event: str, values: tuple[object, ...]) -> bool:
    """Whether an audit event is that of a change to a file."""
    return event in _CHANGES or (event == "open" and isinstance(values[2], int) and bool(values[2] & _WRITES))
