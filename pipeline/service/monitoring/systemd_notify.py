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
_SEND_SECONDS = 1.0


class Notifier:
    """Writes to the socket of `NOTIFY_SOCKET`; does nothing without that variable."""

    def __init__(self, environment: Mapping[str, str], pid: int | None = None) -> None:
        """`pid` is the process that the watchdog may be meant for, by default this process."""
        named = environment.get("NOTIFY_SOCKET", "")
        # An address that begins with @ is not in the file system.
        self._address = "\0" + named[1:] if named.startswith("@") else named
        microseconds, meant = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
        ours = meant in {"", str(os.getpid() if pid is None else pid)}
        self._watchdog = int(microseconds) / _MICROSECONDS if ours and microseconds.isdecimal() else 0.0

    @property
    def beat_seconds(self) -> float | None:
        """The interval of `alive` that sd_watchdog_enabled(3) recommends, in seconds; `None` without a watchdog."""
        return self._watchdog / 2 if self._address and self._watchdog else None

    def ready(self, status: str) -> None:
        """Report that the service has begun, or has read its settings again; `status` is a line for a person."""
        self._notify("READY=1", _format_status(status))

    def status(self, status: str) -> None:
        """Report the current work of the service in a line."""
        self._notify(_format_status(status))

    def alive(self) -> None:
        """Report to a watchdog that the main loop turns."""
        if self._watchdog:
            self._notify("WATCHDOG=1")

    def reloading(self) -> None:
        """Report that the settings are being read again, until `ready`."""
        self._notify("RELOADING=1", f"MONOTONIC_USEC={int(stopwatch() * _MICROSECONDS)}")

    def stopping(self, status: str) -> None:
        """Report that the service is stopping."""
        self._notify("STOPPING=1", _format_status(status))

    def extend(self, seconds: float) -> None:
        """Request so many seconds from now for the stop."""
        self._notify(f"EXTEND_TIMEOUT_USEC={int(seconds * _MICROSECONDS)}")

    def _notify(self, *lines: str) -> None:
        if not self._address:
            return
        # A manager that does not listen (any more), or whose queue is full, must not disturb the service.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
            wire.settimeout(_SEND_SECONDS)
            wire.sendto("\n".join(lines).encode(errors="replace"), self._address)  # of a path that is not UTF-8 too


def _format_status(text: str) -> str:
    return f"STATUS={' '.join(text.splitlines())}"
