"""The model adapter against a server that behaves well, and in every bad way of the catalogue, over real HTTP."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import pytest
from pydantic import BaseModel, Field, SecretStr

from pipeline.adapters.model.openai import OpenAIModel, strict
from pipeline.errors import ModelUnavailable
from pipeline.ports.engine import LanguageModel
from pipeline.testing.fences import unfenced
from pipeline.testing.model_contract import ModelContract, question
from schemas.settings import ModelSettings
from tests.support.servers import behaviours
from tests.support.servers.behaviours import Behaviour, Received
from tests.support.servers.model_server import ScriptedServer

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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("ending", ["", "/"])
def test_the_base_url_may_end_in_a_slash(ending: str) -> None:
    """Both ways lead to the same place."""
    with ScriptedServer(behaviours.saying("ok")) as server:
        settings = server.settings(key=KEY).model_copy(update={"base_url": server.base_url + ending})
        OpenAIModel(settings).answer(question("x"))
    assert [(one.path, one.with_key) for one in server.requests] == [("/v1/chat/completions", True)]


def test_a_server_without_a_key_gets_none() -> None:
    """A key that lies about in the environment for another service is not sent."""
    with ScriptedServer(behaviours.saying("ok")) as server:
        script = (
            "import sys\nfrom pydantic import SecretStr\nfrom pipeline.adapters.model.openai import OpenAIModel\n"
            "from pipeline.testing.model_contract import question\nfrom schemas.settings import ModelSettings\n"
            "OpenAIModel(ModelSettings(base_url=sys.argv[1], name='m')).answer(question('x'))"
        )
        environment = {"OPENAI_API_KEY": KEY, "PATH": ""}
        subprocess.run([sys.executable, "-c", script, server.base_url], check=True, env=environment, timeout=60)
    assert [request.with_key for request in server.requests] == [False]


def test_the_sdk_is_loaded_only_for_a_question() -> None:
    """Making the adapter costs nothing that a command without questions would have to pay."""
    script = (
        "import sys\nfrom pipeline.adapters.model.openai import OpenAIModel\n"
        "from schemas.settings import ModelSettings\n"
        "OpenAIModel(ModelSettings(base_url='http://127.0.0.1:1/v1', name='m'))\nsys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0


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
