"""A bell between processes: a named pipe. To listen to it costs nothing, and who listens is woken at once."""

import os
import select
from contextlib import suppress
from pathlib import Path
from typing import Self


class Bell:
    """The bell of a folder, for the one who listens."""

    def __init__(self, folder: Path) -> None:
        """The pipe is made.

        Raises:
            OSError: the file system has no named pipes, or refuses.
        """
        path = _pipe(folder)
        with suppress(FileExistsError):
            os.mkfifo(path, 0o600)
        # Open for writing as well, so that it does not end when the other writer closes it.
        self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BlockingIOError):
            os.read(self._pipe, select.PIPE_BUF)  # or the next one to listen would take it for its own
        os.close(self._pipe)

    def rung(self, seconds: float) -> bool:
        """Whether the bell rang, or rings within so many seconds."""
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def strike(self) -> None:
        """Wake our own thread that listens."""
        with suppress(BlockingIOError):
            os.write(self._pipe, b".")


def ring(folder: Path) -> None:
    """Wake whoever listens to the bell of a folder; without one, nothing happens."""
    with suppress(OSError):
        pipe = os.open(_pipe(folder), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b".")
        finally:
            os.close(pipe)


def _pipe(folder: Path) -> Path:
    return folder / "bell"
