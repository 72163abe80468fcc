"""The common base of embedders: the text they take, the vector they give, and the prefixes that some models need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Vector

LONGEST = 32_000  # characters; many times what a model of 512 tokens reads, and a passage is far shorter
_OF_BGE = "Represent this sentence for searching relevant passages: "
_OF_BGE_CHINESE = "为这个句子生成表示以用于检索相关文章："  # noqa: RUF001 - the model was trained with this very colon
_OF_QWEN = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The prefixes that a model needs before a question and before a passage."""

    question: str = ""
    passage: str = ""

    @property
    def mark(self) -> str:
        """The part of an embedder's name that changes with these prefixes, because they change the vectors."""
        if not self.question and not self.passage:
            return ""
        return "+" + sha256(f"{self.question}\0{self.passage}".encode()).hexdigest()[:6]


_PREFIXES = (
    ("e5-mistral", Prefixes()),  # wants an instruction of its own
    ("e5-large-instruct", Prefixes()),
    ("e5-", Prefixes("query: ", "passage: ")),
    ("bge-small-zh", Prefixes(_OF_BGE_CHINESE)),
    ("bge-base-zh", Prefixes(_OF_BGE_CHINESE)),
    ("bge-large-zh", Prefixes(_OF_BGE_CHINESE)),
    ("bge-small-en", Prefixes(_OF_BGE)),
    ("bge-base-en", Prefixes(_OF_BGE)),
    ("bge-large-en", Prefixes(_OF_BGE)),
    ("arctic-embed-l-v2", Prefixes("query: ")),
    ("arctic-embed-m-v2", Prefixes("query: ")),
    ("arctic-embed2", Prefixes("query: ")),
    ("arctic-embed", Prefixes(_OF_BGE)),
    ("mxbai-embed-large", Prefixes(_OF_BGE)),
    ("nomic-embed-text", Prefixes("search_query: ", "search_document: ")),
    ("embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("qwen3-embedding", Prefixes(_OF_QWEN)),
)
"""By a part of the model's name, the first that fits; from the models' own cards."""


def prefixes(model: str) -> Prefixes:
    """The prefixes of the model with this name; empty ones for an unknown model."""
    name = model.lower()
    return next((wanted for part, wanted in _PREFIXES if part in name), Prefixes())


def readable(text: str) -> str:
    """The text as models can take it: no lone surrogate, no NUL (which ends a text of C), not empty."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", " ") if whole.strip("\0 \t\r\n") else " "


def unit(values: Sequence[float], name: str) -> Vector:
    """The vector with length 1; one of nothing but zeros becomes the first axis."""
    length = math.hypot(*values)
    if not math.isfinite(length):
        raise EmbedderUnavailable(name, "it answers with a vector that holds no finite numbers")
    if not length:
        return [1.0] + [0.0] * (len(values) - 1)
    return [value / length for value in values]
