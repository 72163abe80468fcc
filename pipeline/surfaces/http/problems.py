"""Errors as RFC 9457 problems, with the sentences of the command line."""

import json
from dataclasses import dataclass
from http import HTTPStatus

from pipeline.errors import PipelineError, UnknownName
from pipeline.errors.store import UnknownDetail
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
    name = type(error).__name__
    if isinstance(error, UnknownDetail):
        return Problem(HTTPStatus.GONE, str(error), name)
    if isinstance(error, UnknownName):
        return Problem(HTTPStatus.NOT_FOUND, str(error), name)
    return Problem(_STATUS.get(error.exit_code, HTTPStatus.CONFLICT), str(error), name)
