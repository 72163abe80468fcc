"""The sessions that a machine holds, or a group: by their keys, by `sessions.json`, and by what a store says."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from pipeline.adapters.sources.reading.records import Record, decode_json, mapping, one_line, word
from pipeline.adapters.sources.reading.stores import Database, columns_of, rows_of
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
        current, earlier = entry.get("sessionId"), entry.get("usageFamilySessionIds")
        ids = [current] if isinstance(current, str) else []
        # The sessions that it was about before its resets.
        family = [name for name in earlier if isinstance(name, str)] if isinstance(earlier, list) else []
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


ARCHIVES = "session_transcript_archives"
COLD = "session_transcript_cold_archives"

_LARGE = "archive_blob"  # not to be read; it stands before other columns, so these cost more
_MADE_BY_MACHINES = frozenset({"cron", "internal", "plugin", "spawn"})
_SPAWNED = ("spawned_by", "plugin_owner_id", "hook_external_content_source")
_ROOMS = frozenset({"group", "channel"})


@dataclass(frozen=True)
class SessionWindow:
    """A session's standing. `gone`: the store has no records of it; `machine` and `grouped` are as in its key.

    `successor` is the session that goes on in its place, with a copy of all its records.
    """

    gone: bool = True
    machine: bool = False
    grouped: bool = False
    parent: str = ""
    successor: str = ""


def window_of(store: Database, session_id: str) -> SessionWindow:
    """The window of a session; of one that was deleted, what its archive tells."""
    row = row_of(store, "session_windows", "session_id", session_id)
    key = word((row or row_of(store, ARCHIVES, "session_id", session_id)).get("session_key"))
    node = row_of(store, "session_nodes", "session_key", key)
    entry = mapping(decode_json(word(node.get("entry_json"))))
    held = any(row.get(name) for name in _SPAWNED) or bool(node.get("spawned_by"))
    return SessionWindow(
        gone=not _has_records(store, session_id),
        machine=held or node.get("created_via") in _MADE_BY_MACHINES or is_machine(key, entry),
        grouped=is_group(key) or not _ROOMS.isdisjoint(map(word, (row.get("session_scope"), row.get("chat_type")))),
        parent=one_line(row.get("spawned_by")) or one_line(row.get("parent_session_key")),
        successor=_successor(store, session_id),
    )


def _successor(store: Database, session_id: str) -> str:
    """The last of the sessions that a rewind, or a switch of branches, made one after the other; empty without one."""
    if not {"previous_session_id", "reason"} <= columns_of(store, "session_windows"):
        return ""
    query = "SELECT session_id FROM session_windows WHERE previous_session_id = ? AND reason IN ('rewind', 'switch')"
    known = [session_id]
    while row := store.execute(f"{query} ORDER BY updated_at DESC", (known[-1],)).fetchone():
        if row["session_id"] in known:
            break
        known.append(word(row["session_id"]))
    return known[-1] if known[1:] else ""


def row_of(store: Database, table: str, column: str, value: str) -> Record:
    """The row of a table, with its `rowid` and without large columns; empty when there is none, or no such table."""
    columns = columns_of(store, table) - {_LARGE}
    if column not in columns:
        return {}
    names = ", ".join(f'"{name}"' for name in sorted(columns))
    query = f'SELECT rowid, {names} FROM {table} WHERE "{column}" = ?'  # noqa: S608 - names of the store's own columns
    return next(rows_of(store, query, value), {})


def _has_records(store: Database, session_id: str) -> bool:
    held = store.execute("SELECT 1 FROM transcript_events WHERE session_id = ? LIMIT 1", (session_id,)).fetchone()
    return held is not None or bool(row_of(store, COLD, "session_id", session_id))
