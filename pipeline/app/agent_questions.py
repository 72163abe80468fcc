"""The questions about agents' own memory. Light to import: without a service an agent that wakes up waits for it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pydantic import Field

from pipeline.app.agent_folder import opened_folder
from pipeline.app.requests import check_request
from pipeline.app.start_page import read_start_page
from pipeline.app.turns import Turns
from pipeline.reports.agents import AgentFolder
from schemas.agent_settings import AgentsSettings
from schemas.base import RequestValue
from schemas.hot_page import PAGE_BUDGET, WAKE_BUDGET
from schemas.json_line import to_plain_json
from schemas.reports.agents import KnownLine, WakeUp


class KnowRequest(RequestValue):
    """A question for what `agent` knows, the only one when it is empty; `reader` is the agent that asks."""

    agent: str = ""
    reader: str = ""


class WakeRequest(KnowRequest):
    """A question for what an agent gets first, in at most `budget` tokens; `with_memory` is `MEMORY.md` as well.

    Of that a `project` gets its own part; it is a name, or a folder of this machine.
    """

    budget: int = Field(default=WAKE_BUDGET, ge=1)
    with_memory: bool = False
    project: str | None = None


class StartPageRequest(RequestValue):
    """A question for `MEMORY.md` at the start of a session in a project, in at most `budget` tokens."""

    project: str = ""
    budget: int = Field(default=PAGE_BUDGET, ge=1)


class AgentQuestions:
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

    def wake(self, request: WakeRequest) -> WakeUp:
        """The first text of the agent: its wake-up."""
        with self._turns.hold_place(), self._folder(request) as folder:
            project = request.project and self._project_named(request.project)
            return folder.wake(request.budget, with_memory=request.with_memory, project=project)

    def start_page(self, request: StartPageRequest) -> WakeUp:
        """`MEMORY.md` alone."""
        with self._turns.hold_place():
            return read_start_page(self._root, self._project_named(request.project), request.budget)

    def know(self, request: KnowRequest) -> Sequence[KnownLine]:
        """The lines that the agent knows."""
        with self._turns.hold_place(), self._folder(request) as folder:
            return folder.know()

    def _folder(self, request: KnowRequest) -> AbstractContextManager[AgentFolder]:
        return opened_folder(self._root, self._settings(), request.agent, request.reader)

    def answer(self, name: str, fields: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """The answer to one of the questions, for a surface that has JSON: the fields of its request come in.

        Raises:
            NoQuestion: they are not those of the request.
        """
        if name == "wake":
            return to_plain_json(self.wake(check_request(WakeRequest, fields)))
        if name == "know":
            return to_plain_json(self.know(check_request(KnowRequest, fields)))
        return to_plain_json(self.start_page(check_request(StartPageRequest, fields)))
