"""What another program prints, recorded: as long as it will, in the order in which it came, of both its streams."""

import errno
import shutil
import sys
import tempfile
from array import array
from collections.abc import Callable, Iterator
from typing import IO

Write = Callable[[int, bytes], None]
"""Takes a descriptor, 1 or 2, and what goes there."""

OUT, ERR = 1, 2
_IN_MEMORY = 4_194_304  # bytes that are kept in memory; what follows goes into a file
MOST = 268_435_456
"""Bytes that are recorded, and never more than half of what the disk has left."""
_MOST_TURNS = 1_000_000  # changes between the streams that are kept: beyond it, all is put on one of them
_BLOCK = 262_144


def pass_on(stream: int, data: bytes) -> None:
    """Write to our own stdout or stderr."""
    ours = sys.stdout if stream == OUT else sys.stderr
    ours.buffer.write(data)
    ours.flush()


class Recording:
    """What a program prints. When there is no room for it, it is given out, and what follows is passed on at once."""

    def __init__(self, write: Write, most: int = MOST) -> None:
        """`write` gives out what was recorded; `most` are the bytes that there is room for."""
        self._write, self._most = write, most
        self._head = bytearray()
        self._file: IO[bytes] | None = None
        self._turns, self._stream = array("Q"), OUT
        self.size = 0
        self.trouble: OSError | None = None

    def add(self, stream: int, data: bytes) -> None:
        """Take what came next."""
        if not self.trouble:
            self._turn(stream)
            data = data[self._recorded(data) :]
            if self.trouble:
                self.give_out()
        if data:
            self._write(stream, data)

    def blocks(self) -> Iterator[bytes]:
        """All of it from its beginning."""
        yield bytes(self._head)
        if file := self._file:
            file.seek(0)
            yield from iter(lambda: file.read(_BLOCK), b"")

    def give_out(self) -> None:
        """Write all of it, each part to the stream that it was for."""
        ends, place, stream = iter([*self._turns, self.size]), 0, OUT
        end = next(ends)
        for block in self.blocks():
            begin = 0
            while begin < len(block):
                while end == place:
                    stream, end = OUT + ERR - stream, next(ends)
                stop = min(len(block), begin + end - place)
                self._write(stream, block[begin:stop])
                place, begin = place + stop - begin, stop

    @property
    def is_large(self) -> bool:
        """Whether it is in a file."""
        return self._file is not None

    def close(self) -> None:
        """Let go of the file."""
        if self._file:
            self._file.close()

    def _new_file(self) -> IO[bytes]:
        file: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - `close` closes it
        self._most = min(self._most, len(self._head) + shutil.disk_usage(tempfile.gettempdir()).free // 2)
        return file

    def _turn(self, stream: int) -> None:
        if stream != self._stream and len(self._turns) < _MOST_TURNS:
            self._turns.append(self.size)
            self._stream = stream

    def _recorded(self, data: bytes) -> int:
        """How many bytes were recorded: all of them, or `trouble` says why not."""
        if not self._file and len(self._head) + len(data) <= _IN_MEMORY:
            self._head += data
            self.size += len(data)
            return len(data)
        done = 0
        try:
            file = self._file = self._file or self._new_file()
            if self.size + len(data) > self._most:
                raise OSError(errno.EFBIG, f"it is longer than {self._most:,} bytes")  # noqa: TRY301 - as the disk would
            while done < len(data):
                written = file.write(data[done:])
                done, self.size = done + written, self.size + written
        except OSError as error:
            self.trouble = error
        return done
