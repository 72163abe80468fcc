"""Files that hold one JSON value, and are written anew as a whole whenever it changes."""

import errno
import json
from pathlib import Path
from typing import BinaryIO

from pipeline.adapters.sources.reading.records import Record, decoded, mapping
from pipeline.workspace.regular_files import LARGEST, read_regular


def document(stream: BinaryIO, mark: bytes) -> object:
    """The value in a stream; `None` when it is no JSON and does not have `mark`, so that it is another program's.

    Raises:
        OSError: it has more than `LARGEST` bytes, or it has the mark and is not whole: it is being written.
    """
    content = whole_content(stream)
    try:
        value: object = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        if mark in content:
            raise OSError(errno.EILSEQ, "it is not whole JSON; maybe it is being written") from error
        return None
    return value


def whole_content(stream: BinaryIO) -> bytes:
    """All bytes of a stream.

    Raises:
        OSError: they are more than `LARGEST`.
    """
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST // 1_000_000} MB, and is read as a whole")
    return content


def companion(file: Path) -> Record:
    """The JSON object in another file of a session; an empty one when there is none that can be read."""
    try:
        return mapping(decoded(read_regular(file)))
    except OSError:
        return {}
