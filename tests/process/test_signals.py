"""Signals are handled for a while, and some are left alone. Real ones, to this process and to small scripts."""

import os
import signal
import subprocess
import sys

import pytest

from pipeline.process.cancellation import handling, stop_signals
from tests.support.tables import table


def test_a_handler_is_there_for_a_while() -> None:
    """It is given the number; afterwards each signal is dealt with as before."""
    before, came = signal.getsignal(signal.SIGTERM), list[int]()
    with handling(came.append, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
    assert ([signal.SIGHUP, signal.SIGTERM], before) == (came, signal.getsignal(signal.SIGTERM))


def test_a_failure_inside_takes_the_handler_away() -> None:
    """And is no less a failure."""
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyError), handling(print, signal.SIGTERM):
        raise KeyError
    assert before == signal.getsignal(signal.SIGTERM)


@table(("ignored", "left"), [("", {1, 2, 15}), ("HUP", {2, 15}), ("INT", {1, 15}), ("TERM", {1, 2, 15})])
def test_what_was_ignored_does_not_ask_to_stop(ignored: str, left: set[int]) -> None:
    """Where a shell does so; SIGTERM always asks."""
    script = "from pipeline.process.cancellation import stop_signals; print(*map(int, stop_signals()))"
    shell = f"""{f"trap '' {ignored};" if ignored else ""} exec "$@" """
    output = subprocess.check_output(["sh", "-c", shell, "sh", sys.executable, "-c", script], text=True)
    assert left == set(map(int, output.split()))


def test_what_is_handled_asks_to_stop() -> None:
    """Whoever handles it already."""
    with handling(print, signal.SIGHUP):
        assert signal.SIGHUP in stop_signals()
