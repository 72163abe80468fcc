"""The tools of an agent with a memory of its own: what it knows, and requests to change it."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from pipeline.errors import PipelineError
from schemas.memory_change import Operation

if TYPE_CHECKING:
    from pipeline.service.socket.agent_client import AgentClient

INSTRUCTIONS = (
    " You have a memory of your own: call memory_wake when a session begins. What you ask to be remembered is not "
    "confirmed until the owner says it in a session; only the owner decides what waits. "
    "What the owner says to the memory is done at once: `remember that ...` (zapamiętaj, 记住) with memory_remember, "
    "`forget that ...` (zapomnij, 忘掉) with memory_forget, `what do you know about me` (co o mnie wiesz, 你了解我吗) "
    "with memory_know, `new conversation` with memory_wake. Say what the tool answered, also that nothing was "
    "found."
)
_ENTRY = re.compile(r"(?:DECISION|RULE|ARCHITECTURE|REMEMBER)-")
_Target = Annotated[str, Field(description="Another agent than you.")]
_Project = Annotated[str, Field(description="Another project.")]
_Line = Annotated[str, Field(description="The id of the line, such as j-4f1c02aa; memory_know shows it.")]
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


def add_start_page(server: MCPServer, memory: Callable[[], "AgentClient"], folder: str) -> None:
    """Give a server the tool that shows `MEMORY.md`, for an agent without a memory of its own.

    `folder` is where the agent works, empty where that is not known.
    """

    @server.tool(title="Wake up", annotations=_READS, structured_output=False)
    def memory_wake(project: _Project = "") -> str:
        """What holds everywhere, and what is about the project."""
        with errors_as_text():
            return _format_waking(memory().start_page(project or folder))


def add_agent_tools(server: MCPServer, memory: Callable[[], "AgentClient"], folder: str) -> None:
    """Give a server the five tools; `memory` is called at each call of one. `folder` as of `add_start_page`."""

    @server.tool(title="Wake up", annotations=_READS, structured_output=False)
    def memory_wake(
        target: _Target = "",
        budget: Annotated[int, Field(description="The most tokens.", ge=1, le=100_000)] = 800,
        project: _Project = "",
    ) -> str:
        """Who you are, what you know, your last session, and MEMORY.md."""
        with errors_as_text():
            return _format_waking(memory().wake(target, budget, with_memory=not target, project=project or folder))

    @server.tool(title="Show what is known", annotations=_READS, structured_output=False)
    def memory_know(target: _Target = "") -> str:
        """All that you know, each line with its id and whose word it rests on."""
        with errors_as_text():
            known = memory().know(target)
        return "\n".join(map(_format_line, known)) or "Nothing is known yet."

    @server.tool(title="Remember", annotations=_ADDS, structured_output=False)
    def memory_remember(
        text: Annotated[str, Field(description="One thing, in a sentence.")],
        kind: Annotated[
            Literal["", "decision", "rule", "architecture", "remember"],
            Field(description="When the owner settled it: propose it as an entry of this kind too."),
        ] = "",
        quote: Annotated[str, Field(description="With kind: the owner's own words, exactly as typed.")] = "",
        section: Annotated[
            Literal["core", "preference", "decision", "project"],
            Field(description="About the owner, a preference, something agreed, or work that goes on now."),
        ] = "core",
        target: _Target = "",
    ) -> str:
        """Ask for a line to be remembered."""
        with errors_as_text():
            return memory().change(Operation(section.upper()), text, target=target, entry=(kind, quote))

    @server.tool(title="Replace a line", annotations=_CHANGES, structured_output=False)
    def memory_update(
        line: _Line, text: Annotated[str, Field(description="The new line.")], target: _Target = ""
    ) -> str:
        """Ask for a line to be replaced; with the id of an entry, such as RULE-20260302-..., propose a correction."""
        with errors_as_text():
            if _ENTRY.match(line):
                return memory().propose(line, text)
            return memory().change(Operation.UPDATE, text, line, target)

    @server.tool(title="Forget a line", annotations=_CHANGES, structured_output=False)
    def memory_forget(line: _Line, target: _Target = "") -> str:
        """Ask for a line to be taken out."""
        with errors_as_text():
            return memory().change(Operation.DELETE, "", line, target)


def _format_waking(waking: Mapping[str, Any]) -> str:
    """Format a `WakeUp` for an agent."""
    left_out = [f"left out: {', '.join(waking['left_out'])}"] if waking["left_out"] else []
    nothing = f"{waking['agent']} remembers nothing yet." if waking["agent"] else "Nothing is remembered yet."
    texts = [part["text"] for part in waking["parts"]] or [nothing]
    return "\n\n".join([*texts, *(f"({note})" for note in [*waking["problems"], *left_out])])


def _format_line(line: Mapping[str, Any]) -> str:
    """Format a `KnownLine` for an agent."""
    quote = f', "{line["quote"]}"' if line["quote"] else ""
    word = f"{line['word']}, pinned" if line["pinned"] else line["word"]
    source = f" [{line['id']}; {word}{quote}]" if line["id"] else ""
    return f"{line['number']}. {line['text']}{source}"


@contextmanager
def errors_as_text() -> Iterator[None]:
    """Give expected errors to the agent as text; any other exception is a bug, and is logged."""
    try:
        yield
    except PipelineError as error:
        raise ToolError(str(error)) from error
