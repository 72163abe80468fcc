"""The entries of a workspace, read once and again after a change: for a service, which is asked often."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from pipeline.engine.context import Engine
from pipeline.reports.entries import PlacedEntry, list_entries, without_copies
from pipeline.workspace.families import TargetFiles
from pipeline.workspace.layout import LEDGER_FILE

_Seen = tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True)
class EntryBook:
    """All entries by day and place, and of each text one (`without_copies`)."""

    places: Sequence[PlacedEntry]
    texts: Sequence[PlacedEntry]


class EntryBooks:
    """The last book of one workspace. May be used from several threads.

    It holds as long as the files of entries and the ledger have the same names, sizes, times and inodes. What a
    transcript says is looked at again when a job has looked, which the ledger notes.
    """

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._lock = Lock()
        self._seen: _Seen | None = None
        self._book = EntryBook((), ())

    def of(self, engine: Engine) -> EntryBook:
        """The entries as they stand now."""
        with self._lock:
            seen = _seen(engine)
            if seen != self._seen:
                places = list_entries(engine)
                self._book, self._seen = EntryBook(places, without_copies(places)), seen
            return self._book


def _seen(engine: Engine) -> _Seen:
    """What the entries depend on, as the system tells it."""
    families = [TargetFiles(engine.workspace, job.writes) for job in engine.jobs if job.writes.append]
    stats = {path: stat for family in families for path, stat in family.present().items()}
    ledger = engine.workspace.state_folder / LEDGER_FILE
    for path in (ledger, ledger.with_name(f"{LEDGER_FILE}-wal")):
        # Whoever only reads makes an empty log beside the ledger, and takes it away.
        if (stat := _stat(path)) and stat.st_size:
            stats[path.name] = stat
    return tuple((path, stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in sorted(stats.items()))


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None  # it is not there (yet)
