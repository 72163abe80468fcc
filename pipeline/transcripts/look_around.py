"""A look around the folders of the sources: for sessions of kinds that the settings do not name."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import ReadFailed
from pipeline.ledger import Ledger
from pipeline.ledger.transcripts import OtherKind
from pipeline.ports.engine import TranscriptSource
from schemas.transcript import TranscriptFile, id_in_file

_READ = 5  # files of a kind, the newest, that are read to find out whether they are sessions


@dataclass(frozen=True)
class Neighbourhood:
    """The `folders` of the sources by their names, and for a name the sources of all other kinds over its folder."""

    folders: Mapping[str, Path]
    others: Callable[[str], Mapping[str, TranscriptSource]]


NOWHERE = Neighbourhood({}, lambda _: {})


def note_other_kinds(ledger: Ledger, neighbourhood: Neighbourhood) -> None:
    """Note in the ledger which sessions lie below the folder of a source that neither it nor another source reads.

    A file is read by a source that found a session in it, also one that the settings leave out.
    """
    records = [record for name in neighbourhood.folders for record in ledger.files.of_source(name) if record.session]
    # As texts, not as paths: there are thousands.
    read = {f"{neighbourhood.folders[record.source]}/{record.file.path}" for record in records}
    ids = {id_in_file(record.session or "") for record in records}
    for name, folder in neighbourhood.folders.items():
        others = neighbourhood.others(name)
        seen = {kind: _find_unread(source, folder, read) for kind, source in sorted(others.items())}
        sessions = [(kind, path) for kind, files in seen.items() for path in _find_first(others[kind], files, ids)]
        ledger.other_kinds.note(name, [OtherKind(name, kind, path, len(seen[kind])) for kind, path in sessions])


def _find_unread(source: TranscriptSource, folder: Path, read: Collection[str]) -> list[TranscriptFile]:
    """The files of a kind that no source reads, the newest first; none where the folder cannot be listed."""
    try:
        files = [file for file in source.files() if f"{folder}/{file.path}" not in read]
    except ReadFailed:
        return []
    return sorted(files, key=lambda file: (file.mtime_ns, file.path), reverse=True)


def _find_first(source: TranscriptSource, files: list[TranscriptFile], ids: Collection[str]) -> Iterator[str]:
    """The path of the newest file in which a person and an agent talk in a session that is not known; else nothing."""
    for file in files[:_READ]:
        try:
            sessions = source.read(file.path)
        except ReadFailed:
            continue
        if any(session.conversation and session.session_id not in ids for session in sessions):
            yield file.path
            return
