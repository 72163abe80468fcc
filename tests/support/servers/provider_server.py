"""The provider of an agent's program, scripted: the APIs of Anthropic, OpenAI (Responses) and Gemini.

Its answers come as events, as the programs ask for them. What they ask is kept.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from tests.support.servers.loopback import Loopback, OwnedServer

_STRUCTURED = "StructuredOutput"
"""The tool by which Claude Code gets an answer that fits a schema."""


@dataclass(frozen=True)
class Asked:
    """A request for an answer."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def tools(self) -> set[str]:
        """The names of all tools that the model could call, those in lists of the input too."""
        lists = [self.body.get("tools", [])]
        lists += [item["tools"] for item in self._input if item.get("type") == "additional_tools"]
        return {name for tools in lists for tool in tools for name in _names(tool)}

    @property
    def _input(self) -> list[dict[str, Any]]:
        return [item for item in self.body.get("input", []) if isinstance(item, dict)]

    @property
    def words(self) -> str:
        """All that the model would read, as JSON."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def said(self) -> str:
        """The last words of the person."""
        messages = [*self.body.get("messages", []), *self._input, *self.body.get("contents", [])]
        return next(
            (text for message in messages[::-1] if message.get("role") == "user" and (text := _text(message))), ""
        )


def _names(tool: dict[str, Any]) -> Iterator[str]:
    inside = tool.get("tools") or tool.get("functionDeclarations") or []
    yield from (name for inner in inside for name in _names(inner))
    if not inside:
        yield tool.get("name") or tool["type"]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content", message.get("parts"))
    parts = [{"text": content}] if isinstance(content, str) else content or []
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str)).strip()


@dataclass(frozen=True)
class Refused:
    """A refusal of every request."""

    status: int
    error: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


class ProviderServer(Loopback):
    """Answers with `answer` of the person's last words, or refuses. `asked` are the requests for an answer so far."""

    def __init__(self, answer: Callable[[str], str], refused: Refused | None = None) -> None:
        super().__init__(_Handler)
        self.answer, self.refused = answer, refused
        self.asked: list[Asked] = []


class _Handler(BaseHTTPRequestHandler):
    @property
    def provider(self) -> ProviderServer:
        return cast("ProviderServer", cast("OwnedServer", self.server).owner)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the base class
        """Stay quiet."""

    def do_HEAD(self) -> None:
        self._send(200, {})

    def do_GET(self) -> None:
        self._send(200, {"data": [], "models": []})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = Asked(self.path, dict(self.headers), body)
        refused = self.provider.refused
        events = next((events for mark, events in _APIS.items() if mark in self.path), None)
        if events is None:
            self._send(404, {})
            return
        self.provider.asked.append(asked)
        if refused:
            self._send(refused.status, {"type": "error", "error": refused.error}, refused.headers)
            return
        answered = events(asked, self.provider.answer(asked.said))
        if self.path.endswith(":generateContent"):
            self._send(200, next(answered))
        else:
            self._send_events(answered)

    def _send(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_events(self, events: Iterator[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in events:
            name = f"event: {event['type']}\n" if "type" in event else ""
            self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())


def _messages(asked: Asked, answer: str) -> Iterator[dict[str, Any]]:
    """An answer of the Messages API: a call of the tool for a schema, where there is one."""
    usage = {
        "input_tokens": 1200,
        "output_tokens": 20,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 100,
    }
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.body["model"], "content": []}
    if _STRUCTURED in asked.tools:
        block: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": _STRUCTURED, "input": {}}
        delta, stop = {"type": "input_json_delta", "partial_json": answer}, "tool_use"
    else:
        block, delta, stop = {"type": "text", "text": ""}, {"type": "text_delta", "text": answer}, "end_turn"
    begun = {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}
    yield {"type": "message_start", "message": begun}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def _responses(asked: Asked, answer: str) -> Iterator[dict[str, Any]]:
    """An answer of the Responses API."""
    part = {"type": "output_text", "text": answer, "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    usage = {
        "input_tokens": 1300,
        "input_tokens_details": {"cached_tokens": 100},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 1320,
    }
    begun = {"id": "resp_1", "object": "response", "created_at": 1, "model": asked.body["model"]}
    yield {"type": "response.created", "response": {**begun, "status": "in_progress", "output": [], "usage": None}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": {**begun, "status": "completed", "output": [item], "usage": usage}}


def _contents(_: Asked, answer: str) -> Iterator[dict[str, Any]]:
    """An answer of Gemini's API."""
    content = {"role": "model", "parts": [{"text": answer}]}
    usage = {"promptTokenCount": 1300, "candidatesTokenCount": 20, "totalTokenCount": 1320}
    yield {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}


_APIS = {"/messages": _messages, "/responses": _responses, "enerateContent": _contents}
"""The events of an answer, by a part of the path."""
