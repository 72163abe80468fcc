"""The event of Claude Code after a tool (`PostToolUse`): which output may be replaced, and by what.

https://code.claude.com/docs/en/hooks: the event comes on stdin, with the tool's answer in `tool_response`. What is
printed as `hookSpecificOutput.updatedToolOutput` replaces that; it has to have the shape of that tool's answer, or it
is ignored. So texts are replaced in the answer as it came, and all else in it stays.

Whatever goes wrong, nothing is printed, and Claude gets the original.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

TEXTS = {
    "Bash": ("stdout", "stderr"),
    "PowerShell": ("stdout", "stderr"),
    "Grep": ("content",),
    "WebFetch": ("result",),
}
"""The texts in the answers of tools. Others are left alone, above all `Read`: Claude edits what it has read."""
OURS = frozenset(
    {
        *("memory_search", "memory_get", "memory_wake", "memory_know", "memory_remember", "memory_update"),
        *("memory_forget", "store_memory", "retrieve_memory"),
    }
)
"""Our own tools, whose names come as `mcp__SERVER__TOOL`: what was retrieved is wanted as it is."""
MCP = "mcp__"
LEAST, MOST = 50, 262_144
"""Bytes of a text that may be replaced; no smaller one has more tokens than `store.threshold` can be."""
_OWN_COMMAND = re.compile(
    r"(?:^|[\s;&|(/\"'])memory\s+(?:--workspace[\s=](?:\"[^\"]*\"|'[^']*'|\S+)\s+)?(?:store\s+show|exec)(?:\s|$)"
)
"""Ours in a shell, wherever in a line: what it prints was chosen, or is a placeholder.

Such as `memory exec -- make`, `cd app && bin/memory --workspace "my notes" store show KEY`.
"""


def kept_fields(event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The fields of an event to ask the service to keep; `None` when it stays as it is."""
    text = "\n".join(filter(None, texts_of(event)))
    if not LEAST < len(text.encode(errors="replace")) <= MOST:
        return None
    given = event.get("tool_input")
    given = given if isinstance(given, dict) else {}
    command, name = _text(given, "command"), str(event.get("tool_name"))
    if _OWN_COMMAND.search(command):
        return None
    about = next((_text(given, key) for key in ("description", "pattern", "url", "query") if _text(given, key)), "")
    return {
        "content": text,
        "command": command,
        "description": "" if command else f"{name} {about}".strip(),
        "thread": _text(event, "session_id"),
    }


def texts_of(event: Mapping[str, Any]) -> list[str]:
    """The texts in the answer of a tool; none when it is not to be replaced."""
    name, answer = str(event.get("tool_name")), event.get("tool_response")
    if event.get("hook_event_name") != "PostToolUse":
        return []
    if name.startswith(MCP):
        blocks = [] if name.rpartition("__")[2] in OURS else list(_blocks(answer))
        texts = [
            block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str)
        ]
        return texts if len(texts) == len(blocks) else []
    if not isinstance(answer, dict) or answer.get("isImage") or answer.get("persistedOutputPath"):
        return []
    texts = [answer[field] for field in TEXTS.get(name, ()) if field in answer]
    return texts if all(isinstance(text, str) for text in texts) else []


def replace_texts(event: Mapping[str, Any], placeholder: str) -> Any:  # noqa: ANN401 - the answer of any tool
    """The answer of a tool with a placeholder in place of its texts: of the same shape."""
    name, answer = str(event["tool_name"]), event["tool_response"]
    if not name.startswith(MCP):
        fields = [field for field in TEXTS[name] if field in answer]
        first = next(field for field in fields if answer[field])
        return {**answer, **dict.fromkeys(fields, ""), first: placeholder}
    if isinstance(answer, str):
        return placeholder
    block = {"type": "text", "text": placeholder}
    return [block] if isinstance(answer, list) else {**answer, "content": [block]}


def output(event: Mapping[str, Any], placeholder: str) -> dict[str, Any]:
    """The text to print, so that Claude gets the placeholder."""
    answer = {"hookEventName": "PostToolUse", "updatedToolOutput": replace_texts(event, placeholder)}
    return {"hookSpecificOutput": answer}


def _blocks(answer: object) -> Iterator[dict[str, Any]]:
    """The blocks of an answer over MCP, which comes as a text, as blocks, or as an object with blocks alone."""
    if isinstance(answer, str):
        yield {"type": "text", "text": answer}
    elif isinstance(answer, list):
        yield from (block if isinstance(block, dict) else {} for block in answer)
    elif isinstance(answer, dict) and not answer.get("structuredContent") and isinstance(answer.get("content"), list):
        yield from (block if isinstance(block, dict) else {} for block in answer["content"])


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
