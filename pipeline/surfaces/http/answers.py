"""Answers as `--json` prints them, and the description of a route's answer."""

from typing import Any

from fastapi import Response

from schemas.json_line import json_line

_JSON = {"application/problem+json": {"schema": {"type": "object"}}}
_PROBLEM = {"description": "A problem (RFC 9457)", "content": _JSON}
PROBLEMS: dict[int | str, dict[str, Any]] = {"4XX": _PROBLEM, "503": _PROBLEM, "507": _PROBLEM}


def answer(value: object) -> Response:
    """A value as JSON, the same as the command line prints."""
    return Response(json_line(value), media_type="application/json")


def gives(model: Any) -> dict[int | str, dict[str, Any]]:  # noqa: ANN401 - any type that can be described
    """The type of a route's answer, for the description: the answer itself is made by `answer`."""
    return {200: {"model": model}, **PROBLEMS}
