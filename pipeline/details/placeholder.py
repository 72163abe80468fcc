"""Placeholders: `[MemoryRef: KEY - description]`, which stand in a context for a detail."""

import re

from schemas.detail import Detail, DetailType

# Whoever wrote it: a text that is quoted must not look like a placeholder, not even to a reader with half an eye.
_FOREIGN = re.compile(r"[\[\u3010\uff3b]\s*(?=memory[\W_]*ref)", re.IGNORECASE)
_UNSAFE = str.maketrans({"[": "(", "]": ")", "\u3010": "(", "\u3011": ")", "\uff3b": "(", "\uff3d": ")"})
_SHOWN = 80  # characters of a description, or of a command
_REPEATED = 32  # characters of a command that are told twice, where its text is described by it
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
    """What it is, with the command that made it and how that ended; a long command that is described too comes once."""
    command, code = str(detail.metadata.get("command") or ""), detail.metadata.get("exit_code")
    if len(command) > _REPEATED and detail.description.startswith(described(command, "")):
        command = ""
    name, ended = f"'{_one_line(command)}'" if command else "", "" if code is None else f", exit {code}"
    if detail.type is DetailType.COMMAND:
        return f"{f'Command {name}' if name else 'A command'} executed{ended}."
    what = _NAMES.get(detail.type, "Text") + (f" of {name}" if name else "")
    return f"{what} stored{ended}."


def _one_line(text: str) -> str:
    line = harmless(" ".join(text.split()))
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
