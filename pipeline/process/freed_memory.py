"""The freed memory of a process with many threads: kept in one place, and given back to the system."""

import ctypes

_ARENA_MAX = -8
"""`M_ARENA_MAX` of glibc's `mallopt`."""
_LIBRARY = ctypes.CDLL(None)


def keep_together() -> None:
    """Let all threads take their memory from one place, so that what one frees is used by the others.

    To be called before there are threads. glibc alone has a place for each of them.
    """
    if hasattr(_LIBRARY, "mallopt"):
        _LIBRARY.mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give the pages that nothing needs back to the system, where it can be asked to take them."""
    if hasattr(_LIBRARY, "malloc_trim"):
        _LIBRARY.malloc_trim(0)
