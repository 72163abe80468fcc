"""What a question is to the service: what answers it, and which settings its answer depends on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from pipeline.service.socket.client import NoQuestion
from schemas.base import Value

Fields = Mapping[str, Any]
"""The fields of a question without its envelope, as JSON."""
_Line = TypeVar("_Line", bound=Value)


@dataclass(frozen=True)
class SocketQuestion:
    """A question that clients may ask.

    `answer` gives JSON. `decide` are the settings that it depends on: a client whose environment says something else
    about them answers itself. `fixed` are those that `answer` read when it was opened: once they have changed, every
    client answers itself. All others are read at each question.
    """

    answer: Callable[[Fields], Any]
    decide: tuple[str, ...]
    fixed: tuple[str, ...] = ()


def checked(line: type[_Line], fields: Fields) -> _Line:
    """The fields as the values that they have to be."""
    try:
        return line.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where, what = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        why = f"{where}: {what}" if where else what
        raise NoQuestion(why) from error
