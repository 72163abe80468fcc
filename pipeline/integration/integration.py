"""Connecting an agent with a workspace, and taking the connection away, as a plan that a person may look at first."""

import difflib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pipeline.integration.changes import (
    ConfigurationChange,
    IntegrationRecord,
    RecordFolder,
    applied,
    remove_folders,
    removed,
    write,
)
from pipeline.integration.known_agents import AGENTS, Connection, KnownAgent

SECONDS = 10.0
"""How long the hook may take."""
_LINES = 400


class ProbeResult(StrEnum):
    """What became of a large output."""

    REPLACED = "replaced"
    LEFT = "left"
    """Nothing was printed, so the agent keeps the original: as when no service runs."""
    BROKEN = "broken"
    """The hook cannot be run, or what it prints is not of the tool's shape, so the agent ignores it."""


def probe_claude_code(hook: Sequence[str], seconds: float = SECONDS) -> ProbeResult:
    """Whether Claude Code would get a placeholder for a large output of its `Bash`, in the shape that it documents."""
    text = "".join(f"line {number} of a probe by memory integrate\n" for number in range(_LINES))
    answer = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
    event = {
        "session_id": "memory-integrate-probe",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "probe"},
        "tool_response": answer,
    }
    try:
        asked = json.dumps(event).encode()
        done = subprocess.run([*hook], input=asked, capture_output=True, timeout=seconds, check=True)  # noqa: S603 - ours
        return _judged(answer, json.loads(done.stdout)) if done.stdout else ProbeResult.LEFT
    except (OSError, subprocess.SubprocessError, ValueError):
        return ProbeResult.BROKEN


def _judged(answer: dict[str, Any], printed: object) -> ProbeResult:
    given = printed.get("hookSpecificOutput") if isinstance(printed, dict) else None
    new = given.get("updatedToolOutput") if isinstance(given, dict) else None
    fits = (
        isinstance(given, dict)
        and given.get("hookEventName") == "PostToolUse"
        and isinstance(new, dict)
        and {name: type(value) for name, value in new.items()} == {name: type(value) for name, value in answer.items()}
        and "[MemoryRef: " in new["stdout"]
        and len(new["stdout"]) < len(answer["stdout"])
    )
    return ProbeResult.REPLACED if fits else ProbeResult.BROKEN


@dataclass(frozen=True)
class IntegrationPlan:
    """The changes for one agent, and the record after them."""

    changes: tuple[ConfigurationChange, ...]
    record: IntegrationRecord
    folders: tuple[str, ...] = ()

    @property
    def pending(self) -> list[ConfigurationChange]:
        """The changes that change something."""
        return [change for change in self.changes if change.before != change.after]

    @property
    def kept(self) -> list[str]:
        """Sentences about what stays."""
        return [sentence for change in self.changes for sentence in change.kept]


def has_hook(root: Path) -> bool:
    """Whether an agent is connected of which our hook replaces the large outputs.

    Raises:
        WorkspaceError: the record cannot be read.
    """
    connected = RecordFolder(root).read().agents
    return any(agent.hook and name in connected for name, agent in AGENTS.items())


def left_out_of(root: Path, name: str) -> frozenset[str]:
    """The parts that the owner does not want in an agent, as he said at the last time.

    Raises:
        WorkspaceError: the record cannot be read.
    """
    return RecordFolder(root).read().left_out.get(name, frozenset())


def plan_apply(root: Path, name: str, agent: KnownAgent, connection: Connection) -> IntegrationPlan:
    """What would connect an agent. The copies are kept by now; nothing else is written.

    Raises:
        ConfigurationRefused: a file cannot be changed without a risk for what stands in it.
        WorkspaceError: a path holds what the agent would replace, or the record cannot be understood; the system
            refuses.
    """
    copies = RecordFolder(root)
    record = copies.read()
    known = record.agents.get(name, {})
    wanted = agent.wanted(connection)
    changes = [applied(edit, known.get(str(edit.file)), copies) for edit in wanted]
    needless = {path: file for path, file in known.items() if path not in {str(edit.file) for edit in wanted}}
    changes += [removed(Path(path), file, copies) for path, file in needless.items()]
    files = {str(change.file): change.record for change in changes if change.record}
    after = IntegrationRecord(
        agents=record.agents | {name: files},
        programs=record.programs | {name: connection.program},
        left_out=record.left_out | {name: connection.left_out},
    )
    return IntegrationPlan(tuple(changes), after, tuple(f for file in needless.values() for f in file.folders))


def plan_removal(root: Path, name: str) -> IntegrationPlan:
    """What would take the connection away; nothing to do where none was made.

    Raises:
        ConfigurationRefused: a file cannot be changed without a risk for what stands in it.
        WorkspaceError: the record cannot be understood; the system refuses.
    """
    copies = RecordFolder(root)
    record = copies.read()
    known = record.agents.get(name, {})
    changes = [removed(Path(path), file, copies) for path, file in known.items()]
    after = IntegrationRecord(
        agents={key: files for key, files in record.agents.items() if key != name},
        programs={key: program for key, program in record.programs.items() if key != name},
        left_out=record.left_out,
    )
    return IntegrationPlan(tuple(changes), after, tuple(f for file in known.values() for f in file.folders))


def carry_out(root: Path, plan: IntegrationPlan, *, removing: bool = False) -> None:
    """Make the changes of a plan. The record is written before what is put in, and after what is taken out.

    Raises:
        WorkspaceError: a file has another content by now; the system refuses.
    """
    copies = RecordFolder(root)
    if not removing:
        copies.write(plan.record)
    write(plan.pending)
    remove_folders(plan.folders)
    if removing:
        copies.write(plan.record)
    copies.prune(plan.record)


def difference(change: ConfigurationChange) -> str:
    """What a change changes, as a unified diff."""
    before, after = (_lines(data) for data in (change.before, change.after))
    old, new = (str(change.file) if data is not None else "/dev/null" for data in (change.before, change.after))
    return "\n".join(difflib.unified_diff(before, after, old, new, lineterm=""))


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode(errors="replace").splitlines()
