"""The graph of what is remembered, as programs get it: things, what leads from one to another, and what is left out."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field

from schemas.base import RequestValue
from schemas.conversation import LONGEST_NAME

_Day = Annotated[date | None, BeforeValidator(lambda value: value or None)]
"""A day; of a field that was left empty none."""
MOST_NODES = 200
"""Nodes of one graph; more of them is no picture any more."""

OWNER_USER = "owner"
"""The user of a request that is the owner, whose things name no user."""


class NodeKind(StrEnum):
    """The kind of a node. A user is an `entity`; a `session` is a transcript or a conversation."""

    ENTRY = "entry"
    FACT = "fact"
    SUMMARY = "summary"
    PREFERENCE = "preference"
    SESSION = "session"
    ENTITY = "entity"
    DETAIL = "detail"


class EdgeSort(StrEnum):
    """The sort of an edge.

    `GAVE`: a session to what was made of it. `PREFERS`: a user to what they want. `SUMS_UP`: a summary to what it is
    made of. `ABOUT`: a fact to an entity that it names. `SUPERSEDES`, `REINFORCES` and `CONTRADICTS`: a later entry or
    fact to an earlier one.
    """

    GAVE = "gave"
    PREFERS = "prefers"
    SUMS_UP = "sums_up"
    ABOUT = "about"
    SUPERSEDES = "supersedes"
    REINFORCES = "reinforces"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True)
class GraphNode:
    """A thing that is remembered. `id` is its kind and its name, such as `fact:f-31ab09cd`.

    `name` is what it is called elsewhere: the id of an entry or a fact, the name of an entity, the key of a detail.
    `day` is when it was said or kept; of a session or an entity that of the last thing it leads to. `session`, `user`
    and `agent` are whose it is, empty where nothing says so. `holds` is whether nothing replaced it. `kept` says that
    a session is a conversation in the store, that facts name an entity, and that a fact is one of ours.
    """

    id: str
    kind: NodeKind
    name: str
    label: str
    day: str | None = None
    session: str = ""
    user: str = ""
    agent: str = ""
    pinned: bool = False
    holds: bool = True
    kept: bool = False


@dataclass(frozen=True)
class GraphEdge:
    """An edge from the node with the id `start` to the node with the id `end`."""

    start: str
    end: str
    sort: EdgeSort


@dataclass(frozen=True)
class MemoryGraph:
    """Nodes, the newest first, or the nearest to `focus` first, and the edges between them.

    `left_out` is how many nodes fit the request and found no room, by kind; `advice` says then how to see them.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    focus: str
    left_out: Mapping[str, int]
    advice: str


class GraphRequest(RequestValue):
    """The choice of a part of the graph; an empty field means any.

    `focus` is the id of a node, or its name, and shows what is near: at most `depth` edges away. `entity` is the same
    for an entity by any of its names. With `session` or `user_id` it is what is theirs, with the names in it. The only
    beginning of a session's id, or of an entity's name, is enough; the `user_id` of the owner is `owner`.
    `since` and `until` are days, both inside.
    """

    focus: str = Field(default="", max_length=1_000)
    entity: str = Field(default="", max_length=1_000)
    depth: int = Field(default=1, ge=1, le=2)
    session: str = Field(default="", max_length=1_000)
    user_id: str = Field(default="", max_length=LONGEST_NAME)
    kind: tuple[NodeKind, ...] = ()
    since: _Day = None
    until: _Day = None
    pinned: bool = False
