"""What every value here has in common: it cannot change, and it refuses fields it does not know."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen pydantic value; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
