"""Unreadable transcripts, for people: how many, since when, why, and the advice."""

import errno
import os
import shlex
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.ledger import Ledger
from pipeline.ledger.transcripts import WHOLE
from schemas.reports.source_records import SourceUnreadable

REPORTED_AFTER = timedelta(days=1)
"""How long a file may be unreadable before it is reported: an agent may rename or lock a file for a moment, and nothing
is lost meanwhile."""
_NO_RIGHT = {os.strerror(errno.EACCES), os.strerror(errno.EPERM)}
_OF_A_FOLDER = {
    os.strerror(errno.ENOENT): "Mount or restore {place}, or correct its `path` in memory.toml.",
    os.strerror(errno.ENOTDIR): "A source is a folder: name the one that {place} is in as its `path` in memory.toml.",
}
_LOCKED = "database is locked"
_SERVER = "It is read at the next look once the server of `store.url` answers; `memory store list` tries it now."
_BY_BEGINNING = {
    "it is of a version that is not known": "Its agent keeps sessions in a newer or older way: update this program, or "
    "that one.",
    "SQLite cannot read it": "`sqlite3 {place} 'PRAGMA quick_check'` tells more; its agent, or a copy of before, may "
    "mend it.",
    "The store postgresql://": _SERVER,
    "store.url ": _SERVER,
}
"""The advice by how a reason begins."""


def lasts(trouble: SourceUnreadable, now: datetime) -> bool:
    """Whether to report it: the whole source is unreadable, or a part of it has been so for `REPORTED_AFTER`."""
    return trouble.whole or now - trouble.since >= REPORTED_AFTER


def advice_on(trouble: SourceUnreadable, folder: Path) -> str:
    """The advice; `folder` is the folder of the source."""
    place = shlex.quote(str(folder / trouble.path))
    if trouble.reason in _NO_RIGHT:
        right = "rx" if trouble.whole else "r"
        return f"`chmod u+{right} {place}`, or as root `setfacl -m u:$USER:{right} {place}`, lets it be read."
    if trouble.whole and trouble.reason in _OF_A_FOLDER:
        return _OF_A_FOLDER[trouble.reason].format(place=place)
    if _LOCKED in trouble.reason:
        return f"It is read at the next look that its agent lets in; `fuser -v {place}` tells who keeps it."
    for beginning, advice in _BY_BEGINNING.items():
        if trouble.reason.startswith(beginning):
            return advice.format(place=place)
    return f"`ls -ld {place}` and the system's log tell more; with the right `path` in memory.toml it is read."


def source_trouble(ledger: Ledger, source: str) -> SourceUnreadable | None:
    """The unreadable files of a source as of the last refresh; `None` when all could be read."""
    unreadable = ledger.unreadable.of(source)
    if not unreadable:
        return None
    first = unreadable.get(WHOLE) or next(iter(unreadable.values()))
    files = len(unreadable.keys() - {WHOLE})
    return SourceUnreadable(files, WHOLE in unreadable, first.since, first.path, first.reason)
