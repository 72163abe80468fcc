"""A file that is one JSON value, and is written anew as a whole."""

import errno
import json
from typing import BinaryIO

from pipeline.workspace.regular_files import LARGEST


def whole_json(stream: BinaryIO, mark: bytes) -> object:
    """The value in a stream; `None` when it is no JSON and does not have `mark`, so that it is another program's.

    Raises:
        OSError: it has more than `LARGEST` bytes, or it has the mark and is not whole: it is being written.
    """
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST // 1_000_000} MB, and is read as a whole")
    try:
        value: object = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        if mark in content:
            raise OSError(errno.EILSEQ, "it is not whole JSON; maybe it is being written") from error
        return None
    return value
