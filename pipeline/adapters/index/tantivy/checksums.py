"""What a process leaves that dies at its work on an index, and whether the index's files are as they were written.

Where a file is damaged, the engine may end the process, and no error can be caught then. And a change is refused for
ever when a killed one left a file of the name that it needs. So there is a note while an index is opened, and one while
it is written. A note that is still there makes the next process check all files (25 MB take 20 ms), and the next change
remove those that are not in use.
"""

import json
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.errors import IndexUnavailable, WriteFailed
from pipeline.workspace.atomic import is_alive
from pipeline.workspace.regular_files import read_regular, write_regular

META = "meta.json"
"""The file of the engine that names the parts of an index. A change is done when it is replaced."""
WRITING = "writing"
_OPENING = "opening-"  # and the number of the process

_MAGIC = (1337).to_bytes(4, "little")  # the last bytes of a file; before them the size of a footer, and the footer


@contextmanager
def note_opening(folder: Path) -> Iterator[None]:
    """The index in this folder is opened in the block. Where no note can be made, it is opened as well."""
    left: list[Path] = []
    with suppress(FileNotFoundError):  # a build removes the folder; the engine says so next
        left = [*filter(_is_left, folder.glob(f"{_OPENING}*"))]
    if left:
        _whole(folder)
    note = folder / f"{_OPENING}{os.getpid()}"
    with suppress(OSError):
        write_regular(note, b"")
    try:
        yield
    finally:
        with suppress(OSError):
            for path in [note, *left]:
                path.unlink(missing_ok=True)


@contextmanager
def note_writing(folder: Path) -> Iterator[None]:
    """The index in this folder is written in the block; only when it ends well, the note is removed."""
    note = folder / WRITING
    if not folder.exists():
        why = "its folder is gone"
        raise IndexUnavailable(why)
    try:
        if note.exists():
            _clear(folder, _whole(folder))
        write_regular(note, b"")
        yield
        note.unlink(missing_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def _is_left(note: Path) -> bool:
    process = note.name.removeprefix(_OPENING)
    return not (process.isdecimal() and is_alive(int(process)))


def _whole(folder: Path) -> list[Path]:
    """The files in use."""
    try:
        parts = [*_parts(folder)]
    except (OSError, ValueError, TypeError, KeyError) as error:
        why = f"{META} is damaged"
        raise IndexUnavailable(why) from error
    for path in parts:
        if not _is_whole(path):
            why = f"{path.name} is damaged"
            raise IndexUnavailable(why)
    return parts


def _parts(folder: Path) -> Iterator[Path]:
    for segment in json.loads(read_regular(folder / META))["segments"]:
        name = str(segment["segment_id"]).replace("-", "")
        deletions = f"{name}.{segment['deletes']['opstamp']}.del" if segment["deletes"] else ""
        yield from (path for path in folder.glob(f"{name}.*") if path.suffix != ".del" or path.name == deletions)


def _is_whole(path: Path) -> bool:
    """Whether a file has the checksum that is in its footer."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            end = len(data) - 8
            begin = end - int.from_bytes(data[end : end + 4], "little")
            expected = json.loads(data[begin:end])["crc"]
            with memoryview(data) as view, view[:begin] as body:
                return data[end + 4 :] == _MAGIC and bool(expected == zlib.crc32(body))
    except (OSError, ValueError, TypeError, KeyError):
        return False


def _clear(folder: Path, used: list[Path]) -> None:
    for path in folder.iterdir():
        if path not in used and path.suffix not in {".json", ".lock"}:
            path.unlink(missing_ok=True)
