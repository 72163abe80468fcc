"""Room for the engine on its disk. It maps its files into memory: where the disk ends, the system kills the process."""

import shutil
from pathlib import Path

from pipeline.errors import WriteFailed

TO_ASK = 1_000_000
"""Bytes that have to be free before a shard is opened: with 5,000 vectors and 100 kB free all went well."""
TO_WRITE = 4_000_000
"""Bytes that have to be free, besides those of the numbers, before a page of vectors is put in: it takes 0.3 MB."""
COPIES = 3
"""How often the vectors must fit on the disk besides before they are made compact; the engine asks for 2.2 times."""


def has_room(folder: Path, size: int) -> bool:
    """Whether so many bytes are free on the disk that a folder is on."""
    return shutil.disk_usage(folder).free >= size


def need_room(folder: Path, size: int) -> None:
    """Go on only when so many bytes are free."""
    try:
        why = "" if has_room(folder, size) else f"fewer than {size // 1_000_000} MB are free on its disk"
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        raise WriteFailed(str(folder), why)


def taken(folder: Path) -> int:
    """How many bytes of the disk a folder's files take; their holes take none."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())
