"""What of a source cannot be read, as people are told of it: how much, since when, why, and what to do."""

import errno
import os
import shlex
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.ledger import Ledger
from pipeline.ledger.unreadable import WHOLE

PATIENCE = timedelta(days=1)
"""For how long a file may be unreadable before somebody has to look: an agent that renames or locks one at the moment
when we look at it is nothing to be told of, and nothing is lost meanwhile."""
_NO_RIGHT = {os.strerror(errno.EACCES), os.strerror(errno.EPERM)}
_NOT_THERE = os.strerror(errno.ENOENT)


@dataclass(frozen=True)
class SourceTrouble:
    """What of one source cannot be read.

    `files` counts its files, and `whole` tells that not even its folder can be listed. `path` (empty for the folder),
    `reason` and `since`, when it was first met, are of one of them: the folder, or else the file met first.
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
        """Whether somebody has to look: nothing of the source is read, or some of it has not been for `PATIENCE`."""
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
        """What mends it; `folder` is the folder of the source."""
        place = shlex.quote(str(folder / self.path))
        if self.reason in _NO_RIGHT:
            right = "rx" if self.whole else "r"
            return f"`chmod u+{right} {place}`, or as root `setfacl -m u:$USER:{right} {place}`, lets it be read."
        if self.whole and self.reason == _NOT_THERE:
            return f"Mount or restore {place}, or correct its `path` in memory.toml."
        return f"`ls -ld {place}` and the system's log tell more; with the right `path` in memory.toml it is read."


def source_trouble(ledger: Ledger, source: str) -> SourceTrouble | None:
    """What of a source could not be read when somebody looked last; `None` when all could."""
    unreadable = ledger.unreadable.of(source)
    if not unreadable:
        return None
    first = unreadable.get(WHOLE) or next(iter(unreadable.values()))
    files = len(unreadable.keys() - {WHOLE})
    return SourceTrouble(source, WHOLE in unreadable, files, first.since, first.path, first.reason)
