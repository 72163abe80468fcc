"""The result of a check of the search, and of an update of the index, for programs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckedType:
    """The questions of one sort; `p50` and `p95` are in milliseconds."""

    sort: str
    asked: int
    in_first: int
    in_most: int
    p50: float
    p95: float


@dataclass(frozen=True)
class CheckFailure:
    """A question that was not answered, or whose hits cite what is not so. `position` is 0 when nothing was found."""

    type: str
    question: str
    expected: str
    within: int
    position: int
    came: tuple[str, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True)
class SearchChecked:
    """The result of all questions. `problems` say why it does not pass; `p50` and `p95` are in milliseconds."""

    types: tuple[CheckedType, ...]
    p50: float
    p95: float
    failures: tuple[CheckFailure, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class NoAnswer:
    """A line that is no question."""

    error: str
    hits: tuple[()] = ()
