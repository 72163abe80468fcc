"""What the engine answers, and its errors in our words."""

import errno
import os
import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from pipeline.errors import IndexUnavailable, WriteFailed

P = ParamSpec("P")
T = TypeVar("T")

_OS_ERROR = re.compile(r"\b(?:Os \{ code: |os error )(\d+)")
_REFUSALS = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE}
"""Errors that are not about the index: building it anew would not help."""


def asked(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The answer of the engine."""
    try:
        return call(*args, **kwargs)
    except BaseException as error:
        # The engine has one class for all its errors, and a panic is no `Exception`.
        if type(error) is not ValueError and type(error).__name__ != "PanicException":
            raise
        refused = _OS_ERROR.search(str(error))
        if refused and int(refused[1]) in _REFUSALS:
            path = "the index"
            raise WriteFailed(path, os.strerror(int(refused[1]))) from error
        why = f"its engine says: {' '.join(str(error).split()).rstrip('.')}"
        raise IndexUnavailable(why) from error
