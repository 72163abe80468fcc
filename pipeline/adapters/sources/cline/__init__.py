"""The sessions of Cline: tasks of the extension for VS Code, and sessions of the newer program for the terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.adapters.sources.cline.conversation import ClineProgress, messages_of
from pipeline.adapters.sources.cline.tasks import ASIDE, CONVERSATION, parse_task, storage_roots
from pipeline.adapters.sources.reading.documents import companion, document
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.adapters.sources.reading.listing import named_folder
from pipeline.adapters.sources.reading.records import identifier, mapping, one_line
from pipeline.ports.engine import TranscriptSource
from schemas.settings import SourceSettings
from schemas.transcript import Session

KIND = "cline"

_MESSAGES = ".messages.json"


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Cline leaves its sessions, whether the folders are there or not."""
    folder = named_folder(environment, "CLINE_DIR", home / ".cline")
    data = named_folder(environment, "CLINE_DATA_DIR", folder / "data")
    sessions = named_folder(environment, "CLINE_SESSION_DATA_DIR", data / "sessions")
    return (sessions, *storage_roots(home, environment, "saoudrizwan.claude-dev"))


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    return FileSource(SourcePlace(settings, root, zone), _is_session, _parse, ASIDE)


def _is_session(name: str) -> bool:
    return name == CONVERSATION or name.endswith(_MESSAGES)


def _parse(file: SourceFile) -> Sequence[Session]:
    return parse_task(file) if file.location.name == CONVERSATION else _parse_session(file)


def _parse_session(file: SourceFile) -> Sequence[Session]:
    """A session of the newer program, with a file on it beside the messages."""
    value = mapping(document(file.stream, b'"messages"'))
    messages = messages_of(value)
    if messages is None:
        return ()
    name = file.location.name.removesuffix(_MESSAGES)
    about = companion(file.location.with_name(f"{name}.json"))
    reading = ClineProgress(about.get("created_at"), tagged=False)
    reading.take_all(messages)
    agent = one_line(value.get("agent"))
    session = file.place.session(
        file.path,
        identifier(value.get("sessionId")) or identifier(name) or "session",
        reading.assembly,
        agent=agent,
        project=one_line(about.get("cwd") or about.get("workspace_root")),
        machine=agent not in ("", "lead"),
    )
    return (session,)
