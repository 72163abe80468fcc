"""Asking the person at the controlling terminal. No answer comes from a pipe, an option or an agent."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import click

from pipeline.errors.service import NoPersonThere
from pipeline.surfaces.cli.terminal.console import escape
from pipeline.surfaces.cli.terminal.environment import environment
from pipeline.surfaces.cli.terminal.error_handler import print_message

AGENT_VARIABLES = {
    "antigravity": ("ANTIGRAVITY_AGENT",),
    "claude_code": ("CLAUDECODE",),
    "cline": ("CLINE_ACTIVE",),
    "codex": ("CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"),
    "copilot_cli": ("COPILOT_CLI",),
    "cursor": ("CURSOR_AGENT",),
    "gemini_cli": ("GEMINI_CLI",),
    "goose": ("GOOSE_TERMINAL",),
    "openclaw": ("OPENCLAW_SHELL",),
    "opencode": ("OPENCODE",),
    "qwen": ("QWEN_CODE",),
    "roo": ("ROO_ACTIVE",),
}
"""The variables that agents set for the commands that they run, by the kind of the agent's source."""
AGENTS = sorted({"AGENT", "AI_AGENT", "AUGMENT_AGENT"}.union(*AGENT_VARIABLES.values()))
"""The variables of all agents, with those of agents that are no source."""

_TERMINAL = Path("/dev/tty")


def answer(question: str, at_end: str = "") -> str:
    """The line that a person types on the controlling terminal, without white space around it.

    `at_end` stands for it when the input ends (Ctrl+D, or the terminal is gone): that is no line, and no Enter.
    """
    with _terminal() as terminal:
        terminal.write(escape(question).encode(errors="replace"))
        line = terminal.readline().decode(errors="replace")
        return line.strip() if line else at_end


def tell(text: str) -> None:
    """Write a text onto the controlling terminal, where no pipe and no log has it."""
    with _terminal() as terminal:
        terminal.write(escape(text).encode(errors="replace"))


def require_word(word: str, purpose: str, refusal: str) -> None:
    """Have the person type `word`; anything else is told as a refusal, and ends the command.

    Raises:
        Abort: it was another word.
    """
    if answer(f"Type {word} {purpose}: ") != word:
        print_message(refusal)
        raise click.Abort


def confirm(question: str, deed: str) -> None:
    """Ask at the input whether to go on; `deed` is what the option --yes does.

    Raises:
        UsageError: the input is no terminal.
        Abort: the person does not want it.
    """
    if not sys.stdin.isatty():
        message = (
            f"There is nobody to ask, because the input is not a terminal. To {deed} without being asked, say --yes."
        )
        raise click.UsageError(message)
    click.confirm(question, abort=True, err=True)


def require_person() -> None:
    """Refuse where nobody can be asked, before any work is done."""
    with _terminal():
        pass


def refuse_agents() -> None:
    """Refuse where an agent runs us."""
    variables = environment()
    if agent := next((name for name in AGENTS if variables.get(name)), ""):
        why = f"the variable {agent} says that an agent runs the command"
        raise NoPersonThere(why)


@contextmanager
def _terminal() -> Iterator[FileIO]:
    refuse_agents()
    try:
        with _TERMINAL.open("rb+", buffering=0) as terminal:
            yield terminal
    except OSError as error:
        why = "there is no terminal to ask at"
        raise NoPersonThere(why) from error
