"""Connecting an agent with a workspace, and taking the connection away, as a plan that a person may look at first."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from pipeline.integration.changes import ConfigurationChange, applied, remove_folders, removed, write
from pipeline.integration.known_agents import AGENTS, Connection, KnownAgent
from pipeline.integration.record import IntegrationRecord, RecordFolder


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
