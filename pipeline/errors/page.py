"""The expected errors of the page, in the manner of `pipeline.errors`."""

from collections.abc import Sequence

from pipeline.errors import PipelineError


class PageOutdated(PipelineError):
    """What a form decides about has changed since it was shown."""

    def __init__(self) -> None:
        """The message is the same for all."""
        super().__init__("This has changed since the page was shown. Nothing was done; look at it as it is now.")


class NothingChosen(PipelineError):
    """A form decides about several things, and none is ticked."""

    exit_code = 2

    def __init__(self) -> None:
        """The message is the same for all."""
        super().__init__("Nothing was ticked, so nothing was done. Go back, and tick what you mean.")


class NothingWritten(PipelineError):
    """What a person decided changes nothing."""

    def __init__(self, why: Sequence[str]) -> None:
        """`why` are sentences of the job that was to write it."""
        super().__init__(" ".join(["Nothing was written.", *why, "Look at it as it is now."]))


class NotOpen(PipelineError):
    """The service does not show the page."""

    exit_code = 2

    def __init__(self, why: str, advice: str) -> None:
        """`why` is the reason, and `advice` a sentence about what to do."""
        super().__init__(f"The page cannot be opened: {why}. {advice}")
