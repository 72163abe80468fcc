"""Files that may be compressed with zstd, opened as the bytes inside."""

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.workspace.regular_files import open_regular

ENDINGS = (".zst", ".zstd")
LARGEST_INSIDE = 4 * 1024 * 1024 * 1024
"""Bytes that a compressed file may hold; one that holds more is refused, since a small file can hold any number."""
_LARGEST_WINDOW = 128 * 1024 * 1024  # bytes of memory for the decoder, as `zstd -d` allows
_BUFFER = 256 * 1024


@contextmanager
def open_stream(file: Path, largest: int = LARGEST_INSIDE) -> Iterator[BinaryIO]:
    """The bytes of a regular file; of one that ends in one of `ENDINGS`, the bytes that were compressed.

    Raises:
        OSError: the system refuses, no regular file stands there, or it cannot be uncompressed.
    """
    with open(file, "rb", opener=open_regular) as stream:
        if not file.name.endswith(ENDINGS):
            yield stream
            return
        with uncompressed(stream, file, largest) as inside:
            yield inside


def uncompressed(stream: BinaryIO, file: Path, largest: int = LARGEST_INSIDE) -> BinaryIO:
    """The bytes that were compressed into a stream; `file` is named in its errors, which are those of a file."""
    return io.BufferedReader(_Uncompressed(stream, file, largest), _BUFFER)


class _Uncompressed(io.RawIOBase):
    """The bytes inside a compressed stream; its errors are those of a file."""

    def __init__(self, stream: BinaryIO, file: Path, largest: int) -> None:
        import zstandard  # noqa: PLC0415 - few sources have such files

        super().__init__()
        self._error = zstandard.ZstdError
        self._file = os.fspath(file)
        self._left = self._largest = largest
        decoder = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        self._reader = decoder.stream_reader(stream, read_across_frames=True)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - all that can be written into
        try:
            size: int = self._reader.readinto(buffer)
        except self._error as error:
            raise OSError(errno.EIO, f"it cannot be uncompressed: {error}", self._file) from error
        self._left -= size
        if self._left < 0:
            raise OSError(errno.EFBIG, f"it holds more than {self._largest} bytes", self._file)
        return size
