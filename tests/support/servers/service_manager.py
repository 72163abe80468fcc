"""The end of the sd_notify(3) protocol that a service manager holds: hears what a service tells it."""

import socket
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from pipeline.clock import stopwatch

_LONGEST = 65536


class ServiceManager:
    """Listens while its `with` statement lasts. `environment` is what a service has to be started with.

    It takes each word as it comes, as a real one does: the system keeps ten for who does not, and the rest is lost.
    """

    def __init__(self, address: str | Path, watchdog_seconds: float = 0, patience: float = 60) -> None:
        """`address` as in `NOTIFY_SOCKET`: a path, or a name after an @; `patience`, in seconds, is for each word."""
        self._address = str(address)
        watchdog = {"WATCHDOG_USEC": str(int(watchdog_seconds * 1_000_000))} if watchdog_seconds else {}
        self.environment = {"NOTIFY_SOCKET": self._address, **watchdog}
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._patience = patience
        self._words = SimpleQueue[str]()
        self._thread = Thread(target=self._take_all, name="service-manager", daemon=True)

    def __enter__(self) -> Self:
        self._wire.bind("\0" + self._address[1:] if self._address.startswith("@") else self._address)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # Linux says of a socket without a peer that it has none, and ends its reading
            self._wire.shutdown(socket.SHUT_RD)
        self._thread.join()
        self._wire.close()
        Path(self._address).unlink(missing_ok=True)

    def hear(self) -> list[str]:
        """The lines of the next word.

        Raises:
            TimeoutError: none came in time.
        """
        return self._next(self._patience).splitlines()

    def hear_until(self, line: str) -> list[str]:
        """The lines of the next word that has this line; what came before is gone.

        Raises:
            TimeoutError: none came in time.
        """
        until = stopwatch() + self._patience
        while line not in (heard := self._next(until - stopwatch()).splitlines()):
            pass
        return heard

    def _next(self, seconds: float) -> str:
        try:
            return self._words.get(timeout=max(seconds, 0.0))
        except Empty as error:
            raise TimeoutError from error

    def _take_all(self) -> None:
        while word := self._wire.recv(_LONGEST):
            self._words.put(word.decode())
