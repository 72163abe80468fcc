"""The base of the values: they are frozen, refuse unknown fields, and check times alike."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

LONGEST = timedelta(days=36_500)
"""A hundred years; from some 8,000 on, arithmetic with moments ends."""
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
"""No agent spoke before, and arithmetic with moments and zones ends with the last year there is."""
_SECONDS = re.compile(r"-?\d+(?:\.\d+)?")


class Value(BaseModel):
    """A frozen pydantic value; an unknown field is an error."""

    # What checks a value is made when the first one is: most commands need few of them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class RequestValue(Value):
    """A value of a request. Its validator is made at once, because the HTTP library makes its own out of it."""

    model_config = ConfigDict(defer_build=False)


def _number(value: object) -> object:
    """Accept a number of seconds also as text: the environment has only texts."""
    return float(value) if isinstance(value, str) and _SECONDS.fullmatch(value.strip()) else value


Duration = Annotated[timedelta, Field(ge=timedelta(0), le=LONGEST), BeforeValidator(_number)]
"""A duration: seconds, or an ISO 8601 duration; from none to `LONGEST`."""

Timeout = Annotated[timedelta, Field(gt=timedelta(0), le=timedelta(days=1)), BeforeValidator(_number)]
"""A limit of time: a duration from more than none to a day."""


def _no_number(value: object) -> object:
    """A number is not read as a moment: by 2026 a person means a year, and not the seconds since 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and _SECONDS.fullmatch(value.strip())):
        kind, message = "datetime_number", "a number is no time"
        raise PydanticCustomError(kind, message)
    return value


def _of_our_time(moment: datetime) -> datetime:
    if not EARLIEST <= moment <= LATEST:
        message = f"{moment.isoformat()} does not lie between the years {EARLIEST.year} and {LATEST.year}"
        raise ValueError(message)
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_of_our_time), BeforeValidator(_no_number)]
"""A moment with its offset, from `EARLIEST` to `LATEST`; never a number of seconds."""


def _known_zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError) as error:  # unknown, no name at all, a folder of zones
        message = f"{name!r} is not an IANA time zone; write one such as Europe/Warsaw"
        raise ValueError(message) from error


Zone = Annotated[str, AfterValidator(_known_zone)]
"""The IANA name of a time zone that this machine knows."""
