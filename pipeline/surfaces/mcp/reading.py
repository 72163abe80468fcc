"""The memory as the tools read it: the index of one workspace, opened when it is first asked for."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from datetime import date
from threading import Lock

from pipeline.app_index import OpenIndex
from pipeline.index.asking.answering import Answering
from pipeline.index.asking.places import read_place
from pipeline.index.asking.search import Wanted
from schemas.hit import Answer, Hit, Reach

Opening = Callable[[], AbstractContextManager[OpenIndex]]


class Memory:
    """The index that `opening` opens, kept until `stack` is closed."""

    def __init__(self, opening: Opening, stack: ExitStack) -> None:
        self._opening, self._stack = opening, stack
        self._lock = Lock()
        self._opened: tuple[OpenIndex, Answering] | None = None

    def search(self, query: str, k: int, reach: Reach, days: tuple[date | None, date | None, date | None]) -> Answer:
        """The answer to a question; `days` are since, until and as of.

        Raises:
            PipelineError: the settings or the index cannot be used.
        """
        since, until, as_of = days
        with self._lock:  # tools are called in threads, and the engine has one opener at a time anyhow
            answering = self._open()[1]
            return answering(Wanted(text=query, k=k, reach=reach, since=since, until=until, as_of=as_of))

    def get(self, place: str) -> Hit:
        """The lines at a place.

        Raises:
            PipelineError: the settings cannot be used, or there is no such place.
        """
        with self._lock:
            return read_place(self._open()[0].searching, place)

    def _open(self) -> tuple[OpenIndex, Answering]:
        if self._opened is None:
            found = self._stack.enter_context(self._opening())
            self._opened = found, Answering(found.indexing, found.searching)
        return self._opened
