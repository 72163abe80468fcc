"""An embedder behind any server that speaks the OpenAI embeddings API."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from threading import Lock

from pipeline.adapters.embedding.base import prefixes, readable, unit
from pipeline.adapters.model.openai import OpenAIServer
from pipeline.errors import EmbedderUnavailable
from pipeline.language.tokens import count_tokens
from pipeline.ports.index import Vector
from schemas.index_settings import EmbedderSettings

LIMITS = (8_000, 2_000, 300)
"""Tokens that are sent of a text. A server that refuses a request is asked again with the next, while that cuts one."""

REQUEST_BYTES = 250_000  # a token is a byte or more, and the API takes 300,000 tokens in one request
KEPT_QUESTIONS = 256
_LONG_TOKEN = 32  # characters: only runs of blanks and the like have more to a token, and counting those takes long

_REFUSED = frozenset({400, 413, 422})
_REASONS = {400: "the server refuses the request (400); check embedder.model and embedder.dimension"}


class OpenAIEmbedder:
    """`pipeline.ports.index.Embedder` through the `openai` SDK, which does the retries and heeds `Retry-After`.

    May be used from several threads.
    """

    def __init__(self, settings: EmbedderSettings) -> None:
        """`settings` name a model and a base_url."""
        self._settings = settings
        self._server = OpenAIServer(settings, "embedder", "embedder.model", _REASONS)
        self._prefixes = prefixes(settings.model)
        self._dimension = settings.dimension
        self._lock = Lock()
        self._question = lru_cache(maxsize=KEPT_QUESTIONS)(self._ask)

    @property
    def name(self) -> str:
        """The model's name, its dimension when the settings have one, and a mark of what is put in front of texts."""
        asked = f":{self._settings.dimension}" if self._settings.dimension else ""
        return f"openai:{self._settings.model}{asked}{self._prefixes.mark}"

    @property
    def dimension(self) -> int:
        """That of the settings, or of one vector of the model."""
        if not self._dimension:
            self.question("dimension")
        return self._dimension

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in order; equal texts are asked for once."""
        wanted = [readable(self._prefixes.passage + text) for text in texts]
        known: dict[str, Vector] = {}
        for batch in _batches(list(dict.fromkeys(wanted)), self._settings.batch):
            known.update(zip(batch, self._embed(batch), strict=True))
        return [known[text] for text in wanted]

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1. The last few hundred questions are remembered."""
        return self._question(text)

    def _ask(self, text: str) -> Vector:
        return tuple(self._embed([readable(self._prefixes.question + text)])[0])

    def _embed(self, texts: list[str], limits: Sequence[int] = LIMITS) -> list[Vector]:
        import openai  # noqa: PLC0415 - it takes most of a second, which only an embedding needs to pay

        sent = [cut_text(text, limits[0]) for text in texts]
        try:
            with self._lock:
                client = self._server.client
            # Floats rather than base64: every server knows them. Raw: the SDK's reading takes a millisecond a vector.
            answer = client.embeddings.with_raw_response.create(
                model=self._settings.model,
                input=sent,
                encoding_format="float",
                dimensions=self._settings.dimension or openai.omit,
            )
            return self._vectors(answer.http_response.json(), len(texts))
        except openai.APIStatusError as error:
            shorter = [limit for limit in limits[1:] if any(cut_text(text, limit) != text for text in sent)]
            refused = error.status_code in _REFUSED
            if not refused or not shorter:
                raise EmbedderUnavailable(self.name, self._server.reason(error), refused=refused) from error
        except (openai.OpenAIError, ValueError) as error:
            raise EmbedderUnavailable(self.name, self._server.reason(error)) from error
        return self._embed(sent, shorter)

    def _vectors(self, answer: object, number: int) -> list[Vector]:
        # The server's answer is unchecked: any part of it may be missing.
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
            raise EmbedderUnavailable(self.name, self._server.other_language)
        places = {str(row.get("index")): row.get("embedding") for row in data}
        if len(data) != number or set(places) != set(map(str, range(number))):
            raise EmbedderUnavailable(self.name, f"it answers {len(data)} vectors, or in no order, to {number} texts")
        return [self._vector(places[str(place)]) for place in range(number)]

    def _vector(self, values: object) -> Vector:
        if not isinstance(values, list) or not values or not all(type(value) in (int, float) for value in values):
            raise EmbedderUnavailable(self.name, "it answers with something that is no vector of numbers")
        with self._lock:
            self._dimension = self._dimension or len(values)
            expected = self._dimension
            if len(values) != expected and not self._settings.dimension:
                # Another model answers under the name: what is asked next tells the length of its vectors.
                self._dimension = 0
                self._question.cache_clear()
        if len(values) != expected:
            why = f"its vectors have {len(values)} numbers where {expected} are expected (embedder.dimension)"
            raise EmbedderUnavailable(self.name, why)
        return unit(values, self.name)


def cut_text(text: str, tokens: int) -> str:
    """The beginning of `text` that has at most so many tokens, and at most 32 characters for each of them."""
    text = text[: tokens * _LONG_TOKEN]
    while len(text.encode()) > tokens and (counted := count_tokens(text)) > tokens:
        text = text[: min(len(text) * tokens // counted, len(text) - 1)]
    return text


def _batches(texts: list[str], most: int) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == most or size + length > REQUEST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
