"""The signals that ask a process to stop, and handling signals for a while."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

from pipeline.process.cancellation import CancellationToken


def asking_to_stop() -> tuple[int, ...]:
    """The signals that ask to stop: SIGTERM, and SIGINT and SIGHUP unless the parent has set them to be ignored.

    `nohup` ignores SIGHUP, and a shell without job control ignores SIGINT for its background commands (POSIX, "Shell
    Command Language", Signals and Error Handling). No program ignores SIGTERM, with which our own workers are stopped.
    """
    spared = (signal.SIGINT, signal.SIGHUP)
    return (signal.SIGTERM, *(number for number in spared if signal.getsignal(number) != signal.SIG_IGN))


def stopping_on_signals(safe_point: CancellationToken) -> AbstractContextManager[None]:
    """While inside, SIGTERM, SIGINT and SIGHUP make `safe_point` raise `Interrupted` when it is called next.

    SIGINT and SIGHUP do not where they were ignored before, as `nohup` has it.
    """
    return handling(safe_point.ask_to_stop, *asking_to_stop())


@contextmanager
def handling(handler: Callable[[int], object], *numbers: int) -> Iterator[None]:
    """While inside, `handler` is given the number of each of these signals that comes. Only for the main thread."""

    def handle(number: int, _: FrameType | None) -> None:
        handler(number)

    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            signal.signal(number, handle)
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)
