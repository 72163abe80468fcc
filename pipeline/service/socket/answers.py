"""The answers of the service about its workspace: all questions of its surfaces, by the index that it holds open."""

from collections.abc import Callable
from pathlib import Path
from typing import Self

from pipeline.app.agent_questions import AgentQuestions
from pipeline.app.details.outputs import OutputKeeper
from pipeline.app.index import OpenIndex
from pipeline.app.questions import Questions
from pipeline.app.reminders import PromptReminders
from pipeline.app.turns import Turns
from pipeline.service.socket.settings_in_use import SettingsInUse


class ServiceAnswers:
    """The answers about one workspace, while it is entered. May be used from several threads."""

    def __init__(
        self,
        root: Path,
        opened: OpenIndex,
        in_use: SettingsInUse,
        notice: Callable[[], None] = lambda: None,
        update: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        """Prepare the answers; nothing is opened yet.

        Args:
            root: the workspace.
            opened: its index.
            in_use: the settings it was opened with.
            notice: is called when an agent tells of new records.
            update: takes in what was said before a question, as of `Questions`.
        """
        self.in_use, self.notice, self._turns = in_use, notice, Turns()
        self.memory = Questions(opened, self._turns, in_use.now, update)
        self.agents = AgentQuestions(root, lambda: in_use.now().agents, self._turns, opened.project_named)
        self.outputs = OutputKeeper(root, in_use.now, opened.searching.clock, self._turns)
        self.prompts = PromptReminders(root, opened, in_use.now, self._turns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.outputs.close()

    def close(self) -> None:
        """Take no more questions, and refuse those that wait for their turn; those under way are answered."""
        self._turns.close()
