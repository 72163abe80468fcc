"""Questions to the memory of a workspace: its service answers them when there is one, else this process does.

Imports next to nothing until it has to answer itself.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from pipeline.clock import stopwatch
from pipeline.service.socket.client import PATIENCE_SECONDS, ask, settings_of

if TYPE_CHECKING:
    from pipeline.app.questions import JsonQuestions

LINGER_SECONDS = 1.0
SLOW_SECONDS = 5.0
"""After how long without an answer a service counts as stuck."""
STUCK_SECONDS = 60.0
"""For how long one that is stuck is not asked again."""


class ServiceClient:
    """The service of a workspace, as one process asks it again and again. May be used from several threads."""

    def __init__(self, root: Path, environment: Mapping[str, str], patience: float = PATIENCE_SECONDS) -> None:
        """Prepare the client; nothing is asked yet.

        Args:
            root: the workspace.
            environment: what makes settings.
            patience: for how many seconds to wait for an answer.
        """
        self._root, self._settings, self._patience = root, settings_of(environment), patience
        self._stuck_until = 0.0

    def answer(self, name: str, request: Mapping[str, Any]) -> Any | None:  # noqa: ANN401 - JSON
        """The service's answer to a question; `None` when the caller has to look itself.

        Raises:
            NoQuestion: the fields in `request` are not those of the question.
            Refused: it answers with an error.
        """
        began = stopwatch()
        if began < self._stuck_until:
            return None
        answer = ask(self._root, name, request, self._settings, self._patience)
        if answer is None and stopwatch() - began >= min(SLOW_SECONDS, self._patience):
            self._stuck_until = stopwatch() + STUCK_SECONDS
        return answer


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
        """Prepare the client; nothing is asked or opened yet.

        Args:
            root: the workspace.
            environment: what makes settings.
            linger: for how many seconds an index of our own stays open between two questions.
            patience: for how many seconds to wait for the service's answer.
        """
        self._root, self._environment, self._linger = root, environment, linger
        self._service = ServiceClient(root, environment, patience)
        self._lock, self._opened = Lock(), ExitStack()
        self._handler: JsonQuestions | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_index()

    def search(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """An `Answer` as JSON; `request` has the fields of a `SearchRequest`.

        Raises:
            NoQuestion: they are not.
        """
        return self._answer("search", request, lambda own: own.search(request))

    def recall(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A `Recalled` as JSON; `request` has the fields of a `RecallRequest`.

        Raises:
            NoQuestion: they are not.
        """
        return self._answer("recall", request, lambda own: own.recall(request))

    def get(self, place: str, asker: Mapping[str, str] | None = None) -> dict[str, Any]:
        """A `Hit` as JSON, or a `SaidPage`; `asker` has the fields that say who asks, and none for a person."""
        return self._answer("get", {"place": place, **(asker or {})}, lambda own: own.get(place, asker))

    def _answer(
        self, name: str, request: Mapping[str, Any], answer: Callable[["JsonQuestions"], dict[str, Any]]
    ) -> dict[str, Any]:
        answered: dict[str, Any] | None = self._service.answer(name, request)
        if answered is not None:
            self._close_index()
            return answered
        with self._lock:
            return answer(self._local_questions())

    def _local_questions(self) -> "JsonQuestions":
        if self._handler is None:
            from pipeline.app.index import IndexOptions, open_index
            from pipeline.app.questions import JsonQuestions, Questions
            from pipeline.app.said_index import QuestionUpdate
            from pipeline.process.context import ProcessContext

            index = open_index(self._root, ProcessContext(self._environment), IndexOptions(linger=self._linger))
            opened = self._opened.enter_context(index)
            self._handler = JsonQuestions(Questions(opened, update=QuestionUpdate(opened)))
        return self._handler

    def _close_index(self) -> None:
        if self._handler:
            with self._lock:
                self._handler = None
                self._opened.close()
