"""Opening a shard. On some damage the engine ends the process, and no error can be caught then: so it does it once.

A process that opens a shard leaves a note and removes it afterwards. A note that is still there means that a process
died meanwhile, by the engine or by a kill; then a process of its own tries to open the shard first.
"""

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.adapters.index.edge.engine import asked
from pipeline.errors import IndexUnavailable
from pipeline.workspace.regular_files import read_regular, write_regular

if TYPE_CHECKING:
    import qdrant_edge as edge

NOTE = "opening"
"""The file that names the shard which is being opened."""

_TRY = "import sys, qdrant_edge; qdrant_edge.EdgeShard.load(sys.argv[1])"
_DEADLY = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGKILL, signal.SIGSEGV, signal.SIGTRAP}
"""The signals by which a process dies of itself, or for want of memory; a stop from outside uses others."""


def opened(folder: Path, name: str) -> "edge.EdgeShard":
    """The shard of that name in a folder. The caller makes sure that no other process opens one there."""
    import qdrant_edge as edge  # noqa: PLC0415 - loaded when used

    note = folder / NOTE
    if _noted(note) == name and _is_deadly(folder / name):
        why = "its engine dies when it opens it"
        raise IndexUnavailable(why)
    with suppress(OSError):  # without room, or the right to write, the vectors answer as well
        write_regular(note, name.encode())
    try:
        return asked(edge.EdgeShard.load, str(folder / name))
    finally:
        with suppress(OSError):
            note.unlink(missing_ok=True)


def _noted(note: Path) -> str:
    with suppress(OSError):
        return read_regular(note).decode(errors="replace")
    return ""


def _is_deadly(shard: Path) -> bool:
    """Whether a process that opens it dies.

    A shard that fails in another way fails here too, with an error to report.
    """
    command = [sys.executable, "-P", "-c", _TRY, str(shard)]
    tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603 - ourselves
    return -tried.returncode in _DEADLY
