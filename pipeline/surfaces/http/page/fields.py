"""Fields of forms in an address: what is left empty says nothing."""

from datetime import date
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from schemas.base import EARLIEST, LATEST, Value

T = TypeVar("T")


def _given(value: object) -> object:
    return None if value == "" else value


def _possible(day: date | None) -> date | None:
    if day and not EARLIEST.date() <= day <= LATEST.date():
        message = "there is nothing of such a day"
        raise ValueError(message)
    return day


Empty = BeforeValidator(_given)
"""For a field that may be left empty."""
OptionalDay = Annotated[date | None, Empty, AfterValidator(_possible)]
Words = Annotated[str, Field(max_length=200)]
"""A few words to look for."""


class QueryForm(Value):
    """The fields of a form in an address; others, such as the name of a notice, are none of its own."""

    model_config = ConfigDict(defer_build=False, extra="ignore")
