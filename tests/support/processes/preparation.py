"""What is done to a process before it becomes a command: to a fork, or by a command that stands before another."""

import ctypes
import fcntl
import os
import resource
import sys
import termios
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from pipeline.clock import SystemClock

PREPARED = (sys.executable, str(Path(__file__)))
"""How a command begins that prepares its process; what is done and a value follow, and then the command."""

# Root may write everywhere. Without these capabilities (dac_override, dac_read_search, fowner) it is like anybody else.
_CAPABILITIES = (1, 2, 3)
_CAPABILITY_VERSION = 0x20080522
_DROP_FROM_BOUNDS = 24


def largest_file(size: int) -> tuple[str, ...]:
    """What to put before a command so that no file it writes may grow beyond `size` bytes, as on a full disk."""
    return (*PREPARED, "largest file", str(size))


def ordinary_rights() -> tuple[str, ...]:
    """What to put before a command so that it has no more rights to files than their modes give, even for root."""
    return (*PREPARED, "ordinary rights", "")


def reading(file: Path) -> tuple[str, ...]:
    """What to put before a command so that it reads a file as its stdin."""
    return (*PREPARED, "stdin", str(file))


def masked(mask: str) -> tuple[str, ...]:
    """What to put before a command so that it has a umask, in octal digits."""
    return (*PREPARED, "mask", mask)


def controlled() -> tuple[str, ...]:
    """What to put before a command so that the terminal that is its stdin controls it."""
    return (*PREPARED, "terminal", "")


def at_terminal(name: str) -> tuple[str, ...]:
    """What to put before a command so that a terminal of this name controls it, which is none of its streams."""
    return (*PREPARED, "terminal of a name", name)


def one_processor() -> tuple[str, ...]:
    """What to put before a command so that it leaves all processors but one to others."""
    return (*PREPARED, "one processor", "")


def at_moment(moment: datetime) -> tuple[str, ...]:
    """What to put before a command, in a fork, so that its clock stands at a moment, and goes on a little at a look."""
    return (*PREPARED, "clock", moment.isoformat())


def prepare(*steps: str) -> None:
    """Do it to this process: a step is what is done, and a value."""
    for what, value in zip(steps[::2], steps[1::2], strict=True):
        _WAYS[what](value)


def _limit_files(size: str) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), resource.RLIM_INFINITY))


def _drop_rights(_: str) -> None:
    if os.getuid():
        return
    libc, kept = ctypes.CDLL(None), ~sum(1 << capability for capability in _CAPABILITIES)
    for capability in _CAPABILITIES:  # for what this process starts
        libc.prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0)
    header, sets = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, sets)
    for number in range(3):  # effective, permitted, inheritable: the first 32 capabilities of each
        sets[number] &= kept
    libc.capset(header, sets)


def _read(file: str) -> None:
    opened = os.open(file, os.O_RDONLY)
    os.dup2(opened, 0)
    os.close(opened)


def _mask(mask: str) -> None:
    os.umask(int(mask, 8))


def _keep_to_one_processor(_: str) -> None:
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])


def _be_controlled(_: str) -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _be_controlled_by(name: str) -> None:
    os.setsid()
    os.close(os.open(name, os.O_RDWR))  # of a session that has none, it becomes the terminal


def _set_clock(moment: str) -> None:
    start, looks = datetime.fromisoformat(moment), count()

    def now(self: SystemClock) -> datetime:
        del self
        return start + timedelta(milliseconds=next(looks))

    SystemClock.now = now  # type: ignore[method-assign]  # the one clock, of a process that is a test's own


_WAYS: Mapping[str, Callable[[str], None]] = {
    "largest file": _limit_files,
    "ordinary rights": _drop_rights,
    "stdin": _read,
    "mask": _mask,
    "one processor": _keep_to_one_processor,
    "clock": _set_clock,
    "terminal": _be_controlled,
    "terminal of a name": _be_controlled_by,
}

if __name__ == "__main__":
    prepare(*sys.argv[1:3])
    os.execv(sys.argv[3], sys.argv[3:])  # noqa: S606 - a command of a test
