"""Become another program, which the system kills when our parent ends.

A process with threads may run no code of its own between fork and exec; this runs it after the exec.
"""

import ctypes
import os
import signal
import sys

_ENDS_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux's prctl


def tied_command(command: list[str]) -> list[str]:
    """The command that runs another command, tied to this process."""
    # -P: a folder that is named like a module of ours is not imported.
    return [sys.executable, "-P", "-m", __name__, str(os.getpid()), *command]


def main() -> None:
    """Run the program in our place.

    Raises:
        OSError: it cannot be run.
    """
    parent, *command = sys.argv[1:]
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_ENDS_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != int(parent):  # it has ended meanwhile
            sys.exit(signal.SIGKILL)
    os.execv(command[0], command)  # noqa: S606 - the caller's program


if __name__ == "__main__":
    main()
