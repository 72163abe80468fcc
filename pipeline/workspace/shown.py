"""The reminders that each session was shown, so that none comes twice: hashes in `.memory/shown/`, a file a session."""

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.workspace.regular_files import open_regular, read_regular

FOLDER = ".memory/shown"
"""The folder, relative to the workspace."""
KEPT = timedelta(days=30)
"""The time for which the file of a session without new reminders is kept."""
_DIGITS = 32


class ShownReminders:
    """The reminders that one session was shown, by their keys."""

    def __init__(self, root: Path, session: str) -> None:
        """`root` is the workspace. Nothing is made here."""
        self._file = root / FOLDER / _hash(session)
        self._hashes = set[str]()
        with suppress(FileNotFoundError):
            self._hashes = set(read_regular(self._file).decode(errors="replace").split())

    def is_new(self, key: str) -> bool:
        """Whether the session was not shown this reminder yet."""
        return _hash(key) not in self._hashes

    def add(self, keys: Iterable[str], now: datetime) -> None:
        """Note reminders as shown; the files of old sessions are removed when a new session begins.

        Raises:
            OSError: the system refuses.
        """
        if not self._hashes:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            for file in self._file.parent.iterdir():
                with suppress(FileNotFoundError):  # another process lets it go too
                    if file.stat().st_mtime < (now - KEPT).timestamp():
                        file.unlink()
        noted = "".join(f"{_hash(key)}\n" for key in keys)
        descriptor = open_regular(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(noted)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:_DIGITS]
