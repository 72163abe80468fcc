"""The expected errors of connecting an agent, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError


class HomeMissing(PipelineError):
    """There is no home folder, and so no configuration of an agent."""

    exit_code = 2

    def __init__(self, home: str) -> None:
        """`home` is the value of the variable."""
        what = f"names no folder ({home})" if home else "is not set"
        super().__init__(f"HOME {what}, so nobody can tell where the agent's configuration is. Set it and try again.")


class ConfigurationRefused(PipelineError):
    """A file of an agent cannot be changed without a risk for what stands in it."""

    exit_code = 2

    def __init__(self, path: str, why: str, lines: str) -> None:
        """`why` completes the sentence; `lines` are what a person may put in by hand."""
        super().__init__(f"{path} {why}. Nothing was changed. What it is to hold:\n\n{lines}")
