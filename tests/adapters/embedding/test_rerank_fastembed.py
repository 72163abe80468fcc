"""The reranker of fastembed, with real files of a few words."""

from pathlib import Path

import pytest

from pipeline.adapters.embedding.rerank_fastembed import FastembedReranker
from pipeline.errors import EmbedderUnavailable
from schemas.index_settings import RerankerSettings
from tests.support.builders.tiny_onnx import tiny_embedder, tiny_reranker
from tests.support.ports.embedder_contract import FAR, NEAR

WORDS = [*NEAR, FAR]


def test_a_folder_is_named_by_what_is_in_it(tmp_path: Path) -> None:
    """The answer that was ranked again says by what."""
    tiny_reranker(tmp_path / "one", WORDS)
    tiny_reranker(tmp_path / "other", [*WORDS, "another word"])
    names = [FastembedReranker(RerankerSettings(folder=str(tmp_path / name))).name for name in ("one", "other", "one")]
    assert names[0].startswith("fastembed:one:")
    assert names[0] == names[2]
    assert names[0] != names[1]


def test_a_folder_can_hold_a_model_that_is_known_by_name(tmp_path: Path) -> None:
    """Then its file lies where the library expects it."""
    tiny_reranker(tmp_path, WORDS, "onnx/model.onnx")
    reranker = FastembedReranker(RerankerSettings(model="Xenova/ms-marco-MiniLM-L-6-v2", folder=str(tmp_path)))
    near, far = reranker.scores("Postgres ledger", [NEAR[0], FAR])
    assert near > far


def test_many_texts_keep_their_order(tmp_path: Path) -> None:
    """More than go at once, of all lengths."""
    tiny_reranker(tmp_path, WORDS)
    texts = [f"{FAR} " * (number % 5) + "ledger " * (number % 7) for number in range(40)]
    reranker = FastembedReranker(RerankerSettings(folder=str(tmp_path)))
    together = reranker.scores("the ledger", texts)
    assert pytest.approx([reranker.scores("the ledger", [text])[0] for text in texts], abs=1e-4) == together


def test_a_model_that_scores_nothing_is_reported(tmp_path: Path) -> None:
    """An embedder in its place: its answer has another shape."""
    tiny_embedder(tmp_path, WORDS)
    with pytest.raises(EmbedderUnavailable, match="not a model that scores"):
        FastembedReranker(RerankerSettings(folder=str(tmp_path))).scores("one", ["two"])


def test_a_name_that_nobody_knows_is_reported() -> None:
    """With the setting to look at."""
    with pytest.raises(EmbedderUnavailable, match=r"knows no model of this name.*reranker\.folder"):
        FastembedReranker(RerankerSettings(model="nobody/knows-this")).scores("one", ["two"])


def test_a_damaged_folder_is_reported(tmp_path: Path) -> None:
    """One sentence."""
    tiny_reranker(tmp_path, WORDS).write_bytes(b"garbage")
    with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
        FastembedReranker(RerankerSettings(folder=str(tmp_path))).scores("one", ["two"])
