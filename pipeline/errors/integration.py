"""Configurations of agents that cannot be changed for them."""

from pipeline.errors import PipelineError


class ConfigRefused(PipelineError):
    """A configuration file of an agent is not changed."""

    exit_code = 2

    def __init__(self, path: str, why: str) -> None:
        """`why` completes a sentence about the file."""
        super().__init__(
            f"{path} {why}. Nothing was changed; without --apply this command prints what to write there by hand."
        )
