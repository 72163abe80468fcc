"""The files of Goose before version 1.10: a line on the session, and a line a message."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from pipeline.adapters.sources.goose.messages import GooseProgress
from pipeline.adapters.sources.reading.files import SourceFile
from pipeline.adapters.sources.reading.records import Record, identifier, one_line, records
from schemas.transcript import Session


def parse(file: SourceFile) -> Sequence[Session]:
    """The session of a file; none when its first record is not on a session."""
    reading, about = GooseProgress(), dict[str, object]()
    for number, record in records(file.stream, reading.assembly.skipped):
        if not about:
            if not _is_about(record):
                return ()
            about = record
        elif _is_about(record):
            reading.assembly.skipped["repeated"] += 1
        else:
            reading.take(number, record)
    if not about:
        return ()
    session = file.place.session(
        file.path,
        identifier(PurePosixPath(file.path).stem) or "session",
        reading.assembly,
        project=one_line(about.get("working_dir")),
        machine=bool(about.get("schedule_id")),
    )
    return (session,)


def _is_about(record: Record) -> bool:
    return "role" not in record and "working_dir" in record
