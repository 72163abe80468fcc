"""An embedder that is let go while nobody needs it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Event, Thread
from weakref import ref

import pytest

from pipeline.adapters.embedding.time_limited import RestingEmbedder
from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Embedder, Vector
from tests.support.ports.embedder_contract import EmbedderContract
from tests.support.ports.hashing_embedder import HashingEmbedder

IDLE = 0.05
SECONDS = 60.0


class Slow(HashingEmbedder):
    """One that makes vectors of passages only when it may, and tells when it is asked for them."""

    def __init__(self, asked: Event, may: Event) -> None:
        super().__init__()
        self._asked, self._may = asked, may

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors, some day."""
        self._asked.set()
        assert self._may.wait(SECONDS)
        return super().passages(texts)


class Counted:
    """Makes embedders, and knows which of them are still there."""

    def __init__(self) -> None:
        self.make: Callable[[], Embedder] = HashingEmbedder
        self.made: list[ref[Embedder]] = []
        self.let_go = Event()

    def __call__(self) -> Embedder:
        """One more."""
        embedder = self.make()
        self.made.append(ref(embedder))
        return embedder


@contextmanager
def at_work(counted: Counted, idle: float) -> Iterator[RestingEmbedder]:
    """One that makes vectors in another thread meanwhile, so that it does not rest, however slow the machine is."""
    asked, may = Event(), Event()
    counted.make = lambda: Slow(asked, may)
    embedder = RestingEmbedder(counted, idle, counted.let_go.set)
    assert [] == counted.made
    working = Thread(target=embedder.passages, args=(["a", "b"],))
    working.start()
    try:
        assert asked.wait(SECONDS)
        yield embedder
    finally:
        may.set()
        working.join()


class TestRestingEmbedder(EmbedderContract):
    """It is an embedder like any other."""

    def embedder(self) -> AbstractContextManager[Embedder]:
        """One that is let go after each text."""
        return nullcontext(RestingEmbedder(HashingEmbedder, 0.001))


def test_it_is_made_when_it_is_needed_and_let_go_when_it_rests() -> None:
    """And made again for the next text; its name and dimension are remembered."""
    counted = Counted()
    with at_work(counted, IDLE) as embedder:
        first = embedder.question("heron")
        lines = embedder.name, embedder.dimension
    assert counted.let_go.wait(SECONDS)
    assert (1, None) == (len(counted.made), counted.made[0]())
    assert lines == (embedder.name, embedder.dimension)
    assert (1, first, 2) == (len(counted.made), embedder.question("heron"), len(counted.made))


def test_it_is_not_let_go_while_it_is_at_work() -> None:
    """However long that takes; others may use it meanwhile."""
    counted = Counted()
    with at_work(counted, 0.001) as embedder:
        for _ in range(20):
            embedder.question("heron")
        assert not counted.let_go.wait(IDLE)
        assert 1 == len(counted.made)
    assert counted.let_go.wait(SECONDS)


def test_one_that_cannot_be_had_is_tried_again() -> None:
    """An error is the user's to deal with, and the next text may go well."""
    there: list[Embedder] = []

    def make() -> Embedder:
        if not there:
            name, why = "x", "it is away"
            raise EmbedderUnavailable(name, why)
        return there[0]

    embedder = RestingEmbedder(make, IDLE)
    with pytest.raises(EmbedderUnavailable, match="it is away"):
        embedder.question("heron")
    there.append(HashingEmbedder())
    assert HashingEmbedder().question("heron") == embedder.question("heron")
