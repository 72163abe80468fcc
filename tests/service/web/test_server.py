"""An application that takes its time to begin."""

import asyncio

import pytest

from pipeline.service.web.server import Application, Receive, Scope, Send, WebServer


def beginning(seconds: float) -> Application:
    """An application that has begun after so many seconds."""

    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        await asyncio.sleep(seconds)
        await send({"type": "lifespan.startup.complete"})

    return application


@pytest.mark.soak
def test_one_that_takes_its_time_is_waited_for() -> None:
    """On a machine that is busy the ordinary beginning may last for seconds."""
    with WebServer("127.0.0.1:0", beginning(4)) as server:
        assert server.address.startswith("http://127.0.0.1:")
