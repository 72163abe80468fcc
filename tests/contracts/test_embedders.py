"""The embedders hold to one contract, and the rerankers to theirs, so that a test with a fake says something."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import pytest

from pipeline.adapters.embedding.fastembed import FastembedEmbedder
from pipeline.adapters.embedding.openai import OpenAIEmbedder
from pipeline.adapters.embedding.package import PackageEmbedder
from pipeline.adapters.embedding.rerank_fastembed import FastembedReranker
from pipeline.ports.index import Embedder, Reranker
from schemas.index_settings import EmbedderSettings, RerankerSettings
from tests.support.builders.tiny_onnx import tiny_embedder, tiny_reranker
from tests.support.ports.embedder_contract import (
    FAR,
    NEAR,
    EmbedderContract,
    FallibleEmbedderContract,
    FallibleRerankerContract,
    RerankerContract,
)
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.scripted_reranker import ScriptedReranker
from tests.support.servers import behaviours
from tests.support.servers.embedding_server import EmbeddingServer, embedding

WORDS = [*NEAR, FAR, "where do carrots of"]


class TestHashing(EmbedderContract):
    """The embedder of the tests."""

    def embedder(self) -> AbstractContextManager[Embedder]:
        """Small, and still apart enough."""
        return nullcontext(HashingEmbedder())


class TestPackage(FallibleEmbedderContract):
    """The embedder that comes with its weights."""

    @pytest.fixture(autouse=True)
    def _places(self, tmp_path: Path) -> None:
        self._gone = tmp_path / "gone.bin"

    def embedder(self) -> AbstractContextManager[Embedder]:
        """The real thing, on one thread."""
        return nullcontext(PackageEmbedder(1))

    def failing(self) -> AbstractContextManager[Embedder]:
        """Its weights are not where they should be."""
        return nullcontext(PackageEmbedder(1, weights=self._gone))


class TestFastembed(FallibleEmbedderContract):
    """The embedder of fastembed, with a real model of a few words."""

    @pytest.fixture(autouse=True)
    def _places(self, tmp_path: Path) -> None:
        self._folder, self._gone = tmp_path / "tiny", tmp_path / "gone"
        tiny_embedder(self._folder, WORDS)

    def embedder(self) -> AbstractContextManager[Embedder]:
        """A model in a folder."""
        return nullcontext(FastembedEmbedder(EmbedderSettings(kind="fastembed", folder=str(self._folder))))

    def failing(self) -> AbstractContextManager[Embedder]:
        """A folder that is not there."""
        return nullcontext(FastembedEmbedder(EmbedderSettings(kind="fastembed", folder=str(self._gone))))


class TestOpenAI(FallibleEmbedderContract):
    """The embedder behind a server, over real HTTP."""

    @contextmanager
    def embedder(self) -> Iterator[Embedder]:
        """A server that answers well."""
        with EmbeddingServer(embedding()) as server:
            yield OpenAIEmbedder(server.embedder())

    @contextmanager
    def failing(self) -> Iterator[Embedder]:
        """A server that always fails."""
        with EmbeddingServer(behaviours.failing()) as server:
            yield OpenAIEmbedder(server.embedder())


class TestScriptedReranker(RerankerContract):
    """The reranker of the tests."""

    def reranker(self) -> Reranker:
        """The fake, as it comes."""
        return ScriptedReranker()


class TestFastembedReranker(FallibleRerankerContract):
    """The reranker of fastembed, with a real model of a few words."""

    @pytest.fixture(autouse=True)
    def _places(self, tmp_path: Path) -> None:
        self._folder, self._gone = tmp_path / "tiny", tmp_path / "gone"
        tiny_reranker(self._folder, WORDS)

    def reranker(self) -> Reranker:
        """A model in a folder."""
        return FastembedReranker(RerankerSettings(folder=str(self._folder)))

    def failing(self) -> Reranker:
        """A folder that is not there."""
        return FastembedReranker(RerankerSettings(folder=str(self._gone)))
