"""The number of times that some work waits for the disk."""

import os
import sys
from collections.abc import Callable
from types import FrameType


def count_syncs(work: Callable[[], object]) -> int:
    """The calls of `os.fsync` by this thread while some work is done; engines and SQLite make others."""
    calls = list[str]()

    def note(_: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is os.fsync:
            calls.append(event)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return len(calls)
