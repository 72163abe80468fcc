"""Folders of indexes: the file in each that names the live index, and what earlier versions left."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from pipeline.errors import WriteFailed
from pipeline.workspace.regular_files import file_mode, open_regular

_FORMER = ("shard-*", "live.json", "live.json.new", "opening", "bell", "queue.lock", "index.lock")
"""Words and vectors in one shard, in the folder that now has a folder for each."""


@contextmanager
def write_errors(folder: Path) -> Iterator[None]:
    """Report errors of the system, while something in the folder is written, as `WriteFailed`."""
    try:
        yield
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error


def replace_live(live: Path, text: str) -> None:
    """Replace the file that names the live index, at once."""
    new = live.with_name(f"{live.name}.new")
    with write_errors(live.parent):
        mode = file_mode(live.parent)
        with open(new, "w", encoding="utf-8", opener=partial(open_regular, mode=mode)) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(live)


def clear_former(folder: Path) -> bool:
    """Remove the index of earlier versions from the folder of the index; whether there was any."""
    left = [path for pattern in _FORMER for path in folder.glob(pattern)]
    with write_errors(folder):
        for path in left:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                with suppress(FileNotFoundError):
                    path.unlink()
    return bool(left)
