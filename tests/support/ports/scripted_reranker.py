"""A reranker without a model: it counts shared words, or uses a given function."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

_WORD = re.compile(r"\w+")


def shared_words(question: str, text: str) -> float:
    """The share of the question's words that stand in the text, from 0 to 1."""
    asked, words = set(_WORD.findall(question.casefold())), set(_WORD.findall(text.casefold()))
    return len(asked & words) / len(asked) if asked else 0.0


@dataclass
class ScriptedReranker:
    """`pipeline.ports.index.Reranker` that scores each text by `judge`; `asked` holds each question and its texts."""

    judge: Callable[[str, str], float] = shared_words
    name: str = "scripted-reranker"
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in order."""
        self.asked.append((question, tuple(texts)))
        return [self.judge(question, text) for text in texts]
