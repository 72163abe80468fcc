"""The door of the application on the Unix socket: the requests that are at work at once, and the end of the service."""

import asyncio
import json
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.service.web.server import Receive, Scope, Send
from pipeline.surfaces.http.local import LocalDoor

HEADERS = [(b"memory-settings", b"{}"), (b"content-length", b"0")]


@dataclass
class HeldUp:
    """An application whose work goes on until it is let go, as that of a thread does when its client has left."""

    begun: asyncio.Queue[None] = field(default_factory=asyncio.Queue)
    end: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Work, and answer."""
        self.begun.put_nowait(None)
        await self.end.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})


@dataclass
class Client:
    """A client that leaves as soon as it has asked."""

    received: list[MutableMapping[str, Any]] = field(default_factory=list)

    async def ask(self, door: LocalDoor) -> None:
        """Send a request."""
        await door({"type": "http", "headers": HEADERS}, self._leave, self._receive)

    async def _leave(self) -> MutableMapping[str, Any]:
        await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def _receive(self, message: MutableMapping[str, Any]) -> None:
        self.received.append(message)

    @property
    def status(self) -> int:
        """The status of its answer."""
        return int(self.received[0]["status"])


def test_clients_that_leave_do_not_make_room_for_more_work() -> None:
    """Their work has a thread to its end; another request is refused, so that its client answers itself."""

    async def ask_all() -> tuple[int, int]:
        held_up = HeldUp()
        door, late, later = LocalDoor(held_up, most=2), Client(), Client()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(2):
                tasks.create_task(Client().ask(door))
            for _ in range(2):
                await held_up.begun.get()
            await late.ask(door)
            held_up.end.set()
        await later.ask(door)
        return late.status, later.status

    assert (503, 200) == asyncio.run(ask_all())


def test_a_request_at_work_is_refused_when_the_service_stops() -> None:
    """Its client answers itself: the answer has no exit code."""

    async def stop() -> Client:
        held_up, client = HeldUp(), Client()
        task = asyncio.create_task(client.ask(LocalDoor(held_up)))
        await held_up.begun.get()
        task.cancel()
        await task
        return client

    client = asyncio.run(stop())
    assert 503 == client.status
    assert "exit_code" not in json.loads(client.received[1]["body"])
