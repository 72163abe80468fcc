"""The expected errors of who moves a person's text out of `MEMORY.md`, in the manner of `pipeline.errors`."""

from collections.abc import Sequence

from pipeline.errors import PipelineError


class ChangedSince(PipelineError):
    """A file is not what it was when a person decided what to move out of it."""

    def __init__(self, path: str) -> None:
        """`path` is relative to the workspace."""
        super().__init__(
            f"{path} has changed since it was looked at; nothing was moved. "
            f"`memory adopt` lists the blocks as they are now."
        )


class NothingToAdopt(PipelineError):
    """There is no text of a person that could be moved."""

    exit_code = 2

    def __init__(self, path: str, why: str) -> None:
        """`why` completes the sentence."""
        super().__init__(f"{path} {why}, so there is nothing to move out of it.")


class UnknownBlock(PipelineError):
    """A number names no block of a person's text."""

    exit_code = 2

    def __init__(self, path: str, numbers: Sequence[int], known: int) -> None:
        """`numbers` are those that name none, `known` the highest that does."""
        listed = ", ".join(map(str, numbers))
        super().__init__(f"{path} has no block {listed}: its blocks are numbered from 1 to {known}. Nothing was moved.")
