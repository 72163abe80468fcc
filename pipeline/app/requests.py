"""The requests of programs, made of the fields that they give."""

from collections.abc import Mapping
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
        where, why = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise NoQuestion(f"{where}: {why}" if where else why) from error
