"""Unreadable transcripts, for people: how many, since when, why, and the advice."""

import errno
import os
import shlex
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.ledger import Ledger
from pipeline.ledger.unreadable import WHOLE

PATIENCE = timedelta(days=1)
"""How long a file may be unreadable before it is reported: an agent may rename or lock a file for a moment, and nothing
is lost meanwhile."""
_NO_RIGHT = {os.strerror(errno.EACCES), os.strerror(errno.EPERM)}
_NOT_THERE = os.strerror(errno.ENOENT)


@dataclass(frozen=True)
class SourceTrouble:
    """The unreadable files of one source.

    `files` is their number, and `whole` is whether even the folder cannot be listed. `path` (empty for the folder),
    `reason` and `since` (when it was first met) are of one of them: the folder, or else the file met first.
    """

    source: str
    whole: bool
    files: int
    since: datetime
    path: str
    reason: str

    @property
    def count(self) -> int:
        """How many things cannot be read; the folder as a whole is one."""
        return self.files + self.whole

    def lasts(self, now: datetime) -> bool:
        """Whether it is to be reported: the whole source is unreadable, or a part of it has been for `PATIENCE`."""
        return self.whole or now - self.since >= PATIENCE

    def sentence(self, since: str) -> str:
        """The sentence, without a full stop; `since` is that moment as it is to be shown."""
        why = self.reason.rstrip(".")
        if self.whole:
            return f"cannot be read since {since}: {why}"
        if self.files == 1:
            return f"{self.path} cannot be read since {since}: {why}"
        return f"{self.files} files cannot be read since {since}, such as {self.path}: {why}"

    def advice(self, folder: Path) -> str:
        """The advice; `folder` is the folder of the source."""
        place = shlex.quote(str(folder / self.path))
        if self.reason in _NO_RIGHT:
            right = "rx" if self.whole else "r"
            return f"`chmod u+{right} {place}`, or as root `setfacl -m u:$USER:{right} {place}`, lets it be read."
        if self.whole and self.reason == _NOT_THERE:
            return f"Mount or restore {place}, or correct its `path` in memory.toml."
        return f"`ls -ld {place}` and the system's log tell more; with the right `path` in memory.toml it is read."


def source_trouble(ledger: Ledger, source: str) -> SourceTrouble | None:
    """The unreadable files of a source as of the last refresh; `None` when all could be read."""
    unreadable = ledger.unreadable.of(source)
    if not unreadable:
        return None
    first = unreadable.get(WHOLE) or next(iter(unreadable.values()))
    files = len(unreadable.keys() - {WHOLE})
    return SourceTrouble(source, WHOLE in unreadable, files, first.since, first.path, first.reason)
