"""What ends the rest of the main loop: calls of other threads, and real signals to this process."""

import os
import signal
import subprocess
import sys
from threading import Thread

from pipeline.clock import stopwatch
from pipeline.service.wake import Wake, heeding
from tests.support.tables import table

LONG_SECONDS = 30.0


def test_a_rest_ends_when_called() -> None:
    """From another thread; many calls count as one, and one that came before the rest ends it at once."""
    wake, began = Wake(), stopwatch()
    Thread(target=wake).start()
    assert wake.rest(LONG_SECONDS)
    for _ in range(100_000):  # more than it holds: nobody is kept waiting
        wake()
    while wake.rest(0):
        pass
    assert not wake.rest(0)
    assert stopwatch() - began < LONG_SECONDS
    wake.close()
    wake()


def test_signals_end_a_rest() -> None:
    """Those that ask to end are kept in their order; SIGHUP is asked about once."""
    before = signal.getsignal(signal.SIGTERM)
    wake = Wake()
    with heeding(wake) as signals:
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(os.getpid(), number)
            assert wake.rest(LONG_SECONDS)
        assert ([signal.SIGTERM, signal.SIGINT], False) == (signals.stops, signals.take_anew())
        os.kill(os.getpid(), signal.SIGHUP)
        assert wake.rest(LONG_SECONDS)
        assert [True, False] == [signals.take_anew(), signals.take_anew()]
        assert not wake.rest(0)
    assert before == signal.getsignal(signal.SIGTERM)
    wake.close()


def test_a_terminal_that_has_gone() -> None:
    """SIGHUP asks to end where it is named among those that do."""
    wake = Wake()
    with heeding(wake, (signal.SIGTERM, signal.SIGHUP)) as signals:
        os.kill(os.getpid(), signal.SIGHUP)
        assert wake.rest(LONG_SECONDS)
        assert ([signal.SIGHUP], False) == (signals.stops, signals.take_anew())
    wake.close()


NOHUP = """
import os, signal
from pipeline.service.wake import STOPPING, Wake, heeding
with heeding(Wake(), {stopping}) as signals:
    for number in (signal.SIGHUP, signal.SIGINT):
        os.kill(os.getpid(), number)
    print(*map(int, signals.stops), signals.take_anew())
"""


@table(("stopping", "expected"), [("STOPPING", "2 True"), ("(*STOPPING, signal.SIGHUP)", "2 False")])
def test_a_service_outlives_its_terminal(stopping: str, expected: str) -> None:
    """After `nohup` SIGHUP does not end it, on a terminal or elsewhere; elsewhere it has the settings read anew."""
    words = ["nohup", sys.executable, "-c", NOHUP.format(stopping=stopping)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (0, expected) == (ended.returncode, ended.stdout.strip()), ended.stderr


def test_the_end_of_a_child_ends_a_rest() -> None:
    """Nobody has to look again and again whether it goes on."""
    wake = Wake()
    with heeding(wake) as signals, subprocess.Popen([sys.executable, "-c", ""]) as child:
        assert wake.rest(LONG_SECONDS)
        assert (0, []) == (child.wait(), signals.stops)
    wake.close()
