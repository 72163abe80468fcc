"""Requests about agents' own memory that cannot be met."""

from collections.abc import Sequence

from pipeline.errors import PipelineError, UnknownName


class UnknownAgent(UnknownName):
    """No agent of this name has a memory of its own."""

    sort = "agent with a memory of its own"
    listed = "`memory agents add NAME` gives one a memory"


class UnknownLine(UnknownName):
    """No line of an agent's memory has this id."""

    sort = "line in the memory of an agent"
    listed = "`memory know AGENT` lists the lines with their ids"


class MayNotRead(PipelineError):
    """An agent may not read what another one knows."""

    exit_code = 2

    def __init__(self, reader: str, agent: str) -> None:
        """`reader` asked for the memory of `agent`."""
        super().__init__(
            f"{reader} may not read what {agent} knows. To allow it, name {agent} in `may_read` of [agents.{reader}]."
        )


class AgentNotChosen(PipelineError):
    """No agent was named, and there are several or none."""

    exit_code = 2

    def __init__(self, known: Sequence[str]) -> None:
        """`known` are the agents."""
        names = ", ".join(known)
        choose = (
            f"name one as `agent`, or in a command with --agent: {names}"
            if known
            else "`memory agents add NAME` makes one"
        )
        super().__init__(f"It is not clear whose memory is meant; {choose}.")


class AgentKnown(PipelineError):
    """An agent that is to be added is there."""

    exit_code = 2

    def __init__(self, name: str) -> None:
        """`name` is in the settings."""
        super().__init__(f"{name} has a memory already; change [agents.{name}] in memory.toml.")


class AgentsLeftBehind(PipelineError):
    """The folder of the agents is another one now, and their files are not in it."""

    exit_code = 2

    def __init__(self, root: str, left: str) -> None:
        """`root` is the folder by the settings, `left` a file that is elsewhere."""
        super().__init__(
            f"agents.root is {root!r}, but files of agents are elsewhere, such as {left}. Move the folder of each "
            f"agent into {root}/ with all that is in it, or set agents.root back; until then no job runs."
        )


class NothingToChange(PipelineError):
    """A request for a change of memory says nothing that can be written."""

    exit_code = 2

    def __init__(self, why: str) -> None:
        """`why` is a whole sentence, with what to do next."""
        super().__init__(why)


class LineOfAnAgent(PipelineError):
    """The id is that of a line of an agent's memory, and of no entry."""

    exit_code = 2

    def __init__(self, line: str) -> None:
        """A line of a journal, by its id."""
        super().__init__(
            f"{line} is a line of an agent's memory, and no entry. `memory know AGENT` shows whose word it rests on. "
            f"To take it back, ask the agent to forget it; `memory forget {line}` takes its words off the disk."
        )
