"""A relay between programs and a PostgreSQL server: it stands still at a message of a process, and cuts connections."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from pathlib import Path
from threading import Event, Lock, Thread

_SOCKET = ".s.PGSQL.5432"
_BYTES = 1 << 16


class Relay:
    """A relay with a socket in a folder. `moments` gets a word when it stands still.

    It `is_lost` when it has come to the message at which it lets nobody through any more. A message is what one side
    sends at once; that at which it stands still has been taken, and not been passed on.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        """`server` is the folder of the socket of the server."""
        self._target = str(server / _SOCKET)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / _SOCKET))
        self._listener.listen(64)
        self.moments, self._reached = Pipe(duplex=False)
        self._lock, self._open = Lock(), Event()
        self._open.set()
        self._left, self._process = -1, 0
        self._is_losing = self.is_lost = False
        self._ends = set[socket.socket]()
        self._carrying = list[Thread]()
        self._accepting = Thread(target=self._accept)
        self._accepting.start()

    def stand_still_at(self, message: int, process: int) -> None:
        """Stand still at a message from or to a process, from 0."""
        with self._lock:
            self._left, self._process = message, process

    def lose_at(self, message: int, process: int) -> None:
        """Cut all connections at a message from or to a process, from 0, and take no more."""
        self._is_losing = True
        self.stand_still_at(message, process)

    def go_on(self) -> None:
        """Pass on what waits, and stand still no more."""
        with self._lock:
            self._left = -1
            while self.moments.poll():  # reached in vain
                self.moments.recv()
        self._open.set()

    def cut(self) -> None:
        """Cut all connections; what waits here is lost."""
        with self._lock:
            self._cut_all()
        self.go_on()

    def close(self) -> None:
        """Cut all connections, and take no more."""
        _shut(self._listener)
        self._accepting.join()
        self._listener.close()
        self.cut()
        for carrying in self._carrying:
            carrying.join()
        self.moments.close()
        self._reached.close()

    def _cut_all(self) -> None:
        for end in self._ends:
            _shut(end)

    def _accept(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                client, _ = self._listener.accept()
                self._carrying.append(Thread(target=self._connect, args=(client,)))
                self._carrying[-1].start()

    def _connect(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):  # the server is down
            server.connect(self._target)
            process, *_ = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            ends = {client, server}
            with self._lock:
                self._ends |= ends
            back = Thread(target=self._carry, args=(server, client, process))
            back.start()
            self._carry(client, server, process)
            back.join()
            with self._lock:
                self._ends -= ends

    def _carry(self, source: socket.socket, target: socket.socket, process: int) -> None:
        with suppress(OSError):  # it was cut, or either side has gone
            while message := source.recv(_BYTES):
                self._wait_at_message(process)
                target.sendall(message)
        _shut(source)
        _shut(target)

    def _wait_at_message(self, process: int) -> None:
        with self._lock:
            if process == self._process and self._left >= 0:
                self._left -= 1
                if self._left < 0 and self._is_losing:
                    self.is_lost = True
                    self._cut_all()
                    _shut(self._listener)
                elif self._left < 0:
                    self._open.clear()
                    self._reached.send("message")
        self._open.wait()


def _shut(end: socket.socket) -> None:
    with suppress(OSError):  # it is shut already
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed(folder: Path, server: Path) -> Iterator[Relay]:
    """A relay that runs meanwhile."""
    folder.mkdir()
    relay = Relay(folder, server)
    try:
        yield relay
    finally:
        relay.close()
