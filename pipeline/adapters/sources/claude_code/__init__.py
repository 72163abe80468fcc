"""The sessions of Claude Code: one file a session, one file for each sub-agent."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.claude_code.lines import ClaudeCodeProgress
from pipeline.adapters.sources.reading.listing import inside, listing
from pipeline.adapters.sources.speakers.owner import in_projects
from pipeline.errors import ReadFailed
from pipeline.ports.engine import TranscriptSource
from pipeline.workspace.regular_files import open_regular
from schemas.settings import SourceSettings
from schemas.transcript import Origin, Session, TranscriptFile

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
    return _ClaudeCode(settings, root, settings.timezone or zone)


class _ClaudeCode:
    def __init__(self, settings: SourceSettings, root: Path, zone: str) -> None:
        self._settings = settings
        self._root = root
        self._zone = zone

    @property
    def name(self) -> str:
        return self._settings.root_name

    def files(self) -> Iterator[TranscriptFile]:
        yield from listing(self._root, _is_session)

    def read(self, path: str) -> Sequence[Session]:
        file = inside(self._root, path)
        stem = PurePosixPath(path).stem
        reading = ClaudeCodeProgress(
            lambda session_id: session_id != stem and (file.parent / f"{session_id}.jsonl").exists()
        )
        try:
            with open(file, "rb", opener=open_regular) as stream:
                if not reading.take_all(stream):
                    return ()
        except OSError as error:
            raise ReadFailed(path, error.strerror or str(error)) from error
        if not in_projects(reading.project, self._settings.projects):
            return ()
        above = _above(path)
        sub_agent = reading.sidechain or stem.startswith("agent-") or bool(above)
        messages = reading.assembly.messages()
        session = Session(
            session_id=stem if sub_agent or _UUID.fullmatch(stem) else reading.session_id or stem,
            source=self.name,
            path=path,
            agent=reading.agent,
            project=reading.project,
            zone=self._zone,
            parent=(above or reading.session_id or None) if sub_agent else None,
            machine=sub_agent or not any(message.origin is Origin.OWNER for message in messages),
            messages=messages,
            skipped=dict(reading.assembly.skipped),
        )
        return (session,)


def _is_session(name: str) -> bool:
    return name.endswith(".jsonl") and not name.endswith(_NO_SESSION) and ".checkpoint." not in name


def _above(path: str) -> str:
    """The session whose folder a sub-agent's file is in: `<session>/subagents/...`."""
    parts = PurePosixPath(path).parts
    place = parts.index("subagents") if "subagents" in parts else 0
    return parts[place - 1] if place else ""
