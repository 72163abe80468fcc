"""Decisions about suggestions, for programs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DecidedSuggestions:
    """A person's decision: `decision` is `accepted` or `declined`, about the suggestions of these `ids`.

    `entries` were written to `paths`, or taken out, by the runs `run_ids`, which `memory undo` takes back. What was
    accepted and is `left`, for another process is at work, is kept, and the next run writes it.
    """

    decision: str
    ids: tuple[str, ...]
    entries: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    run_ids: tuple[str, ...] = ()
    left: bool = False
