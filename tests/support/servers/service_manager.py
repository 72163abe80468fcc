"""The end of the sd_notify(3) protocol that a service manager holds: hears what a service tells it."""

import socket
from pathlib import Path
from types import TracebackType
from typing import Self

from pipeline.clock import stopwatch

_LONGEST = 65536


class ServiceManager:
    """Listens while its `with` statement lasts. `environment` is what a service has to be started with."""

    def __init__(self, address: str | Path, watchdog_seconds: float = 0, patience: float = 60) -> None:
        """`address` as in `NOTIFY_SOCKET`: a path, or a name after an @; `patience`, in seconds, is for each word."""
        self._address = str(address)
        watchdog = {"WATCHDOG_USEC": str(int(watchdog_seconds * 1_000_000))} if watchdog_seconds else {}
        self.environment = {"NOTIFY_SOCKET": self._address, **watchdog}
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._wire.settimeout(patience)
        self._patience = patience

    def __enter__(self) -> Self:
        self._wire.bind("\0" + self._address[1:] if self._address.startswith("@") else self._address)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.close()
        Path(self._address).unlink(missing_ok=True)

    def hear(self) -> list[str]:
        """The lines of the next word.

        Raises:
            TimeoutError: none came in time.
        """
        return self._wire.recv(_LONGEST).decode().splitlines()

    def hear_until(self, line: str) -> list[str]:
        """The lines of the next word that has this line; what came before is gone.

        Raises:
            TimeoutError: none came in time.
        """
        until = stopwatch() + self._patience
        while stopwatch() < until:
            if line in (heard := self.hear()):
                return heard
        raise TimeoutError(line)
