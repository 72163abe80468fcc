"""A reader who waits for an answer: long work for one who has gone ends at its next step."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from pipeline.errors.service import ReaderGone

_Step = TypeVar("_Step")


class WaitingReader:
    """Somebody who waits. May be asked from any thread."""

    def __init__(self) -> None:
        self.has_gone = False

    def leave(self) -> None:
        """Note that nobody waits any more."""
        self.has_gone = True


_READER: ContextVar[WaitingReader | None] = ContextVar("reader", default=None)


@contextmanager
def waited_for() -> Iterator[WaitingReader]:
    """A reader for the work inside, also of threads that it begins."""
    reader = WaitingReader()
    token = _READER.set(reader)
    try:
        yield reader
    finally:
        _READER.reset(token)


def while_waited_for(steps: Iterable[_Step]) -> Iterator[_Step]:
    """The steps, as long as somebody waits for what comes of them, or nobody ever did.

    Raises:
        ReaderGone: the reader has gone.
    """
    for step in steps:
        if (reader := _READER.get()) and reader.has_gone:
            raise ReaderGone
        yield step
