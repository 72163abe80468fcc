"""The question of hooks and of `memory exec`: to keep an output, and what the agent gets in its place."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from pydantic import Field

from pipeline.app.details.keep import KeepRequest, keep
from pipeline.app.details.opening import store_of
from pipeline.app.redaction import open_redactor
from pipeline.details.keys import PATTERN
from pipeline.ports.engine import Clock
from pipeline.service.socket.questions import Fields, SocketQuestion, checked
from pipeline.service.socket.turns import Turns
from pipeline.store.opening import WorkspaceStore
from schemas.base import Value
from schemas.detail import Placement
from schemas.settings import Settings

MOST = 262_144
"""Characters of a text that is kept for a hook, which cannot wait for more."""
_DECIDE = ("store",)
_KEY = re.compile(PATTERN)
_HEAD = 1_000  # characters in which a text of ours has its key


class KeepLine(Value):
    """A text to keep for `agent`, in its session `thread`.

    `command` made it, and ended with `exit_code`; or `description` says what it is.
    """

    content: str = Field(max_length=MOST)
    command: str = ""
    description: str = ""
    exit_code: int | None = None
    agent: str = ""
    thread: str = ""


class DetailRequestHandler:
    """Keeps details for hooks; from several threads. The store is opened at the first one, and stays open."""

    def __init__(self, root: Path, settings: Callable[[], Settings], clock: Clock, turns: Turns | None = None) -> None:
        """`settings` gives those of now."""
        self._root, self._settings, self._clock = root, settings, clock
        self._turns, self._lock = turns or Turns(), Lock()
        self._store: WorkspaceStore | None = None

    @property
    def questions(self) -> dict[str, SocketQuestion]:
        """The questions that it answers."""
        return {"keep": SocketQuestion(self.keep, _DECIDE)}

    def keep(self, request: Fields) -> str:
        """The placeholder of a text; empty for one that is small, or is a placeholder or a page of ours already.

        Raises:
            NoQuestion: the fields of `request` are not those of a `KeepLine`.
            NoTurn: too many others are asked, or no more are taken.
            PipelineError: the store cannot be used; nothing was kept.
        """
        line, settings = checked(KeepLine, request), self._settings()
        with self._turns.taken():
            store = self._opened(settings)
            if _is_ours(store, line.content):
                return ""
            placement = Placement(agent_id=line.agent, thread_id=line.thread)
            wanted = KeepRequest(
                line.content,
                line.description,
                command=line.command,
                exit_code=line.exit_code,
                placement=placement,
            )
            return keep(store, wanted, open_redactor(settings), self._clock).placeholder

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            if self._store:
                self._store.close()

    def _opened(self, settings: Settings) -> WorkspaceStore:
        with self._lock:
            if not self._store or self._store.settings != settings.store:
                if self._store:
                    self._store.close()
                self._store = store_of(self._root, settings)
            return self._store


def _is_ours(store: WorkspaceStore, text: str) -> bool:
    """Whether a text begins with the key of a detail that there is: anybody can write one that there is not."""
    key = _KEY.search(text, 0, _HEAD)
    return bool(key and store.exists and store.details.find(key[0]))
