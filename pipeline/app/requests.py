"""The requests of programs, made of the fields that they give."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from pipeline.errors import NoQuestion
from schemas.base import Value

_Request = TypeVar("_Request", bound=Value)


def check_request(kind: type[_Request], fields: Mapping[str, Any]) -> _Request:
    """The request with these fields, as JSON has them.

    Raises:
        NoQuestion: they are not those of the request.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise NoQuestion(problem_sentence(first["loc"], first["msg"])) from error


def problem_sentence(place: Sequence[object], message: str) -> str:
    """The validator's `message` about the field at a `place`, as a sentence."""
    where, why = ".".join(map(str, place)), message.removeprefix("Value error, ")
    return f"{where}: {why}" if where else why
