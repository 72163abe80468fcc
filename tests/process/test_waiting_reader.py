"""Work for a reader who has gone ends at its next step."""

import asyncio
from threading import Event

import pytest

from pipeline.errors.service import ReaderGone
from pipeline.process.waiting_reader import waited_for, while_waited_for


def test_it_goes_on_while_somebody_waits() -> None:
    """And where nobody ever did, as in a command."""
    assert [1, 2] == list(while_waited_for([1, 2]))
    with waited_for():
        assert [1, 2] == list(while_waited_for([1, 2]))


def test_it_ends_when_the_reader_has_gone() -> None:
    """Also in a thread that the work began."""

    def work(gone: Event, done: list[int]) -> None:
        for step in while_waited_for(range(9)):
            done.append(step)
            if step == 2:
                gone.set()

    async def asked() -> list[int]:
        done = list[int]()
        with waited_for() as gone, pytest.raises(ReaderGone):
            await asyncio.to_thread(work, gone, done)
        return done

    assert [0, 1, 2] == asyncio.run(asked())
