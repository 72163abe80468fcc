"""Freed memory goes back to the system."""

import ctypes
import os
from pathlib import Path

import pytest

from pipeline.process.freed_memory import give_back, keep_together

PIECE, PIECES = 4_096, 10_000


def resident_bytes() -> int:
    """The resident size of this process."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc can be asked")
def test_what_nothing_needs_is_given_back() -> None:
    """Also below what is still needed."""
    keep_together()
    pieces = [bytes(PIECE) for _ in range(PIECES)]
    last, before = pieces[-1], resident_bytes()
    del pieces
    give_back()
    assert last == bytes(PIECE)
    assert resident_bytes() < before - PIECE * PIECES // 2
