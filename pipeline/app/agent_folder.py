"""Opening the folder of an agent to read it. Light to import: an agent waits for it whenever it wakes up."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors.agents import AgentNotChosen, AgentsLeftBehind, UnknownAgent
from pipeline.ledger import open_ledger
from pipeline.ledger.moved_agents import follow_agents
from pipeline.reports.agents import AgentFolder
from pipeline.settings.load import load_settings
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import LEDGER_FILE
from schemas.agent_settings import AgentsSettings


@contextmanager
def opened_folder(root: Path, settings: AgentsSettings, agent: str, reader: str = "") -> Iterator[AgentFolder]:
    """The folder of an agent, the only one when none is named; `reader` is the agent that looks."""
    workspace, name = Workspace(root), agent or only_agent(settings)
    ledger = open_ledger(workspace.state_folder / LEDGER_FILE)
    try:
        if left := follow_agents(ledger, workspace, settings.root, settings.by_name):
            raise AgentsLeftBehind(settings.root, left)
        yield AgentFolder(settings, workspace, ledger, name, reader)
    finally:
        ledger.store.close()


def only_agent(settings: AgentsSettings) -> str:
    """The name of the only agent."""
    known = sorted(settings.by_name)
    if len(known) != 1:
        raise AgentNotChosen(known)
    return known[0]


def known_agent(root: Path, environment: Mapping[str, str], agent: str) -> str:
    """The name of an agent that the settings of a workspace declare.

    Raises:
        UnknownAgent: they declare none of this name.
    """
    known = load_settings(root, environment).agents.by_name
    if agent not in known:
        raise UnknownAgent(agent, sorted(known))
    return agent
