"""The expected errors of correcting an entry, in the manner of `pipeline.errors`."""

from collections.abc import Sequence

from pipeline.errors import PipelineError
from schemas.entry import Status

LONGEST = 2_000
"""Characters of the words of a correction."""


class WordsRefused(PipelineError):
    """The words of a correction cannot stand in an entry."""

    exit_code = 2


class NoWords(WordsRefused):
    """There are none."""

    def __init__(self, what: str) -> None:
        """`what` has no letter, such as `the title`."""
        super().__init__(f'Nothing was corrected: there is nothing in {what}. Say how it is: "the new words".')


class TooManyWords(WordsRefused):
    """They are more than one thing."""

    def __init__(self, what: str, length: int) -> None:
        """`what` has `length` characters."""
        super().__init__(
            f"Nothing was corrected: there are {length:,} characters in {what}. Say one thing, in at most {LONGEST:,}."
        )


class SecretWords(WordsRefused):
    """They hold a secret."""

    def __init__(self, what: str) -> None:
        """`what` holds it."""
        super().__init__(
            f"Nothing was corrected: there is a secret in {what}, and none is ever kept. Say it without the secret."
        )


class SaidAlready(WordsRefused):
    """The entry has these words."""

    def __init__(self, entry_id: str) -> None:
        """`entry_id` is that of the entry in force."""
        super().__init__(f"Nothing was corrected: {entry_id} says this already.")


class NotInForce(PipelineError):
    """The entry that is to be corrected does not hold."""

    exit_code = 2

    def __init__(self, entry_id: str, status: Status, successors: Sequence[str] = ()) -> None:
        """`successors` are the ids of the entries that hold in its place."""
        by = f" by {', '.join(successors)}; correct that one" if successors else ""
        advice = {
            Status.SUPERSEDED: f"it was replaced{by}",
            Status.ARCHIVED: "it is archived: set its `status:` to active in the file first",
            Status.IN_REVIEW: "it waits for your decision: `memory suggestions edit` accepts it in other words",
        }
        super().__init__(f"{entry_id} cannot be corrected, because {advice.get(status, status.value)}.")


class NotOurs(PipelineError):
    """Nobody knows that the words of the entry are the owner's, so there is nothing to correct."""

    exit_code = 2

    def __init__(self, entry_id: str, path: str) -> None:
        """`path` is its file."""
        super().__init__(
            f"{entry_id} in {path} is unverified: it counts for nothing, so there is nothing to correct. "
            "Change it or take it out in the file."
        )


class AlreadyForgotten(PipelineError):
    """The entry that is to be corrected was deleted or forgotten."""

    exit_code = 2

    def __init__(self, entry_id: str) -> None:
        """`entry_id` stands in `memory/forgotten.md`."""
        super().__init__(
            f"{entry_id} was forgotten, so there is nothing to correct. Say it again in a session, or take its line "
            "out of memory/forgotten.md to allow it again."
        )


class NotWritten(PipelineError):
    """The correction waits, or the entry has changed meanwhile."""

    def __init__(self, entry_id: str) -> None:
        """`entry_id` is that of the corrected entry."""
        super().__init__(
            f"{entry_id} changed while it was being corrected, so nothing was written. Look at it with "
            f"`memory explain {entry_id}`, and try again."
        )
