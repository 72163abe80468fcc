"""The embedder behind a server: what is sent, what is believed, and what is said when it does not work."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.embedding.openai import LIMITS, REQUEST_BYTES, OpenAIEmbedder, cut_text
from pipeline.errors import EmbedderUnavailable
from pipeline.language.tokens import count_tokens
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.servers import behaviours
from tests.support.servers.behaviours import Behaviour
from tests.support.servers.embedding_server import (
    MODEL,
    EmbeddingServer,
    Place,
    embedding,
    reading,
    slowly,
    without_data,
)
from tests.support.tables import table

KEY = "sk-not-to-be-told"


def _error_of(behaviour: Behaviour, **changes: object) -> str:
    """The sentence of the error that a server with this behaviour leads to."""
    with EmbeddingServer(behaviour) as server:
        embedder = OpenAIEmbedder(server.embedder(api_key=KEY, **changes))
        with pytest.raises(EmbedderUnavailable) as caught:
            embedder.passages(["one", "two"])
    return str(caught.value)


def test_a_request_holds_the_model_and_the_texts_alone() -> None:
    """No `dimensions` unless they are set: many servers refuse them. Numbers come as numbers."""
    with EmbeddingServer(embedding()) as server:
        OpenAIEmbedder(server.embedder()).passages(["one", "two"])
    expected = {"model": MODEL, "input": ["one", "two"], "encoding_format": "float"}
    assert [expected] == [request.body for request in server.requests]
    assert not server.requests[0].with_key


def test_a_dimension_that_is_set_is_asked_for() -> None:
    """A model that can shorten its vectors does so, and the name says it: the vectors are others."""
    with EmbeddingServer(embedding()) as server:
        embedder = OpenAIEmbedder(server.embedder(dimension=16))
        assert embedder.dimension == 16
        assert [] == server.requests
        assert [16] == [len(vector) for vector in embedder.passages(["one"])]
    assert server.requests[0].body["dimensions"] == 16
    assert embedder.name == f"openai:{MODEL}:16"


def test_the_dimension_is_asked_of_the_model_once() -> None:
    """Without a setting, one request finds out, and none when passages came before."""
    with EmbeddingServer(embedding(48)) as server:
        first, second = OpenAIEmbedder(server.embedder()), OpenAIEmbedder(server.embedder())
        assert [48, 48] == [first.dimension, first.dimension]
        second.passages(["one"])
        assert second.dimension == 48
    assert len(server.requests) == 2


def test_equal_texts_are_asked_for_once() -> None:
    """Each of them gets the vector."""
    with EmbeddingServer(embedding()) as server:
        vectors = OpenAIEmbedder(server.embedder()).passages(["one", "two", "one", "one"])
    assert server.asked() == [["one", "two"]]
    assert [vectors[0], vectors[0]] == vectors[2:]


def test_questions_are_remembered() -> None:
    """A question that was just asked costs nothing."""
    with EmbeddingServer(embedding()) as server:
        embedder = OpenAIEmbedder(server.embedder())
        assert embedder.question("one") == embedder.question("one")
    assert server.asked() == [["one"]]


def test_a_failure_is_not_remembered() -> None:
    """The same question is asked again once the server is back."""
    with EmbeddingServer(behaviours.failing(), embedding()) as server:
        embedder = OpenAIEmbedder(server.embedder())
        with pytest.raises(EmbedderUnavailable):
            embedder.question("one")
        assert len(embedder.question("one")) == 64


def test_texts_go_in_batches() -> None:
    """At most `batch` of them, and no more bytes than the API takes tokens."""
    texts = [f"text {number}" for number in range(10)]
    with EmbeddingServer(embedding()) as server:
        vectors = OpenAIEmbedder(server.embedder(batch=4)).passages(texts)
        OpenAIEmbedder(server.embedder()).passages(["soup " * (REQUEST_BYTES // 12), "onion " * (REQUEST_BYTES // 9)])
    assert [4, 4, 2, 1, 1] == [len(asked) for asked in server.asked()]
    pairs = zip(HashingEmbedder().passages(texts), vectors, strict=True)
    assert all(pytest.approx(expected) == vector for expected, vector in pairs)


def test_vectors_that_come_in_another_order_are_put_right() -> None:
    """The index of each counts, not its place in the answer."""
    with EmbeddingServer(embedding(change=lambda places: places[::-1])) as server:
        vectors = OpenAIEmbedder(server.embedder()).passages(["one", "two", "three"])
    expected = HashingEmbedder().passages(["one", "two", "three"])
    assert all(pytest.approx(right) == vector for right, vector in zip(expected, vectors, strict=True))


def test_a_long_text_is_cut() -> None:
    """8,000 tokens of it are sent, in any language."""
    with EmbeddingServer(embedding()) as server:
        OpenAIEmbedder(server.embedder()).passages(["one word after the other " * 4_000, "資料庫在哪裡" * 4_000])
    counted = [count_tokens(text) for asked in server.asked() for text in asked]
    assert all(LIMITS[0] * 0.9 < count <= LIMITS[0] for count in counted)


@table(("reads", "requests"), [(4_000, 2), (1_000, 3), (400, 3)])
def test_a_model_that_reads_less_gets_less(reads: int, requests: int) -> None:
    """A refused request is made again with shorter texts, as long as that changes one."""
    with EmbeddingServer(reading(reads)) as server:
        vectors = OpenAIEmbedder(server.embedder()).passages(["short", "one word after the other " * 4_000])
    assert requests == len(server.requests)
    assert [1.0, 1.0] == [pytest.approx(math.hypot(*vector)) for vector in vectors]


def test_a_text_between_the_limits_gets_through() -> None:
    """1,000 tokens for a model of 512: the middle limit would not cut them and is passed over."""
    with EmbeddingServer(reading(512)) as server:
        OpenAIEmbedder(server.embedder()).passages(["one word after the other " * 200])
    assert len(server.requests) == 2


def test_short_texts_that_are_refused_are_not_sent_again() -> None:
    """Then the model's name, or its dimension, is what the server does not like."""
    with EmbeddingServer(behaviours.failing(400)) as server:
        embedder = OpenAIEmbedder(server.embedder())
        with pytest.raises(EmbedderUnavailable, match=r"embedder\.dimension"):
            embedder.passages(["one"])
    assert len(server.requests) == 1


@table("failing", [behaviours.rate_limited(), behaviours.failing(500), behaviours.broken_off()])
def test_what_passes_is_tried_again(failing: Behaviour) -> None:
    """Too many requests (with the time to wait), an error of the server, a broken connection."""
    with EmbeddingServer(failing, failing, embedding()) as server:
        assert len(OpenAIEmbedder(server.embedder(attempts=3)).passages(["one"])) == 1
    assert len(server.requests) == 3


@table(
    ("behaviour", "expected"),
    [
        (behaviours.rate_limited(), "too many requests"),
        (behaviours.failing(401), "MEMORY_EMBEDDER__API_KEY"),
        (behaviours.failing(403), "embedder.api_key"),
        (behaviours.failing(404), "embedder.base_url"),
        (behaviours.failing(500), "status 500"),
        (behaviours.broken_off(), "127.0.0.1 cannot be reached"),
        (behaviours.other_content_type(), "does not speak"),
        (behaviours.broken_json(), "does not speak"),
        (without_data(), "does not speak"),
        (embedding(change=lambda places: places[:1]), "1 vectors, or in no order, to 2 texts"),
        (embedding(change=lambda places: [*places, *places]), "4 vectors"),
        (embedding(change=lambda places: [places[0], places[0]]), "in no order"),
    ],
)
def test_a_failure_is_reported(behaviour: Behaviour, expected: str) -> None:
    """Which setting to look at, and never the key."""
    sentence = _error_of(behaviour)
    assert expected in sentence
    assert f"openai:{MODEL} makes no vectors" in sentence
    assert KEY not in sentence


@table(
    ("embedding_of", "expected"),
    [
        (lambda _: [math.nan] * 64, "no finite numbers"),
        (lambda _: [math.inf] * 64, "no finite numbers"),
        (lambda _: [], "no vector of numbers"),
        (lambda _: ["1.0"] * 64, "no vector of numbers"),
        (lambda values: values[:10], "10 numbers where 64 are expected"),
    ],
)
def test_what_is_no_vector_is_refused(embedding_of: Callable[[Sequence[float]], list[float]], expected: str) -> None:
    """Not numbers, not finite, or of another length than the first: none of it reaches the index."""

    def change(places: list[Place]) -> list[Place]:
        return [places[0], replace(places[1], embedding=embedding_of(places[1].embedding))]

    assert expected in _error_of(embedding(change=change))


def test_a_vector_of_another_length_than_is_set_is_refused() -> None:
    """A model that pays no heed to `dimensions` is found out."""
    assert "where 16 are expected" in _error_of(
        embedding(change=lambda places: [Place(place.index, [1.0] * 64) for place in places]), dimension=16
    )


def test_zeros_become_a_vector() -> None:
    """Some models answer an empty text with nothing but zeros, which have no direction."""
    with EmbeddingServer(embedding(scale=0)) as server:
        (vector,) = OpenAIEmbedder(server.embedder()).passages([""])
    assert [1.0] + [0.0] * 63 == vector


def test_a_slow_server_is_waited_for_and_a_silent_one_not() -> None:
    """Within the timeout its answer counts; then the sentence says how long was waited."""
    with EmbeddingServer(slowly(0.2)) as server:
        assert OpenAIEmbedder(server.embedder()).passages(["one"])
    assert "no answer within 0.2 s (embedder.timeout)" in _error_of(behaviours.hanging(), timeout=0.2)


def test_a_server_that_is_gone_is_reported() -> None:
    """Nothing listens there any more."""
    with EmbeddingServer(embedding()) as server:
        gone = server.embedder()
    with pytest.raises(EmbedderUnavailable, match="cannot be reached"):
        OpenAIEmbedder(gone).question("one")


def test_the_key_is_sent_and_stands_in_no_name() -> None:
    """Nor in what the embedder shows of itself."""
    with EmbeddingServer(embedding()) as server:
        embedder = OpenAIEmbedder(server.embedder(api_key=KEY))
        embedder.passages(["one"])
    assert [True] == [request.with_key for request in server.requests]
    assert KEY not in f"{embedder.name} {embedder!r} {vars(embedder)}"


def test_models_that_want_prefixes_get_them() -> None:
    """Questions and passages apart; and the name differs from that of the same model without them."""
    with EmbeddingServer(embedding()) as server:
        embedder = OpenAIEmbedder(server.embedder(model="nomic-embed-text:v1.5"))
        embedder.passages(["one"])
        embedder.question("one")
    assert server.asked() == [["search_document: one"], ["search_query: one"]]
    assert embedder.name.startswith("openai:nomic-embed-text:v1.5+")


@given(st.text(max_size=300), st.integers(min_value=1, max_value=40))
@settings(deadline=None)
def test_what_is_cut_is_a_beginning_that_fits(text: str, tokens: int) -> None:
    """Of any text; one that fits stays whole."""
    text = text.encode("utf-8", "replace").decode()
    kept = cut_text(text, tokens)
    assert text.startswith(kept)
    assert count_tokens(kept) <= tokens
    assert kept == text or count_tokens(text) > tokens or len(text) > 32 * tokens
