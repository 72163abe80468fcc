"""What the values here have in common: they cannot change, refuse fields they do not know, and tell time alike."""

import re
from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

LONGEST = timedelta(days=36_500)
"""A hundred years; from some 8,000 on, arithmetic with moments ends."""
_SECONDS = re.compile(r"-?\d+(?:\.\d+)?")


class Value(BaseModel):
    """A frozen pydantic value; an unknown field is an error."""

    # What checks a value is made when the first one is: most commands need few of them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def _number(told: object) -> object:
    """A number of seconds is one as well when it comes as text: the environment knows nothing else."""
    return float(told) if isinstance(told, str) and _SECONDS.fullmatch(told.strip()) else told


Duration = Annotated[timedelta, Field(ge=timedelta(0), le=LONGEST), BeforeValidator(_number)]
"""How long something takes: seconds, or an ISO 8601 duration; from none to `LONGEST`."""

Timeout = Annotated[timedelta, Field(gt=timedelta(0), le=timedelta(days=1)), BeforeValidator(_number)]
"""How long something may take: a duration from more than none to a day."""
