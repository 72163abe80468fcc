"""Connections with limits: who dawdles makes room for others, and is dropped in the end."""

from asyncio import Transport
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

CONNECTIONS = 32
"""At once. The oldest that is idle, or whose request is not all there, makes room for one more; else none is let in."""
LONGEST_SECONDS = 10.0
"""For a request to come in whole, and for a reader to take a piece of its answer."""
_LOOK = 0.5  # of the longest time


def limited(longest: float = LONGEST_SECONDS) -> Callable[..., H11Protocol]:
    """A maker of connections that may take `longest` seconds to say what they want."""
    opened = list["_LimitedConnection"]()

    def connection(*arguments: Any, **fields: Any) -> H11Protocol:  # noqa: ANN401 - as the server gives them
        return _LimitedConnection(opened, longest, *arguments, **fields)

    return connection


class _LimitedConnection(H11Protocol):
    """A connection. A request that is being answered has all the time that it needs."""

    def __init__(self, opened: list["_LimitedConnection"], longest: float, *arguments: Any, **fields: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(*arguments, **fields)
        self._opened, self._longest, self._moved, self._unsent = opened, longest, 0.0, 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as of the base class
        """Take a connection in place of an idle one where there are too many; what is at work is never cut off."""
        super().connection_made(transport)
        self._moved = self.loop.time()
        self._opened.append(self)
        if len(self._opened) > CONNECTIONS:
            idle = (other for other in self._opened[:-1] if not other.is_at_work)
            next(idle, self).transport.abort()
        self.loop.call_later(self._longest * _LOOK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
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

    def _look(self) -> None:
        if self not in self._opened:
            return
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        if self._is_answering or unsent < self._unsent:  # the reader takes what it gets
            self._moved = now
        self._unsent = unsent
        if now - self._moved >= self._longest:
            self.transport.abort()
            return
        self.loop.call_later(self._longest * _LOOK, self._look)
