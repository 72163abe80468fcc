"""An embedder of fastembed: a model by its name, or one that lies in a folder."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from pipeline.adapters.embedding.base import LONGEST, Prefixes, prefixes, readable, unit
from pipeline.adapters.embedding.fastembed_models import POOLING, WantedModel, explain_errors, json_object, open_model
from pipeline.ports.index import Vector
from schemas.index_settings import EmbedderSettings

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_DOCUMENTS = ("document", "passage", "corpus")


class FastembedEmbedder:
    """`pipeline.ports.index.Embedder` through fastembed, on this machine. The model is loaded at the first text.

    May be used from several threads.
    """

    def __init__(self, settings: EmbedderSettings) -> None:
        """`settings` name a model, a folder, or both."""
        self._wanted = WantedModel("embedder", settings.model, settings.folder, settings.threads)
        self._batch = settings.batch
        self._lock = Lock()

    @cached_property
    def name(self) -> str:
        """The model's name, a fingerprint of its folder, and a mark of the prefixes of texts."""
        return f"{self._wanted.name}{self._prefixes.mark}"

    @cached_property
    def dimension(self) -> int:
        """The length of its vectors, for which the model is loaded."""
        return len(self.question("dimension"))

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order. What the model cannot read of a long text is left out."""
        sent = [readable(self._prefixes.passage + text[:LONGEST]) for text in texts]
        if not sent:
            return []
        # A batch is padded to its longest text: neighbours in length waste the least.
        order = sorted(range(len(sent)), key=lambda place: len(sent[place]))
        model = self._open()
        vectors = self._vectors(model.passage_embed([sent[place] for place in order], batch_size=self._batch))
        return [vector for _, vector in sorted(zip(order, vectors, strict=True))]

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1."""
        return self._vectors(self._open().query_embed(readable(self._prefixes.question + text[:LONGEST])))[0]

    def _vectors(self, arrays: Iterable[Any]) -> list[Vector]:
        with explain_errors(self._wanted, "it is not a model that makes one vector of a text"):
            return [unit(vector.tolist(), self.name) for vector in arrays]

    def _open(self) -> "TextEmbedding":
        with self._lock:
            return self._model

    @cached_property
    def _model(self) -> "TextEmbedding":
        from fastembed import TextEmbedding  # noqa: PLC0415 - it takes a second, which only a text needs to pay
        from fastembed.common.model_description import ModelSource  # noqa: PLC0415 - see above

        def register(name: str, file: str) -> None:
            place = ModelSource(hf=name)
            TextEmbedding.add_custom_model(name, self._pooling(), True, place, dim=1, model_file=file)  # noqa: FBT003

        return open_model(self._wanted, TextEmbedding, known_models(), register)

    @cached_property
    def _prefixes(self) -> Prefixes:
        # Of a folder, the prompts published with the model; else those known for its name.
        prompts = json_object(self._wanted.path / "config_sentence_transformers.json").get("prompts")
        if not self._wanted.folder or not isinstance(prompts, dict) or not prompts.get("query"):
            return prefixes(self._wanted.model or self._wanted.path.name)
        return Prefixes(prompts["query"], next((prompts[name] for name in _DOCUMENTS if name in prompts), ""))

    def _pooling(self) -> Any:  # noqa: ANN401 - of a library that is imported late
        from fastembed.common.model_description import PoolingType  # noqa: PLC0415 - see `_model`

        pooling = json_object(self._wanted.path / POOLING)
        if pooling.get("pooling_mode_cls_token"):
            return PoolingType.CLS
        return PoolingType.LAST_TOKEN if pooling.get("pooling_mode_lasttoken") else PoolingType.MEAN


def known_models() -> list[dict[str, Any]]:
    """The descriptions of the models that fastembed knows by name."""
    from fastembed import TextEmbedding  # noqa: PLC0415 - it takes a second

    return TextEmbedding.list_supported_models()
