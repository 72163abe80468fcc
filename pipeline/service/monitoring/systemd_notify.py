"""The state of the service for the service manager: the protocol of sd_notify(3).

Own code, because the protocol is one datagram of `NAME=value` lines to the local socket that `NOTIFY_SOCKET` names, and
the libraries for it are unmaintained, or bind to libsystemd, which other systems do not have.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

from pipeline.clock import stopwatch

_MICROSECONDS = 1_000_000
_PATIENCE_SECONDS = 1.0


class Notifier:
    """Writes to the socket of `NOTIFY_SOCKET`; does nothing without that variable."""

    def __init__(self, environment: Mapping[str, str], pid: int | None = None) -> None:
        """`pid` is the process that the watchdog may be meant for; this one when left out."""
        named = environment.get("NOTIFY_SOCKET", "")
        # An address that begins with @ is not in the file system.
        self._address = "\0" + named[1:] if named.startswith("@") else named
        microseconds, meant = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
        ours = meant in {"", str(os.getpid() if pid is None else pid)}
        self._watchdog = int(microseconds) / _MICROSECONDS if ours and microseconds.isdecimal() else 0.0

    @property
    def beat_seconds(self) -> float | None:
        """How often to send `alive`, as sd_watchdog_enabled(3) recommends; `None` when there is no watchdog."""
        return self._watchdog / 2 if self._address and self._watchdog else None

    def ready(self, status: str) -> None:
        """The service has begun, or has read its settings anew; `status` is one line for a person."""
        self._notify("READY=1", _status(status))

    def status(self, status: str) -> None:
        """A line about the current work of the service."""
        self._notify(_status(status))

    def alive(self) -> None:
        """The main loop turns; sent when there is a watchdog."""
        if self._watchdog:
            self._notify("WATCHDOG=1")

    def reloading(self) -> None:
        """The settings are being read again; `ready` ends that."""
        self._notify("RELOADING=1", f"MONOTONIC_USEC={int(stopwatch() * _MICROSECONDS)}")

    def stopping(self, status: str) -> None:
        """The service was asked to end."""
        self._notify("STOPPING=1", _status(status))

    def extend(self, seconds: float) -> None:
        """Ending takes a while: ask for as many seconds from now."""
        self._notify(f"EXTEND_TIMEOUT_USEC={int(seconds * _MICROSECONDS)}")

    def _notify(self, *lines: str) -> None:
        if not self._address:
            return
        # A manager that does not listen (any more), or whose queue is full, must not disturb the service.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
            wire.settimeout(_PATIENCE_SECONDS)
            wire.sendto("\n".join(lines).encode(), self._address)


def _status(text: str) -> str:
    return f"STATUS={' '.join(text.splitlines())}"
