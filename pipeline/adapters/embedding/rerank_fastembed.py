"""A cross-encoder of fastembed: a model by its name, or one that lies in a folder."""

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from pipeline.adapters.embedding.base import LONGEST, readable
from pipeline.adapters.embedding.fastembed_models import WantedModel, explain_errors, open_model
from schemas.index_settings import RerankerSettings

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

THREADS = 2
"""How many threads a question may use: a user waits for its answer."""

_BATCH = 16
_QUESTION = 2_000  # characters: the question and a text share what the model reads


class FastembedReranker:
    """`pipeline.ports.index.Reranker` through fastembed, on this machine. The model is loaded at the first question.

    May be used from several threads.
    """

    def __init__(self, settings: RerankerSettings) -> None:
        """`settings` name a model, a folder, or both."""
        self._wanted = WantedModel("reranker", settings.model, settings.folder, THREADS)
        self._lock = Lock()

    @cached_property
    def name(self) -> str:
        """The model's name, and a fingerprint of what lies in a folder."""
        return self._wanted.name

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in order; higher is better, and only the order counts."""
        sent = [readable(text[:LONGEST]) for text in texts]
        if not sent:
            return []
        order = sorted(range(len(sent)), key=lambda place: len(sent[place]))  # a batch is padded to its longest text
        with self._lock:
            model = self._model
        with explain_errors(self._wanted, "it is not a model that scores two texts"):
            asked = readable(question[:_QUESTION])
            ratings = list(model.rerank(asked, [sent[place] for place in order], batch_size=_BATCH))
        return [score for _, score in sorted(zip(order, ratings, strict=True))]

    @cached_property
    def _model(self) -> "TextCrossEncoder":
        from fastembed.common.model_description import ModelSource  # noqa: PLC0415 - a second that few need to pay
        from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - see above

        def register(name: str, file: str) -> None:
            TextCrossEncoder.add_custom_model(name, ModelSource(hf=name), model_file=file)

        return open_model(self._wanted, TextCrossEncoder, known_models(), register)


def known_models() -> list[dict[str, Any]]:
    """The descriptions of the rerankers that fastembed knows by name."""
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - it takes a second

    return TextCrossEncoder.list_supported_models()
