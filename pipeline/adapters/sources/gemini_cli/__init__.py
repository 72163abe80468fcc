"""The sessions of Gemini CLI: one file a session, lines of records or, before version 0.40, one JSON object."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.gemini_cli.conversation import StoredConversation
from pipeline.adapters.sources.gemini_cli.words import assembled
from pipeline.adapters.sources.reading.documents import document
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.adapters.sources.reading.records import one_line
from pipeline.ports.engine import TranscriptSource
from pipeline.workspace.regular_files import read_regular
from schemas.settings import SourceSettings
from schemas.transcript import Session

KIND = "gemini_cli"

_FILE = re.compile(r".+\.jsonl|session-.+\.json")
_HASH = re.compile(r"[0-9a-f]{64}")
_PERSONAL = frozenset({"", "main", "chat"})
_ROOT_FILE = ".project_root"
_LONGEST_PATH = 4096  # bytes


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Gemini CLI leaves its sessions, whether the folder is there or not."""
    named = environment.get("GEMINI_CLI_HOME", "")
    return (*((Path(named).expanduser() / ".gemini" / "tmp",) if named else ()), home / ".gemini" / "tmp")


def open_source(settings: SourceSettings, root: Path, zone: str) -> TranscriptSource:
    """The source over `root`, in the settings' own zone or else in `zone`."""
    return FileSource(SourcePlace(settings, root, zone), _is_session, _parse)


def _is_session(name: str) -> bool:
    return _FILE.fullmatch(name) is not None


def _parse(file: SourceFile) -> Sequence[Session]:
    conversation, lines = StoredConversation(), file.path.endswith(".jsonl")
    if lines:
        conversation.take_lines(file.stream)
    else:
        conversation.take_whole(document(file.stream, b'"sessionId"'))
    if not conversation.session_id:
        return ()
    assembly = assembled(conversation)
    machine = conversation.kind not in _PERSONAL
    session = file.place.session(
        file.path,
        conversation.session_id,
        assembly,
        project=_project(file.location),
        parent=PurePosixPath(file.path).parent.name or None if machine else None,
        machine=machine,
        archived=not lines and file.location.with_suffix(".jsonl").exists(),
    )
    return (session,)


def _project(location: Path) -> str:
    """The working folder of the sessions of a project, or its name; empty when there is only a checksum of it."""
    above = next((folder for folder in location.parents[:3] if folder.name == "chats"), None)
    if above is None:
        return ""
    try:
        return one_line(read_regular(above.parent / _ROOT_FILE, _LONGEST_PATH).decode("utf-8", "replace"))
    except OSError:
        return "" if _HASH.fullmatch(above.parent.name) else above.parent.name
