"""What the first line of a rollout says of its session."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.adapters.sources.reading.records import Record, identifier, mapping, one_line, word

_PROGRAMS = frozenset({"mcp", "internal"})
_HEADLESS, _HEADLESS_PROGRAM = "exec", "codex_exec"
_PERSONAL = frozenset({"", "user", "cli", "vscode", "appServer", "app_server"})


@dataclass(frozen=True)
class RolloutHeader:
    """A session's id, folder and parent; `remote` is the address that the folder's repository comes from.

    `machine` says that a program started it, `forked` that it copied the history of its parent. `written` is when the
    header was, if the lines after it have times of their own.
    """

    session_id: str = ""
    project: str = ""
    remote: str = ""
    parent: str = ""
    machine: bool = False
    forked: bool = False
    written: datetime | None = None


def read_header(payload: Record, written: datetime | None, *, headless: bool = False) -> RolloutHeader:
    """The header in a `session_meta` of that time, or in the first line of an old file.

    With `headless` a person is taken to have asked what `codex exec` ran.
    """
    spawned = _spawned_by(payload)
    fork = identifier(payload.get("forked_from_id"))
    return RolloutHeader(
        session_id=identifier(payload.get("id")) or identifier(payload.get("session_id")),
        project=one_line(payload.get("cwd")),
        remote=one_line(mapping(payload.get("git")).get("repository_url")),
        parent=spawned or fork,
        machine=bool(spawned) or _is_program(payload, headless=headless),
        forked=bool(fork),
        written=written,
    )


def _spawned_by(payload: Record) -> str:
    """The session that started this one as its sub-agent."""
    agent = mapping(mapping(payload.get("source")).get("subagent"))
    spawn = mapping(agent.get("thread_spawn"))
    return identifier(payload.get("parent_thread_id")) or identifier(spawn.get("parent_thread_id"))


def _is_program(payload: Record, *, headless: bool) -> bool:
    source, thread = payload.get("source"), payload.get("thread_source")
    return (
        (isinstance(source, dict) and "custom" not in source)
        or word(source) in _PROGRAMS
        or (not headless and (word(source) == _HEADLESS or word(payload.get("originator")) == _HEADLESS_PROGRAM))
        or isinstance(thread, dict)
        or word(thread) not in _PERSONAL
        or bool(word(payload.get("agent_role")))
    )
