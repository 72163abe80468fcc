"""Calls of the engine, whose errors become ours."""

import errno
import os
import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from pipeline.errors import IndexUnavailable, WriteFailed

P = ParamSpec("P")
T = TypeVar("T")
_OS_ERROR = re.compile(r"\b(?:Os \{ code:|os error) (\d+)")
_REFUSALS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS}
"""Errors that are not about the vectors: making them anew would not help."""
_NO_ROOM = "Not enough space available"
"""The engine's own words, when it looks at the disk before the system refuses."""


def ask_engine(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The answer of the engine."""
    try:
        return call(*args, **kwargs)
    except BaseException as error:
        # The engine knows no classes of errors: it raises a bare `Exception`, or a panic, which is not even one.
        if type(error) is not Exception and type(error).__name__ != "PanicException":
            raise
        if number := _refusal(str(error)):
            path = "the index"
            raise WriteFailed(path, os.strerror(number)) from error
        why = f"its engine says: {' '.join(str(error).split()).rstrip('.')}"
        raise IndexUnavailable(why) from error


def _refusal(sentence: str) -> int:
    """The number of the system's error in a sentence of the engine, 0 when the error is another one."""
    refused = _OS_ERROR.search(sentence)
    number = errno.ENOSPC if _NO_ROOM in sentence else int(refused[1]) if refused else 0
    return number if number in _REFUSALS else 0
