"""The transcripts of Cursor's agent, in the editor and in the terminal: one file a session, one for each sub-agent."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, is_lines
from pipeline.adapters.sources.reading.records import (
    Record,
    identifier,
    mapping,
    moment,
    one_line,
    texts,
    word,
)
from pipeline.adapters.sources.speakers.cursor import time_of_question, typed_parts
from schemas.transcript import Origin, Role, Session

_BLOCKS = frozenset({"text", "thinking", "tool_use", "tool_result", "image", "redacted-reasoning"})
_SILENT = frozenset({"turn_ended"})
_NANOSECONDS = 1_000_000  # in a millisecond
KIND = SourceKind(
    "cursor",
    lambda place: FileSource(place, is_lines, _parse),
    lambda home, environment: (named_folder(environment, "CURSOR_CONFIG_DIR", home / ".cursor") / "projects",),
)


def _parse(file: SourceFile) -> Sequence[Session]:
    assembly, number = Assembly(), 0
    for number, record in assembly.recognize(file.stream, _is_message):
        _take(assembly, number, record)
    if not number:
        return ()
    if assembly.clock is None:  # no record has a time: the file's last change is the latest that they can be of
        assembly.clock = moment(os.fstat(file.stream.fileno()).st_mtime_ns / _NANOSECONDS)
    assembly.skipped.pop("no_time", None)  # an answer has none
    parts = PurePosixPath(file.path).parts
    above = parts[-3] if parts[-2:-1] == ("subagents",) and len(parts) > 2 else ""  # noqa: PLR2004 - session, folder, file
    return (
        file.place.session(
            file.path,
            identifier(PurePosixPath(file.path).stem) or "session",
            assembly,
            project=_project(file.location),
            parent=identifier(above) or None,
            machine=bool(above),
        ),
    )


def _take(assembly: Assembly, number: int, record: Record) -> None:
    role, content = record.get("role"), mapping(record.get("message")).get("content")
    if role not in ("user", "assistant"):
        if word(record.get("type")) in _SILENT:
            assembly.skipped["no_conversation"] += 1
        else:
            assembly.pass_over("unknown_record", record.get("type") or role, record)
        return
    said = texts(content)
    time = next((time for text in said if (time := time_of_question(text))), None) if role == "user" else None
    entry_id = assembly.admit_line(number, record, time.isoformat() if time else None)
    if not entry_id:
        return
    assembly.check(content, _BLOCKS)
    if role == "assistant":
        assembly.add(DraftMessage(number, [entry_id], Role.ASSISTANT, Origin.ASSISTANT, said))
        return
    assembly.add(DraftMessage(number, [entry_id], Role.USER, *typed_parts(said)))


def _is_message(record: Record) -> bool:
    """Whether a record is surely of this format: a side beside a message, and no type or id of other formats."""
    return record.get("role") in ("user", "assistant") and "content" in mapping(record.get("message"))


def _project(file: Path) -> str:
    """The folder's name in `projects/<name>/agent-transcripts/`, in which `-` stands for `/` and for itself."""
    parts = file.parts
    place = parts.index("agent-transcripts") if "agent-transcripts" in parts else 0
    return one_line(parts[place - 1]) if place else ""
