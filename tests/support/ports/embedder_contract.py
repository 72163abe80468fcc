"""The contract of every embedder and every reranker: inherit one in a test class, and define how one is made."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest

from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Embedder, Reranker, Vector

NEAR = ("We decided to keep the ledger in Postgres.", "The ledger is kept in Postgres, we decided.")
FAR = "Grandmother's soup wants two onions and a carrot."
ODD = (
    "",
    " \n\t ",
    "\0",
    "before\0after",
    "zażółć gęślą jaźń",
    "我們決定使用資料庫",
    "我们决定使用数据库",
    "🐟🐟🐟",
    "e\u0301\u200d\ufeff",
    "\ud800 alone",
    "<s> </s> [CLS] <|endoftext|>",
)
"""Texts that trip: empty, ended early, in several scripts, not well-formed."""

_LENGTH = 1e-4  # how far from 1 a length may be: vectors are held in 32 bits
_SAME = 0.999  # the cosine of one text with itself, in other company


def cosine(one: Vector, other: Vector) -> float:
    """Of two vectors of length 1: from -1 to 1."""
    return sum(a * b for a, b in zip(one, other, strict=True))


class EmbedderContract(ABC):
    """Any embedder."""

    @abstractmethod
    def embedder(self) -> AbstractContextManager[Embedder]:
        """One that works, for as long as the context is open."""

    def test_it_has_a_name_that_stays(self) -> None:
        """The name is a part of the index's identity: one that wanders would have the index built anew each day."""
        with self.embedder() as first:
            name = first.name
            first.passages(["x"])
            assert name == first.name
        with self.embedder() as second:
            assert name == second.name

    def test_its_vectors_have_its_dimension(self) -> None:
        """Known before the first text and after it, and the same for passages and questions."""
        with self.embedder() as embedder:
            dimension = embedder.dimension
            assert dimension > 0
            assert [dimension] * 2 == [len(vector) for vector in embedder.passages(["one", "two words"])]
            assert dimension == len(embedder.question("one"))
            assert dimension == embedder.dimension

    def test_nothing_gives_nothing(self) -> None:
        """No texts, no vectors."""
        with self.embedder() as embedder:
            assert embedder.passages([]) == []

    def test_any_text_gives_a_vector_of_length_one(self) -> None:
        """Empty, ended by a NUL, in any script, not well-formed: none is refused."""
        with self.embedder() as embedder:
            vectors = [*embedder.passages(ODD), *(embedder.question(text) for text in ODD)]
        assert 2 * len(ODD) == len(vectors)
        assert not [vector for vector in vectors if abs(math.hypot(*vector) - 1) > _LENGTH]

    def test_a_nul_does_not_end_a_text(self) -> None:
        """The text after it counts."""
        with self.embedder() as embedder:
            whole, beginning = embedder.passages(["soup\0We keep the ledger in Postgres", "soup"])
        assert cosine(whole, beginning) < _SAME

    def test_a_very_long_text_gives_a_vector(self) -> None:
        """A section can have 100 kB: its vector is that of as much of it as the model reads."""
        with self.embedder() as embedder:
            (vector,) = embedder.passages(["We keep the ledger in Postgres. " * 4_000])
        assert abs(math.hypot(*vector) - 1) < _LENGTH

    def test_order_is_kept(self) -> None:
        """The third vector belongs to the third text, however long the texts are, and equal texts have equal ones."""
        texts = ["soup", "the ledger " * 30, "Postgres", "soup", "onions and carrots " * 8]
        with self.embedder() as embedder:
            together = embedder.passages(texts)
            alone = [embedder.passages([text])[0] for text in texts]
        assert [True] * len(texts) == [cosine(*pair) > _SAME for pair in zip(together, alone, strict=True)]
        assert cosine(together[0], together[3]) > _SAME

    def test_company_changes_nothing(self) -> None:
        """A text has the same vector in any batch: passages that are unchanged keep theirs for years."""
        with self.embedder() as embedder:
            alone = embedder.passages(NEAR[:1])[0]
            crowd = embedder.passages([FAR * 20, *(f"number {n}" for n in range(70)), NEAR[0]])[-1]
        assert cosine(alone, crowd) > _SAME

    def test_near_texts_are_nearer_than_far_ones(self) -> None:
        """Among passages, and from a question to its answer."""
        with self.embedder() as embedder:
            one, other, far = embedder.passages([*NEAR, FAR])
            asked = embedder.question("Where do we keep the ledger?")
        assert cosine(one, other) > cosine(one, far)
        assert cosine(asked, one) > cosine(asked, far)

    def test_it_serves_several_threads(self) -> None:
        """Texts given at once get each its own vector."""
        texts = [f"the ledger of {word}" for word in ("soup", "onions", "Postgres", "carrots")] * 4
        with self.embedder() as embedder, ThreadPoolExecutor(4) as pool:
            expected = embedder.passages(texts)
            vectors = list(pool.map(lambda text: embedder.passages([text])[0], texts))
        assert [True] * len(texts) == [cosine(*pair) > _SAME for pair in zip(expected, vectors, strict=True)]


class FallibleEmbedderContract(EmbedderContract):
    """An embedder that may not be at hand."""

    @abstractmethod
    def failing(self) -> AbstractContextManager[Embedder]:
        """One that cannot be had."""

    def test_failure_is_embedder_unavailable(self) -> None:
        """Whatever goes wrong, it is one error, for passages and for questions, and its sentence names the embedder."""
        with self.failing() as embedder:
            name = re.escape(embedder.name)
            with pytest.raises(EmbedderUnavailable, match=name):
                embedder.passages(["x"])
            with pytest.raises(EmbedderUnavailable, match=name):
                embedder.question("x")


class RerankerContract(ABC):
    """Any reranker."""

    @abstractmethod
    def reranker(self) -> Reranker:
        """One that works."""

    def test_it_has_a_name(self) -> None:
        """Answers name the reranker."""
        assert self.reranker().name

    def test_nothing_gives_nothing(self) -> None:
        """No texts, no scores."""
        assert self.reranker().scores("Where?", []) == []

    def test_scores_are_in_the_order_of_the_texts(self) -> None:
        """An answering text has a higher score than another one, in any place."""
        reranker = self.reranker()
        question = "Where do we keep the ledger?"
        there, back = reranker.scores(question, [*NEAR, FAR]), reranker.scores(question, [FAR, *NEAR])
        assert there[0] > there[2]
        assert there[1] > there[2]
        assert pytest.approx(there, abs=1e-3) == [*back[1:], back[0]]

    def test_any_text_has_a_finite_score(self) -> None:
        """Empty, ended by a NUL, in any script, very long, not well-formed: none is refused, as a question neither."""
        reranker = self.reranker()
        long = "We keep the ledger in Postgres. " * 4_000
        scores = [*reranker.scores("ledger", [*ODD, long]), *_asked(reranker, [*ODD, long])]
        assert not [score for score in scores if not math.isfinite(score)]


class FallibleRerankerContract(RerankerContract):
    """A reranker that may not be at hand."""

    @abstractmethod
    def failing(self) -> Reranker:
        """One that cannot be had."""

    def test_failure_is_embedder_unavailable(self) -> None:
        """Whatever goes wrong, it is one error, and its sentence names the reranker."""
        reranker = self.failing()
        with pytest.raises(EmbedderUnavailable, match=re.escape(reranker.name)):
            reranker.scores("x", ["y"])


def _asked(reranker: Reranker, questions: Sequence[str]) -> list[float]:
    return [score for question in questions for score in reranker.scores(question, ["ledger"])]
