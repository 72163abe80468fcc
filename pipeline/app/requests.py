"""The requests of programs, made of the fields that they give."""

from collections.abc import Mapping
from datetime import date
from typing import Any, TypeVar

from pydantic import ValidationError

from pipeline.errors import NoQuestion
from schemas.base import Value

_Request = TypeVar("_Request", bound=Value)


def check_request(kind: type[_Request], fields: Mapping[str, Any], today: date | None = None) -> _Request:
    """The request with these fields, as JSON has them; with `today` days may be written as periods.

    Raises:
        NoQuestion: they are not those of the request.
    """
    try:
        if today and isinstance(fields, Mapping):  # a program may send another thing
            from schemas.periods import written_days  # noqa: PLC0415 - an agent that wakes up asks for no days

            fields = written_days(fields, today)
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where, why = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise NoQuestion(f"{where}: {why}" if where else why) from error
    except ValueError as error:
        raise NoQuestion(str(error)) from error
