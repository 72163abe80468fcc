"""A model behind any server that speaks the OpenAI chat-completions API."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from pipeline.adapters.model.openai_server import OpenAIServer
from pipeline.errors import ModelUnavailable
from pipeline.ports.engine import Question, Reply
from schemas.settings import ModelSettings

if TYPE_CHECKING:
    import openai

Form = Literal["json_schema", "json_object", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
"""The ways to ask for JSON, the strictest first; a server that refuses one is asked the next way from then on."""

_SCHEMA_IN_PROMPT = "\n\nThe JSON schema of the answer:\n"
_REFUSED = frozenset({400, 422})
_UNKNOWN_TO_STRICT = ("default", "title", "minLength", "maxLength", "format")


@dataclass(frozen=True)
class _Manner:
    """How a model lets itself be asked: the place in `FORMS`, and whether it takes a temperature."""

    form: int = 0
    temperature: bool = True


class OpenAIModel:
    """`pipeline.ports.engine.LanguageModel` through the `openai` SDK, which does the retries and heeds `Retry-After`.

    May be used from several threads.
    """

    def __init__(self, settings: ModelSettings) -> None:
        """`settings` must be `configured`."""
        self._settings = settings
        self._server = OpenAIServer(settings, "model", "model.name")
        self._manners: dict[str, _Manner] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The model's name, as the settings have it."""
        return self._settings.name

    @property
    def background(self) -> str:
        """The name of the model that sums up and judges, as the settings have it."""
        return self._settings.background or self._settings.name

    def answer(self, question: Question) -> Reply:
        """One answer, as text that should be JSON.

        Raises:
            ModelUnavailable: the server cannot be reached, refuses, fails, or its answer is cut off or empty.
        """
        import openai  # noqa: PLC0415 - it takes most of a second, which only a question needs to pay

        try:
            completion, retries = self._completion(question)
        except (openai.OpenAIError, ValueError) as error:
            busy, late = isinstance(error, openai.RateLimitError), isinstance(error, openai.APITimeoutError)
            raise ModelUnavailable(self._asked(question), self._server.reason(error), busy=busy, late=late) from error
        problem = self._problem(completion)
        if problem:
            raise ModelUnavailable(self._asked(question), problem)
        return replace(_reply(completion), retries=retries)

    def _asked(self, question: Question) -> str:
        return self.background if question.background else self.name

    def _completion(self, question: Question) -> tuple[object, int]:
        """The server's answer, and how often the SDK had to ask again for it."""
        import openai  # noqa: PLC0415 - see `answer`

        name = self._asked(question)
        with self._lock:
            client, manner = self._server.client, self._manners.get(name, _Manner())
        create: Callable[..., Any] = client.chat.completions.with_raw_response.create
        while True:
            try:
                raw = create(model=name, **_request(question, manner))
            except openai.APIStatusError as error:
                if error.status_code not in _REFUSED:
                    raise
                if manner.temperature and getattr(error, "param", None) == "temperature":
                    manner = replace(manner, temperature=False)
                elif manner.form + 1 < len(FORMS) and not _too_long(error):
                    manner = replace(manner, form=manner.form + 1)
                else:
                    raise
            else:
                with self._lock:
                    self._manners[name] = manner
                return raw.parse(), raw.retries_taken

    def _problem(self, completion: object) -> str:
        # The SDK does not check what a server sends: any part of it may be missing.
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            return self._server.other_language
        finish, message = getattr(choices[0], "finish_reason", None), getattr(choices[0], "message", None)
        if finish == "length":
            return "its answer was cut off at the most tokens it may write"
        if finish == "content_filter" or getattr(message, "refusal", None):
            return "it refuses to answer"
        text = getattr(message, "content", None)
        return "" if isinstance(text, str) and text.strip() else "its answer is empty"


def _reply(completion: Any) -> Reply:  # noqa: ANN401 - what `_problem` found to be a completion
    usage = getattr(completion, "usage", None)
    tokens = _count(usage, "prompt_tokens")
    return Reply(
        completion.choices[0].message.content,
        tokens,
        _count(usage, "completion_tokens"),
        min(_count(getattr(usage, "prompt_tokens_details", None), "cached_tokens"), tokens),
    )


def _count(usage: object, name: str) -> int:
    count = getattr(usage, name, 0)
    return count if isinstance(count, int) else 0


def _too_long(error: "openai.APIStatusError") -> bool:
    return getattr(error, "code", None) == "context_length_exceeded"


def _request(question: Question, manner: _Manner) -> dict[str, Any]:
    system, form = question.instructions, FORMS[manner.form]
    extra: dict[str, Any] = {"temperature": 0} if manner.temperature else {}
    if form == "json_schema":
        schema = {"name": question.name, "strict": True, "schema": strict(question.schema)}
        extra["response_format"] = {"type": "json_schema", "json_schema": schema}
    else:
        system += _SCHEMA_IN_PROMPT + json.dumps(question.schema, ensure_ascii=False)
    if form == "json_object":
        extra["response_format"] = {"type": "json_object"}
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question.input}]
    return {"messages": messages, **extra}


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema as structured output wants it: every property required, no others, no keyword it does not know."""
    return {key: _strict(key, value) for key, value in _closed(schema).items()}


def _strict(key: str, value: object) -> object:
    if key in {"properties", "$defs"} and isinstance(value, dict):
        return {name: strict(inner) for name, inner in value.items()}
    if isinstance(value, dict):
        return strict(value)
    if isinstance(value, list):
        return [strict(inner) if isinstance(inner, dict) else inner for inner in value]
    return value


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # a reference stands alone
    kept = {key: value for key, value in schema.items() if key not in _UNKNOWN_TO_STRICT}
    if kept.get("type") == "object":
        kept |= {"required": list(kept.get("properties", {})), "additionalProperties": False}
    return kept
