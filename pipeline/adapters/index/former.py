"""The index of earlier versions: words and vectors in one shard, in the folder that now has a folder for each."""

import shutil
from contextlib import suppress
from pathlib import Path

from pipeline.errors import WriteFailed

_FOLDERS, _FILES = ("shard-*",), ("live.json", "live.json.new", "opening", "bell", "queue.lock", "index.lock")


def clear_former(folder: Path) -> bool:
    """Remove the index of earlier versions from the folder of the index; whether there was any."""
    left = [path for pattern in (*_FOLDERS, *_FILES) for path in folder.glob(pattern)]
    try:
        for path in left:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                with suppress(FileNotFoundError):
                    path.unlink()
    except OSError as error:
        raise WriteFailed(str(folder), error.strerror or str(error)) from error
    return bool(left)
