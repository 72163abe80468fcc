"""What every value here has in common: it cannot change, and it refuses fields it does not know."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen pydantic value; an unknown field is an error."""

    # What checks a value is made when the first one is: most commands need few of them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
