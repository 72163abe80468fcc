"""The setting for the folder of the agents: a folder of the workspace that nothing else of it needs."""

import re

TAKEN = (
    *("memory", "tasks", "second-brain", "bank", ".memory"),
    *("agents.md", "claude.md", "identity.md", "memory.md", "soul.md", "tools.md", "user.md", "memory.toml"),
)
"""What stands at the top of a workspace, in small letters: some file systems ignore the case."""

_LONGEST = 200  # characters
_PART = re.compile(r"[\w.-]+(?: [\w.-]+)*")


def folder_of_agents(value: str) -> str:
    """The path of the folder, relative to the workspace, without a `/` at its end.

    Raises:
        ValueError: it is no such path, or something else of the workspace stands there.
    """
    parts = [part for part in value.split("/") if part not in {"", "."}]
    if value.startswith("/") or ".." in parts or not parts:
        message = "name a folder inside the workspace, relative to it, such as agents"
        raise ValueError(message)
    if not all(map(_PART.fullmatch, parts)) or len(value) > _LONGEST:
        message = "write a short path of letters, digits, hyphens, dots and underscores, such as agents"
        raise ValueError(message)
    if parts[0].casefold() in TAKEN:
        message = f"{parts[0]} belongs to another part of the workspace; name a folder of its own, such as agents"
        raise ValueError(message)
    return "/".join(parts)
