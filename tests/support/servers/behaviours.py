"""How a scripted server can behave: well, and in each bad way that real servers and models have."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Barrier
from typing import Any

from pydantic import BaseModel

from schemas.extraction import Conversation
from tests.support.ports.fences import unfenced
from tests.support.ports.shown_rows import read_shown


@dataclass(frozen=True)
class Received:
    """A request as the server got it. `data` is the decoded input of the question; the key is not kept."""

    path: str
    body: dict[str, Any]
    with_key: bool

    @property
    def form(self) -> str:
        """How JSON was asked for: `json_schema`, `json_object` or `text`."""
        return str(self.body.get("response_format", {}).get("type", "text"))

    @property
    def task(self) -> str:
        """What the question is called, as far as its form tells it: `session` and the like."""
        return str(self.body.get("response_format", {}).get("json_schema", {}).get("name", ""))

    @property
    def instructions(self) -> str:
        """The system message."""
        return str(self.body["messages"][0]["content"])

    @property
    def conversation(self) -> Conversation | None:
        """The conversation that it asks about; `None` of another question."""
        try:
            return read_shown(self.body["messages"][-1]["content"])
        except ValueError:
            return None

    @property
    def data(self) -> Any:  # noqa: ANN401 - whatever JSON the question held
        """The input of the question, without its fence."""
        return json.loads(unfenced(self.body["messages"][-1]["content"]))


@dataclass(frozen=True)
class Sent:
    """What the server sends. `missing` bytes of the body are promised and never come.

    `hold` waits until the server closes and sends nothing; `wait` is in seconds, and ends early when the server closes.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    missing: int = 0
    hold: bool = False
    wait: float = 0


Behaviour = Callable[[Received], Sent]
Answering = Callable[[Received], BaseModel | dict[str, Any] | str]
_SOON = {"Content-Type": "application/json", "Retry-After": "0.01"}
_TOO_LARGE = 1_000_000


def completion(
    text: str | None, finish: str = "stop", refusal: str | None = None, read: int = 100, **more: object
) -> Sent:
    """A well-formed completion that says `text`, to a question of which it `read` so many tokens."""
    message = {"role": "assistant", "content": text, "refusal": refusal, **more}
    details = {"cached_tokens": 40}
    usage = {
        "prompt_tokens": read,
        "completion_tokens": 20,
        "total_tokens": read + 20,
        "prompt_tokens_details": details,
    }
    choice = {"index": 0, "finish_reason": finish, "message": message, "logprobs": None}
    body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
    return Sent(body=json.dumps(body).encode())


def refusal(status: int, message: str, **error: str) -> Sent:
    """An error as the API writes it; its `Retry-After` is a hundredth of a second."""
    body = json.dumps({"error": {"message": message, "type": "error", **error}})
    return Sent(status, body.encode(), dict(_SOON))


def answering(answer: Answering) -> Behaviour:
    """A good answer: what `answer` makes of the request."""

    def behave(request: Received) -> Sent:
        said = answer(request)
        if isinstance(said, BaseModel):
            return completion(said.model_dump_json())
        return completion(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))

    return behave


def saying(text: str | None, finish: str = "stop") -> Behaviour:
    """The same text for every question: garbage, an empty answer, one that was cut off (`finish="length"`)."""
    return lambda _request: completion(text, finish)


def declining() -> Behaviour:
    """The model refuses to answer."""
    return lambda _request: completion(None, refusal="I cannot help with that.")


def rate_limited(retry_after: float = 0.01) -> Behaviour:
    """429, with the seconds after which to come again."""
    headers = {"Content-Type": "application/json", "Retry-After": str(retry_after)}
    return lambda _request: Sent(429, b'{"error": {"message": "slow down"}}', headers)


def together(number: int, behaviour: Behaviour, seconds: float = 60) -> Behaviour:
    """Behave so as soon as `number` questions are there at the same time, whatever the speed of who asks."""
    crowd = Barrier(number, timeout=seconds)

    def behave(request: Received) -> Sent:
        crowd.wait()
        return behaviour(request)

    return behave


def failing(status: int = 500) -> Behaviour:
    """An error of the server, or a refusal of the key (401, 403) or of the model's name (404)."""
    return lambda _request: refusal(status, "no")


def hanging() -> Behaviour:
    """No answer, ever; the connection is held until the server closes."""
    return lambda _request: Sent(hold=True)


def slow(answer: Answering, seconds: float) -> Behaviour:
    """A good answer that takes its time."""

    def behave(request: Received) -> Sent:
        good = answering(answer)(request)
        return Sent(good.status, good.body, good.headers, wait=seconds)

    return behave


def broken_off() -> Behaviour:
    """The connection closes in the middle of the body."""
    return lambda _request: Sent(body=b'{"id": "c", "choices": [', missing=500)


def other_content_type() -> Behaviour:
    """A web page instead of JSON, as a proxy or a wrong address gives it."""
    return lambda _request: Sent(body=b"<html>welcome</html>", headers={"Content-Type": "text/html"})


def broken_json() -> Behaviour:
    """JSON by its content type alone."""
    return lambda _request: Sent(body=b'{"choices": [')


def no_choices() -> Behaviour:
    """A completion with no choice in it."""
    return lambda _request: Sent(body=b'{"id": "c", "object": "chat.completion", "choices": []}')


def refusing_forms(answer: Answering, *forms: str) -> Behaviour:
    """A server that knows some ways to ask for JSON not: 400 for each of `forms`, else a good answer."""

    def behave(request: Received) -> Sent:
        if request.form in forms:
            return refusal(400, f"response_format {request.form} is not supported", param="response_format")
        return answering(answer)(request)

    return behave


def refusing_temperature(answer: Answering) -> Behaviour:
    """A model that lets nobody set its temperature, as reasoning models do."""

    def behave(request: Received) -> Sent:
        if "temperature" in request.body:
            return refusal(400, "unsupported value", param="temperature", code="unsupported_value")
        return answering(answer)(request)

    return behave


def refusing_schema_by_failing(answer: Answering) -> Behaviour:
    """A server that fails at a schema that it can make no grammar of."""

    def behave(request: Received) -> Sent:
        return failing()(request) if request.form == "json_schema" else answering(answer)(request)

    return behave


def refusing(status: int, body: object) -> Behaviour:
    """An error in a form that only some servers have."""
    return lambda _request: Sent(status, json.dumps(body).encode(), dict(_SOON))


def reading(tokens: int, text: str) -> Behaviour:
    """An answer to no more than so many tokens of the question, by the server's own count."""
    return lambda _request: completion(text, read=tokens)


def code_fenced(answer: Answering) -> Behaviour:
    """A good answer inside a Markdown code fence, with a sentence before it."""
    return answering(lambda request: f"Here it is:\n```json\n{_plain(answer(request))}\n```")


def wrong_ids(answer: Answering) -> Behaviour:
    """A good answer in which every message number is one that does not exist."""
    return answering(lambda request: _changed(json.loads(_plain(answer(request))), "number", _no_such_number))


def invented_quotes(answer: Answering) -> Behaviour:
    """A good answer in which nobody ever said the quotes."""
    return answering(lambda request: _changed(json.loads(_plain(answer(request))), "quote", _never_said))


def _plain(said: BaseModel | dict[str, Any] | str) -> str:
    if isinstance(said, BaseModel):
        return said.model_dump_json()
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)


def _no_such_number(value: object) -> object:
    if isinstance(value, list):
        return [_no_such_number(one) for one in value]
    return value + _TOO_LARGE if isinstance(value, int) else value


def _never_said(value: object) -> object:
    return "nobody ever said these words" if isinstance(value, str) else value


def _changed(value: Any, word: str, change: Callable[[object], object]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_changed(one, word, change) for one in value]
    if not isinstance(value, dict):
        return value
    changed = {key: change(one) if key.removesuffix("s").endswith(word) else one for key, one in value.items()}
    return {key: _changed(one, word, change) for key, one in changed.items()}
