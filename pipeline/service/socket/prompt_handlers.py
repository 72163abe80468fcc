"""The question of hooks before a prompt: what an agent gets beside it, and in which form its program wants that."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from pipeline.app.index import OpenIndex
from pipeline.app.reminders import Prompt, ReminderSearch, shown_text
from pipeline.app.said_readers import SaidReader, access_of
from pipeline.service.socket.http_request import PROMPT
from pipeline.service.socket.questions import Fields, SocketQuestion, checked
from pipeline.service.socket.settings_in_use import INDEX_SETTINGS
from pipeline.service.socket.turns import Turns
from pipeline.workspace.shown import ShownReminders
from schemas.base import Value
from schemas.settings import Settings

_EVENTS = {"claude-code": "UserPromptSubmit", "gemini-cli": "BeforeAgent", "openclaw": "before_prompt_build"}
"""The event of each program; Claude Code's and Gemini CLI's are documented at code.claude.com/docs/en/hooks and
geminicli.com/docs/hooks/reference."""


class PromptEvent(Value, extra="ignore"):
    """The fields of an event that count; `session_id` and `prompt` are named so by all programs."""

    hook_event_name: str
    session_id: str = Field(min_length=1)
    prompt: str
    cwd: str = ""


class PromptLine(Value):
    """A prompt that an agent of this `kind` is about to read, and the `agent` whose memory it has, if any."""

    kind: Literal["claude-code", "gemini-cli", "openclaw"]
    event: PromptEvent
    agent: str = ""


class PromptRequestHandler:
    """Finds reminders for prompts; from several threads."""

    def __init__(self, root: Path, opened: OpenIndex, settings: Callable[[], Settings], turns: Turns) -> None:
        """`settings` gives those of now."""
        self._root, self._opened = root, opened
        self._settings, self._turns = settings, turns

    @property
    def questions(self) -> dict[str, SocketQuestion]:
        """The questions that it answers."""
        return {PROMPT: SocketQuestion(self.prompt, INDEX_SETTINGS, INDEX_SETTINGS)}

    def prompt(self, request: Fields) -> Any:  # noqa: ANN401 - JSON
        """What a hook prints, so that its agent gets reminders; empty when it gets none."""
        line = checked(PromptLine, request)
        event = line.event
        if event.hook_event_name != _EVENTS[line.kind] or not self._settings().search.before_prompts:
            return ""
        with self._turns.taken():
            shown = ShownReminders(self._root, event.session_id)
            reminders = ReminderSearch(self._opened.searching, self._opened.said.searching).reminders
            text, inside = shown_text(reminders(self._prompt(line), shown.is_new))
            if inside:
                with suppress(OSError):
                    shown.add([reminder.key for reminder in inside], self._opened.searching.clock.now())
        return (
            {"hookSpecificOutput": {"hookEventName": event.hook_event_name, "additionalContext": text}} if text else ""
        )

    def _prompt(self, line: PromptLine) -> Prompt:
        """The prompt, with what its agent may be shown of what was said: to itself, in this project."""
        project = self._opened.project_named(line.event.cwd) if line.event.cwd else None
        reader = SaidReader(line.agent, line.kind.replace("-", "_"), project)
        may_read = access_of(self._settings(), reader)
        return Prompt(line.event.prompt, line.event.session_id, line.agent, project or "", may_read)
