"""What a model may say about entries when a week is planned. It judges; it writes nothing."""

from collections.abc import Sequence

from pydantic import Field

from schemas.base import Value
from schemas.divisible_input import DivisibleInput, halves
from schemas.entry import Kind


class Judged(Value):
    """An entry that is to be judged, as a model sees it: all of it as data."""

    id: str
    kind: Kind
    date: str
    title: str
    conclusion: str
    hot: bool


class ModelQuestion(DivisibleInput):
    """The entries of one question; those that are `hot` stand in MEMORY.md now. `today` is the last day of the week."""

    today: str
    entries: tuple[Judged, ...]

    def parts(self) -> "Sequence[ModelQuestion]":
        """Two halves; code proposes pairs beyond them too."""
        return [ModelQuestion(today=self.today, entries=self.entries[half]) for half in halves(self.entries)]


class Worth(Value):
    """How much an entry will be worth to an agent in the weeks to come, 0 to 1, and under which heading it belongs."""

    id: str
    value: float = Field(ge=0, le=1)
    subject: str = Field(default="", max_length=40)
    why: str = Field(default="", max_length=200)


class Pair(Value):
    """Two entries, the later first."""

    later: str
    earlier: str
    why: str = Field(default="", max_length=200)


class Judgement(Value):
    """The model's answer: the worth of entries, pairs that say the same, pairs that cannot both hold."""

    worth: tuple[Worth, ...] = ()
    same: tuple[Pair, ...] = ()
    contradictions: tuple[Pair, ...] = ()
