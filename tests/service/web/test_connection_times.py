"""How long a connection may stay, on a clock that goes by hand: on a real one a busy machine is a slow reader."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from uvicorn import Config
from uvicorn.server import ServerState

from pipeline.service.web.server import Receive, Scope, Send, connection_maker

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
LONGEST = 10.0


class HandLoop(asyncio.SelectorEventLoop):
    """An event loop whose time goes by when it is told."""

    now = 0.0

    def time(self) -> float:
        """What its clock shows."""
        return self.now

    async def pass_by(self, seconds: float) -> None:
        """Let time go by, and what is due then happen."""
        self.now += seconds
        for _ in range(3):
            await asyncio.sleep(0)


class Line:
    """A connection to a server that gives each request `LONGEST` seconds."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    async def answer(self) -> bytes:
        """The status of the answer to a request."""
        self.writer.write(REQUEST)
        return (await self._reader.readuntil(b"\r\n\r\n"))[:12]

    async def is_dropped(self) -> bool:
        """Whether the other side has ended it; else something comes that was not asked for, or the test hangs."""
        with suppress(ConnectionResetError):
            return not await self._reader.read(1)
        return True


async def _application(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def _line() -> AsyncIterator[Line]:
    config, connection = Config(_application, log_config=None, timeout_keep_alive=1000), connection_maker(LONGEST)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: connection(config=config, server_state=ServerState(), app_state={}), "127.0.0.1", 0
    )
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        yield Line(reader, writer)
        writer.close()


def played(scene: Callable[[HandLoop, Line], Awaitable[None]]) -> None:
    """Play with a connection."""

    async def whole() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, HandLoop)
        async with _line() as line:
            await scene(loop, line)

    with asyncio.Runner(loop_factory=HandLoop) as runner:
        runner.run(whole())


def test_a_reader_that_dawdles_is_dropped_in_the_end() -> None:
    """Who never falls silent does not stay for ever: each connection has its time."""

    async def scene(loop: HandLoop, line: Line) -> None:
        line.writer.write(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(int(LONGEST)):
            await loop.pass_by(1)
            line.writer.write(b"x")
        await loop.pass_by(1)
        assert await line.is_dropped()

    played(scene)


def test_a_busy_connection_stays() -> None:
    """One that asks again and again is never silent, however long it lasts."""

    async def scene(loop: HandLoop, line: Line) -> None:
        for _ in range(5):
            assert b"HTTP/1.1 200" == await line.answer()
            await loop.pass_by(LONGEST - 1)
        assert b"HTTP/1.1 200" == await line.answer()
        await loop.pass_by(LONGEST)
        assert await line.is_dropped()

    played(scene)
