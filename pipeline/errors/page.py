"""The expected errors of the page, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError


class PageOutdated(PipelineError):
    """What a form decides about has changed since it was shown."""

    def __init__(self) -> None:
        """The message is the same for all."""
        super().__init__("This has changed since the page was shown. Nothing was done; look at it as it is now.")


class NotOpen(PipelineError):
    """The service does not show the page."""

    exit_code = 2

    def __init__(self, why: str, advice: str) -> None:
        """`why` is the reason, and `advice` a sentence about what to do."""
        super().__init__(f"The page cannot be opened: {why}. {advice}")
