"""The answers of the service about its workspace: the questions of all who ask through its Unix socket."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pipeline.app.index import OpenIndex
from pipeline.service.socket.agent_handlers import AgentRequestHandler
from pipeline.service.socket.detail_handlers import DetailRequestHandler
from pipeline.service.socket.handlers import RequestHandler
from pipeline.service.socket.http_request import NOTICE
from pipeline.service.socket.prompt_handlers import PromptRequestHandler
from pipeline.service.socket.questions import Fields, SocketQuestion
from pipeline.service.socket.settings_in_use import SettingsInUse
from pipeline.service.socket.turns import Turns


class ServiceAnswers:
    """The answers to questions about one workspace, while it is entered. May be used from several threads."""

    def __init__(
        self, root: Path, opened: OpenIndex, in_use: SettingsInUse, notice: Callable[[], object] = lambda: None
    ) -> None:
        """Nothing is opened yet.

        Args:
            root: the workspace.
            opened: its index.
            in_use: the settings it was opened with.
            notice: is called when an agent tells of new records.
        """
        self._in_use, self._turns = in_use, Turns()
        self._details = DetailRequestHandler(root, in_use.now, opened.searching.clock, self._turns)
        handlers = (
            RequestHandler(opened, self._turns, in_use.now),
            PromptRequestHandler(root, opened, in_use.now, self._turns),
            AgentRequestHandler(root, lambda: in_use.now().agents, self._turns, opened.project_named),
            self._details,
        )
        self.questions = {name: question for handler in handlers for name, question in handler.questions.items()}
        self.questions[NOTICE] = SocketQuestion(lambda _: [notice()], ())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._details.close()

    def close(self) -> None:
        """Take no more questions, and refuse those that wait for their turn; those under way are answered."""
        self._turns.close()

    def prepare(self) -> None:
        """Load what takes long to load, and is likely to be needed, on a thread of its own."""
        self._details.load()

    def agrees(self, name: str, settings: Mapping[str, str]) -> bool:
        """Whether a client with these settings, as of `settings_of`, would find the same answer itself."""
        question = self.questions[name]
        return self._in_use.agree(settings, question.decide) and self._in_use.hold(question.fixed)

    def answer(self, name: str, fields: Fields) -> Any:  # noqa: ANN401 - JSON
        """The answer to a question, as JSON.

        Raises:
            NoQuestion: the fields are not those of the question.
        """
        return self.questions[name].answer(fields)
