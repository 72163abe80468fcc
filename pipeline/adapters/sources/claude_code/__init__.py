"""The sessions of Claude Code: one file a session, one file for each sub-agent."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.claude_code.lines import MESSAGES, ClaudeCodeProgress
from pipeline.adapters.sources.reading.compression import open_stream
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.adapters.sources.reading.records import identifier, records
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from schemas.transcript import Session

KIND = "claude_code"

_NO_SESSION = (".trajectory.jsonl", ".bak.jsonl")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Claude Code leaves its sessions, whether the folders are there or not."""
    config = environment.get("CLAUDE_CONFIG_DIR", "")
    named = (Path(config).expanduser() / "projects",) if config else ()
    return (*named, home / ".claude" / "projects")


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    return FileSource(SourcePlace(settings, root, zone), _is_session, _parse)


def _parse(file: SourceFile) -> Sequence[Session]:
    stem, folder = PurePosixPath(file.path).stem, file.location.parent
    reading = ClaudeCodeProgress(
        lambda name: frozenset() if name == stem else _messages_in(folder / f"{name}.jsonl"),
        headless=file.place.settings.headless,
    )
    if not reading.take_all(file.stream):
        return ()
    above = _above(file.path)
    sub_agent = reading.sidechain or stem.startswith("agent-") or bool(above)
    session = file.place.session(
        file.path,
        stem if sub_agent or _UUID.fullmatch(stem) else reading.session_id or stem,
        reading.assembly,
        agent=reading.agent,
        project=reading.project,
        parent=(above or reading.session_id or None) if sub_agent else None,
        machine=sub_agent,
    )
    return (session,)


def _messages_in(file: Path) -> frozenset[str]:
    """The ids of the messages in the file of another session; none when it cannot be read."""
    try:
        with open_stream(file) as stream:
            uuids = (record.get("uuid") for _, record in records(stream, Counter()) if record.get("type") in MESSAGES)
            return frozenset(map(identifier, uuids))
    except OSError:
        return frozenset()


def _is_session(name: str) -> bool:
    return name.endswith(".jsonl") and not name.endswith(_NO_SESSION) and ".checkpoint." not in name


def _above(path: str) -> str:
    """The session whose folder a sub-agent's file is in: `<session>/subagents/...`."""
    parts = PurePosixPath(path).parts
    place = parts.index("subagents") if "subagents" in parts else 0
    return parts[place - 1] if place else ""
