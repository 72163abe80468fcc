"""A model behind any server that speaks the OpenAI chat-completions API."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import urlsplit

from pipeline.errors import ModelUnavailable
from pipeline.language.tokens import count_tokens
from pipeline.ports.engine import Question, Reply
from schemas.index_settings import EmbedderSettings
from schemas.settings import ModelSettings

if TYPE_CHECKING:
    import openai

_REASONS = {
    401: "the server refuses the key (401); set {table}.api_key, best as MEMORY_{variable}__API_KEY",
    403: "the key may not use it (403); check {table}.api_key and {model}",
    404: "the server does not know it (404); check {model} and {table}.base_url",
    429: "the server has had too many requests, or the account is used up (429)",
}


@dataclass(frozen=True)
class OpenAIServer:
    """A server that some settings name.

    `table` is where they stand in `memory.toml`, `model` the one for its model.

    `reasons` are further ones, by the status of the answer.
    """

    settings: ModelSettings | EmbedderSettings
    table: str
    model: str
    reasons: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def client(self) -> "openai.OpenAI":
        """The SDK's client, which does the retries and heeds `Retry-After`."""
        import openai  # noqa: PLC0415 - it takes most of a second, which only a request needs to pay

        return openai.OpenAI(
            base_url=self.settings.base_url.rstrip("/"),
            # A local server needs no key, but without one the SDK would take OPENAI_API_KEY and send it there.
            api_key=self.settings.api_key.get_secret_value() or "none",
            timeout=self.settings.timeout.total_seconds(),
            max_retries=self.settings.attempts - 1,
        )

    @property
    def other_language(self) -> str:
        """The reason why an answer of another form is of no use."""
        return f"what answers does not speak the OpenAI API ({self.table}.base_url)"

    def known_reason(self, status: int) -> str:
        """The meaning of an answer with a status, and the setting to check; empty where it says little."""
        known = {**_REASONS, **self.reasons}.get(status, "")
        return known.format(table=self.table, model=self.model, variable=self.table.upper())

    def reason(self, error: Exception) -> str:
        """The reason of a failure, in our own words only: what a server writes may repeat the text, or the key."""
        import openai  # noqa: PLC0415 - as in `client`

        attempts = self.settings.attempts
        tried = "tried once" if attempts == 1 else f"tried {attempts} times at most"
        if isinstance(error, openai.APITimeoutError):
            return f"no answer within {self.settings.timeout.total_seconds():g} s ({self.table}.timeout), {tried}"
        if isinstance(error, openai.APIStatusError):
            failed = f"the server answers with status {error.status_code}"
            return f"{self.known_reason(error.status_code) or failed}, {tried}"
        if isinstance(error, openai.APIConnectionError):
            host = urlsplit(self.settings.base_url).hostname or "the server"
            return f"{host} cannot be reached or broke off ({self.table}.base_url), {tried}"
        return self.other_language


_READ = 4_000
"""Characters of an error that are read: some servers repeat the whole question in it."""

_CODES = re.compile(r"context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length")
_LONG = re.compile(
    r"context[ _-]?(?:length|size|window|limit|overflow)|max_model_len"
    r"|\b(?:prompt|inputs?|request|messages?|payload)\b.{0,60}\btoo (?:long|large|many|big)"
    r"|\btoo many (?:input |prompt )?tokens|\btokens?\b.{0,80}\b(?:exceed|maximum|must be <=|at most|limit)"
    r"|\bexceed\w*.{0,80}\btokens?\b|\breduce the (?:length|size)|\brequest entity too large",
    re.DOTALL,
)
_RATE = re.compile(r"per[ _]min|per[ _]day|\btp[md]\b|rate.?limit|quota")
_MAY_BE_LONG = frozenset({0, 400, 413, 422, 500})


@dataclass(frozen=True)
class Refusal:
    """An error that a server answers with. `status` is 0 where it names none; `words` are all of it, in small letters.

    Only this module reads the words: they may repeat the question, or the key.
    """

    status: int
    words: str
    param: str = ""
    context: int = 0

    @classmethod
    def of(cls, error: "openai.APIStatusError") -> Self:
        """The refusal by a status."""
        return cls._read(error.status_code, error.body)

    @classmethod
    def inside(cls, completion: object) -> Self | None:
        """The error in the place of an answer, as proxies hand it on with status 200; `None` when there is none."""
        choices = getattr(completion, "choices", None)
        places = [completion, *(choices[:1] if isinstance(choices, list) else [])]
        error = next(filter(None, (getattr(place, "error", None) for place in places)), None)
        code = error.get("code") if isinstance(error, dict) else None
        return cls._read(code if isinstance(code, int) else 0, error) if error else None

    @classmethod
    def _read(cls, status: int, body: object) -> Self:
        fields = body if isinstance(body, dict) else {}
        context, param = fields.get("n_ctx"), fields.get("param")
        words = json.dumps(body, ensure_ascii=False, default=str)[:_READ].lower()
        return cls(status, words, param if isinstance(param, str) else "", context if isinstance(context, int) else 0)

    @property
    def is_too_long(self) -> bool:
        """Whether the question is longer than the server or its model can take."""
        if self.status not in _MAY_BE_LONG or _RATE.search(self.words):
            return False
        return self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or bool(
            _CODES.search(self.words) or _LONG.search(self.words)
        )

    @property
    def is_busy(self) -> bool:
        """Whether there are too many requests."""
        return self.status == HTTPStatus.TOO_MANY_REQUESTS or (not self.status and bool(_RATE.search(self.words)))

    @property
    def is_about_request(self) -> bool:
        """Whether another request may be taken: the server read it, and minds something in it."""
        return self.status in {400, 422}


Form = Literal["json_schema", "json_object", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
"""The ways to ask for JSON, the strictest first; a server that refuses one is asked the next way from then on."""

_SCHEMA_IN_PROMPT = "\n\nThe JSON schema of the answer:\n"
_UNKNOWN_TO_STRICT = ("default", "title", "minLength", "maxLength", "format")
_LONGER = (
    "give it a longer context (OLLAMA_CONTEXT_LENGTH of Ollama, -c of llama-server, the context length of the model in "
    "LM Studio, --max-model-len of vLLM)"
)
_LEAST_SHARE = 0.75
"""Of our count of a question; a server that counts fewer tokens has not read all of it.

Other tokenizers count more than ours: those of Gemma 1.10 to 1.23 times as many for our questions in English, Polish
and Chinese, and 0.95 for the leanest plain text. None was found below 0.9.
"""
_CONTEXT_STEP = 1_024
_SHORTEST_CONTEXT = 512
"""No server has a shorter one: a smaller count is a placeholder, or leaves out what the server still knew."""


@dataclass(frozen=True)
class _Manner:
    """The manner of asking a model: the place in `FORMS`, and whether it takes a temperature."""

    form: int = 0
    temperature: bool = True

    def after(self, refusal: Refusal) -> "_Manner | None":
        """The next manner to try; `None` where another one is of no use."""
        if refusal.is_too_long:
            return None
        # Some models have a temperature of their own; proxies say so in words alone.
        minds_temperature = refusal.param == "temperature" or "temperature" in refusal.words
        if self.temperature and refusal.is_about_request and minds_temperature:
            return replace(self, temperature=False)
        # Some servers break down at a schema that they cannot make a grammar of.
        failed_at_schema = refusal.status in {500, 501} and FORMS[self.form] == "json_schema"
        if self.form + 1 < len(FORMS) and (refusal.is_about_request or failed_at_schema):
            return replace(self, form=self.form + 1)
        return None


class OpenAIModel:
    """`pipeline.ports.engine.LanguageModel` through the `openai` SDK, which does the retries and heeds `Retry-After`.

    May be used from several threads.
    """

    def __init__(self, settings: ModelSettings) -> None:
        """`settings` must be `is_configured`."""
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

    def takes_schema(self, name: str) -> bool:
        """Whether the server took a schema for the last answer of the model of this name; so it is before the first."""
        with self._lock:
            return FORMS[self._manners.get(name, _Manner()).form] == "json_schema"

    def answer(self, question: Question) -> Reply:
        """One answer, as text that should be JSON."""
        import openai  # noqa: PLC0415 - it takes most of a second, which only a question needs to pay

        try:
            completion, retries = self._completion(question)
        except openai.APIStatusError as error:
            raise self._refuse(question, Refusal.of(error), self._server.reason(error)) from error
        except (openai.OpenAIError, ValueError) as error:
            late = isinstance(error, openai.APITimeoutError)
            raise ModelUnavailable(self._name_of(question), self._server.reason(error), late=late) from error
        if refusal := Refusal.inside(completion):
            status = f" ({refusal.status})" if refusal.status else ""
            known = self._server.known_reason(refusal.status) or f"it answers with an error in place of words{status}"
            raise self._refuse(question, refusal, known)
        if cut := _part_read(question, completion):
            raise ModelUnavailable(self._name_of(question), cut, too_long=True, spent=_reply(completion).usage)
        return replace(self.read(self._name_of(question), completion), retries=retries)

    def read(self, name: str, completion: object) -> Reply:
        """The reply in a completion of the model of this name."""
        reply, problem = _reply(completion), self._problem(completion)
        if problem:
            raise ModelUnavailable(name, problem, too_long=_has_left_no_room(completion), spent=reply.usage)
        return reply

    def request_for(self, question: Question) -> dict[str, Any]:
        """The body of the request for a question, in the manner that its model has taken so far."""
        name = self._name_of(question)
        with self._lock:
            manner = self._manners.get(name, _Manner())
        return {"model": name, **_request(question, manner)}

    def _name_of(self, question: Question) -> str:
        return self.background if question.background else self.name

    def _refuse(self, question: Question, refusal: Refusal, reason: str) -> ModelUnavailable:
        too_long = refusal.is_too_long
        if too_long:
            context = f" of {refusal.context} tokens" if refusal.context else ""
            reason = f"a question of about {_tokens(question)} tokens is too long for its context{context}; {_LONGER}"
        return ModelUnavailable(self._name_of(question), reason, busy=refusal.is_busy, too_long=too_long)

    def _completion(self, question: Question) -> tuple[object, int]:
        """The server's answer, and how often the SDK had to ask again for it."""
        import openai  # noqa: PLC0415 - see `answer`

        name = self._name_of(question)
        with self._lock:
            client, manner = self._server.client, self._manners.get(name, _Manner())
        create: Callable[..., Any] = client.chat.completions.with_raw_response.create
        while True:
            try:
                raw = create(model=name, **_request(question, manner))
            except openai.APIStatusError as error:
                milder = manner.after(Refusal.of(error))
                if milder is None:
                    raise
            else:
                completion = raw.parse()
                refusal = Refusal.inside(completion)
                milder = manner.after(refusal) if refusal else None
                if milder is None:
                    with self._lock:
                        self._manners[name] = manner
                    return completion, raw.retries_taken
            manner = milder

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
        if _text(message):
            return ""
        return "its answer is empty" + (", it gave its thoughts alone" if _thoughts(message) else "")


def _has_left_no_room(completion: object) -> bool:
    """Whether an answer was cut off because the context was full, and the question took most of it."""
    choices, usage = getattr(completion, "choices", None) or [None], getattr(completion, "usage", None)
    read, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    cut_off = getattr(choices[0], "finish_reason", None) == "length"
    return cut_off and read > written and (read + written) % _CONTEXT_STEP == 0


def _reply(completion: object) -> Reply:
    """The words and the tokens in a completion, none of which need be there."""
    choices, usage = getattr(completion, "choices", None), getattr(completion, "usage", None)
    message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
    tokens = _count(usage, "prompt_tokens")
    return Reply(
        _text(message),
        tokens,
        _count(usage, "completion_tokens"),
        min(_count(getattr(usage, "prompt_tokens_details", None), "cached_tokens"), tokens),
    )


def _text(message: object) -> str:
    """The words of a message. Some servers put a whole answer where its thoughts belong; a draft among them is none."""
    content, thoughts = getattr(message, "content", None), _thoughts(message)
    if isinstance(content, str) and content.strip():
        return content
    return thoughts if thoughts.startswith("{") and thoughts.endswith("}") else ""


def _thoughts(message: object) -> str:
    places = (getattr(message, name, None) for name in ("reasoning_content", "reasoning"))
    return next((text.strip() for text in places if isinstance(text, str)), "")


def _part_read(question: Question, completion: object) -> str:
    """The part of the question that the server has read, if it was not all; empty where it was, or where nobody knows.

    Some servers cut what is longer than their context without a word, and then answer about the rest.
    """
    usage = getattr(completion, "usage", None)
    read = _count(usage, "prompt_tokens")
    cached = _count(getattr(usage, "prompt_tokens_details", None), "cached_tokens")
    read += cached if cached > read else 0  # some leave out what they still knew
    if read < _SHORTEST_CONTEXT:
        return ""
    tokens = _tokens(question)
    full = read < 0.95 * tokens and read % _CONTEXT_STEP == 0  # as much as a context holds, to the token
    if read >= _LEAST_SHARE * tokens and not full:
        return ""
    return f"it read {read} of about {tokens} tokens and cut the rest of the question; {_LONGER}"


def _tokens(question: Question) -> int:
    """The tokens of a question by our count, without the schema, which is not always put into words."""
    return count_tokens(question.instructions) + count_tokens(question.input)


def _count(usage: object, name: str) -> int:
    count = getattr(usage, name, 0)
    return count if isinstance(count, int) else 0


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
    return {key: _strict(key, value) for key, value in _close_schema(schema).items()}


def _strict(key: str, value: object) -> object:
    if key in {"properties", "$defs"} and isinstance(value, dict):
        return {name: strict(inner) for name, inner in value.items()}
    if isinstance(value, dict):
        return strict(value)
    if isinstance(value, list):
        return [strict(inner) if isinstance(inner, dict) else inner for inner in value]
    return value


def _close_schema(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # a reference stands alone
    kept = {key: value for key, value in schema.items() if key not in _UNKNOWN_TO_STRICT}
    if kept.get("type") == "object":
        kept |= {"required": list(kept.get("properties", {})), "additionalProperties": False}
    return kept
