"""The judgements of a model about entries when a week is planned. It judges; it writes nothing."""

from collections.abc import Sequence
from enum import StrEnum

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
    """The worth of an entry to an agent in the weeks to come, 0 to 1, and its heading."""

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


MOST_PARAGRAPHS = 5
_LEAST = 400
_CUT = "\n[...]\n"


class SummaryRequest(DivisibleInput):
    """The texts to sum up, in order of time, in at most so many paragraphs."""

    language: str
    most: int
    texts: tuple[str, ...]

    def parts(self) -> "Sequence[SummaryRequest]":
        """Two halves that share the paragraphs; with a single text or paragraph, less of each text."""
        if self.most > 1 and len(self.texts) > 1:
            shares = (self.most + 1) // 2, self.most // 2
            return [self._part(most, self.texts[half]) for most, half in zip(shares, halves(self.texts), strict=True)]
        if max(map(len, self.texts), default=0) < _LEAST:
            return ()
        return [self._part(self.most, [text[: len(text) // 4] + _CUT + text[-len(text) // 4 :] for text in self.texts])]

    def _part(self, most: int, texts: Sequence[str]) -> "SummaryRequest":
        return self.model_copy(update={"most": most, "texts": tuple(texts)})


class LayerSummary(Value):
    """The paragraphs of a summary, in order of time."""

    paragraphs: tuple[str, ...] = Field(default=(), max_length=MOST_PARAGRAPHS)


class SummaryFact(Value):
    """A fact that may be named. `day` is when it was said, in ISO form, or empty."""

    id: str
    kind: str
    day: str
    text: str


class SummarySentence(Value):
    """A sentence of a summary with the ids of the facts that it rests on. `id` is its name in a question."""

    id: str = ""
    text: str
    facts: tuple[str, ...]


class SummaryQuestion(Value):
    """The summary of the page called `name`: at most so many sentences. `sentences` are those that stand now."""

    name: str
    most: int
    facts: tuple[SummaryFact, ...]
    sentences: tuple[SummarySentence, ...]


class SummaryVerb(StrEnum):
    """The operation on a sentence; `put` makes a new sentence behind it."""

    KEEP = "keep"
    PUT = "put"
    REWRITE = "rewrite"
    DROP = "drop"


class SummaryOperation(Value):
    """An operation on the sentence `block`; an empty `block` of `put` is the end. Code checks all of it."""

    op: SummaryVerb
    block: str = ""
    facts: tuple[str, ...] = ()
    text: str = ""


class SummaryEdits(Value):
    """The operations, in their order; a sentence without an operation stays as it is."""

    operations: tuple[SummaryOperation, ...] = ()
