"""A Qdrant server by its address, asked through its own client, whose errors become ours."""

import warnings
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, TypeVar
from urllib.parse import urlsplit

from pipeline.errors import IndexUnavailable

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

P = ParamSpec("P")
T = TypeVar("T")

_ADVICE = "Look at index.url and index.api_key; without an address the index lives in the workspace itself."
_REFUSES = "does not do what it is asked for"
_REFUSALS = (401, 403)


class QdrantServer:
    """A server, or the client's own stand-in for one. The client is made when it is first used."""

    def __init__(self, url: str, api_key: str, timeout: float, *, local: bool = False) -> None:
        """The `url` of a local one is `:memory:` or a folder."""
        self._url, self._api_key, self._timeout, self._local = url, api_key, timeout, local
        self._lock = Lock()
        self._client: QdrantClient | None = None

    @property
    def client(self) -> "QdrantClient":
        """The client, one for all threads."""
        with self._lock:
            if self._client is None:
                self._client = self._connect()
            return self._client

    def ask(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of the server."""
        from qdrant_client.http.exceptions import (  # noqa: PLC0415 - slow to import
            ApiException,
            ResponseHandlingException,
            UnexpectedResponse,
        )

        try:
            return call(*args, **kwargs)
        except UnexpectedResponse as error:
            answered = f"{error.status_code} {error.reason_phrase}".strip()
            does = "refuses the key" if error.status_code in _REFUSALS else _REFUSES
            raise self._unavailable(does, answered) from error
        except ResponseHandlingException as error:
            does = "does not answer"
            raise self._unavailable(does, _reason(error.source)) from error
        except ApiException as error:
            raise self._unavailable(_REFUSES, _reason(error)) from error

    def _connect(self) -> "QdrantClient":
        from qdrant_client import QdrantClient  # noqa: PLC0415 - slow to import

        if self._local:
            return QdrantClient(":memory:") if self._url == ":memory:" else QdrantClient(path=self._url)
        with warnings.catch_warnings():
            # The warning about a key over plain HTTP: the address is the user's choice.
            warnings.simplefilter("ignore")
            return QdrantClient(
                url=self._url,
                api_key=self._api_key or None,
                timeout=max(1, round(self._timeout)),
                check_compatibility=False,  # it asks the server for its version, and prints
            )

    def _unavailable(self, does: str, reason: str) -> IndexUnavailable:
        parts = urlsplit(self._url)
        # Without what may be secret in it.
        address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else self._url
        return IndexUnavailable(f"the server at {address} {does} ({reason})", _ADVICE)


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
