"""The model adapter against a server that behaves well, and in every bad way of the catalogue, over real HTTP."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import pytest
from pydantic import BaseModel, Field, SecretStr

from pipeline.adapters.model.openai import OpenAIModel, strict
from pipeline.errors import ModelUnavailable
from pipeline.ports.engine import LanguageModel
from schemas.settings import ModelSettings
from tests.support.ports.fences import unfenced
from tests.support.ports.model_contract import ModelContract, question
from tests.support.servers import behaviours
from tests.support.servers.behaviours import Behaviour, Received
from tests.support.servers.model_server import ScriptedServer
from tests.support.tables import table

KEY = "test-key-that-nobody-may-see"


def text_of(request: Received) -> str:
    """The input of a contract's question, which is plain text."""
    return unfenced(request.body["messages"][-1]["content"])


@contextmanager
def opened(model_of: ScriptedServer) -> Iterator[LanguageModel]:
    """A model in front of a server, for as long as the server runs."""
    with model_of as server:
        yield OpenAIModel(server.settings())


class TestOpenAIModel(ModelContract):
    """The contract, over HTTP."""

    def model(self, answer: Callable[[str], str]) -> AbstractContextManager[LanguageModel]:
        """A server that answers."""
        return opened(ScriptedServer(behaviours.answering(lambda request: answer(text_of(request)))))

    def failing(self) -> AbstractContextManager[LanguageModel]:
        """A server that fails."""
        return opened(ScriptedServer(behaviours.failing()))


@table(
    ("behaviour", "reason"),
    [
        (behaviours.rate_limited(), "too many requests"),
        (behaviours.failing(500), "status 500"),
        (behaviours.failing(401), "model.api_key"),
        (behaviours.failing(403), "model.api_key"),
        (behaviours.failing(404), "model.name"),
        (behaviours.failing(400), "status 400"),
        (behaviours.broken_off(), "broke off"),
        (behaviours.saying("{", finish="length"), "cut off"),
        (behaviours.saying(""), "empty"),
        (behaviours.saying(None), "empty"),
        (behaviours.saying(None, finish="content_filter"), "refuses"),
        (behaviours.declining(), "refuses"),
        (behaviours.no_choices(), "does not speak"),
        (behaviours.other_content_type(), "does not speak"),
        (behaviours.broken_json(), "does not speak"),
    ],
)
def test_every_failure_is_reported_in_plain_words(behaviour: Behaviour, reason: str) -> None:
    """One error, a reason that names the setting where there is one, and never the key."""
    assert KEY not in reason_of(behaviour, reason)


def test_no_answer_in_time_is_reported_in_plain_words() -> None:
    """As any other failure. Only who never answers has little time: a busy machine is slow with the other answers."""
    assert KEY not in reason_of(behaviours.hanging(), "model.timeout", timeout=0.5)


def reason_of(behaviour: Behaviour, reason: str, timeout: float = 60) -> str:
    """The sentence of the error to which a server with this behaviour leads; it has the reason in it."""
    with ScriptedServer(behaviour) as server:
        model = OpenAIModel(server.settings(timeout=timeout, key=KEY))
        with pytest.raises(ModelUnavailable, match=reason) as raised:
            model.answer(question("x"))
    return str(raised.value)


def test_nobody_listens() -> None:
    """A server that is not there is told by its host, without the credentials of its address."""
    with ScriptedServer(behaviours.saying("x")) as server:
        gone = server.base_url.replace("http://", "http://someone:hush@")
    model = OpenAIModel(ModelSettings(base_url=gone, name="m", attempts=1, timeout=timedelta(seconds=60)))
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1 cannot be reached") as raised:
        model.answer(question("x"))
    assert "hush" not in str(raised.value)


def test_it_tries_again() -> None:
    """429 and 500 are tried again, as often as the settings allow."""
    script = (behaviours.rate_limited(), behaviours.failing(500), behaviours.saying("good"))
    with ScriptedServer(*script) as server:
        reply = OpenAIModel(server.settings(attempts=3)).answer(question("x"))
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("good", 100, 20)


def test_it_gives_up_after_its_attempts() -> None:
    """No more requests than attempts."""
    with ScriptedServer(behaviours.rate_limited()) as server:
        with pytest.raises(ModelUnavailable):
            OpenAIModel(server.settings(attempts=2)).answer(question("x"))
        assert len(server.requests) == 2


def test_a_slow_answer_is_waited_for() -> None:
    """Slower than others is not too slow."""
    with ScriptedServer(behaviours.slow(lambda _request: "late", seconds=0.2)) as server:
        assert OpenAIModel(server.settings()).answer(question("x")).text == "late"


@table(
    ("refused", "asked"),
    [
        ((), ["json_schema", "json_schema"]),
        (("json_schema",), ["json_schema", "json_object", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", "text", "text"]),
    ],
)
def test_a_refused_form_is_remembered(refused: tuple[str, ...], asked: list[str]) -> None:
    """A server without structured output is asked for an object, then in words; what it refused is offered once."""
    with ScriptedServer(behaviours.refusing_forms(lambda _request: "ok", *refused)) as server:
        model = OpenAIModel(server.settings())
        texts = [model.answer(question("x")).text for _ in range(2)]
    assert texts == ["ok", "ok"]
    assert asked == [request.form for request in server.requests]


def test_the_schema_is_always_reported() -> None:
    """Where the server does not take a schema, it stands in the prompt."""
    with ScriptedServer(behaviours.refusing_forms(lambda _request: "ok", "json_schema")) as server:
        OpenAIModel(server.settings()).answer(question("x"))
    assert '"said"' not in server.requests[0].instructions
    assert '"said"' in server.requests[1].instructions


def test_a_model_with_its_own_temperature() -> None:
    """Temperature 0 is asked for; a model that allows none is asked without."""
    with ScriptedServer(behaviours.refusing_temperature(lambda _request: "ok")) as server:
        model = OpenAIModel(server.settings())
        model.answer(question("x"))
        model.answer(question("y"))
    assert [request.body.get("temperature") for request in server.requests] == [0, None, None]


MINDS_TEMPERATURE: dict[str, object] = {
    "openai": {"error": {"message": "Unsupported value", "param": "temperature", "code": "unsupported_value"}},
    "proxy": {"error": {"message": "'temperature' does not support 0 with this model.", "param": None}},
    "litellm": {"error": {"message": "gpt-5 models don't support temperature=0. Only temperature=1 is supported."}},
    "deprecated": {"type": "error", "error": {"message": "`temperature` is deprecated for this model."}},
    "detail": {"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs are not permitted"}]},
}


@table("body", MINDS_TEMPERATURE.values())
@table("status", [400, 422])
def test_a_refused_temperature_is_left_out_whatever_the_words(status: int, body: object) -> None:
    """Most proxies do not say which parameter it is about, but in words."""
    with ScriptedServer(behaviours.refusing(status, body), behaviours.saying("ok")) as server:
        assert "ok" == OpenAIModel(server.settings()).answer(question("x")).text
    assert [("json_schema", 0), ("json_schema", None)] == [
        (request.form, request.body.get("temperature")) for request in server.requests
    ]


TOO_LONG: dict[str, tuple[int, object]] = {
    "openai": (400, {"error": {"message": "too long", "code": "context_length_exceeded"}}),
    "llama.cpp": (
        400,
        {"error": {"message": "exceeds", "type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096}},
    ),
    "vllm": (400, {"object": "error", "message": "This model's maximum context length is 4096 tokens. However, ..."}),
    "sglang": (400, {"message": "The input (9000 tokens) is longer than the model's context length (4096 tokens)."}),
    "ollama": (400, {"error": "the input length exceeds the context length"}),
    "lm studio": (400, {"error": "Trying to keep the first 9000 tokens when context the overflows. (context length)"}),
    "llama-cpp-python": (500, {"error": {"message": "Requested tokens (9000) exceed context window of 4096"}}),
    "tgi": (
        422,
        {"error": "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000", "error_type": "validation"},
    ),
    "anthropic": (400, {"error": {"message": "prompt is too long: 213462 tokens > 200000 maximum"}}),
    "gemini": (
        400,
        {"error": {"message": "The input token count (9000) exceeds the maximum number of tokens allowed"}},
    ),
    "bedrock": (400, {"message": "Input is too long for requested model."}),
    "litellm": (400, {"error": {"message": "litellm.ContextWindowExceededError: BadRequestError", "code": "400"}}),
    "too large": (413, {"error": {"message": "Payload Too Large"}}),
    "openrouter": (200, {"error": {"code": 400, "message": "This endpoint's maximum context length is 8192 tokens."}}),
}


@table(("status", "body"), TOO_LONG.values())
def test_a_question_that_is_too_long_is_reported_as_that(status: int, body: object) -> None:
    """It is asked once, not in other forms, and the sentence names the setting of the server."""
    sentence = r"too long for its context.*OLLAMA_CONTEXT_LENGTH"
    with (
        ScriptedServer(behaviours.refusing(status, body)) as server,
        pytest.raises(ModelUnavailable, match=sentence) as raised,
    ):
        OpenAIModel(server.settings()).answer(question("x"))
    assert (True, 1) == (raised.value.too_long, len(server.requests))


OTHER_REFUSALS: dict[str, tuple[int, object, str]] = {
    "a schema": (400, {"error": {"message": "JSON schema error at #/properties/a: cannot resolve $ref"}}, "status 400"),
    "a limit of tokens a minute": (
        429,
        {"error": {"message": "Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000"}},
        "too many requests",
    ),
    "a proxy": (
        200,
        {"error": {"message": "Provider returned error", "code": 502}},
        r"error in place of words \(502\)",
    ),
    "a proxy in words": (200, {"error": {"message": "Rate limit exceeded", "code": "rate_limited"}}, "error in place"),
    "a key behind a proxy": (200, {"error": {"message": "no", "code": 401}}, "model.api_key"),
    "an error of a choice": (200, {"choices": [{"index": 0, "error": {"code": 503}}]}, r"error in place .*\(503\)"),
}


@table(("status", "body", "reason"), OTHER_REFUSALS.values())
def test_other_refusals_are_reported_as_what_they_are(status: int, body: object, reason: str) -> None:
    """An error that stands where the answer belongs is not blamed on the address, nor on the length."""
    refusing = ScriptedServer(behaviours.refusing(status, body))
    with refusing as server, pytest.raises(ModelUnavailable, match=reason) as raised:
        OpenAIModel(server.settings()).answer(question("x"))
    assert not raised.value.too_long


@table(("read", "too_long"), [(4_076, True), (4_000, False), (0, False)])
def test_an_answer_that_the_question_left_no_room_for_is_a_question_too_long(read: int, *, too_long: bool) -> None:
    """An answer is cut off by a full context, or by a limit of its own: then a shorter question is of no use."""
    cut_off = ScriptedServer(lambda _request: behaviours.completion("{", finish="length", read=read))
    with cut_off as server, pytest.raises(ModelUnavailable, match="cut off") as raised:
        OpenAIModel(server.settings()).answer(question("x"))
    assert too_long == raised.value.too_long


def test_a_server_that_fails_at_a_schema_is_asked_in_another_form() -> None:
    """500 to a schema is a refusal of it; 500 to the next form is a failure."""
    with ScriptedServer(behaviours.refusing_schema_by_failing(lambda _request: "ok")) as server:
        model = OpenAIModel(server.settings())
        assert ["ok", "ok"] == [model.answer(question("x")).text for _ in range(2)]
    assert ["json_schema", "json_object", "json_object"] == [request.form for request in server.requests]
    with ScriptedServer(behaviours.failing()) as server, pytest.raises(ModelUnavailable):
        OpenAIModel(server.settings()).answer(question("x"))
    assert ["json_schema", "json_object"] == [request.form for request in server.requests]


LONG = question("word " * 8_000)


@table(
    ("read", "cut"),
    [
        (4_096, True),
        (5_900, True),
        (7_168, True),
        (7_100, False),
        (8_300, False),
        (9_500, False),
        (0, False),
        (12, False),
    ],
)
def test_a_question_that_the_server_cut_has_no_answer(read: int, cut: bool) -> None:  # noqa: FBT001 - a table
    """A count far below ours, or as much as a context holds, is not that of another tokenizer; none says nothing.

    It is asked in parts, as one that is refused, and was paid for.
    """
    with ScriptedServer(behaviours.reading(read, "[]")) as server:
        model = OpenAIModel(server.settings())
        if cut:
            with pytest.raises(
                ModelUnavailable, match=rf"read {read} of about 80\d\d tokens .*-c of llama-server"
            ) as why:
                model.answer(LONG)
            assert (True, read) == (why.value.too_long, why.value.spent and why.value.spent.input_tokens)
        else:
            assert "[]" == model.answer(LONG).text


def test_an_answer_in_the_place_of_thoughts_counts_only_as_a_whole() -> None:
    """Some servers put an answer that has to fit a schema where the thoughts belong; thoughts are no answer."""
    whole, thoughts = (behaviours.completion(None, reasoning_content=text) for text in ('{"a": 1}', 'Perhaps {"a": 1}'))
    with ScriptedServer(lambda _request: whole, lambda _request: thoughts) as server:
        model = OpenAIModel(server.settings())
        assert '{"a": 1}' == model.answer(question("x")).text
        with pytest.raises(ModelUnavailable, match="thoughts alone"):
            model.answer(question("x"))


@table("ending", ["", "/"])
def test_the_base_url_may_end_in_a_slash(ending: str) -> None:
    """Both ways lead to the same place."""
    with ScriptedServer(behaviours.saying("ok")) as server:
        settings = server.settings(key=KEY).model_copy(update={"base_url": server.base_url + ending})
        OpenAIModel(settings).answer(question("x"))
    assert [(one.path, one.with_key) for one in server.requests] == [("/v1/chat/completions", True)]


class Inner(BaseModel):
    """Part of an answer."""

    quote: str = Field(min_length=1, max_length=9)


class Outer(BaseModel):
    """An answer with all that a strict schema has to change."""

    title: str = "none"
    score: float = Field(default=0, ge=0, le=1)
    inner: Inner = Inner(quote="x")
    many: tuple[Inner, ...] = ()


def test_a_schema_is_made_strict() -> None:
    """Every property is required and no other allowed, at every depth; a property named like a keyword stays."""
    made = strict(Outer.model_json_schema())
    assert made["required"] == ["title", "score", "inner", "many"]
    assert made["additionalProperties"] is False
    assert made["$defs"]["Inner"] == {
        "description": "Part of an answer.",
        "type": "object",
        "properties": {"quote": {"type": "string"}},
        "required": ["quote"],
        "additionalProperties": False,
    }
    assert made["properties"]["title"] == {"type": "string"}
    assert made["properties"]["inner"] == {"$ref": "#/$defs/Inner"}
    assert made["properties"]["many"]["items"] == {"$ref": "#/$defs/Inner"}


def test_settings_hide_the_key() -> None:
    """The key is not in what a settings value prints."""
    assert KEY not in repr(ModelSettings(api_key=SecretStr(KEY)))
