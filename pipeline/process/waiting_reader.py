"""A reader who waits for an answer: if the reader has gone, long work ends at its next step."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from typing import TypeVar

from pipeline.errors.service import ReaderGone

_Step = TypeVar("_Step")
_GONE: ContextVar[Event | None] = ContextVar("gone", default=None)


@contextmanager
def waited_for() -> Iterator[Event]:
    """The event to set when the reader of the work inside has gone, also of threads that it begins."""
    gone = Event()
    token = _GONE.set(gone)
    try:
        yield gone
    finally:
        _GONE.reset(token)


def while_waited_for(steps: Iterable[_Step]) -> Iterator[_Step]:
    """The steps, until the reader has gone; all of them without a reader.

    Raises:
        ReaderGone: the reader has gone.
    """
    for step in steps:
        if (gone := _GONE.get()) and gone.is_set():
            raise ReaderGone
        yield step
