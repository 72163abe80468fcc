"""Requests about agents' own memory that cannot be met."""

from collections.abc import Sequence

from pipeline.errors import PipelineError, UnknownName
from schemas import exit_codes


class UnknownAgent(UnknownName):
    """No agent of this name has a memory of its own."""

    sort = "agent with a memory of its own"
    advice = "`memory agents add NAME` gives one a memory."


class UnknownLine(UnknownName):
    """No line of an agent's memory has this id."""

    sort = "line in the memory of an agent"
    advice = "`memory agents know AGENT` lists the lines with their ids."


class AgentRefused(PipelineError):
    """A request about the memory of an agent cannot be met."""

    exit_code = exit_codes.UNUSABLE


class MayNotRead(AgentRefused):
    """An agent may not read the memory of another agent."""

    sentence = "{reader} may not read what {agent} knows."
    advice = "To allow it, name {agent} in `may_read` of [agents.{reader}]."
    reader: str
    agent: str


class AgentNotChosen(AgentRefused):
    """No agent was named, and there are several or none."""

    known: Sequence[str]

    def __str__(self) -> str:
        choose = "`memory agents add NAME` makes one"
        if self.known:
            choose = f"name one as `agent`, or in a command with --agent: {', '.join(self.known)}"
        return f"It is not clear whose memory is meant; {choose}."


class AgentKnown(AgentRefused):
    """An agent that is to be added is there."""

    sentence = "{name} has a memory already; change [agents.{name}] in memory.toml."
    name: str


class AgentsLeftBehind(AgentRefused):
    """The folder of the agents was changed, and their files are not in the new folder."""

    sentence = "agents.root is {root!r}, but files of agents are elsewhere, such as {left}."
    advice = (
        "Move the folder of each agent into {root}/ with all that is in it, or set agents.root back; "
        "until then no job runs."
    )
    root: str
    left: str


class NothingToChange(AgentRefused):
    """A request for a change of memory says nothing that can be written."""

    sentence = "{why}"
    why: str
    """A whole sentence, with the next step."""


class LineOfAnAgent(AgentRefused):
    """The id is that of a line of an agent's memory, and of no entry."""

    sentence = "{line} is a line of an agent's memory, and no entry."
    advice = (
        "`memory agents know AGENT` shows whose word it rests on. To take it back, ask the agent to forget it; "
        "`memory forget {line}` takes its words off the disk."
    )
    line: str
