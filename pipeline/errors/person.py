"""The expected errors of what only a person may do, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError
from schemas.exit_codes import NO_PERSON


class NoPersonThere(PipelineError):
    """Only a person decides, and nothing shows that one is there."""

    exit_code = NO_PERSON

    def __init__(self, why: str) -> None:
        """`why` is what speaks against it."""
        super().__init__(f"Only a person decides this, and {why}. Run the command in a terminal of your own.")
