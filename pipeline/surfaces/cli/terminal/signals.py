"""Signals ask a command to stop at its next safe point."""

from contextlib import AbstractContextManager

from pipeline.process.cancellation import SafePoint
from pipeline.process.signals import asking_to_stop, handling


def stopping_on_signals(safe_point: SafePoint) -> AbstractContextManager[None]:
    """While inside, SIGTERM, SIGINT and SIGHUP make `safe_point` raise `Interrupted` when it is called next.

    SIGINT and SIGHUP do not where they were ignored before, as `nohup` has it.
    """
    return handling(safe_point.ask_to_stop, *asking_to_stop())
