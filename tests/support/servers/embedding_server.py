"""A server that speaks the OpenAI embeddings API over HTTP on this machine, and behaves as told."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from pipeline.language.tokens import count_tokens
from pipeline.ports.index import Vector
from schemas.index_settings import EmbedderSettings
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.servers.behaviours import Behaviour, Received, Sent, refusal
from tests.support.servers.model_server import ScriptedServer

MODEL = "scripted-embedding"


@dataclass(frozen=True)
class Place:
    """One vector of an answer, and the number of the text that it belongs to."""

    index: int
    embedding: Sequence[Any]


class EmbeddingServer(ScriptedServer):
    """Behaves in the given ways, one request after another; the last way goes on. Use it in a `with` statement.

    Any path that ends in `/embeddings` is served. `requests` holds what came, without the key.
    """

    served: ClassVar[str] = "/embeddings"

    def embedder(self, **changes: object) -> EmbedderSettings:
        """Settings that point here: one attempt, a minute, `MODEL`; `changes` are other fields of the settings."""
        fields: dict[str, object] = {"kind": "openai", "base_url": self.base_url, "model": MODEL, "attempts": 1}
        return EmbedderSettings.model_validate(fields | {"timeout": timedelta(minutes=1)} | changes)

    def asked(self) -> list[list[str]]:
        """The texts of each request so far."""
        return [list(request.body["input"]) for request in self.requests]


def embedding(
    dimension: int = 64, change: Callable[[list[Place]], Sequence[Place]] = list, scale: float = 3.0
) -> Behaviour:
    """A good answer: hashed vectors of `dimension` numbers, or as many as are asked for, `scale` long.

    `change` makes of the right places what is sent instead.
    """

    def behave(request: Received) -> Sent:
        hashing = HashingEmbedder(request.body.get("dimensions", dimension))
        vectors = hashing.passages(request.body["input"])
        places = [Place(number, _long(vector, scale)) for number, vector in enumerate(vectors)]
        return answer(change(places))

    return behave


def answer(places: Sequence[Place]) -> Sent:
    """An answer of the API that holds these places; a value that is no finite number goes out as `NaN`."""
    data = [{"object": "embedding", "index": place.index, "embedding": list(place.embedding)} for place in places]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Sent(body=json.dumps({"object": "list", "data": data, "model": MODEL, "usage": usage}).encode())


def reading(tokens: int, good: Behaviour | None = None) -> Behaviour:
    """A model that refuses texts longer than so many tokens with 400, and else answers well."""

    def behave(request: Received) -> Sent:
        if any(count_tokens(text) > tokens for text in request.body["input"]):
            return refusal(400, "the input is longer than the model's context")
        return (good or embedding())(request)

    return behave


def slowly(seconds: float) -> Behaviour:
    """A good answer that takes its time."""

    def behave(request: Received) -> Sent:
        good = embedding()(request)
        return Sent(good.status, good.body, good.headers, wait=seconds)

    return behave


def without_data() -> Behaviour:
    """JSON that is no answer of this API."""
    return lambda _request: Sent(body=b'{"object": "list"}')


def _long(vector: Vector, scale: float) -> list[float]:
    return [value * scale for value in vector]
