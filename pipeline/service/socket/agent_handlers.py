"""The questions about agents' own memory. Light to import: without a service an agent that wakes up waits for it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import Field

from pipeline.app.agent_folder import opened_folder
from pipeline.app.start_page import read_start_page
from pipeline.service.socket.questions import Fields, SocketQuestion, checked
from pipeline.service.socket.turns import Turns
from schemas.agent_settings import AgentsSettings
from schemas.base import Value
from schemas.json_line import plain
from schemas.wake_budget import PAGE_BUDGET, WAKE_BUDGET

_DECIDE = ("agents",)


class KnowLine(Value):
    """A question for what `agent` knows, the only one when it is empty; `reader` is the agent that asks."""

    agent: str = ""
    reader: str = ""


class WakeLine(KnowLine):
    """A question for what an agent gets first, in at most `budget` tokens; `with_memory` is `MEMORY.md` as well.

    Of that a `project` gets its own part; it is a name, or a folder of this machine.
    """

    budget: int = Field(default=WAKE_BUDGET, ge=1)
    with_memory: bool = False
    project: str | None = None


class StartPageLine(Value):
    """A question for `MEMORY.md` at the start of a session in a project, in at most `budget` tokens."""

    project: str = ""
    budget: int = Field(default=PAGE_BUDGET, ge=1)


class AgentRequestHandler:
    """Answers questions about agents' own memory; from several threads, a few at a time.

    Nothing stays open between two questions: another process may have written meanwhile, or made the ledger anew.
    """

    def __init__(
        self,
        root: Path,
        settings: Callable[[], AgentsSettings],
        turns: Turns | None = None,
        project_named: Callable[[str], str] = str,
    ) -> None:
        """`settings` gives those of now; `project_named` the name of a project that is named by a folder."""
        self._root, self._settings, self._turns, self._project_named = root, settings, turns or Turns(), project_named

    @property
    def questions(self) -> dict[str, SocketQuestion]:
        """The questions that it answers."""
        return {
            "wake": SocketQuestion(self.wake, _DECIDE),
            "know": SocketQuestion(self.know, _DECIDE),
            "start_page": SocketQuestion(self.start_page, _DECIDE),
        }

    def wake(self, request: Fields) -> Any:  # noqa: ANN401 - JSON
        """A `WakeUp` as JSON; `request` has the fields of a `WakeLine`."""
        line = checked(WakeLine, request)
        with self._turns.taken(), opened_folder(self._root, self._settings(), line.agent, line.reader) as folder:
            project = line.project and self._project_named(line.project)
            return plain(folder.wake(line.budget, with_memory=line.with_memory, project=project))

    def start_page(self, request: Fields) -> Any:  # noqa: ANN401 - JSON
        """A `WakeUp` of `MEMORY.md` alone as JSON; `request` has the fields of a `StartPageLine`."""
        line = checked(StartPageLine, request)
        with self._turns.taken():
            return plain(read_start_page(self._root, self._project_named(line.project), line.budget))

    def know(self, request: Fields) -> Any:  # noqa: ANN401 - JSON
        """A list of `KnownLine` as JSON; `request` has the fields of a `KnowLine`."""
        line = checked(KnowLine, request)
        with self._turns.taken(), opened_folder(self._root, self._settings(), line.agent, line.reader) as folder:
            return plain(folder.know())
