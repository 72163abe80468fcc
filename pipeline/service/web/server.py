"""The HTTP server of the service, in a thread of its own: on its Unix socket, and at the address of the settings."""

import socket
from asyncio import Transport
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from ipaddress import ip_address
from threading import Event, Thread
from typing import Any, Self

from anyio.to_thread import current_default_thread_limiter
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from pipeline.errors.service import CannotListen
from schemas.service_settings import host_and_port


class AnnouncedServer(Server):
    """Sets `ready` once it takes connections, or has given up."""

    def __init__(self, config: Config, connections: int) -> None:
        """`connections` are those at the address at most."""
        super().__init__(config)
        self.ready, self._connections = Event(), connections

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        # Each request has a thread while it is answered, and many of them wait there for their turn.
        current_default_thread_limiter().total_tokens = self._connections + LOCAL_CONNECTIONS
        try:
            await super().startup(sockets)
        finally:
            self.ready.set()


CONNECTIONS, LOCAL_CONNECTIONS = 32, 64
"""At once, at the address and on the Unix socket. The oldest that is idle, or whose request is not all there, makes
room for one more; else none is let in."""
LONGEST_SECONDS = 10.0
"""For a request to come in whole, and for a reader to take a piece of its answer."""
_LOOK = 0.5  # of the longest time


@dataclass(frozen=True)
class _Connections:
    """The open connections of a sort, and the application that answers on them; without one it is the server's."""

    most: int
    application: "Application | None" = None
    opened: list["_LimitedConnection"] = field(default_factory=list)


def connection_maker(
    longest: float = LONGEST_SECONDS, local: "Application | None" = None, connections: int = CONNECTIONS
) -> Callable[..., H11Protocol]:
    """The maker of at most so many connections at the address, which may take `longest` seconds to send a request.

    `local` answers on those through the Unix socket, in place of the server's application.
    """
    sorts = {True: _Connections(LOCAL_CONNECTIONS, local), False: _Connections(connections)}

    def connection(*arguments: Any, **fields: Any) -> H11Protocol:  # noqa: ANN401 - as the server gives them
        return _LimitedConnection(sorts, longest, *arguments, **fields)

    return connection


class _LimitedConnection(H11Protocol):
    """A connection. A request that is being answered has all the time that it needs."""

    def __init__(self, sorts: Mapping[bool, _Connections], longest: float, *arguments: Any, **fields: Any) -> None:  # noqa: ANN401 - as the server gives them
        """`sorts` are the connections through the Unix socket (`True`) and all others."""
        super().__init__(*arguments, **fields)
        self._sorts, self._opened = sorts, list["_LimitedConnection"]()
        self._longest, self._moved, self._unsent = longest, 0.0, 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as of the base class
        """Take a connection in place of an idle one where there are too many; a connection at work is never cut off."""
        super().connection_made(transport)
        sort = self._sorts[transport.get_extra_info("socket").family == socket.AF_UNIX]
        self.app, self._opened = sort.application or self.app, sort.opened
        self._moved = self.loop.time()
        self._opened.append(self)
        if len(self._opened) > sort.most:
            idle = (other for other in self._opened[:-1] if not other.is_at_work)
            next(idle, self).transport.abort()
        self.loop.call_later(self._longest * _LOOK, self._drop_if_idle)

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request. One that begins with JSON is of an old client, which would wait for a line."""
        if data.startswith(b"{") and self.scope is None and not self.conn.trailing_data[0]:
            self.transport.abort()
        else:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self in self._opened:
            self._opened.remove(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._moved = self.loop.time()
        super().on_response_complete()

    @property
    def is_at_work(self) -> bool:
        """Whether an answer is being made, or is on its way; none is while the body of a request still comes in."""
        answering = self._is_answering and not (self.cycle.more_body and not self.cycle.response_started)
        return answering or self.transport.get_write_buffer_size() > 0

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _drop_if_idle(self) -> None:
        if self not in self._opened:
            return
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        if self._is_answering or unsent < self._unsent:  # the reader takes what it gets
            self._moved = now
        self._unsent = unsent
        if now - self._moved >= self._longest:
            self.transport.abort()
            return
        self.loop.call_later(self._longest * _LOOK, self._drop_if_idle)


_HERE = "127.0.0.1"
_BACKLOG = 64
_KEEP_ALIVE_SECONDS = 5
STOPPING_SECONDS = 5
"""For how long answers under way are waited for when the service stops."""
_LOOK_SECONDS = 1.0
"""The wait between two looks at the thread that begins, which may have ended."""
_HEADERS = 32_768  # bytes of a request's head at most

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An ASGI application."""


@dataclass(frozen=True)
class LocalListener:
    """The Unix socket of the service, and the application that answers there."""

    listener: socket.socket
    application: Application


class WebServer:
    """Answers at an address, and on a Unix socket, while its `with` statement lasts."""

    def __init__(
        self,
        where: str,
        application: Application | None,
        longest: float = LONGEST_SECONDS,
        local: LocalListener | None = None,
        connections: int = CONNECTIONS,
    ) -> None:
        """`where` is HOST:PORT as `ServiceSettings.http` takes it, and empty to listen at no address.

        Without a host it is 127.0.0.1, and port 0 takes one that is free. `application` answers there.
        A request has to come in within `longest` seconds. It has so many `connections` at most.
        """
        self._connections = connections
        self._where, self._application, self._longest, self._local = where, application, longest, local
        host, port = host_and_port(where) if where else ("", 0)
        self._place = (host or _HERE, port) if where else None
        self._entered, self.address = ExitStack(), ""

    def __enter__(self) -> Self:
        """Begin to listen."""
        with ExitStack() as stack:
            network = stack.enter_context(_listener(self._where, self._place)) if self._place else None
            listeners = [listener for listener in (network, self._local and self._local.listener) if listener]
            if not listeners:
                return self
            server = self._make_server()
            answering = Thread(target=server.run, args=(listeners,), name="http", daemon=True)
            answering.start()
            stack.callback(answering.join, STOPPING_SECONDS + 2)
            stack.callback(setattr, server, "should_exit", True)  # noqa: FBT003 - a value, no parameter
            while answering.is_alive() and not server.ready.wait(_LOOK_SECONDS):  # a busy machine may take its time
                pass
            if not server.started:
                where = self._where or "the Unix socket"
                raise CannotListen(where, "the application could not begin, of which the log says more")
            self.address = _address(network) if network else ""
            self._entered = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._entered.close()
        self.address = ""

    def _make_server(self) -> AnnouncedServer:
        local = self._local.application if self._local else None
        config = Config(
            self._application or local,  # type: ignore[arg-type]  # there is one where there is a listener
            http=connection_maker(self._longest, local, self._connections),  # type: ignore[arg-type]  # it is called, and no more
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=STOPPING_SECONDS,
            h11_max_incomplete_event_size=_HEADERS,
        )
        return AnnouncedServer(config, self._connections)


def is_loopback(name: str) -> bool:
    """Whether a name or an address stands for this machine alone."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def _listener(where: str, place: tuple[str, int]) -> socket.socket:
    family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
    try:
        return socket.create_server(place, family=family, backlog=_BACKLOG)
    except OSError as error:
        # The system's own word: this library adds the address to it once more.
        reason = error.strerror.partition(" (while")[0] if error.strerror else str(error)
        raise CannotListen(where, reason) from error


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
