"""Signals ask a command to stop at its next safe point."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.stopping import SafePoint

_ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stopping_on_signals(safe_point: SafePoint) -> Iterator[None]:
    """While inside, SIGINT, SIGTERM and SIGHUP make `safe_point` raise `Interrupted` when it is called next."""
    before = {number: signal.signal(number, lambda received, _: safe_point.ask_to_stop(received)) for number in _ASKING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
