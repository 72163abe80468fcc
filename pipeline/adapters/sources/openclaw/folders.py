"""The folders of OpenClaw: `agents/<agent>/sessions/` with files, and `agents/<agent>/agent/` with the store."""

from pathlib import Path, PurePosixPath

AGENTS = "agents"
SESSIONS = "sessions"
STORES = "agent"
STORE = "openclaw-agent.sqlite"
ASIDE = frozenset({"session-sqlite-import-archive", "node_modules", ".git"})
"""Folders without sessions of their own: copies of files that the store has imported, and programs."""

_STATE = ".openclaw"
_EARLIER_STATE = ".clawdbot"


def current_folder(root: Path) -> Path:
    """The place of a folder now: the agent once moved `.clawdbot` to `.openclaw`."""
    parts = [_STATE if part == _EARLIER_STATE else part for part in root.parts]
    return root if root.exists() or not Path(*parts).exists() else Path(*parts)


def root_of_stores(root: Path) -> Path:
    """The folder to look for stores in: for the folder of one agent's files, that of the agent."""
    inside = root.name == SESSIONS and root.parent.parent.name == AGENTS
    return root.parent if inside else root


def store_beside(file: Path) -> Path | None:
    """The store of the agent whose folder of sessions a file is in."""
    return file.parent.with_name(STORES) / STORE if file.parent.name == SESSIONS else None


def agent_of(file: Path) -> str:
    """The agent whose folder a file is in; empty when it is in none."""
    parts = file.parts
    for place in range(len(parts) - 3, -1, -1):
        if parts[place] == AGENTS and parts[place + 2] in (SESSIONS, STORES):
            return parts[place + 1]
    return ""


def last_name(path: str) -> str:
    """The name of the file that a path of the source ends in."""
    return PurePosixPath(path).name


def outermost(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    """The roots that are in no other one; of those that are one folder, the first."""
    kept: list[Path] = []
    real = [root.resolve() for root in roots]
    for root, place in zip(roots, real, strict=True):
        above = any(other in place.parents for other in real)
        if not above and place not in [folder.resolve() for folder in kept]:
            kept.append(root)
    return tuple(kept)
