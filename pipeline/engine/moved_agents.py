"""A new folder in `agents.root`: the files of agents are refused where they were, and tombstones renamed."""

from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK, LOCK_SECONDS
from pipeline.errors.agents import AgentsLeftBehind
from pipeline.ledger.moved_agents import follow_agents
from pipeline.workspace.forgotten import read_forgotten, rename
from pipeline.workspace.locks import Waiting


def refuse_left_behind(engine: Engine) -> None:
    """Refuse to run while files of agents lie under another folder than the settings name.

    Raises:
        AgentsLeftBehind: some do.
    """
    if left := left_behind(engine):
        raise AgentsLeftBehind(engine.settings.agents.root, left)


def left_behind(engine: Engine) -> str:
    """A file of an agent under another folder than the settings name; empty without one."""
    agents = engine.settings.agents
    return follow_agents(engine.ledger, engine.workspace, agents.root, agents.by_name)


def move_tombstones(engine: Engine) -> None:
    """Name lines that a person took out of an agent's pages by where the pages are now.

    Raises:
        WorkspaceError: somebody kept writing to `memory/forgotten.md`; somebody else holds its lock.
    """
    listed = {tombstone.entry_id for tombstone in read_forgotten(engine.workspace) if "#" in tombstone.entry_id}
    present = {name: _present_name(engine, name) for name in listed}
    if moved := {name: now for name, now in present.items() if now != name}:
        with engine.locks.hold([LOCK], "agents.root", engine.clock.now(), Waiting(LOCK_SECONDS)):
            rename(engine.workspace, moved)


def _present_name(engine: Engine, name: str) -> str:
    """The name of a line of a page as of now."""
    agents = engine.settings.agents
    inside = (f"/{agent}/memory/" for agent in agents.by_name)
    begin = next((part for part in inside if part in name.partition("#")[0]), "")
    return f"{agents.root}{name[name.index(begin) :]}" if begin else name
