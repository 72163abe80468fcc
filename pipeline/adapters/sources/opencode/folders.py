"""OpenCode's folder of JSON files, which it wrote before version 1.2 and leaves on disk.

A session is `storage/session/<project>/<session>.json`, its messages are `storage/message/<session>/<message>.json`,
and their parts are `storage/part/<message>/<part>.json`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pipeline.adapters.sources.opencode.messages import OpenCodeProgress
from pipeline.adapters.sources.reading.documents import companion, document
from pipeline.adapters.sources.reading.files import SourceFile
from pipeline.adapters.sources.reading.records import Record, identifier, mapping, moment, one_line
from schemas.transcript import Session

_DEPTH = 3  # folders from the one of all files to a session's


def parse(file: SourceFile) -> Sequence[Session]:
    """The session whose own file is open; its messages and parts are read beside it."""
    about = mapping(document(file.stream, b'"time"'))
    session_id, times = identifier(about.get("id")), mapping(about.get("time"))
    parents = file.location.parents
    if not session_id or not times or len(parents) < _DEPTH or parents[1].name != "session":
        return ()
    reading = OpenCodeProgress(moment(times.get("created")))
    for number, (record, parts) in enumerate(_messages(parents[2], session_id, reading.assembly.skipped), start=1):
        reading.take(number, record, parts)
    parent = one_line(about.get("parentID"))
    session = file.place.session(
        file.path,
        session_id,
        reading.assembly,
        project=one_line(about.get("directory")),
        parent=parent or None,
        machine=bool(parent),
    )
    return (session,)


def _messages(storage: Path, session_id: str, skipped: Counter[str]) -> list[tuple[Record, list[Record]]]:
    """A session's messages with their parts, by their times and then by their ids, which increase."""
    messages = []
    for record in _records(storage / "message" / session_id, skipped):
        record["timestamp"] = mapping(record.get("time")).get("created")
        record["summary"] = record.get("summary") is True
        message_id = identifier(record.get("id"))
        parts = _records(storage / "part" / message_id, skipped) if message_id.strip(".") else []
        messages.append((record, parts))
    return sorted(messages, key=lambda message: _order(message[0]))


def _records(folder: Path, skipped: Counter[str]) -> list[Record]:
    try:
        files = sorted(folder.glob("*.json"))
    except OSError:
        return []
    read = [companion(file) for file in files]
    records = [record for record in read if record]
    if bad := len(read) - len(records):
        skipped["bad_record"] += bad
    return records


def _order(record: Record) -> tuple[float, str]:
    time = moment(record["timestamp"])
    return (time.timestamp() if time else 0, identifier(record.get("id")))
