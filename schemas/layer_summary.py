"""What a reader of several sessions, model or not, is asked and may answer."""

from pydantic import Field

from schemas.base import Value

MOST_PARAGRAPHS = 5


class SummaryRequest(Value):
    """The texts to sum up, in order of time, in at most so many paragraphs."""

    language: str
    most: int
    texts: tuple[str, ...]


class LayerSummary(Value):
    """The paragraphs of a summary, in order of time."""

    paragraphs: tuple[str, ...] = Field(default=(), max_length=MOST_PARAGRAPHS)
