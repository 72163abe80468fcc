"""The wake-up of an agent, and the lines that it knows, for programs."""

from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True)
class WakePart:
    """A part of a wake-up: `name` is `identity`, `brain`, `context` or `memory`; `tokens` are those of its text."""

    name: str
    text: str
    tokens: int


@dataclass(frozen=True)
class WakeUp:
    """An agent's first text. `tokens` are those of all parts; `left_out` says in words what found no room.

    `problems` name the files that could not be read; the rest is given.
    """

    agent: str
    parts: tuple[WakePart, ...]
    tokens: int
    left_out: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class KnownLine:
    """A line of what an agent knows, with its source.

    `number` counts from 1. `id` names the line in a change; it is empty for a line that stands in the file by other
    hands, of which nothing else is known. `word` says whose word it rests on; `in_mind` whether the brain holds it,
    and `pinned` whether a person put it first there.
    """

    number: int
    id: str
    section: str
    text: str
    word: str
    in_mind: bool
    quote: str = ""
    session_id: str = ""
    message: int = 0
    asked_by: str = ""
    date: datetime | None = None
    pinned: bool = False


@dataclass(frozen=True)
class AgentReport:
    """An agent with a memory of its own. `lines` stand in its brain; `waiting` are the suggestions about it.

    Sessions that ended before `since`, when it was declared, are archived by a back-fill alone.
    """

    name: str
    autonomy: int
    sources: tuple[str, ...]
    may_read: tuple[str, ...]
    may_write: tuple[str, ...]
    language: str
    sessions: int
    lines: int
    waiting: int
    folder: str
    since: datetime | None = None


@dataclass(frozen=True)
class ChangeAnswer:
    """The answer to a request: `result` is `written`, `suggested`, `refused`, `kept` or `unchanged`.

    `ids` are those of the lines that were written, or of the suggestions that wait.
    """

    result: str
    message: str
    ids: tuple[str, ...] = ()
    run_id: str = ""

    def with_note(self, sentence: str) -> "ChangeAnswer":
        """The answer with a further sentence, which may be empty."""
        return replace(self, message=f"{self.message} {sentence}".rstrip())
