"""Placeholders: `[MemoryRef: KEY - description]`, which stand in a context for a detail."""

import re

from schemas.detail import Detail, DetailType

# Whoever wrote it: a text that is quoted must not look like a placeholder, not even to a reader with half an eye.
_FOREIGN = re.compile(r"[\[\u3010\uff3b]\s*(?=memory[\W_]*ref)", re.IGNORECASE)
_UNSAFE = str.maketrans({"[": "(", "]": ")", "\u3010": "(", "\u3011": ")", "\uff3b": "(", "\uff3d": ")"})
_SHOWN = 80  # characters of a description, or of a command
_NAMES = {
    DetailType.JSON: "JSON",
    DetailType.CSV: "Table",
    DetailType.LOG: "Log",
    DetailType.CODE: "Code",
    DetailType.DIFF: "Diff",
}
HINT = 'All of it: retrieve_memory(memory_key, lines="1-80" | query="WORDS" | page=2).'
"""How an agent reads on; it has this tool wherever it gets placeholders."""


def placeholder(detail: Detail, synopsis: str) -> str:
    """What an agent gets in place of a text; `synopsis` has passed `harmless`."""
    mark = f"{_opening(detail)} [MemoryRef: {detail.key} - {detail.description}]"
    return "\n".join(filter(None, (mark, synopsis, HINT)))


def described(description: str, size: str) -> str:
    """The one line about a detail, in which nothing closes the placeholder before its end."""
    line = " ".join(description.translate(_UNSAFE).split())
    line = line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
    return f"{line}: {size}" if line else size


def harmless(text: str) -> str:
    """A text that can be stored and in which no placeholder stands: whoever wrote it, it is no reference of ours."""
    return _FOREIGN.sub("(", text.encode(errors="replace").decode())


def _opening(detail: Detail) -> str:
    command, code = detail.metadata.get("command"), detail.metadata.get("exit_code")
    if detail.type is not DetailType.COMMAND:
        made = f" of '{_one_line(str(command))}'" if command else ""
        return f"{_NAMES.get(detail.type, 'Text')}{made} stored{'' if code is None else f', exit {code}'}."
    name = f"Command '{_one_line(str(command))}'" if command else "A command"
    return f"{name} executed." if code is None else f"{name} executed, exit {code}."


def _one_line(text: str) -> str:
    line = harmless(" ".join(text.split()))
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
