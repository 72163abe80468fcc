"""The memory of one agent for its own tools: what it knows, and requests to change it.

The service answers what only reads, when there is one. Nothing stays open between two calls: another process may write
meanwhile. Imports next to nothing until it has to look itself.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pipeline.service.socket.client_or_local import ServiceClient
from schemas.hot_page import PAGE_BUDGET, WAKE_BUDGET

if TYPE_CHECKING:
    from pipeline.app.agent_questions import AgentQuestions
    from pipeline.engine.context import Engine
    from schemas.fleet_act import FleetAct
    from schemas.memory_change import Operation

_OVER = "mcp"  # the way by which an agent asks for changes


@dataclass(frozen=True)
class OpenedMemory:
    """The memory as this process has it open: its `answers`, and an engine by which a change is `running`.

    At a front that engine only reads: it has to `ask` for a change, as acts, which have the numbers that this gives.
    """

    answers: "AgentQuestions"
    running: "Callable[[], AbstractContextManager[Engine]]"
    ask: "Callable[[FleetAct], list[int]] | None" = None


class AgentClient:
    """The memory as one agent may see and change it. May be used from several threads.

    In each method `target` is the agent whose memory is meant; empty, it is its own.
    """

    def __init__(
        self, root: Path, environment: Mapping[str, str], agent: str = "", opened: OpenedMemory | None = None
    ) -> None:
        """Prepare the client; nothing is asked or opened yet.

        Args:
            root: the workspace.
            environment: what makes settings.
            agent: who looks; empty, it is the person whose workspace it is.
            opened: the memory in the process of the service, or of a front.
        """
        self._root, self._environment, self._agent = root, environment, agent
        self._service = opened.answers if opened else ServiceClient(root, environment)
        self._running = opened.running if opened else self._open
        self._ask_act = opened.ask if opened else None
        # A front begins anew with each generation, and the limit of a conversation shall hold there too.
        self._conversation = agent if self._ask_act else uuid4().hex

    def wake(
        self, target: str = "", budget: int = WAKE_BUDGET, *, with_memory: bool = False, project: str | None = None
    ) -> dict[str, Any]:
        """The text that the agent gets first: a `WakeUp` as JSON; of `MEMORY.md` the part for a session in a `project`.

        Raises:
            UnknownAgent: there is no such agent.
            MayNotRead: it may not read that one.
        """
        more = {"budget": budget, "with_memory": with_memory, "project": project}
        answer: dict[str, Any] = self._ask("wake", {**self._asker(target), **more})
        return answer

    def start_page(self, project: str, budget: int = PAGE_BUDGET) -> dict[str, Any]:
        """`MEMORY.md` for a session in a project, given by a name or a folder: a `WakeUp` as JSON."""
        answer: dict[str, Any] = self._ask("start_page", {"project": project, "budget": budget})
        return answer

    def know(self, target: str = "") -> list[dict[str, Any]]:
        """The lines that the agent knows: each `KnownLine` as JSON.

        Raises:
            UnknownAgent: there is no such agent.
            AgentRefused: none is named, and there are several or none; it may not read that one.
        """
        answer: list[dict[str, Any]] = self._ask("know", self._asker(target))
        return answer

    def _asker(self, target: str) -> dict[str, str]:
        return {"agent": target or self._agent, "reader": self._agent}

    def _ask(self, name: str, fields: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """The answer of the service, else of this process."""
        answer = self._service.answer(name, fields)
        if answer is not None:
            return answer
        from pipeline.app.agent_questions import AgentQuestions
        from pipeline.app.start_page import project_of_folder
        from pipeline.settings.load import load_settings

        named = partial(project_of_folder, self._root, self._environment.get("HOME", ""))
        own = AgentQuestions(
            self._root, lambda: load_settings(self._root, self._environment).agents, project_named=named
        )
        return own.answer(name, fields)

    def _open(self) -> "AbstractContextManager[Engine]":
        """An engine of this process, for a change."""
        from pipeline.app.opening import opened_to_run
        from pipeline.process.context import ProcessContext
        from schemas.run_options import RunOptions

        return opened_to_run(self._root, ProcessContext(self._environment), RunOptions(), looking=False)

    def propose(self, entry_id: str, words: str) -> str:
        """Propose other words for an entry of the workspace, for a person to decide; what became of it, in a sentence.

        Raises:
            NameRefused: there is no such entry, or more than one.
            CorrectionRefused: it does not hold; the words cannot stand in it.
        """
        from pipeline.app.agents import agent_meant, propose_correction
        from pipeline.corrections.correct import correction
        from schemas.fleet_act import ProposeAct

        with self._running() as engine:
            asker, meant = agent_meant(engine, self._agent), correction(engine, entry_id, words)
            wanted = ProposeAct(id=meant.entry.id, words=meant.conclusion, asker=asker)
            return self._ask_for(wanted) or propose_correction(engine, wanted).message

    def change(
        self, operation: "Operation", text: str, line: str = "", target: str = "", entry: tuple[str, str] = ("", "")
    ) -> str:
        """Ask for a change, as a tool does; what became of it, in a sentence.

        `entry` are a kind and the owner's words, where the text is proposed as an entry of the workspace besides.

        Raises:
            UnknownAgent: there is no such agent.
            NothingToChange: the text says nothing, or too much.
            Held: somebody else is at work for too long.
        """
        from pipeline.app.agents import agent_meant, change_memory, change_request, memory_act
        from pipeline.app.entry_proposals import half_of
        from schemas.memory_change import ProposedWords

        with self._running() as engine:
            asker, name = agent_meant(engine, self._agent), agent_meant(engine, target or self._agent)
            change = change_request(engine.settings, operation, text, line=line, asked_by=asker, over=_OVER)
            wanted = memory_act(engine, name, change, ProposedWords(*entry, self._conversation), asker)
            if asked := self._ask_for(wanted):
                return f"{asked} {half_of(wanted.entry)}".rstrip()
            return change_memory(engine, wanted).message

    def _ask_for(self, wanted: "FleetAct") -> str:
        """Ask for an act at a front, in a sentence to the agent; empty where the change is made here."""
        if not self._ask_act:
            return ""
        (number,) = self._ask_act(wanted)
        return f"Asked for, as act {number}: a worker does it soon, and memory_know shows what became of it."
