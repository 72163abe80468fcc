"""The events that end a pause of the main loop: signals, the end of a child, and calls."""

import signal
import socket
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from pipeline.process.cancellation import handling, stop_signals

STOPPING = (signal.SIGTERM, signal.SIGINT)
_DRAINED = 4096


class Wake:
    """Call it from any thread or signal handler: the loop's rest ends. What was called meanwhile counts as once."""

    def __init__(self) -> None:
        # Not a threading.Event: a signal handler that sets one while the loop takes its lock would wait for ever.
        self._ours, self._theirs = socket.socketpair()
        self._theirs.settimeout(0)

    def __call__(self) -> None:
        """End the rest, or the next one."""
        with suppress(OSError):  # it is full of calls already, or the loop is over
            self._theirs.send(b"\0")

    def rest(self, seconds: float) -> bool:
        """Wait until called, at most so long; whether it was called."""
        self._ours.settimeout(max(seconds, 0.001))
        try:
            return bool(self._ours.recv(_DRAINED))
        except TimeoutError:
            return False

    def close(self) -> None:
        """End: calls do nothing from here on."""
        self._ours.close()
        self._theirs.close()


class ReceivedSignals:
    """The requests of signals so far. `stops` has the numbers of the signals that ask to end, in order."""

    def __init__(self, stopping: Collection[int]) -> None:
        """`stopping` are the signals that ask to end."""
        self.stops: list[int] = []
        self._stopping, self._anew = stopping, False

    def note(self, number: int) -> None:
        """Note a signal."""
        if number in self._stopping:
            self.stops.append(number)
        elif number == signal.SIGHUP:
            self.ask_anew()

    def ask_anew(self) -> None:
        """Ask for reading the settings anew; from any thread."""
        self._anew = True

    def take_anew(self) -> bool:
        """Whether the settings are to be read anew; asked once, it is forgotten."""
        anew, self._anew = self._anew, False
        return anew


@contextmanager
def heeding(wake: Wake, stopping: Collection[int] = STOPPING) -> Iterator[ReceivedSignals]:
    """Note signals in the block, and wake the loop by them, and by the end of a child. Only for the main thread.

    A signal to end that was ignored before stays ignored: with `nohup` a service outlives its terminal. SIGHUP still
    has the settings read again there, which is harmless when it came because the terminal has gone.

    Args:
        wake: is called by every signal.
        stopping: the signals that ask to end; without SIGHUP among them, SIGHUP asks for reading the settings again.
    """
    signals = ReceivedSignals(stopping)

    def note(number: int) -> None:
        signals.note(number)
        wake()

    left_alone = set(stopping).difference(stop_signals())
    with handling(note, *{*STOPPING, signal.SIGHUP, signal.SIGCHLD}.difference(left_alone)):
        yield signals
