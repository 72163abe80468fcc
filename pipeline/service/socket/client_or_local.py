"""Questions to the memory of a workspace: its service answers them when there is one, else this process does.

Imports next to nothing until it has to answer itself.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pipeline.clock import stopwatch
from pipeline.service.socket.client import ENVELOPE, PATIENCE_SECONDS, ask, settings_of

if TYPE_CHECKING:
    from pipeline.service.socket.handlers import RequestHandler

LINGER_SECONDS = 1.0
SLOW_SECONDS = 5.0
"""After how long without an answer a service counts as stuck."""
STUCK_SECONDS = 60.0
"""For how long one that is stuck is not asked again."""


class MemoryClient:
    """A client with a fallback: when the service does not answer, it opens the index itself, until the service does.

    May be used from several threads.
    """

    def __init__(
        self,
        root: Path,
        environment: Mapping[str, str],
        *,
        linger: float = LINGER_SECONDS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """Nothing is asked or opened yet.

        Args:
            root: the workspace.
            environment: what makes settings.
            linger: for how many seconds an index of our own stays open between two questions.
            patience: for how many seconds to wait for the service's answer.
        """
        self._root, self._environment = root, environment
        self._linger, self._patience = linger, patience
        self._settings = settings_of(environment)
        self._lock, self._opened = Lock(), ExitStack()
        self._handler: RequestHandler | None = None
        self._stuck_until = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def search(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """An `Answer` as JSON; `request` has the fields of a question.

        Raises:
            NoQuestion: they are not.
            PipelineError: the settings or the index cannot be used.
        """
        answer = self._served("search", request)
        if answer is None:
            with self._lock:
                answer = self._own().search(request)
        return answer

    def get(self, place: str) -> dict[str, Any]:
        """A `Hit` as JSON.

        Raises:
            PipelineError: the settings cannot be used, or there is no such place.
        """
        answer = self._served("get", {"place": place})
        if answer is None:
            with self._lock:
                answer = self._own().get({"place": place})
        return answer

    def _served(self, name: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        began = stopwatch()
        if began < self._stuck_until or ENVELOPE & request.keys():
            return None
        answer: dict[str, Any] | None = ask(self._root, name, {**request, "settings": self._settings}, self._patience)
        if answer is not None:
            self._let_go()
        elif stopwatch() - began >= min(SLOW_SECONDS, self._patience):
            self._stuck_until = stopwatch() + STUCK_SECONDS
        return answer

    def _own(self) -> "RequestHandler":
        if self._handler is None:
            from pipeline.app.index import IndexOptions, open_index  # noqa: PLC0415 - what takes long to import
            from pipeline.process.context import ProcessContext  # noqa: PLC0415 - the same
            from pipeline.service.socket.handlers import RequestHandler  # noqa: PLC0415 - the same

            index = open_index(self._root, ProcessContext(self._environment), IndexOptions(linger=self._linger))
            self._handler = RequestHandler(self._opened.enter_context(index))
        return self._handler

    def _let_go(self) -> None:
        if self._handler:
            with self._lock:
                self._handler = None
                self._opened.close()
