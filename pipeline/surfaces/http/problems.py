"""Errors as RFC 9457 problems, with the sentences of the command line."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, get_args

from fastapi import Request
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from pipeline.errors import PipelineError, UnknownName
from pipeline.errors.agents import MayNotRead
from pipeline.errors.fleet import FleetFull, FleetUnavailable, WorkspaceTakenOut
from pipeline.errors.store import DetailGone, StoreFull, StoreRefused, StoreUnusable
from schemas import exit_codes
from schemas.conversation import SESSION_ID

_SHOWN, _LONGEST = 10, 200  # problems of one request, and characters of the name of a field
_MEMBERS = re.compile(r"<[\w.]+: ('[^']*')>")
"""A value among the allowed ones that the validator shows in its own words."""
_BUILT_IN = frozenset(get_args(ErrorType))
_PATTERNS = {
    SESSION_ID: "write letters, digits and . : @ + - _ alone, at most 200",
    r"\S": "may not be empty",
}
_SENTENCES = {
    "missing": "has to be given",
    "extra_forbidden": "is not known here; /docs lists what is",
    "string_too_short": "has at least {min_length} character(s)",
    "string_too_long": "has at most {max_length} characters",
    "string_unicode": "write text in Unicode",
    "too_short": "has at least {min_length} element(s)",
    "too_long": "has at most {max_length} elements",
    "greater_than_equal": "has to be {ge} or more",
    "greater_than": "has to be more than {gt}",
    "less_than_equal": "has to be {le} or less",
    "less_than": "has to be less than {lt}",
    "literal_error": "write {expected}",
    "enum": "write {expected}",
    "finite_number": "write a number",
    "value_error": "{error}",
}
"""By the validator's type of error; its context fills them."""
_BEGINNINGS = {
    "string_": "write a text",
    "int_": "write a whole number",
    "float_": "write a number",
    "bool_": "write true or false",
    "date_": "write a day such as 2026-02-20, or a period such as 2026-W10, 30d or last month",
    "time_delta_": "write seconds, or an ISO 8601 duration such as PT5M",
    "list_": "write a list, as in [...]",
    "tuple_": "write a list, as in [...]",
    "dict_": "write an object, as in {{...}}",
    "model_": "write an object, as in {{...}}",
}
"""Sentences for whole groups of types, by how their names begin."""


def request_problems(problems: Sequence[ErrorDetails]) -> str:
    """The faults of a request, or the first of them."""
    sentences = dict.fromkeys(_problem(problem) for problem in problems[:_SHOWN])
    more = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
    return "; ".join([*sentences, *more])


def _sentence(problem: ErrorDetails) -> str:
    """The fault of a value, and the form in which it is written."""
    kind, context = problem["type"], _context(problem)
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(str(context["pattern"]), "is not written as it has to be")
    beginning = next((sentence for start, sentence in _BEGINNINGS.items() if kind.startswith(start)), "")
    sentence = _SENTENCES.get(kind, beginning)
    if sentence:
        return sentence.format_map(context)
    return "cannot be used as it is written" if kind in _BUILT_IN else problem["msg"]  # a validator's of our own


def _problem(problem: ErrorDetails) -> str:
    if problem["type"] == "json_invalid":
        return f"The body is no JSON: {_context(problem)['error']} at character {problem['loc'][-1]}"
    place, *path = problem["loc"]
    if place != "body":  # there is no deeper place; what follows are the types that a field may have
        path = path[:1]
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    whole = "The body" if place == "body" else "The request"
    return f"{where[:_LONGEST] or whole}: {_sentence(problem)}"


def _context(problem: ErrorDetails) -> Mapping[str, Any]:
    context: dict[str, Any] = dict(problem.get("ctx", {}))
    if "expected" in context:
        context["expected"] = _MEMBERS.sub(r"\1", str(context["expected"]))
    return context


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
    (WorkspaceTakenOut, HTTPStatus.NOT_FOUND),
    (StoreRefused, HTTPStatus.UNPROCESSABLE_ENTITY),
    (StoreFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (StoreUnusable, HTTPStatus.SERVICE_UNAVAILABLE),
    (FleetUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (FleetFull, HTTPStatus.INSUFFICIENT_STORAGE),
)
"""By the error, before its exit code."""
_OF_DATABASE = (StoreUnusable, StoreFull, FleetUnavailable, FleetFull)
_AWAY = "The database does not answer, or has no room. Nothing was stored; try again once it is back."


@dataclass(frozen=True)
class Problem:
    """A problem: its status, a sentence about what to do next, and the `error`, if it is an expected one."""

    status: HTTPStatus
    detail: str
    error: PipelineError | None = None

    @property
    def kind(self) -> str:
        """The name of the error."""
        return type(self.error).__name__ if self.error else "about:blank"

    @property
    def body(self) -> bytes:
        """The problem as JSON."""
        fields = {"type": self.kind, "title": self.status.phrase, "status": self.status.value, "detail": self.detail}
        return json.dumps(fields, ensure_ascii=False).encode(errors="replace")

    @property
    def headers(self) -> dict[str, str]:
        """The headers that belong to the problem."""
        more = {HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": "Bearer"}, _WAIT: {"Retry-After": "1"}}
        return {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(self.body)), **more.get(self.status, {})}


_WAIT = HTTPStatus.TOO_MANY_REQUESTS


def problem_of(error: PipelineError) -> Problem:
    """An expected error as a problem."""
    of_error = (status for kind, status in _OF_ERRORS if isinstance(error, kind))
    status = next(of_error, _STATUS.get(error.exit_code, HTTPStatus.CONFLICT))
    return Problem(status, str(error), error)


def problem_for(request: Request, error: PipelineError) -> Problem:
    """An expected error as a problem for who asks, at a front or on a single machine."""
    if getattr(request.state, "place", None) is None:
        return problem_of(error)
    shown = getattr(request.app.state, "http", None)  # of a workspace that is open
    return problem_at_front(error, str(shown.root) if shown else "")


def problem_at_front(error: PipelineError, folder: str = "") -> Problem:
    """An expected error as a problem for who reads at a front.

    The `folder` of the cache and the address of the database are a matter of the operator alone.
    """
    problem = problem_of(error)
    if isinstance(error, _OF_DATABASE):
        return replace(problem, detail=_AWAY)
    if not folder or folder not in problem.detail:
        return problem
    return Problem(problem.status, problem.detail.replace(f"{folder}/", "").replace(folder, "the workspace"))
