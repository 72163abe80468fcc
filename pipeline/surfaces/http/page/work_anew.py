"""The form that begins work anew, of the words of its command: it was stopped before it did anything."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

_DAYS = {"--from": "first", "--to": "last"}


@dataclass(frozen=True)
class WorkAnew:
    """Where the form goes, and its fields."""

    path: str
    fields: tuple[tuple[str, str], ...]


def work_anew(words: Sequence[str], stopped: Collection[str]) -> WorkAnew | None:
    """The form for the words of a command, of which `memory` is the first; `None` for one that no form begins.

    `stopped` are the ids of the back-fills that can go on.
    """
    command, rest = tuple(words[1:2]), [word for word in words[2:] if word != "--all"]
    named = tuple(("job", word) for word in takewhile(lambda word: not word.startswith("--"), rest))
    if command == ("run",):
        return WorkAnew("/work/run", named)
    if command != ("backfill",):
        return None
    given = dict(pairwise(rest))
    if "--resume" in given:
        backfill = given["--resume"]
        return WorkAnew("/work/resume", (("backfill", backfill),)) if backfill in stopped else None
    days = tuple((field, given[name]) for name, field in _DAYS.items() if name in given)
    return WorkAnew("/work/estimate", (*named, *days)) if len(days) == len(_DAYS) else None
