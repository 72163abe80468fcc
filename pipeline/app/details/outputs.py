"""The outputs that hooks and `memory exec` have the service keep, and what their agents get in place of them."""

import gc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag
from threading import Lock, Thread
from typing import Any, Literal

from pydantic import Field

from pipeline.app.details.claude_code_event import kept_fields, output
from pipeline.app.details.keep import KeepRequest, is_of_store, keep
from pipeline.app.redaction import open_redactor
from pipeline.app.requests import check_request
from pipeline.app.turns import Turns
from pipeline.errors import PipelineError
from pipeline.language.tokens import count_tokens
from pipeline.ports.engine import Clock
from pipeline.store.opening import WorkspaceStore
from schemas.base import RequestValue
from schemas.detail import ExitCode, Placement
from schemas.settings import Settings

MOST = 262_144
"""Characters of a text that is kept for a hook, which cannot wait for more."""
_RANDOM = "A1b2C3d4" * 4  # for which all patterns of secrets are loaded


class OutputRequest(RequestValue):
    """A text to keep for `agent`, in its session `thread`.

    `command` made it, and ended with `exit_code`; or `description` says what it is.
    """

    content: str = Field(max_length=MOST)
    command: str = ""
    description: str = ""
    exit_code: ExitCode | None = None
    agent: str = ""
    thread: str = ""


class ToolRequest(RequestValue):
    """The event that an agent of this `kind` gives to a hook after a tool, and the `agent` whose memory it is."""

    kind: Literal["claude-code"]
    event: dict[str, Any]
    agent: str = ""


class OutputKeeper:
    """Keeps details for hooks; from several threads. The store is opened at the first one, and stays open."""

    def __init__(self, root: Path, settings: Callable[[], Settings], clock: Clock, turns: Turns) -> None:
        """`settings` gives those of now."""
        self._root, self._settings, self._clock = root, settings, clock
        self._turns, self._lock = turns, Lock()
        self._store: WorkspaceStore | None = None
        self._loading, self._stopping = Thread(target=self._load, name="details", daemon=True), Flag()

    def replace(self, request: ToolRequest) -> dict[str, Any] | None:
        """The text that a hook prints, so that its agent gets a placeholder; `None` when the output stays as it is."""
        fields = kept_fields(request.event)
        placeholder = self.keep(check_request(OutputRequest, {**fields, "agent": request.agent})) if fields else ""
        return output(request.event, placeholder) if placeholder else None

    def keep(self, request: OutputRequest) -> str:
        """The placeholder of a text; empty for one that is small, or is a placeholder or a page of ours already."""
        settings = self._settings()
        with self._turns.hold_place():
            store = self._store_for(settings)
            if is_of_store(store, request.content):
                return ""
            placement = Placement(agent_id=request.agent, thread_id=request.thread)
            wanted = KeepRequest(
                request.content,
                request.description,
                command=request.command,
                exit_code=request.exit_code,
                placement=placement,
            )
            return keep(store, wanted, open_redactor(settings), self._clock).placeholder

    def load(self) -> None:
        """Begin to load what stores, where details are in use: it takes a second, and much memory."""
        with suppress(RuntimeError):  # there is no room for one more thread
            self._loading.start()

    def close(self) -> None:
        """Let go of the store."""
        self._stopping.set()
        if self._loading.is_alive():
            self._loading.join()
        with self._lock:
            if self._store:
                self._store.close()

    def _load(self) -> None:
        with suppress(PipelineError):  # the first question will say it
            settings = self._settings()
            store = self._store_for(settings)
            is_used = store.exists
            if not is_used:
                from pipeline.integration.records import has_hook  # noqa: PLC0415 - a service with a store needs it not

                is_used = has_hook(self._root)
            if is_used:
                redactor = open_redactor(settings)
                for load in (
                    lambda: redactor.redact(_RANDOM),
                    lambda: count_tokens(_RANDOM),
                    lambda: store.exists and store.details.find(""),
                ):
                    if not self._stopping.is_set():
                        load()
                gc.freeze()  # what was loaded stays, and no collection has to look through it

    def _store_for(self, settings: Settings) -> WorkspaceStore:
        with self._lock:
            if not self._store or self._store.settings != settings.store:
                if self._store:
                    self._store.close()
                self._store = WorkspaceStore(self._root, settings.store)
            return self._store
