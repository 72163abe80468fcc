"""Files that hold one JSON value, and are written anew as a whole whenever it changes."""

import errno
from pathlib import Path

from pipeline.adapters.sources.reading.files import SourceFile
from pipeline.adapters.sources.reading.records import Record, decoded, mapping
from pipeline.workspace.regular_files import LARGEST, read_regular


def document(file: SourceFile) -> object:
    """The value in an open file; `None` when it is no JSON, as while it is being written.

    Raises:
        OSError: it is larger than a file that is read as a whole.
    """
    content = file.stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, f"it holds more than {LARGEST // 1_000_000} MB", file.path)
    return decoded(content.removeprefix(b"\xef\xbb\xbf"))


def companion(file: Path) -> Record:
    """The JSON object in another file of a session; an empty one when there is none that can be read."""
    try:
        return mapping(decoded(read_regular(file)))
    except OSError:
        return {}
