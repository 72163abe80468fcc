"""The requests of programs, made of the fields that they give."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pipeline.errors import NoQuestion
from schemas.base import Value

_Request = TypeVar("_Request", bound=Value)


def checked(kind: type[_Request], fields: Mapping[str, Any]) -> _Request:
    """The request with these fields, as JSON has them.

    Raises:
        NoQuestion: they are not those of the request.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise NoQuestion(first_problem(error.errors(include_url=False))) from error


def first_problem(problems: Sequence[ErrorDetails]) -> str:
    """The first problem of the validator with its field, as a sentence."""
    where, what = ".".join(map(str, problems[0]["loc"])), problems[0]["msg"].removeprefix("Value error, ")
    return f"{where}: {what}" if where else what
