"""The embedder of fastembed: models by name and in folders, from a hub and without one; real files of a few words."""

import json
import math
from pathlib import Path

import pytest

from pipeline.adapters.embedding.fastembed import FastembedEmbedder
from pipeline.errors import EmbedderUnavailable
from schemas.index_settings import EmbedderSettings
from tests.support.builders.tiny_onnx import DIMENSION, TOKENS, tiny_embedder
from tests.support.ports.embedder_contract import FAR, NEAR, cosine
from tests.support.tables import table

WORDS = [*NEAR, FAR, "query passage : where do one two three"]
NAMED = "sentence-transformers/all-MiniLM-L6-v2"


def _embedder(folder: Path, **changes: object) -> FastembedEmbedder:
    """One whose model lies in a folder."""
    fields: dict[str, object] = {"kind": "fastembed", "folder": str(folder)}
    return FastembedEmbedder(EmbedderSettings.model_validate(fields | changes))


def test_a_folder_is_named_by_what_is_in_it(tmp_path: Path) -> None:
    """Two models in folders of the same name differ in name, and a folder that moved does not."""
    one, same, other = (tmp_path / place / "model" for place in ("one", "same", "other"))
    tiny_embedder(one, WORDS)
    tiny_embedder(same, WORDS)
    tiny_embedder(other, [*WORDS, "another word"])
    assert _embedder(one).name == _embedder(same).name
    assert _embedder(one).name != _embedder(other).name
    assert _embedder(one).name.startswith("fastembed:model:")


@table("file", ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "elsewhere/some.onnx"])
def test_the_weights_are_located_where_they_mostly_are(tmp_path: Path, file: str) -> None:
    """And when there is but one file that they can be."""
    tiny_embedder(tmp_path, WORDS, file)
    assert _embedder(tmp_path).dimension == DIMENSION


def test_a_folder_can_hold_a_model_that_is_known_by_name(tmp_path: Path) -> None:
    """Then the library's own knowledge of the model is used: what it averages, and where its file is."""
    tiny_embedder(tmp_path, WORDS)
    embedder = _embedder(tmp_path, model=NAMED)
    assert embedder.dimension == DIMENSION
    assert embedder.name.startswith(f"fastembed:{NAMED}:")


def test_two_folders_serve_side_by_side(tmp_path: Path) -> None:
    """As while an index is rebuilt for a new model; and the same folder twice."""
    tiny_embedder(tmp_path / "one", WORDS)
    tiny_embedder(tmp_path / "other", WORDS[:1])
    one, other, again = (_embedder(tmp_path / name) for name in ("one", "other", "one"))
    vectors = [embedder.question("Grandmother's soup") for embedder in (one, other, again)]
    assert vectors[0] == vectors[2]
    assert cosine(vectors[0], vectors[1]) < 0.9


def test_a_batch_changes_no_vector(tmp_path: Path) -> None:
    """However many texts go at once, long and short mixed."""
    tiny_embedder(tmp_path, WORDS)
    texts = [NEAR[0] * 5, "soup", FAR, "", NEAR[1] * 3, "ledger", "the soup"]
    small, large = _embedder(tmp_path, batch=2).passages(texts), _embedder(tmp_path).passages(texts)
    assert all(cosine(*pair) > 0.9999 for pair in zip(small, large, strict=True))


def test_what_a_model_cannot_read_is_left_out(tmp_path: Path) -> None:
    """The beginning of a long text decides."""
    tiny_embedder(tmp_path, WORDS)
    beginning = "ledger " * TOKENS
    long, short = _embedder(tmp_path).passages([beginning + "soup " * 500, beginning])
    assert cosine(long, short) > 0.9999


def test_prefixes_are_those_the_model_was_published_with(tmp_path: Path) -> None:
    """They stand in a file of the folder; without it, the name of a known family decides."""
    tiny_embedder(tmp_path / "told", WORDS)
    prompts = {"prompts": {"query": "one two three: ", "document": ""}}
    (tmp_path / "told" / "config_sentence_transformers.json").write_text(json.dumps(prompts), encoding="utf-8")
    tiny_embedder(tmp_path / "multilingual-e5-tiny", WORDS)
    tiny_embedder(tmp_path / "plain", WORDS)
    cls_pooled, known, plain = (_embedder(tmp_path / name) for name in ("told", "multilingual-e5-tiny", "plain"))
    assert pytest.approx(1) == cosine(cls_pooled.question("soup"), plain.question("one two three: soup"))
    assert pytest.approx(1) == cosine(cls_pooled.passages(["soup"])[0], plain.question("soup"))
    assert pytest.approx(1) == cosine(known.question("soup"), plain.question("query: soup"))
    assert pytest.approx(1) == cosine(known.passages(["soup"])[0], plain.question("passage: soup"))
    assert [1, 1, 0] == [embedder.name.count("+") for embedder in (cls_pooled, known, plain)]


@table(("fields", "first"), [({"pooling_mode_cls_token": True}, True), ({}, False)])
def test_the_pooling_is_that_of_the_folder(tmp_path: Path, fields: dict[str, bool], *, first: bool) -> None:
    """A model that sums a text up in its first token is not averaged: of this one all texts would be the same."""
    tiny_embedder(tmp_path, WORDS)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(fields), encoding="utf-8")
    one, other = _embedder(tmp_path).passages(["soup", "ledger"])
    assert first == (cosine(one, other) > 0.9999)


@table(
    ("spoil", "expected"),
    [
        ("tokenizer.json", "holds no tokenizer.json"),
        ("tokenizer_config.json", "holds no tokenizer_config.json"),
        ("model.onnx", "holds no ONNX file"),
    ],
)
def test_what_is_missing_in_a_folder_is_reported(tmp_path: Path, spoil: str, expected: str) -> None:
    """By its name, before anything is loaded."""
    tiny_embedder(tmp_path, WORDS)
    (tmp_path / spoil).unlink()
    with pytest.raises(EmbedderUnavailable, match=expected):
        _embedder(tmp_path).question("one")


@table("spoil", ["tokenizer.json", "tokenizer_config.json", "model.onnx"])
@table("content", [b"", b"{}", b"garbage", b"[]"])
def test_what_is_damaged_in_a_folder_is_reported(tmp_path: Path, spoil: str, content: bytes) -> None:
    """One sentence that names the folder, whichever of the libraries below fails."""
    tiny_embedder(tmp_path, WORDS)
    (tmp_path / spoil).write_bytes(content)
    with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
        _embedder(tmp_path).question("one")


def test_a_name_that_nobody_knows_is_reported() -> None:
    """Nothing is asked of a hub: it would be asked for a model that cannot be used."""
    embedder = FastembedEmbedder(EmbedderSettings(kind="fastembed", model="nobody/knows-this"))
    with pytest.raises(EmbedderUnavailable, match=r"knows no model of this name.*embedder\.folder"):
        embedder.question("one")


def test_vectors_have_length_one_whatever_the_model_gives(tmp_path: Path) -> None:
    """Also of words that it does not know."""
    tiny_embedder(tmp_path, WORDS)
    vectors = _embedder(tmp_path).passages(["", "unheard", NEAR[0]])
    assert pytest.approx([1.0] * 3) == [math.hypot(*vector) for vector in vectors]
