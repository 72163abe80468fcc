"""The memory of one agent for its own tools: what it knows, and requests to change it.

Nothing is opened before a tool is called, nor stays open between two calls: another process may write meanwhile.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.app.agent_folder import opened_folder
from pipeline.reports.agents import BUDGET
from schemas.memory_change import Operation
from schemas.reports.agents import ChangeAnswer, KnownLine, WakeUp


@dataclass(frozen=True)
class AgentClient:
    """The memory as `agent` may see and change it; `over` names the way by which it asks, such as `mcp`.

    In each method `target` is the agent whose memory is meant; empty, it is its own.
    """

    root: Path
    environment: Mapping[str, str]
    agent: str
    over: str

    def wake(self, target: str = "", budget: int = BUDGET) -> WakeUp:
        """What the agent gets first.

        Raises:
            UnknownAgent: there is no such agent.
            MayNotRead: it may not read that one.
        """
        with opened_folder(self.root, self.environment, target or self.agent, self.agent) as folder:
            return folder.wake(budget)

    def know(self, target: str = "") -> list[KnownLine]:
        """All that the agent knows.

        Raises:
            UnknownAgent: there is no such agent.
            MayNotRead: it may not read that one.
        """
        with opened_folder(self.root, self.environment, target or self.agent, self.agent) as folder:
            return folder.know()

    def change(self, operation: Operation, text: str, line: str = "", target: str = "") -> ChangeAnswer:
        """Ask for a change, and what became of it.

        Raises:
            UnknownAgent: there is no such agent.
            NothingToChange: the text says nothing, or too much.
            Held: somebody else is at work for too long.
        """
        from pipeline.app.agents import agent_meant, change_request, request_change  # noqa: PLC0415 - takes long to import
        from pipeline.app.opening import opened_to_run  # noqa: PLC0415 - the same
        from pipeline.process.context import ProcessContext  # noqa: PLC0415 - the same
        from schemas.run_options import RunOptions  # noqa: PLC0415 - the same

        with opened_to_run(self.root, ProcessContext(self.environment), RunOptions()) as engine:
            asker, name = agent_meant(engine, self.agent), agent_meant(engine, target or self.agent)
            wanted = change_request(engine, operation, text, line=line, asked_by=asker, over=self.over)
            return request_change(engine, name, wanted)
