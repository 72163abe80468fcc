"""The server of the library, which says when it answers."""

import socket
from threading import Event

from uvicorn import Config, Server


class AnnouncedServer(Server):
    """Sets `ready` once it takes connections, or has given up."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.ready = Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        try:
            await super().startup(sockets)
        finally:
            self.ready.set()
