"""The API of a memory that takes transcripts, over one connection to the address that the person named.

No proxy and no redirect is followed: nothing is sent to any other address.
"""

import http.client
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Event
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from pipeline.errors.shipping import (
    NoReceiver,
    ServerAway,
    ServerFull,
    ShipmentRefused,
    ShippingError,
    ShippingForbidden,
)
from schemas.ship_settings import ShipSettings
from schemas.shipment import Shipment, ShipmentReceipt, ShippingPlace

_PATH = "/api/v1/transcripts"
_LARGEST = 65_536  # bytes of an answer
_TRIES = 10
_PAUSE_SECONDS, _LONGEST_PAUSE = 1.0, 5.0
_SHOWN = 200  # characters of what the server says
_AWAY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}
_REFUSED = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.CONFLICT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
}
_AnyAnswer = TypeVar("_AnyAnswer", bound=BaseModel)


def _pause(seconds: float) -> None:
    Event().wait(seconds)


@dataclass
class ReceivingServer:
    """A server at the address of the settings. `pause` waits between two tries."""

    settings: ShipSettings
    pause: Callable[[float], None] = _pause
    _connection: http.client.HTTPConnection | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.settings.url

    def place(self) -> ShippingPlace:
        """The workspace that the token belongs to."""
        return self._ask("GET", None, ShippingPlace)

    def send(self, shipment: Shipment) -> ShipmentReceipt:
        """Send messages of a session; it has arrived when there is an answer."""
        return self._ask("POST", shipment.model_dump_json().encode(), ShipmentReceipt)

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, body: bytes | None, answer: type[_AnyAnswer]) -> _AnyAnswer:
        for _ in range(_TRIES):
            status, content, wait = self._request(method, body)
            if status != HTTPStatus.TOO_MANY_REQUESTS:
                break
            self.pause(wait)
        if status == HTTPStatus.OK:
            try:
                return answer.model_validate_json(content)
            except ValidationError as error:
                raise NoReceiver(self.url, "its answer is not that of a memory") from error
        raise self._error(status, content)

    def _request(self, method: str, body: bytes | None) -> tuple[int, bytes, float]:
        """The status and the content of an answer, and the seconds to wait before another try."""
        headers = {
            "Authorization": f"Bearer {self.settings.token.get_secret_value()}",
            "Content-Type": "application/json",
            "User-Agent": "agent-memory-pipeline",
        }
        path = urlsplit(self.url).path.rstrip("/") + _PATH
        kept = self._connection is not None
        connection = self._connection = self._connection or self._connect()
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            content = response.read(_LARGEST)
            if response.read(1):
                self.close()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if kept and not isinstance(error, TimeoutError):  # it was closed while nothing was sent
                return self._request(method, body)
            raise ServerAway(self.url, _reason(error)) from error
        after = response.headers.get("Retry-After", "")
        wait = float(after) if after.isdecimal() else _PAUSE_SECONDS
        return response.status, content, min(wait, _LONGEST_PAUSE)

    def _connect(self) -> http.client.HTTPConnection:
        place = urlsplit(self.url)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        return kind(place.hostname or "", place.port, timeout=self.settings.timeout.total_seconds())

    def _error(self, status: int, content: bytes) -> ShippingError:
        said = _sentence(content)
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return ShippingForbidden(self.url, said or "it does not say why.")
        if status == HTTPStatus.INSUFFICIENT_STORAGE:
            return ServerFull(self.url)
        if status in _AWAY or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return ServerAway(self.url, said.rstrip(".") or f"it answers with status {status}")
        if status in _REFUSED and said:
            return ShipmentRefused(self.url, said)
        return NoReceiver(self.url, f"it answers with status {status}")


def _sentence(content: bytes) -> str:
    """The sentence of a problem; empty where the server gives none. It may be any server."""
    with suppress(ValueError, RecursionError):
        problem = json.loads(content)
        if isinstance(problem, dict) and isinstance(detail := problem.get("detail"), str):
            return " ".join(detail.split())[:_SHOWN]
    return ""


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or "the connection was closed"
