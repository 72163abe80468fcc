"""Unreadable transcripts, for people: how many, since when, why, and the advice."""

import errno
import os
import shlex
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.ledger import Ledger
from pipeline.ledger.unreadable import WHOLE
from schemas.reports.status import SourceUnreadable

PATIENCE = timedelta(days=1)
"""How long a file may be unreadable before it is reported: an agent may rename or lock a file for a moment, and nothing
is lost meanwhile."""
_NO_RIGHT = {os.strerror(errno.EACCES), os.strerror(errno.EPERM)}
_OF_A_FOLDER = {
    os.strerror(errno.ENOENT): "Mount or restore {place}, or correct its `path` in memory.toml.",
    os.strerror(errno.ENOTDIR): "A source is a folder: name the one that {place} is in as its `path` in memory.toml.",
}
_STORE, _LOCKED, _OTHER_VERSION = "SQLite cannot read it", "database is locked", "it is of a version that is not known"


def lasts(trouble: SourceUnreadable, now: datetime) -> bool:
    """Whether it is to be reported: the whole source is unreadable, or a part of it has been for `PATIENCE`."""
    return trouble.whole or now - trouble.since >= PATIENCE


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
    if trouble.reason.startswith(_OTHER_VERSION):
        return "Its agent keeps sessions in a newer or older way: update this program, or that one."
    if trouble.reason.startswith(_STORE):
        return f"`sqlite3 {place} 'PRAGMA quick_check'` tells more; its agent, or a copy of before, may mend it."
    return f"`ls -ld {place}` and the system's log tell more; with the right `path` in memory.toml it is read."


def source_trouble(ledger: Ledger, source: str) -> SourceUnreadable | None:
    """The unreadable files of a source as of the last refresh; `None` when all could be read."""
    unreadable = ledger.unreadable.of(source)
    if not unreadable:
        return None
    first = unreadable.get(WHOLE) or next(iter(unreadable.values()))
    files = len(unreadable.keys() - {WHOLE})
    return SourceUnreadable(files, WHOLE in unreadable, first.since, first.path, first.reason)
