"""What a reader of several sessions, model or not, is asked and may answer."""

from collections.abc import Sequence

from pydantic import Field

from schemas.base import Value
from schemas.divisible_input import DivisibleInput, halves

MOST_PARAGRAPHS = 5
_LEAST = 400
_CUT = "\n[...]\n"


class SummaryRequest(DivisibleInput):
    """The texts to sum up, in order of time, in at most so many paragraphs."""

    language: str
    most: int
    texts: tuple[str, ...]

    def parts(self) -> "Sequence[SummaryRequest]":
        """Two halves that share the paragraphs; where there is but one text or paragraph, less of each text."""
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
