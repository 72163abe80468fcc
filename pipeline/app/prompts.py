"""The reminders that an agent gets beside a prompt, in the form that its program wants."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from pipeline.app.index import OpenIndex
from pipeline.app.reminders import Prompt, ReminderSearch, shown_text
from pipeline.app.said_readers import SaidReader, access_of
from pipeline.app.turns import Turns
from pipeline.workspace.shown import ShownReminders
from schemas.base import RequestValue
from schemas.settings import Settings

_EVENTS = {"claude-code": "UserPromptSubmit", "gemini-cli": "BeforeAgent", "openclaw": "before_prompt_build"}
"""The event of each program; Claude Code's and Gemini CLI's are documented at code.claude.com/docs/en/hooks and
geminicli.com/docs/hooks/reference."""


class PromptEvent(RequestValue, extra="ignore"):
    """The fields of an event that count; `session_id` and `prompt` are named so by all programs."""

    hook_event_name: str
    session_id: str = Field(min_length=1)
    prompt: str
    cwd: str = ""


class PromptRequest(RequestValue):
    """A prompt that an agent of this `kind` is about to read, and the `agent` whose memory it has, if any."""

    kind: Literal["claude-code", "gemini-cli", "openclaw"]
    event: PromptEvent
    agent: str = ""


class PromptReminders:
    """Finds reminders for prompts; from several threads."""

    def __init__(self, root: Path, opened: OpenIndex, settings: Callable[[], Settings], turns: Turns) -> None:
        """`settings` gives those of now."""
        self._root, self._opened = root, opened
        self._settings, self._turns = settings, turns

    def remind(self, request: PromptRequest) -> dict[str, Any] | None:
        """The text that a hook prints, so that its agent gets reminders; `None` without a reminder."""
        event = request.event
        if event.hook_event_name != _EVENTS[request.kind] or not self._settings().search.before_prompts:
            return None
        with self._turns.hold_place():
            shown = ShownReminders(self._root, event.session_id)
            reminders = ReminderSearch(self._opened.searching, self._opened.said.searching).reminders
            text, inside = shown_text(reminders(self._prompt(request), shown.is_new))
            if inside:
                with suppress(OSError):
                    shown.add([reminder.key for reminder in inside], self._opened.searching.clock.now())
        if not text:
            return None
        return {"hookSpecificOutput": {"hookEventName": event.hook_event_name, "additionalContext": text}}

    def _prompt(self, request: PromptRequest) -> Prompt:
        """The prompt, with what its agent may be shown of what was said: to itself, in this project."""
        project = self._opened.project_named(request.event.cwd) if request.event.cwd else None
        reader = SaidReader(request.agent, request.kind.replace("-", "_"), project)
        may_read = access_of(self._settings(), reader)
        return Prompt(request.event.prompt, request.event.session_id, request.agent, project or "", may_read)
