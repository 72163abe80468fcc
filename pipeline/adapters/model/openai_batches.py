"""Batches of a server that speaks the Batch API of OpenAI: one file of requests, answered within a day."""

import json
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.adapters.model.openai import OpenAIModel, OpenAIServer
from pipeline.errors import BatchRefused, ModelUnavailable
from pipeline.ports.engine import BatchLook, Question, Reply
from schemas.outcome import Usage
from schemas.settings import ModelSettings

if TYPE_CHECKING:
    import openai

_NAMED = "memory_batch"
"""The key of our name among the metadata of a batch."""
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
_WELL = 200
_REFUSES = frozenset({400, 404, 405, 413, 415, 422, 501})
"""Of a server that takes no batches, or not such ones; after another error it may have made the batch."""

Value = TypeVar("Value")


class OpenAIBatches:
    """`pipeline.ports.engine.BatchServer` through the `openai` SDK."""

    def __init__(self, settings: ModelSettings) -> None:
        """`settings` name a server."""
        self._settings = settings
        self._server = OpenAIServer(settings, "model", "model.name")
        self._model = OpenAIModel(settings)

    def send(self, batch: str, questions: Mapping[str, Question]) -> str:
        """Upload the file and make the batch; the server's id."""
        import openai  # noqa: PLC0415 - it takes most of a second, which only a batch needs to pay

        request = {"method": "POST", "url": "/v1/chat/completions"}
        lines = (
            {"custom_id": name, **request, "body": self._model.request_for(question)}
            for name, question in questions.items()
        )
        data = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)

        def make_batch(client: "openai.OpenAI") -> str:
            try:
                file = client.files.create(file=(f"{batch}.jsonl", data.encode(errors="replace")), purpose="batch")
                sent = client.batches.create(
                    input_file_id=file.id,
                    endpoint="/v1/chat/completions",
                    completion_window="24h",
                    metadata={_NAMED: batch},
                )
            except openai.APIStatusError as error:
                if error.status_code in _REFUSES:
                    raise BatchRefused(self._settings.name, self._server.reason(error)) from error
                raise
            else:
                return str(sent.id)

        return self._ask(make_batch)

    def find(self, batch: str) -> str:
        """The server's id of a batch of this name; empty when there is none."""

        def name_of_batch(client: "openai.OpenAI") -> str:
            mine = (sent.id for sent in client.batches.list(limit=100) if (sent.metadata or {}).get(_NAMED) == batch)
            return next(mine, "")

        return self._ask(name_of_batch)

    def look(self, remote: str) -> BatchLook:
        """Whether it has ended, and then its replies."""

        def look_at_batch(client: "openai.OpenAI") -> BatchLook:
            batch = client.batches.retrieve(remote)
            if batch.status not in _ENDED:
                return BatchLook(ended=False)
            # Those that were refused stand in a file of their own; without a reply they are asked directly.
            text = client.files.content(batch.output_file_id).text if batch.output_file_id else ""
            replies, spent = dict[str, Reply](), Usage()
            for line in _lines(text):
                response = getattr(line, "response", None)
                name = getattr(line, "custom_id", None)
                if not isinstance(name, str) or getattr(response, "status_code", None) != _WELL:
                    continue
                try:
                    replies[name] = self._model.read(self._settings.name, getattr(response, "body", None))
                except ModelUnavailable as failure:
                    spent += failure.spent or Usage()
            return BatchLook(ended=True, replies=replies, spent=spent)

        return self._ask(look_at_batch)

    def cancel(self, remote: str) -> None:
        """Give it up."""
        self._ask(lambda client: client.batches.cancel(remote))

    def _ask(self, ask: Callable[["openai.OpenAI"], Value]) -> Value:
        """Ask once: what is asked again might be made twice."""
        import openai  # noqa: PLC0415 - see `send`

        try:
            return ask(self._server.client.with_options(max_retries=0))
        except (openai.OpenAIError, ValueError) as error:
            raise ModelUnavailable(self._settings.name, self._server.reason(error)) from error


def _lines(text: str) -> Iterator[Any]:
    """The objects in lines of JSON, with their fields as attributes; what is none is left out."""
    for line in text.split("\n"):  # a string of JSON may hold any other end of a line
        try:
            yield json.loads(line, object_hook=lambda fields: SimpleNamespace(**fields))
        except (ValueError, RecursionError, TypeError):
            continue
