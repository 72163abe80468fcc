"""A fleet and its workspaces, as programs get them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class FleetMade:
    """The tables of a fleet, of this `version`; they were `changed`, or were so before."""

    version: int
    changed: bool


@dataclass(frozen=True)
class FleetWorkspaceReport:
    """A workspace of a fleet: its newest `generation` (0 before the first), when it was `made`, and what it holds.

    `files` and `size` (bytes) are of the whole state, `pieces` and `written` (compressed bytes) were added for it. It
    is `ready`, or `parked` after so many `deaths` of workers that nobody tries it again by itself. `next_due` is the
    moment from which on somebody works on it, and `failure` the error with which that ended last, if it was one. So
    many questions to a model were `asked_again`, because the worker died that waited for the answer. The tokens are
    those of all its questions since it was added.
    """

    name: str
    id: str
    state: str
    generation: int
    made: datetime | None
    files: int
    size: int
    pieces: int
    written: int
    deaths: int
    next_due: datetime | None
    failure: str
    asked_again: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class FleetTrouble:
    """A workspace that is parked, or whose work ended with an error last."""

    name: str
    state: str
    deaths: int
    failure: str
    next_due: datetime | None


@dataclass(frozen=True)
class FleetSpending:
    """The tokens that a model was asked with for a workspace since it was added, and those that it answered with."""

    name: str
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class FleetFigures:
    """The figures of a fleet: its workspaces by state, those that are `due`, acts that wait, and jobs of the queue.

    `workers` have given a sign of life in the last minute; `size` has the bytes of all newest generations. `troubled`
    are the workspaces that are parked or failing, up to a number, and `spending` those with the most tokens.
    """

    ready: int
    parked: int
    failing: int
    due: int
    due_since: datetime | None
    acts: int
    asked_since: datetime | None
    jobs_waiting: int
    jobs_running: int
    workers: int
    size: int
    input_tokens: int
    output_tokens: int
    troubled: tuple[FleetTrouble, ...]
    spending: tuple[FleetSpending, ...]


@dataclass(frozen=True)
class FleetWorkspacePulled:
    """A generation of a workspace in a `folder`, so many `files`; a push can be merged against it until `until`."""

    name: str
    generation: int
    folder: str
    files: int
    until: datetime


@dataclass(frozen=True)
class FleetWorkspacePushed:
    """The files of a folder that a worker merges into the workspace `name`, as the act of this number."""

    name: str
    act: int


@dataclass(frozen=True)
class FleetActReport:
    """An act: its number in the workspace, and its `state`: waiting, done, refused, or aside.

    One that is aside met an error of the machine again and again, and waits for the operator, while others go on.

    The `answer` is what the command of the same name prints with `--json`; of a refused act it has the `error`. While
    the workspace `is_parked` no act is carried out.
    """

    act: int
    kind: str
    state: str
    answer: dict[str, Any] | None
    asked: datetime
    settled: datetime | None
    is_parked: bool


@dataclass(frozen=True)
class FleetWorkspaceRemoved:
    """A workspace that was taken out of a fleet, with all that was published of it."""

    name: str


@dataclass(frozen=True)
class FleetTokenReport:
    """A token of a `workspace`, of a person, an `agent` or a laptop; without a workspace it is the operator's.

    `kind` is `person`, `agent`, `laptop` or `operator`. Without `expires` it lasts for good.
    """

    name: str
    workspace: str | None
    kind: str
    agent: str
    added: datetime
    expires: datetime | None


@dataclass(frozen=True)
class FleetTokenMade:
    """A new token, which is told this once; without a `workspace` it is the operator's."""

    name: str
    workspace: str
    agent: str
    token: str


@dataclass(frozen=True)
class FleetTokenRevoked:
    """A token that opens nothing any more."""

    name: str
    workspace: str


@dataclass(frozen=True)
class FleetChecked:
    """A check of a fleet: how many `pieces` were read, and the `problems`, each as a sentence."""

    pieces: int
    problems: tuple[str, ...]
