"""Errors as RFC 9457 problems, with the sentences of the command line."""

import json
from dataclasses import dataclass
from http import HTTPStatus

from pipeline.errors import PipelineError, UnknownName
from pipeline.errors.agents import MayNotRead
from pipeline.errors.store import DetailGone, StoreFull, StoreRefused, StoreUnusable
from schemas import exit_codes

MEDIA_TYPE = "application/problem+json"
_STATUS = {
    exit_codes.UNUSABLE: HTTPStatus.BAD_REQUEST,
    exit_codes.HELD: HTTPStatus.SERVICE_UNAVAILABLE,
    exit_codes.NO_PERSON: HTTPStatus.FORBIDDEN,
    exit_codes.WAITING: HTTPStatus.SERVICE_UNAVAILABLE,
    exit_codes.OVER_BUDGET: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""By the exit code with which a command ends; all others are conflicts with what stands."""
_OF_ERRORS: tuple[tuple[type[PipelineError], HTTPStatus], ...] = (
    (DetailGone, HTTPStatus.GONE),
    (MayNotRead, HTTPStatus.FORBIDDEN),
    (UnknownName, HTTPStatus.NOT_FOUND),
    (StoreRefused, HTTPStatus.UNPROCESSABLE_ENTITY),
    (StoreFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (StoreUnusable, HTTPStatus.SERVICE_UNAVAILABLE),
)
"""By the error, before its exit code."""


@dataclass(frozen=True)
class Problem:
    """A problem: its status, and a sentence about what to do next. `kind` is the name of the error."""

    status: HTTPStatus
    detail: str
    kind: str = "about:blank"

    @property
    def body(self) -> bytes:
        """It as JSON."""
        fields = {"type": self.kind, "title": self.status.phrase, "status": self.status.value, "detail": self.detail}
        return json.dumps(fields, ensure_ascii=False).encode(errors="replace")

    @property
    def headers(self) -> dict[str, str]:
        """The headers that belong to it."""
        more = {HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": "Bearer"}, _WAIT: {"Retry-After": "1"}}
        return {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(self.body)), **more.get(self.status, {})}


_WAIT = HTTPStatus.TOO_MANY_REQUESTS


def problem_of(error: PipelineError) -> Problem:
    """An expected error as a problem."""
    of_error = (status for kind, status in _OF_ERRORS if isinstance(error, kind))
    status = next(of_error, _STATUS.get(error.exit_code, HTTPStatus.CONFLICT))
    return Problem(status, str(error), type(error).__name__)
