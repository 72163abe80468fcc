"""Fakes that take as long as a test wants: a gate, and an embedder and a reranker that stand before it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition

from pipeline.ports.index import Vector
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.scripted_reranker import ScriptedReranker

SECONDS = 300.0
"""After how long somebody who waits at a gate fails, so that no test hangs."""


@dataclass
class Gate:
    """Holds up who comes until it is opened. `inside` is how many it holds up now, `most` how many at once so far."""

    inside: int = 0
    most: int = 0
    opened: bool = False
    _changed: Condition = field(default_factory=Condition)

    def come(self) -> None:
        """Wait until it is open."""
        with self._changed:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self._changed.notify_all()
            self._wait(lambda: self.opened)
            self.inside -= 1

    def wait_for(self, many: int) -> None:
        """Wait until so many are held up."""
        with self._changed:
            self._wait(lambda: self.inside >= many)

    def open(self) -> None:
        """Hold nobody up any more."""
        with self._changed:
            self.opened = True
            self._changed.notify_all()

    def _wait(self, until: Callable[[], bool]) -> None:
        if not self._changed.wait_for(until, SECONDS):
            message = f"nothing happened at the gate for {SECONDS:g} s"
            raise TimeoutError(message)


@dataclass
class HeldUpReranker(ScriptedReranker):
    """A reranker that scores when its gate is open."""

    gate: Gate = field(default_factory=Gate)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, some day."""
        self.gate.come()
        return super().scores(question, texts)


class HeldUpEmbedder(HashingEmbedder):
    """An embedder that makes the vector of a text with a `mark` when its gate is open, and others at once."""

    def __init__(self, gate: Gate, mark: str = "slow") -> None:
        """With no `mark`, all texts are held up."""
        super().__init__()
        self._gate, self._mark = gate, mark

    def question(self, text: str) -> Vector:
        """The same vector as the text has as a passage, some day."""
        if self._mark in text:
            self._gate.come()
        return super().question(text)
