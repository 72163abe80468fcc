"""Which sessions a machine holds, or a group, by their keys; and OpenClaw's `sessions.json`, which has them."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from pipeline.adapters.sources.reading.records import Record, mapping
from pipeline.workspace.regular_files import read_regular

NAME = "sessions.json"

_MACHINE_KEY = re.compile(r"(?:^|:)(?:cron|hook|heartbeat|subagent)(?::|$)|(?:^|:)node-|model-run-")
_MACHINE_FIELDS = ("heartbeatIsolatedBaseSessionKey", "spawnedBy", "spawnDepth", "subagentRole", "pluginOwnerId")
_GROUP_KEY = re.compile(r":(?:group|channel):")


@dataclass(frozen=True)
class SessionIndex:
    """The ids of sessions that only a machine speaks in, and of those that stand in a group."""

    machine: frozenset[str] = frozenset()
    group: frozenset[str] = frozenset()


def read_index(folder: Path) -> SessionIndex:
    """The index beside the transcripts in `folder`; an empty one when there is none that can be read."""
    try:
        content = json.loads(read_regular(folder / NAME))
    except (OSError, ValueError, RecursionError):
        return SessionIndex()
    if not isinstance(content, dict):
        return SessionIndex()
    claims: dict[str, set[bool]] = defaultdict(set)
    inherited: dict[str, set[bool]] = defaultdict(set)
    groups: set[str] = set()
    for key, value in content.items():
        entry = mapping(value)
        ids, family = _ids(entry)
        for session_id in ids:
            claims[session_id].add(is_machine(key, entry))
        for session_id in family:
            inherited[session_id].add(is_machine(key, entry))
        if is_group(key):
            groups.update(ids, family)
    verdicts = inherited | claims
    return SessionIndex(frozenset(key for key, said in verdicts.items() if said == {True}), frozenset(groups))


def is_machine(key: str, entry: Record) -> bool:
    """Whether the session of a key is a scheduler's, a hook's, a plugin's or a sub-agent's, by the key or its entry."""
    marked = any(entry.get(name) for name in _MACHINE_FIELDS)
    return marked or entry.get("bootstrapContextRunKind") == "cron" or _MACHINE_KEY.search(key) is not None


def is_group(key: str) -> bool:
    """Whether the session of a key is in a group or a channel."""
    return _GROUP_KEY.search(key) is not None


def _ids(entry: Record) -> tuple[list[str], list[str]]:
    """The session an entry is about now, and those it was about before its resets."""
    current = entry.get("sessionId")
    family = entry.get("usageFamilySessionIds")
    earlier = family if isinstance(family, list) else []
    return [current] if isinstance(current, str) else [], [
        session_id for session_id in earlier if isinstance(session_id, str)
    ]
